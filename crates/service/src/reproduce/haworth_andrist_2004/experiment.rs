//! Section 6: 2,000 games of R_20 against R_∞ from the two positions of depth 31.

use errare_choice::{Kappa, PriorShape, probabilities};
use errare_core::Metric;
use errare_endgame::{
    Analyser, Finish, MatchAnalysis, MatchGame, Oracle, PlayerSpec, Predictor, Rules, TableMatch,
    Values, Weighting, draw,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Color, Position};

use super::{Computed, Error, Figure, FigureCurve, Finding, Lab};
use crate::reproduce::lab::{SEED, STARTS, material, position};

const GAMES: u64 = 1000;
/// Longer than any game of the model.
const MOST_MOVES: u64 = 100_000;

/// The games, analysed with candidates up to `c_max`.
fn play(lab: &Lab<'_>, oracle: &Oracle, black: &str, grid: &str) -> Result<Vec<MatchGame>, Error> {
    let players = ["rep:c=20", black].map(|name| name.parse::<PlayerSpec>());
    let [white, black] = players.map(|player| player.expect("players are well named here"));
    let games = TableMatch {
        oracle,
        players: [white, black],
        starts: STARTS.map(position).to_vec(),
        games: GAMES,
        swap: false,
        seed: SEED,
        rules: Rules {
            until_conversion: true,
            fifty_moves: false,
            most_moves: MOST_MOVES,
        },
        analysis: Some(MatchAnalysis {
            kappa: Kappa::ONE,
            grid: grid.parse().expect("grids are well written here"),
            prior: PriorShape::Uniform,
        }),
    };
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let played = games.play(threads, &lab.quiet())?;
    lab.watch.check()?;
    debug_assert!(played.iter().all(|game| game.finish == Finish::White));
    Ok(played)
}

/// Mean, standard error of the mean, standard deviation and its standard error.
fn summary(values: &[f64]) -> [f64; 4] {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let moment = |power: i32| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / count;
    let (variance, fourth) = (moment(2), moment(4));
    let sd = variance.sqrt();
    let sd_error = ((fourth - variance * variance).max(0.0) / count).sqrt() / (2.0 * sd);
    [mean, sd / count.sqrt(), sd, sd_error]
}

fn competences(games: &[MatchGame]) -> Vec<f64> {
    games
        .iter()
        .filter_map(|game| Some(game.apparent[0]?.mean))
        .collect()
}

fn lengths(games: &[MatchGame]) -> Vec<f64> {
    games.iter().map(|game| game.moves as f64).collect()
}

/// The table's values for some games: mean and deviation of the apparent c and of the length, and the
/// extremes.
fn column(name: &str, games: &[MatchGame]) -> Vec<Finding> {
    let (c, moves) = (competences(games), lengths(games));
    let [c_mean, c_error, c_sd, c_sd_error] = summary(&c);
    let [mean, error, sd, sd_error] = summary(&moves);
    let key = |row: &str| format!("{name}{row}");
    let extremes = |values: &[f64]| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        Computed::Text(format!("{least:.2} to {most:.2}").replace(".00", ""))
    };
    // A mean measured in its own standard errors has an error of about 1.
    let bias = Computed::Sampled((c_mean - 20.0) / c_error, 1.0);
    vec![
        Finding::new(key("mean-c"), Computed::Sampled(c_mean, c_error)),
        Finding::new(
            key("mean-c-error"),
            error_of_mean(c_error, c_sd, c_sd_error),
        ),
        Finding::new(key("bias"), bias),
        Finding::new(key("sd-c"), Computed::Sampled(c_sd, c_sd_error)),
        Finding::new(key("mean-moves"), Computed::Sampled(mean, error)),
        Finding::new(key("mean-moves-error"), error_of_mean(error, sd, sd_error)),
        Finding::new(key("sd-moves"), Computed::Sampled(sd, sd_error)),
        Finding::new(key("extremes-c"), extremes(&c)),
        Finding::new(key("extremes-moves"), extremes(&moves)),
    ]
}

/// The standard error of a mean, whose own error is in proportion to that of the deviation.
fn error_of_mean(error: f64, sd: f64, sd_error: f64) -> Computed {
    Computed::Sampled(error, error * sd_error / sd)
}

pub(super) fn table_1(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let games = play(lab, &oracle, "best", "0(1)50")?;
    let rook_first = play(lab, &oracle, "best:ties=rook-first", "0(1)50")?;
    let [rook, rook_error, ..] = summary(&lengths(&rook_first));
    let mut findings = column("", &games);
    for (number, games) in (1..).zip(games.chunks(GAMES as usize)) {
        findings.extend(column(&format!("position-{number}/"), games));
    }
    let chosen = |games: &[MatchGame]| {
        let [mean, error, ..] = summary(&lengths(games));
        let count = games.len() as f64;
        Computed::Sampled(mean * count, error * count)
    };
    findings.extend([
        Finding::new("mean-moves-rook-first", Computed::Sampled(rook, rook_error)),
        Finding::new("choices", chosen(&games)),
        Finding::new("choices-rook-first", chosen(&rook_first)),
    ]);
    Ok(findings)
}

/// Counts of values by interval, as the points of a figure.
fn histogram(values: &[f64], width: f64) -> Vec<(f64, f64)> {
    let most = values.iter().copied().fold(0.0, f64::max);
    let mut counts = vec![0.0; (most / width) as usize + 1];
    for value in values {
        counts[(value / width) as usize] += 1.0;
    }
    let middle = |bin: usize| (bin as f64 + 0.5) * width;
    counts
        .iter()
        .enumerate()
        .map(|(bin, count)| (middle(bin), *count))
        .collect()
}

pub(super) fn figure_3(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let games = play(lab, &oracle, "best", "0(1)50")?;
    let bounded = play(lab, &oracle, "best", "0(1)30")?;
    let [mean, error, ..] = summary(&competences(&bounded));
    let figure = Figure {
        x: "apparent c after one game".to_owned(),
        y: "games of 2,000".to_owned(),
        curves: vec![FigureCurve {
            name: "R_20".to_owned(),
            points: histogram(&competences(&games), 1.0),
        }],
        marks: vec![21.5],
        printed: Vec::new(),
    };
    let [all_mean, all_error, ..] = summary(&competences(&games));
    Ok(vec![
        Finding::new("mean", Computed::Sampled(all_mean, all_error)).with(figure),
        Finding::new("c-max=30", Computed::Sampled(mean, error)),
    ])
}

/// The number of moves by which a share of the games is won, with the standard error of that quantile.
fn won_by(mut lengths: Vec<f64>, share: f64) -> Computed {
    lengths.sort_by(f64::total_cmp);
    let count = lengths.len() as f64;
    let spread = (count * share * (1.0 - share)).sqrt();
    let at = |rank: f64| lengths[(rank.max(0.0) as usize).min(lengths.len() - 1)];
    let rank = count * share;
    Computed::Sampled(at(rank), (at(rank + spread) - at(rank - spread)) / 2.0)
}

/// The distribution functions of the games' lengths and of the Markov chain's.
pub(super) fn figure_4(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let games = lengths(&play(lab, &oracle, "best", "0(1)50")?);
    let rook_first = lengths(&play(lab, &oracle, "best:ties=rook-first", "0(1)50")?);
    let predictor = Predictor::new(&oracle, material("KQKR"), Kappa::ONE, Values::Kept)?;
    let chain = &predictor.chains(Color::White, &[20.0], f64::INFINITY, &lab.quiet())?[0];
    let within = |moves: u32| {
        let won = games
            .iter()
            .filter(|&&length| length <= f64::from(moves))
            .count();
        won as f64 / games.len() as f64
    };
    let moves: Vec<u32> = (30..=400).step_by(5).collect();
    let curve = |name: &str, of: &dyn Fn(u32) -> f64| FigureCurve {
        name: name.to_owned(),
        points: moves
            .iter()
            .map(|&m| (f64::from(m), 100.0 * of(m)))
            .collect(),
    };
    let curves = vec![
        curve("2,000 games", &within),
        curve("Markov chain", &|m| chain.win_within(m)[31]),
    ];
    let distances = curves[0]
        .points
        .iter()
        .zip(&curves[1].points)
        .map(|(a, b)| (a.1 - b.1).abs());
    let distance = distances.fold(0.0, f64::max);
    let figure = Figure {
        x: "moves".to_owned(),
        y: "games that are won by then (%)".to_owned(),
        curves,
        marks: vec![50.0],
        printed: Vec::new(),
    };
    let text = format!("{distance:.1} points of a per cent");
    let share = chain.win_within(50)[31];
    Ok(vec![
        Finding::new("distance", Computed::Text(text)).with(figure),
        Finding::new("won-by", won_by(games, share)),
        Finding::new("won-by-rook-first", won_by(rook_first, share)),
    ])
}

/// A single Analyser over all games in sequence.
pub(super) fn figure_7(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    /// The number of moves after which the paper looks.
    const LOOK: usize = 6000;
    const END: usize = 20_000;
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let grid = "0(1)50".parse().expect("it is well written");
    let mut analyser = Analyser::new(Kappa::ONE, grid, &PriorShape::Uniform);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let weighting = Weighting::keeping_value();
    let mut points = Vec::new();
    let mut error = f64::NAN;
    let mut board = position(STARTS[0]);
    let mut games = 0;
    while analyser.moves() < END {
        lab.watch.check()?;
        let turn = oracle.turn(&board)?;
        let chosen = match board.turn() {
            Color::White => draw(
                &probabilities(weighting.options(&turn, Kappa::ONE), 20.0),
                &mut rng,
            ),
            Color::Black => {
                let best =
                    |choice: &errare_endgame::Choice| f64::from(u8::from(turn.is_optimal(choice)));
                let weights: Vec<f64> = turn.choices().iter().map(best).collect();
                let sum: f64 = weights.iter().sum();
                draw(
                    &weights
                        .iter()
                        .map(|weight| weight / sum)
                        .collect::<Vec<_>>(),
                    &mut rng,
                )
            }
        };
        let choice = &turn.choices()[chosen];
        if board.turn() == Color::White {
            analyser.observe(&turn, choice);
            let mean = analyser
                .posterior()
                .summary()
                .map_or(f64::NAN, |estimate| estimate.mean);
            if analyser.moves() == LOOK {
                error = mean - 20.0;
            }
            if analyser.moves().is_multiple_of(100) {
                points.push((analyser.moves() as f64, mean - 20.0));
            }
        }
        let over = choice.r#move.is_capture();
        board.play_unchecked(choice.r#move);
        if over || board.legal_moves().is_empty() {
            games += 1;
            board = position(STARTS[games % 2]);
        }
    }
    let figure = Figure {
        x: "moves analysed".to_owned(),
        y: "E[c] less 20".to_owned(),
        curves: vec![FigureCurve {
            name: "R_20".to_owned(),
            points,
        }],
        marks: vec![LOOK as f64],
        printed: Vec::new(),
    };
    Ok(vec![
        Finding::new("accurate", Computed::yes(error.abs() <= 0.1)).with(figure),
        Finding::new("error", Computed::Text(format!("{error:+.3}"))),
    ])
}

//! Experiments that Haworth and Andrist (2004) leave open in section 8.

use errare_choice::{Kappa, PriorShape};
use errare_core::{FaultKind, Metric};
use errare_endgame::{Finish, MatchAnalysis, MatchGame, Oracle, PlayerSpec, Rules, TableMatch};
use errare_minimax::WilsonInterval;

use super::{
    Computed, Experiment, Figure, FigureCurve, Finding,
    lab::{Lab, SEED, STARTS, material, position},
};
use crate::{
    Error,
    model::{Model, ValueRule},
    predict,
};

pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "open-experiments/drawn",
        short: false,
        run: drawn,
    },
    Experiment {
        id: "open-experiments/lost",
        short: false,
        run: lost,
    },
    Experiment {
        id: "open-experiments/predator",
        short: false,
        run: predator,
    },
    Experiment {
        id: "open-experiments/emulator",
        short: false,
        run: emulator,
    },
];

/// Games of two players from one position.
struct Meeting<'a> {
    players: [&'a str; 2],
    fen: &'a str,
    games: u64,
    rules: Rules,
}

impl Meeting<'_> {
    fn play(&self, lab: &Lab<'_>, oracle: &Oracle) -> Result<Vec<MatchGame>, Error> {
        let named = |name: &str| {
            name.parse::<PlayerSpec>()
                .expect("players are well named here")
        };
        let meeting = TableMatch {
            oracle,
            players: self.players.map(named),
            starts: vec![position(self.fen)],
            games: self.games,
            swap: false,
            seed: SEED,
            rules: self.rules,
            analysis: Some(MatchAnalysis {
                kappa: Kappa::ONE,
                grid: "0(1)50".parse().expect("it is well written"),
                prior: PriorShape::Uniform,
            }),
        };
        let threads = std::thread::available_parallelism().map_or(1, Into::into);
        let played = meeting.play(threads, &lab.quiet())?;
        lab.watch.check()?;
        Ok(played)
    }
}

/// Until conversion, without the 50-move rule, with at most this many moves.
fn until(most_moves: u64) -> Rules {
    Rules {
        until_conversion: true,
        fifty_moves: false,
        most_moves,
    }
}

/// A percentage with its 95 % Wilson interval.
fn share(games: &[MatchGame], is_counted: impl Fn(&MatchGame) -> bool) -> String {
    let counted = games.iter().filter(|game| is_counted(game)).count();
    let count = u32::try_from(games.len()).unwrap_or(u32::MAX);
    WilsonInterval::wilson(counted as f64, count).map_or("no games".to_owned(), |it| {
        let [share, low, high] = [it.share, it.low, it.high].map(|share| 100.0 * share);
        format!("{share:.1} % ({low:.1}-{high:.1})")
    })
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0)).sqrt())
}

/// "Infallible White attacking fallible Black in a drawn position": how often White wins within 50 moves.
fn drawn(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const MOVES: u64 = 50;
    let positions = [
        ("krkn", "8/8/8/8/3k4/8/3n4/K6R w - - 0 1"),
        ("krbkr", "8/8/8/3k4/8/3r4/8/R2K2B1 w - - 0 1"),
    ];
    let mut findings = Vec::new();
    for (endgame, fen) in positions {
        let oracle = lab.oracle(&endgame.to_uppercase(), Metric::Dtc)?;
        let mut texts = Vec::new();
        for (name, white) in [("best", "best"), ("Predator", "predator:c=5")] {
            let meeting = Meeting {
                players: [white, "rep:c=5,value=risk"],
                fen,
                games: 400,
                rules: until(MOVES),
            };
            let played = meeting.play(lab, &oracle)?;
            let won = share(&played, |game| game.finish == Finish::White);
            texts.push(format!("{name} {won}"));
        }
        findings.push(Finding::new(endgame, Computed::Text(texts.join(", "))));
    }
    Ok(findings)
}

/// "Infallible Black pressing for a draw in a lost position": how often R_20, who may err, wins; and within 50 moves.
fn lost(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const GAMES: u64 = 1000;
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let fifty = Rules {
        fifty_moves: true,
        ..until(1000)
    };
    let questions = [
        ("kqkr/erring", "rep:c=20,value=risk", until(200)),
        ("kqkr/fifty", "rep:c=20", fifty),
    ];
    let mut findings = Vec::new();
    for (key, white, rules) in questions {
        let mut texts = Vec::new();
        for (name, black) in [("best", "best"), ("Predator", "predator:c=20")] {
            let meeting = Meeting {
                players: [white, black],
                fen: STARTS[0],
                games: GAMES,
                rules,
            };
            let won = share(&meeting.play(lab, &oracle)?, |game| {
                game.finish == Finish::White
            });
            texts.push(format!("{won} against {name}"));
        }
        findings.push(Finding::new(key, Computed::Text(texts.join(", "))));
    }
    Ok(findings)
}

/// How much of the possible gain Predators achieve compared with a defender that only plays well: exactly, without
/// games.
fn predator(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const OPPONENTS: [(&str, f64); 5] = [
        ("best", 0.0),
        ("predator", 2.0),
        ("predator:plies=4", 4.0),
        ("predator:plies=6", 6.0),
        ("hunter", 8.0),
    ];
    let mut findings = Vec::new();
    let mut curves = Vec::new();
    for endgame in ["KRKN", "KRKB"] {
        let mut lengths = Vec::new();
        for (opponent, plies) in OPPONENTS {
            lengths.push((plies, expected(lab, endgame, opponent)?));
        }
        let [(_, best), .., (_, hunter)] = lengths[..] else {
            continue;
        };
        let gained = |length: f64| (length - best) / (hunter - best);
        let texts = lengths[1..4].iter().map(|(plies, length)| {
            format!(
                "{plies} plies {length:.3} ({:.0} %)",
                100.0 * gained(*length)
            )
        });
        let texts: Vec<String> = texts.collect();
        let text = format!(
            "best {best:.3}, {}, best reply {hunter:.3}",
            texts.join(", ")
        );
        findings.push(Finding::new(endgame.to_lowercase(), Computed::Text(text)));
        curves.push(FigureCurve {
            name: endgame.to_owned(),
            points: lengths
                .iter()
                .map(|(plies, length)| (*plies, 100.0 * gained(*length)))
                .collect(),
        });
    }
    if let Some(first) = findings.first_mut() {
        first.figure = Some(Figure {
            x: "plies that the Predator looks ahead (8: the exact best reply)".to_owned(),
            y: "share of the possible gain (%)".to_owned(),
            curves,
            marks: Vec::new(),
            printed: Vec::new(),
        });
    }
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let meeting = Meeting {
        players: ["rep:c=20", "predator:c=20"],
        fen: STARTS[0],
        games: 1000,
        rules: until(100_000),
    };
    let moves: Vec<f64> = meeting
        .play(lab, &oracle)?
        .iter()
        .map(|game| game.moves as f64)
        .collect();
    let (mean, sd) = moments(&moves);
    let interval = 1.96 * sd / (meeting.games as f64).sqrt();
    let [best, hunter] = ["best", "hunter"].map(|opponent| expected(lab, "KQKR", opponent));
    let text = format!(
        "best {:.1}, 2 plies {mean:.1} ± {interval:.1} (1000 games), best reply {:.1}",
        best?, hunter?
    );
    findings.push(Finding::new("kqkr", Computed::Text(text)));
    Ok(findings)
}

/// The mean number of moves that R_20 needs from the deepest wins of an endgame against an opponent.
fn expected(lab: &Lab<'_>, endgame: &str, opponent: &str) -> Result<f64, Error> {
    let request = predict::Request {
        endgame: material(endgame),
        skill: "20".parse().expect("it is a competence"),
        compare: Vec::new(),
        opponent: opponent.parse().expect("opponents are well named here"),
        side: errare_core::Colour::White,
        value: ValueRule::Keep,
        moves: 1,
        position: None,
        model: Model {
            metric: Metric::Dtc,
            kappa: Kappa::ONE,
        },
    };
    let answer = predict::answer(lab.service, &request, &lab.quiet())?;
    let deepest = answer.forecast.expected_moves.values().last();
    let length = deepest.copied().flatten();
    let missing = || format!("no length of {endgame} against {opponent}");
    length.ok_or_else(|| Error::new(FaultKind::Internal, missing()))
}

/// "Use of the Emulator as a training partner": how consistently it shows its competence.
fn emulator(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const GAMES: u64 = 300;
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let mut texts = Vec::new();
    for (name, player) in [("R_20", "rep:c=20"), ("E_20", "emulator:c=20")] {
        let meeting = Meeting {
            players: [player, "best"],
            fen: STARTS[0],
            games: GAMES,
            rules: until(2000),
        };
        let played = meeting.play(lab, &oracle)?;
        let shown: Vec<f64> = played
            .iter()
            .filter_map(|game| Some(game.apparent[0]?.mean))
            .collect();
        let (mean, sd) = moments(&shown);
        let error = sd / (GAMES as f64).sqrt();
        texts.push(format!(
            "{name}: {mean:.2} ± {:.2}, deviation {sd:.2}",
            1.96 * error
        ));
    }
    Ok(vec![Finding::new("", Computed::Text(texts.join("; ")))])
}

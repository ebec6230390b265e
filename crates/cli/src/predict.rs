//! `errare predict`: how long a fallible player takes to win an endgame, and how likely it is.

mod exact;
mod report;

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use errare_core::{Material, Metric};
use errare_endgame::{Chain, ChainState, Matrix, Predictor, Results, TieBreak};
use errare_tables::parse_position;
use serde::Serialize;
use shakmaty::Color;

use crate::{
    competence::{Competence, Side, Value, finite},
    curves::{self, Curve, Panel},
    model::Model,
    output,
};

/// Predicts how a player of competence c does in an endgame, against an infallible opponent or R_c
///
/// By default for every depth of a win: the expected number of the player's moves until it is
/// achieved (in dtc: mate or conversion), their standard deviation, and the chance to achieve it
/// within so many moves. These are averages over the endgame: of the Markov chain whose states are
/// depths, each transition averaged over all positions of the full board.
///
/// With --position also the exact expectation for that position, against the infallible opponent;
/// how that one breaks ties (--ties) makes a difference.
///
/// With --value risk moves that lose value are played too, and the chances of win, draw and loss are
/// told, from drawn and lost positions as well.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: Material,

    /// The player's competence: 0 plays at random, inf is infallible
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    skill: Competence,

    /// Further competences to compare with, in the table and the plot
    #[arg(
        long,
        value_name = "C,...",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    compare: Vec<Competence>,

    /// The opponent's competence
    #[arg(
        long,
        value_name = "C",
        default_value = "inf",
        allow_negative_numbers = true
    )]
    opponent: Competence,

    /// The player's side; the side to move if there is a --position
    #[arg(long, default_value = "white")]
    side: Side,

    /// Whether players may lose value
    #[arg(long, default_value = "keep")]
    value: Value,

    /// Within how many moves the win is to be achieved
    #[arg(long, value_name = "N", default_value_t = 50)]
    moves: u32,

    /// A position of the endgame, won by the side to move, to be followed exactly
    #[arg(long, value_name = "FEN")]
    position: Option<String>,

    /// How the infallible opponent breaks ties in --position: uniform, first, longest-dtm, rook-first
    #[arg(long, default_value = "uniform", requires = "position")]
    ties: TieBreak,

    /// Also play so many games from --position, tens of millions of moves a second
    #[arg(long, value_name = "GAMES", requires = "position", value_parser = clap::value_parser!(u32).range(2..))]
    simulate: Option<u32>,

    /// Simulated games are broken off after so many moves
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        requires = "simulate"
    )]
    max_moves: u32,

    /// Seed of the random numbers [default: a random one, which is told]
    #[arg(long, requires = "simulate")]
    seed: Option<u64>,

    /// Draw expected moves and chances by depth, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Answer in CSV, a line a depth
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    #[command(flatten)]
    model: Model,
}

const EXAMPLES: &str = "\
Examples:
  errare predict KQKR --skill 20
  errare predict KQKR --skill 20 --compare 21,22 --plot kqkr.svg
  errare predict KQKR --skill 20 --opponent 10 --value risk
  errare predict KQKR --skill 20 --position \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\" --ties rook-first
  errare predict KQKR --skill 20 --position K3r3/8/5k2/Q7/8/8/8/8_w_-_-_0_1 --simulate 1000000";

/// What is predicted, in JSON.
#[derive(Serialize)]
struct Prediction {
    endgame: Material,
    metric: Metric,
    kappa: f64,
    skill: Competence,
    opponent: Competence,
    side: Side,
    value: Value,
    #[serde(flatten)]
    forecast: Forecast,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    compare: Vec<Compared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<exact::Answer>,
}

/// What is predicted for one competence, by depth; null where play may never end.
#[derive(Serialize)]
struct Forecast {
    expected_moves: BTreeMap<u16, Option<f64>>,
    deviation: BTreeMap<u16, Option<f64>>,
    win_within: Within,
    /// By state, where value is at risk: `win 3`, `draw`, `loss 2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<serde_json::Map<String, serde_json::Value>>,
    #[serde(skip)]
    positions: BTreeMap<u16, u64>,
}

#[derive(Serialize)]
struct Within {
    moves: u32,
    from: BTreeMap<u16, f64>,
}

#[derive(Serialize)]
struct Compared {
    skill: Competence,
    #[serde(flatten)]
    forecast: Forecast,
}

/// Predicts and shows.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let endgame = arguments.endgame;
    let position = arguments
        .position
        .as_deref()
        .map(parse_position)
        .transpose()?;
    let side: Color = match &position {
        None => arguments.side.into(),
        Some(position) => exact::player(arguments, position)?,
    };
    let by_dtm = position.is_some() && arguments.ties == TieBreak::LongestDtm;
    let also: &[Metric] = if by_dtm { &[Metric::Dtm] } else { &[] };
    let oracle = arguments.model.oracle(&[endgame], also)?;
    let predictor = Predictor::new(
        &oracle,
        endgame,
        arguments.model.kappa,
        arguments.value.into(),
    )?;
    let mut skills = vec![arguments.skill];
    skills.extend(&arguments.compare);
    let competences: Vec<f64> = skills.iter().map(|skill| skill.0).collect();
    let seen = predictor.matrices_and_chains(side, &competences, arguments.opponent.0)?;
    if seen[0].1.depths().next().is_none() && arguments.value == Value::Keep {
        talk!("errare: this side has no win in {endgame}; try --side or --value risk");
        return Ok(ExitCode::FAILURE);
    }
    let exact = position
        .map(|position| exact::answer(arguments, &oracle, &position))
        .transpose()?;
    let mut forecasts = seen
        .iter()
        .map(|(matrix, chain)| Forecast::new(arguments, side, matrix, chain));
    let first = forecasts.next().expect("there is a skill");
    let prediction = Prediction {
        endgame,
        metric: arguments.model.metric,
        kappa: arguments.model.kappa.get(),
        skill: arguments.skill,
        opponent: arguments.opponent,
        side: side.into(),
        value: arguments.value,
        forecast: first,
        compare: skills[1..]
            .iter()
            .zip(forecasts)
            .map(|(&skill, forecast)| Compared { skill, forecast })
            .collect(),
        position: exact,
    };
    if let Some(path) = &arguments.plot {
        curves::draw(path, &prediction.panels())?;
    }
    match () {
        () if arguments.json => output::json(&prediction)?,
        () if arguments.csv => report::csv(&prediction)?,
        () => report::write(&mut anstream::stdout().lock(), &prediction)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Forecast {
    fn new(arguments: &Arguments, side: Color, matrix: &Matrix, chain: &Chain) -> Forecast {
        let number = |depth| chain.states().number(chain.win(depth));
        let by_depth = |values: &[f64]| -> BTreeMap<u16, Option<f64>> {
            let value = |depth| (depth, finite(values[number(depth)]));
            chain.depths().map(value).collect()
        };
        let within = chain.win_within(arguments.moves);
        Forecast {
            expected_moves: by_depth(&chain.expected_moves()),
            deviation: by_depth(&chain.deviation()),
            win_within: Within {
                moves: arguments.moves,
                from: chain.depths().map(|d| (d, within[number(d)])).collect(),
            },
            results: (arguments.value == Value::Risk).then(|| results(chain, side)),
            positions: chain
                .depths()
                .map(|depth| (depth, matrix.positions(chain.win(depth))))
                .collect(),
        }
    }
}

/// The chances of each result in the end, by state as the player sees it.
fn results(chain: &Chain, side: Color) -> serde_json::Map<String, serde_json::Value> {
    let results: Vec<Results> = chain.results();
    let states = chain.states().all().zip(results);
    let mut named: Vec<_> = states
        .filter(|(state, _)| chain.occurs(*state))
        .map(|(state, results)| {
            let value = serde_json::to_value(results).expect("numbers are JSON");
            (name(state, side), value)
        })
        .collect();
    if side.is_black() {
        named.reverse();
    }
    named.into_iter().collect()
}

/// A state as a side sees it: `win 3`.
pub(crate) fn name(state: ChainState, side: Color) -> String {
    match (state, side) {
        (ChainState::Draw, _) => "draw".to_owned(),
        (ChainState::Drawn, _) => "drawn".to_owned(),
        (ChainState::Win(depth), Color::White) | (ChainState::Loss(depth), Color::Black) => {
            format!("win {depth}")
        }
        (ChainState::Win(depth), Color::Black) | (ChainState::Loss(depth), Color::White) => {
            format!("loss {depth}")
        }
    }
}

impl Prediction {
    /// Every competence with its forecast.
    fn forecasts(&self) -> impl Iterator<Item = (Competence, &Forecast)> {
        let compared = self.compare.iter();
        [(self.skill, &self.forecast)]
            .into_iter()
            .chain(compared.map(|compared| (compared.skill, &compared.forecast)))
    }

    /// Figures 5 and 6 of Haworth and Andrist (2004).
    fn panels(&self) -> [Panel; 2] {
        let title = |what: &str| {
            let Prediction {
                endgame,
                metric,
                opponent,
                ..
            } = self;
            format!("{endgame}: {what}, R_c against R_{opponent} ({metric})")
        };
        let curves = |points: &dyn Fn(&Forecast) -> Vec<(f64, f64)>| {
            let curve = |(skill, forecast): (Competence, &Forecast)| Curve {
                name: format!("c = {skill}"),
                points: points(forecast),
                ..Curve::default()
            };
            self.forecasts().map(curve).collect()
        };
        let moves = self.forecast.win_within.moves;
        [
            Panel {
                title: title("expected moves to the win"),
                x: "depth",
                steps: Vec::new(),
                y: "moves",
                logarithmic: false,
                curves: curves(&|forecast| {
                    let points = forecast.expected_moves.iter();
                    points
                        .filter_map(|(&depth, &moves)| Some((f64::from(depth), moves?)))
                        .collect()
                }),
            },
            Panel {
                title: title(&format!("chance to win within {moves} moves")),
                x: "depth",
                steps: Vec::new(),
                y: "probability",
                logarithmic: false,
                curves: curves(&|forecast| {
                    let points = forecast.win_within.from.iter();
                    points.map(|(&depth, &p)| (f64::from(depth), p)).collect()
                }),
            },
        ]
    }
}

//! Begins a session.

use std::time::{SystemTime, UNIX_EPOCH};

use errare_core::{Colour, Material, Metric, Outcome, Watch};
use errare_endgame::Oracle;
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

use super::{
    drill::Drill,
    level::{self, Level},
    opponent::{DEFAULT_OPPONENT, PracticeOpponent},
    play::{self, Answer, standing_of},
    session::{Session, fen},
    setup::{HOLD_MOVES, Setup, Task, Until},
    standing::GameValue,
    start::{self, DepthRange, Start, Wanted},
    tricky::{self, TrickyRequest},
};
use crate::{Error, Service};

/// A session to begin. Missing fields get sensible defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PracticeRequest))]
pub struct Request {
    /// The start.
    pub start: Start,
    /// The person's side. Default: that of the drill, the side to move of a position, or in a random one White
    /// to win and Black to defend.
    #[serde(default)]
    pub side: Option<Colour>,
    /// The opponent's name. Default: the Predator.
    #[serde(default)]
    pub opponent: Option<String>,
    /// The metric. Default: DTC.
    #[serde(default)]
    pub metric: Option<Metric>,
    /// The κ of the model. Default: 1.
    #[serde(default)]
    pub kappa: Option<f64>,
    /// The seed. Default: random.
    #[serde(default)]
    pub seed: Option<u64>,
    /// How far the game goes. Default: to conversion.
    #[serde(default)]
    pub until: Option<Until>,
    /// The number of moves after which a drawn position counts as held.
    #[serde(default)]
    pub hold_moves: Option<u16>,
}

impl Request {
    /// A session with this start.
    pub fn new(start: Start) -> Request {
        Request {
            start,
            side: None,
            opponent: None,
            metric: None,
            kappa: None,
            seed: None,
            until: None,
            hold_moves: None,
        }
    }

    /// The same session once more.
    pub fn again(setup: &Setup) -> Request {
        Request {
            side: Some(setup.side),
            opponent: Some(setup.opponent.clone()),
            metric: Some(setup.metric),
            kappa: Some(setup.kappa),
            seed: Some(setup.seed),
            until: Some(setup.until),
            hold_moves: Some(setup.hold_moves),
            ..Request::new(match &setup.drill {
                Some(name) => Start::Drill { name: name.clone() },
                None => Start::Position {
                    fen: setup.fen.clone(),
                },
            })
        }
    }
}

/// Tricky starts are drawn from this many positions.
const TRICKIEST: usize = 100;
/// A drawn start that R_20 holds more often than this is too easy.
const EASILY_HELD: f64 = 0.95;

/// Begins a session. If it is the opponent's turn, the opponent moves at once.
///
/// ```
/// use errare_service::practice::{self, Act, Request, Start};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let start = Start::Position { fen: "8/8/8/4k3/8/8/Q7/K7 w - - 0 1".to_owned() };
/// let begun = practice::begin(&service, &Request::new(start), &())?;
/// let played = practice::act(&service, &begun.session, &Act::Move { text: "Kb2".to_owned() }, &())?;
/// assert_eq!(played.session.moves.len(), 2, "the opponent has answered");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn begin(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let setup = set_up(service, request, watch)?;
    let begun = SystemTime::now().duration_since(UNIX_EPOCH);
    let session = Session {
        id: format!("{:016x}", rand::random::<u64>()),
        begun: begun.map_or(0, |time| time.as_secs() as i64),
        setup,
        moves: Vec::new(),
        attempts: Vec::new(),
        hints: Vec::new(),
        draw_doubted: false,
        end: None,
    };
    play::resume(service, &session, watch)
}

fn set_up(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Setup, Error> {
    let opponent = request.opponent.as_deref().unwrap_or(DEFAULT_OPPONENT);
    let opponent = PracticeOpponent::named(service, opponent)?;
    opponent.prepare(watch)?;
    let mut setup = Setup {
        fen: String::new(),
        // Set below, like the side and the task.
        endgame: Material::of(&shakmaty::Board::default()).0,
        side: request.side.unwrap_or(Colour::White),
        task: Task::Win,
        opponent: opponent.name(),
        metric: request.metric.unwrap_or(Metric::Dtc),
        kappa: request.kappa.unwrap_or(1.0),
        seed: request.seed.unwrap_or_else(rand::random),
        until: request.until.unwrap_or_default(),
        hold_moves: request.hold_moves.unwrap_or(HOLD_MOVES),
        drill: None,
    };
    setup.kappa()?;
    let drawn = match &request.start {
        Start::Position { fen } => {
            let (fen, endgame, to_move) = start::given(fen)?;
            setup.endgame = endgame;
            setup.side = request.side.unwrap_or(to_move);
            setup.fen = fen;
            None
        }
        Start::Drill { name } => {
            let drill = Drill::named(name)?;
            let (fen, endgame, _) = start::given(&drill.fen)?;
            setup.endgame = endgame;
            setup.side = request.side.unwrap_or(drill.side);
            setup.hold_moves = request
                .hold_moves
                .or(drill.hold_moves)
                .unwrap_or(HOLD_MOVES);
            setup.drill = Some(drill.name.clone());
            setup.fen = fen;
            None
        }
        Start::Random { endgame, task, .. } | Start::Tricky { endgame, task, .. } => {
            let usual = match task {
                Task::Win => Colour::White,
                Task::Hold | Task::Resist => Colour::Black,
            };
            setup.endgame = *endgame;
            setup.side = request.side.unwrap_or(usual);
            setup.task = *task;
            Some(())
        }
    };
    let oracle = play::oracle(service, &setup, &opponent, watch)?;
    if drawn.is_some() {
        let mut rng = ChaCha8Rng::seed_from_u64(setup.seed);
        setup.fen = fen(&draw(&oracle, &setup, &request.start, &mut rng, watch)?);
    }
    let position = setup.position()?;
    let standing = standing_of(&oracle, &position, setup.side)?;
    setup.task = match standing.value {
        GameValue::Win => Task::Win,
        GameValue::Draw => Task::Hold,
        GameValue::Loss => Task::Resist,
    };
    opponent.take_seat(&oracle, &setup, &position, watch)?;
    Ok(setup)
}

/// Draws a random or a tricky start.
fn draw(
    oracle: &Oracle,
    setup: &Setup,
    start: &Start,
    rng: &mut ChaCha8Rng,
    watch: &dyn Watch,
) -> Result<Chess, Error> {
    match start {
        Start::Random { depth, level, .. } => random(oracle, setup, *depth, *level, rng, watch),
        Start::Tricky { by, .. } => {
            let request = TrickyRequest {
                endgame: setup.endgame,
                side: setup.side,
                task: setup.task,
                by: *by,
                metric: setup.metric,
                count: TRICKIEST,
            };
            let found = tricky::find(oracle, &request, setup.kappa()?, watch)?;
            if found.is_empty() {
                let (endgame, side) = (setup.endgame, setup.side);
                return Err(Error::bad_request(format!(
                    "no position of {endgame} with {side} to move is tricky for that task"
                )));
            }
            let chosen = &found[rng.random_range(0..found.len())];
            let position = errare_core::parse_position(&chosen.fen)?;
            Ok(start::turned(&position, rng))
        }
        Start::Position { fen } | Start::Drill { name: fen } => {
            Ok(errare_core::parse_position(fen)?)
        }
    }
}

fn random(
    oracle: &Oracle,
    setup: &Setup,
    depth: Option<DepthRange>,
    level: Option<Level>,
    rng: &mut ChaCha8Rng,
    watch: &dyn Watch,
) -> Result<Chess, Error> {
    let (kappa, metric, side) = (setup.kappa()?, setup.metric, Color::from(setup.side));
    let winner = match setup.task {
        Task::Resist => !side,
        _ => side,
    };
    let chances = match (level, setup.task) {
        (Some(_), Task::Win | Task::Resist) => {
            level::winning_chances(oracle, setup.endgame, winner, kappa, watch)?
        }
        _ => Vec::new(),
    };
    // For the defender, a start is the easier the less likely the attacker is to win.
    let chance = |depth: u16| {
        let chance = chances
            .iter()
            .find(|(other, _)| *other == depth)
            .map(|(_, chance)| *chance);
        chance.map(|chance| if winner == side { chance } else { 1.0 - chance })
    };
    let fits = |position: &Chess, outcome: Outcome| {
        Ok(match (setup.task, level) {
            (Task::Hold, level) => {
                let chance = level::holding_chance(oracle, position, kappa)?;
                chance < EASILY_HELD && level.is_none_or(|level| Level::of(chance) == level)
            }
            (_, Some(level)) => {
                let moves = outcome.moves_in(metric).map_or(0, |moves| moves.0);
                chance(moves).is_some_and(|chance| Level::of(chance) == level)
            }
            (_, None) => true,
        })
    };
    let wanted = Wanted {
        endgame: setup.endgame,
        task: setup.task,
        side: setup.side,
        depth,
        level,
        also: &fits,
    };
    start::draw(oracle, &wanted, rng)
}

//! Matches between two players: on tables under the rules of the papers, from any other position under those of the game.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use errare_choice::{Grid, Kappa, PriorShape};
use errare_core::{Material, Metric, Stopped, Watch, parse_position};
use errare_endgame::{MatchAnalysis, Oracle, PlayerSpec, TieBreak};
use errare_minimax::{ConnectFour, Othello, WilsonInterval};
use errare_players::{
    Board, EngineRoom, Finish, Hired, Match, MatchGame, Means, PlayerName, Seats,
};
use errare_rating::continuous::Calibration;
use errare_tables::Prober;
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

use crate::{
    AnyCalibration, EngineChoice, Error, RequestError, Service, spread::Spread, texts::whole_text,
    workers::workers,
};

/// The starting positions in a file of openings, as FEN: the final positions of its games if it is PGN, otherwise one FEN or
/// EPD per line.
pub fn openings(file: &Path) -> Result<Vec<String>, Error> {
    let text = whole_text(file)?;
    let positions = errare_players::openings(&text)
        .map_err(|error| Error::from(error).context(format!("cannot use {}", file.display())))?;
    let fen = |position| Fen::from_position(position, EnPassantMode::Legal).to_string();
    Ok(positions.iter().map(fen).collect())
}

/// A match between two players.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MatchRequest))]
pub struct Request {
    /// White and Black.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub players: [PlayerName; 2],
    /// The starting positions: FENs, or `start` for the initial position. Chess only.
    pub from: Vec<String>,
    /// The number of games from each position.
    pub games: u64,
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Swap colours after each game?
    #[serde(default)]
    pub swap: bool,
    /// The seed of the random numbers; random if missing.
    pub seed: Option<u64>,
    /// On tables: continue through conversions, until mate or stalemate?
    #[serde(default)]
    pub to_mate: bool,
    /// On tables: apply the 50-move rule? Elsewhere it always applies.
    #[serde(default)]
    pub fifty: bool,
    /// The limit in moves by White, after which a game is unfinished.
    pub most_moves: u64,
    /// The metric of depths.
    pub metric: Metric,
    /// κ of the analysis.
    pub kappa: f64,
    /// The prior of the analysis for each game: competences as `0(1)50`, followed by `,normal:20:5` if they are not equally
    /// likely.
    pub prior: String,
    /// The number of threads; one per core if missing.
    pub threads: Option<usize>,
    /// The engine for players that name none.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub engine: Option<PathBuf>,
    /// A calibration of human play, by its file or name; the shipped one for the engine if missing.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub calibration: Option<PathBuf>,
}

/// A game that two players can play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameName {
    /// Chess.
    #[default]
    Chess,
    /// Othello.
    Othello,
    /// Connect Four.
    Connect4,
}

impl FromStr for GameName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<GameName, &'static str> {
        match text {
            "chess" => Ok(GameName::Chess),
            "othello" => Ok(GameName::Othello),
            "connect4" => Ok(GameName::Connect4),
            _ => Err("the games are chess, othello and connect4"),
        }
    }
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MatchAnswer))]
pub struct Answer {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of games played.
    pub games: u64,
    /// The game.
    pub game: GameName,
    /// The players' names, White's first unless colours were swapped.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub players: [String; 2],
    /// Did the players swap colours after each game?
    #[serde(default)]
    pub swap: bool,
    /// The metric of depths.
    pub metric: Metric,
    /// How games ended, by colour.
    pub results: Results,
    /// The shares of games that White wins, that are drawn, and that Black wins.
    #[serde(default)]
    pub shares: Option<Shares>,
    /// The first player's games.
    pub first: Points,
    /// The lengths of games, in moves of White.
    pub length: Spread,
    /// The first player's apparent competence over the games, on tables.
    /// Without swapped colours that is White.
    pub apparent_competence: Option<Apparent>,
    /// The second player's apparent competence.
    pub apparent_competence_black: Option<Apparent>,
    /// Were the players analysed? They are in matches on tables.
    pub analysed: bool,
    /// Notes for the reader, such as that a player extrapolates.
    pub notes: Vec<String>,
}

/// How games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Results {
    /// White won.
    pub white: u64,
    /// Drawn on the board.
    pub draws: u64,
    /// Black won.
    pub black: u64,
    /// Drawn by the 50-move rule.
    pub fifty_moves: u64,
    /// Drawn by repetition.
    pub repetition: u64,
    /// Reached the limit of moves.
    pub unfinished: u64,
}

/// Shares of all games, with the 95 % intervals of the chances behind them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Shares {
    /// White wins.
    pub white: WilsonInterval,
    /// Drawn, for any reason.
    pub drawn: WilsonInterval,
    /// Black wins.
    pub black: WilsonInterval,
}

/// The games of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Points {
    /// Won.
    pub wins: u64,
    /// Drawn, for any reason.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

/// The apparent competence of one player, according to an Analyser of single games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Apparent {
    /// Over games.
    #[serde(flatten)]
    pub spread: Spread,
    /// Games in which no depth was ceded; they have no finite c and are left out.
    pub faultless: u64,
}

/// Plays the match.
///
/// ```
/// use errare_service::matches::{self, Request};
/// use serde_json::{from_value, json};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request: Request = from_value(json!({
///     "players": ["rep:c=20", "best"], "from": ["8/8/8/4k3/8/8/Q7/K7 w - - 0 1"], "games": 10, "seed": 1,
///     "most_moves": 1000, "metric": "dtc", "kappa": 1, "prior": "0(1)50",
/// }))?;
/// let answer = matches::answer(&service, &request, &())?;
/// assert_eq!(answer.games, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    Ok(play(service, request, watch)?.0)
}

/// Plays the match and returns each game's outcome too.
pub fn play(
    service: &Service,
    request: &Request,
    watch: &dyn Watch,
) -> Result<(Answer, Vec<MatchGame>), Error> {
    let request = &Request {
        seed: Some(request.seed.unwrap_or_else(rand::random)),
        ..request.clone()
    };
    let calibration = request.calibration()?;
    let games = games(service, request, calibration, 0..request.total(), watch)?;
    summary(request, games)
}

/// Summarises the games of a match.
pub(crate) fn summary(request: &Request, games: Games) -> Result<(Answer, Vec<MatchGame>), Error> {
    let Games {
        played,
        analysed,
        notes,
    } = games;
    let lengths = played.iter().map(|game| game.moves as f64);
    let answer = Answer {
        seed: request.seed.unwrap_or_default(),
        games: played.len() as u64,
        game: request.game,
        players: request.players.each_ref().map(ToString::to_string),
        swap: request.swap,
        metric: request.metric,
        results: Results::of(&played),
        shares: Results::of(&played).shares(),
        first: Points::of(&played),
        length: Spread::of(lengths).ok_or(Stopped)?,
        apparent_competence: Apparent::of(&played, 0),
        apparent_competence_black: Apparent::of(&played, 1),
        analysed,
        notes,
    };
    Ok((answer, played))
}

/// A single game with its moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Watched {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The players, White first.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub players: [String; 2],
    /// The starting position.
    pub from: String,
    /// The moves in standard algebraic notation.
    pub san: Vec<String>,
    /// The moves in UCI notation.
    pub uci: Vec<String>,
    /// The result.
    pub result: Results,
    /// Notes for the reader, such as that a player extrapolates.
    pub notes: Vec<String>,
}

/// Plays one game of chess under the normal rules and returns its moves.
pub fn watched(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Watched, Error> {
    let seed = request.seed.unwrap_or_else(rand::random);
    let starts = request.starts()?;
    let (_, players, notes) = engaged(service, request, request.calibration()?, &starts, watch)?;
    let meeting = request.meeting(seed, players.each_ref().map(seats), &starts);
    let (mut san, mut uci) = (Vec::new(), Vec::new());
    let played = meeting.play_game(0, watch, &mut |position, m: Move| {
        san.push(SanPlus::from_move(position.clone(), m).to_string());
        uci.push(m.to_uci(CastlingMode::Standard).to_string());
    })?;
    Ok(Watched {
        seed,
        players: request.players.each_ref().map(ToString::to_string),
        from: Fen::from_position(&starts[0], EnPassantMode::Legal).to_string(),
        san,
        uci,
        result: Results::of(&[played]),
        notes,
    })
}

/// Games of a match.
#[derive(Debug, Default)]
pub(crate) struct Games {
    pub(crate) played: Vec<MatchGame>,
    pub(crate) analysed: bool,
    pub(crate) notes: Vec<String>,
}

/// Plays the games with these numbers, from 0, of a match that has a seed.
pub(crate) fn games(
    service: &Service,
    request: &Request,
    calibration: Option<Calibration>,
    numbers: Range<u64>,
    watch: &dyn Watch,
) -> Result<Games, Error> {
    if request.games == 0 {
        return Err(Error::bad_request("a match has at least one game"));
    }
    if numbers.is_empty() || numbers.end > request.total() {
        return Err(Error::bad_request("the match has no such games"));
    }
    match request.game {
        GameName::Chess => chess(service, request, calibration, numbers, watch),
        GameName::Othello => simple(request, numbers, Othello::default(), watch),
        GameName::Connect4 => simple(request, numbers, ConnectFour::default(), watch),
    }
}

fn chess(
    service: &Service,
    request: &Request,
    calibration: Option<Calibration>,
    numbers: Range<u64>,
    watch: &dyn Watch,
) -> Result<Games, Error> {
    let starts = request.starts()?;
    let (oracle, players, notes) = engaged(service, request, calibration, &starts, watch)?;
    let analysed = starts.iter().all(Oracle::covers);
    let played = match analysed {
        true => on_tables_by_papers(request, numbers, &oracle, players, starts, watch)?,
        false => on_board(
            request,
            numbers,
            players.each_ref().map(seats),
            &starts,
            watch,
        )?,
    };
    Ok(Games {
        played,
        analysed,
        notes,
    })
}

/// The oracle for these starts, the players, and their remarks.
fn engaged(
    service: &Service,
    request: &Request,
    calibration: Option<Calibration>,
    starts: &[Chess],
    watch: &dyn Watch,
) -> Result<(Arc<Oracle>, [Hired; 2], Vec<String>), Error> {
    let oracle = match starts.iter().all(Oracle::covers) {
        true => service.tables.oracle(
            &request.endgames(starts),
            request.metric,
            request.other_metrics(),
            watch,
        )?,
        // Use whatever tables exist; a player that needs another one reports it.
        false => Oracle::new(Prober::new(service.tables.store().clone()), request.metric),
    };
    let oracle = Arc::new(oracle);
    let means = Means {
        oracle: Some(Arc::clone(&oracle)),
        syzygy: None,
        room: Arc::new(EngineRoom::new(request.engine.clone())),
        memory: service.tables.memory_limit(),
        calibration: calibration.map(Arc::new),
    };
    let [white, black] = request.players.each_ref().map(|name| name.hire(&means));
    let players = [white?, black?];
    let notes = players.iter().flat_map(Hired::remarks).cloned().collect();
    Ok((oracle, players, notes))
}

fn seats(player: &Hired) -> &dyn Seats {
    player
}

/// A match under the rules of the papers, in the fast arena.
fn on_tables_by_papers(
    request: &Request,
    numbers: Range<u64>,
    oracle: &Oracle,
    players: [Hired; 2],
    starts: Vec<Chess>,
    watch: &dyn Watch,
) -> Result<Vec<MatchGame>, Error> {
    let (grid, prior) = prior(&request.prior)?;
    let meeting = errare_endgame::TableMatch {
        oracle,
        players,
        starts,
        games: request.games,
        swap: request.swap,
        seed: request.seed.unwrap_or_default(),
        rules: errare_endgame::Rules {
            until_conversion: !request.to_mate,
            fifty_moves: request.fifty,
            most_moves: request.most_moves,
        },
        analysis: Some(MatchAnalysis {
            kappa: kappa(request.kappa)?,
            grid,
            prior,
        }),
    };
    let threads = workers(request.threads, numbers.end - numbers.start)?;
    Ok(meeting.play_numbers(numbers, threads, watch)?)
}

fn on_board<G: Board>(
    request: &Request,
    numbers: Range<u64>,
    players: [&dyn Seats<G>; 2],
    starts: &[G],
    watch: &dyn Watch,
) -> Result<Vec<MatchGame>, Error> {
    let seed = request.seed.unwrap_or_default();
    let meeting = request.meeting(seed, players, starts);
    let threads = workers(request.threads, numbers.end - numbers.start)?;
    Ok(meeting.play_numbers(numbers, threads, watch)?)
}

/// A match in a game that only automata can play.
fn simple<G: Board>(
    request: &Request,
    numbers: Range<u64>,
    start: G,
    watch: &dyn Watch,
) -> Result<Games, Error> {
    if !request.from.is_empty() {
        return Err(Error::bad_request(
            "games other than chess start from their own initial position",
        ));
    }
    let automaton = |name: &PlayerName| match name {
        PlayerName::Automaton(player) => Ok(*player),
        PlayerName::Agent {
            spec: PlayerSpec::Random,
            ..
        } => Ok(errare_minimax::MinimaxPlayer::Random),
        other => Err(Error::bad_request(format!(
            "{other} plays only chess; random, minimax:depth=3 and zero:depth=3 play any game"
        ))),
    };
    let [first, second] = request.players.each_ref().map(automaton);
    let (first, second) = (first?, second?);
    Ok(Games {
        played: on_board(request, numbers, [&first, &second], &[start], watch)?,
        analysed: false,
        notes: Vec::new(),
    })
}

impl Request {
    fn meeting<'a, G: Board>(
        &self,
        seed: u64,
        players: [&'a dyn Seats<G>; 2],
        starts: &'a [G],
    ) -> Match<'a, G> {
        Match {
            players,
            starts,
            games: self.games,
            swap: self.swap,
            seed,
            most_moves: self.most_moves,
        }
    }

    /// The engine of its players, and how many games are played at the same time.
    pub fn engine_choice(&self) -> EngineChoice {
        EngineChoice {
            path: self.engine.clone(),
            workers: self.threads,
            ..EngineChoice::default()
        }
    }

    /// The total number of games.
    pub(crate) fn total(&self) -> u64 {
        self.games.saturating_mul(self.from.len().max(1) as u64)
    }

    pub(crate) fn starts(&self) -> Result<Vec<Chess>, Error> {
        if self.from.is_empty() {
            return Err(RequestError::NoStart.into());
        }
        let start = |text: &String| match &**text {
            "start" | "startpos" => Ok(Chess::default()),
            fen => Ok(parse_position(fen)?),
        };
        self.from.iter().map(start).collect()
    }

    fn endgames(&self, starts: &[Chess]) -> Vec<Material> {
        let mut endgames: Vec<_> = starts
            .iter()
            .map(|start| Material::of(start.board()).0)
            .collect();
        endgames.dedup();
        endgames
    }

    /// Additional metrics that a player needs.
    fn other_metrics(&self) -> &'static [Metric] {
        let asks = |name: &PlayerName| {
            let ties = TieBreak::LongestDtm;
            matches!(name, PlayerName::Agent { spec, .. } if *spec == PlayerSpec::Best { ties })
        };
        match self.players.iter().any(asks) && self.metric != Metric::Dtm {
            true => &[Metric::Dtm],
            false => &[],
        }
    }

    pub(crate) fn calibration(&self) -> Result<Option<Calibration>, Error> {
        let path = self.calibration.as_deref();
        path.map(AnyCalibration::named_continuous).transpose()
    }
}

fn kappa(number: f64) -> Result<Kappa, Error> {
    let kappa = number.to_string().parse();
    kappa.map_err(|error: errare_choice::ParseKappaError| Error::bad_request(error.to_string()))
}

/// Parses `0(0.01)50` or `0:1:50,normal:20:5`.
fn prior(text: &str) -> Result<(Grid, PriorShape), Error> {
    let (grid, shape) = text.split_once(',').unwrap_or((text, ""));
    let grid = grid.parse();
    let grid =
        grid.map_err(|error: errare_choice::ParseGridError| Error::bad_request(error.to_string()))?;
    if shape.is_empty() {
        return Ok((grid, PriorShape::Uniform));
    }
    let numbers = shape.strip_prefix("normal:").and_then(|numbers| {
        let (mean, sd) = numbers.split_once(':')?;
        let (mean, sd): (f64, f64) = (mean.parse().ok()?, sd.parse().ok()?);
        (mean.is_finite() && sd.is_finite() && sd > 0.0).then_some((mean, sd))
    });
    let (mean, sd) = numbers.ok_or_else(|| {
        Error::bad_request(
            "write a normal prior like 0:1:50,normal:20:5, with a finite mean and a positive deviation",
        )
    })?;
    Ok((grid, PriorShape::Normal { mean, sd }))
}

impl Results {
    fn of(played: &[MatchGame]) -> Results {
        let mut results = Results::default();
        for game in played {
            *match game.finish {
                Finish::White => &mut results.white,
                Finish::Draw => &mut results.draws,
                Finish::Black => &mut results.black,
                Finish::FiftyMoves => &mut results.fifty_moves,
                Finish::Repetition => &mut results.repetition,
                Finish::Unfinished => &mut results.unfinished,
            } += 1;
        }
        results
    }

    fn shares(&self) -> Option<Shares> {
        let drawn = self.draws + self.fifty_moves + self.repetition;
        let games = self.white + drawn + self.black + self.unfinished;
        let games = u32::try_from(games).ok()?;
        let share = |count: u64| WilsonInterval::wilson(count as f64, games);
        Some(Shares {
            white: share(self.white)?,
            drawn: share(drawn)?,
            black: share(self.black)?,
        })
    }
}

impl Points {
    fn of(played: &[MatchGame]) -> Points {
        let mut points = Points::default();
        for game in played {
            *match (game.finish, game.swapped) {
                (Finish::White, false) | (Finish::Black, true) => &mut points.wins,
                (Finish::White, true) | (Finish::Black, false) => &mut points.losses,
                (Finish::Unfinished, _) => continue,
                _ => &mut points.draws,
            } += 1;
        }
        points
    }
}

impl Apparent {
    fn of(played: &[MatchGame], player: usize) -> Option<Apparent> {
        let side = |game: &MatchGame| player ^ usize::from(game.swapped);
        let seen = played.iter().filter_map(|game| game.apparent[side(game)]);
        let means = seen.map(|estimate| estimate.mean);
        let count = means.clone().count();
        Some(Apparent {
            spread: Spread::of(means)?,
            faultless: (played.len() - count) as u64,
        })
    }
}

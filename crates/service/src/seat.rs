//! A seat at a board: a named player that follows a game, chooses within its time and reports what it thinks.
//!
//! This is what a UCI front needs, or any other interface that plays a game move by move. The player decides by tables where
//! there are any, otherwise by its engine. If it can do neither, a [stand-in](RULES_ALONE) moves, and a message says
//! so. A missing table is built in the background meanwhile. For players that imitate people of a rating, who do not
//! use tables, another player decides in table positions ([`SeatSettings::by_tables`]).

mod background;
mod dice;
mod limits;
mod lines;
mod pace;
mod search;
mod stand_in;
mod thread;
mod timer;
mod words;

use std::{collections::HashSet, path::PathBuf, sync::Arc, time::Duration};

use errare_core::{Metric, Watch, with_causes};
use errare_endgame::Oracle;
use errare_players::{
    Chooser, Chosen, EngineName, EngineRoom, Hired, Means, MoveValues, PlayError, PlayerName,
};
use errare_rating::continuous::Calibration;
use errare_tables::{Judge, Prober, Syzygy};
use rand::{Rng, RngExt};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, zobrist::Zobrist64};

pub use limits::{GameClock, Limits};
pub use lines::{TrueScore, Variation};
pub use search::Search;
pub use stand_in::RULES_ALONE;
pub use thread::{Errand, SeatEvent, SeatThread};

use crate::Service;
use background::Background;
use dice::Dice;
use lines::Best;
use timer::Timer;
use words::{describe, excuse};

/// The player, and how it plays.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatSettings {
    /// The player.
    pub player: PlayerName,
    /// The player that decides in table positions for players that imitate people of a rating. Their model comes from undecided
    /// positions; with an engine's list alone they would occasionally leave a queen en prise to the king.
    pub by_tables: PlayerName,
    /// The engine for players that name none.
    pub engine: Option<EngineName>,
    /// The calibration of human play; the shipped one for the engine if `None`.
    pub calibration: Option<Arc<Calibration>>,
    /// The directory of tables; the service's if `None`.
    pub tables: Option<PathBuf>,
    /// The metric of depths.
    pub metric: Metric,
    /// Directories of Syzygy tables, for positions outside our own.
    pub syzygy: Vec<PathBuf>,
    /// The seed of the first game, from which those of further games follow; random if `None`.
    pub seed: Option<Seed>,
    /// The maximum number of men for which tables are built in the background.
    pub build_men: usize,
    /// Does it take its time as people do?
    pub human_time: bool,
    /// The number of lines to show.
    pub lines: usize,
    /// Show the true values of moves, best first, rather than that of the chosen move?
    pub analyses: bool,
}

/// A seed that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    /// The seed.
    pub number: u64,
    /// How often seeds were given so far: giving one again starts the same games again.
    pub given: u64,
}

/// What a seat reports while it thinks.
#[derive(Debug, Clone)]
pub enum Said {
    /// A message for people.
    Words(String),
    /// A line of play with its true score.
    Line(Variation),
}

/// A chosen move.
#[derive(Debug, Clone)]
pub struct Decision {
    /// The move.
    pub r#move: Move,
    /// The total time that it should take, to look human.
    pub time: Duration,
    /// What to report about it.
    pub said: Vec<Said>,
}

/// A player at a board.
struct Seat {
    /// The means with the settings' tables, and as given.
    service: Service,
    given: Service,
    settings: SeatSettings,
    means: Means,
    background: Background,
    hired: Option<Hired>,
    /// Why a stand-in was hired, if one was.
    replaced: Option<String>,
    /// Messages from hiring that are still to be reported.
    unsaid: Vec<String>,
    dice: Dice,
    game: Option<SeatedGame>,
}

/// The game being followed.
struct SeatedGame {
    chooser: Box<dyn Chooser>,
    ours: Color,
    start: Chess,
    moves: Vec<Move>,
    position: Chess,
    /// All positions that occurred, so that no displayed line repeats one.
    past: HashSet<Zobrist64>,
}

impl Seat {
    /// A seat without a player yet.
    fn new(service: &Service, settings: SeatSettings) -> Seat {
        let mut seat = Seat {
            service: service.clone(),
            given: service.clone(),
            means: Means {
                calibration: settings.calibration.clone(),
                memory: service.tables.memory_limit(),
                ..Means::default()
            },
            background: Background::default(),
            hired: None,
            replaced: None,
            unsaid: Vec::new(),
            dice: Dice::new(settings.seed.map(|seed| seed.number)),
            game: None,
            settings,
        };
        seat.open();
        seat.tell_seed();
        seat
    }

    /// Opens the tables of the settings and dismisses the player.
    fn open(&mut self) {
        self.service = self.given.clone();
        if let Some(directory) = &self.settings.tables {
            self.service.tables = self.service.tables.clone().with_directory(directory);
        }
        let prober = Prober::new(self.service.tables.store().clone());
        let oracle = Oracle::new(prober.clone(), self.settings.metric);
        self.means.oracle = Some(Arc::new(oracle));
        self.means.syzygy = None;
        if !self.settings.syzygy.is_empty() {
            match Syzygy::open(&self.settings.syzygy) {
                Ok(syzygy) => self.means.syzygy = Some(Judge::new(prober, Some(syzygy))),
                Err(error) => self.unsaid.push(with_causes(&error)),
            }
        }
        self.hired = None;
        self.game = None;
    }

    /// Changes how it plays, from the next move on. If the player or what it sees changes, the current game is followed again
    /// from its start.
    fn change(&mut self, settings: SeatSettings) {
        let old = std::mem::replace(&mut self.settings, settings);
        let new = &self.settings;
        let other_tables = new.tables != old.tables;
        if other_tables {
            self.background.stop();
            self.background = Background::default();
        }
        if new.engine != old.engine {
            self.means.room = Arc::new(EngineRoom::default());
        }
        let reseeded = new.seed != old.seed;
        if other_tables || new.metric != old.metric || new.syzygy != old.syzygy {
            self.open();
        } else if new.player != old.player
            || new.by_tables != old.by_tables
            || new.engine != old.engine
        {
            self.hired = None;
            self.game = None;
        }
        if reseeded {
            self.dice = Dice::new(self.settings.seed.map(|seed| seed.number));
            self.tell_seed();
        }
    }

    /// A new game begins. An engine that failed to start, perhaps because the machine was busy, gets another chance.
    fn new_game(&mut self) {
        self.game = None;
        if self.replaced.is_some() {
            self.hired = None;
        }
        if self.dice.begin_game() {
            self.tell_seed();
        }
        self.hire();
    }

    /// The seed of the game is reported with the next move.
    fn tell_seed(&mut self) {
        self.unsaid.retain(|words| !words.starts_with("seed "));
        self.note(format!("seed {}", self.dice.seed()));
    }

    /// A message to report with the next move, once.
    fn note(&mut self, words: String) {
        if !self.unsaid.contains(&words) {
            self.unsaid.push(words);
        }
    }

    /// The player with its engine; `None` if it needs one and none is set.
    fn player(&self) -> Option<PlayerName> {
        let engine = self.settings.engine.as_ref();
        self.settings.player.clone().with_engine(engine)
    }

    fn is_human(&self) -> bool {
        matches!(self.settings.player, PlayerName::Human { .. })
    }

    /// The choice of [`SeatSettings::by_tables`]; `None` if no tables cover the position.
    fn choose_by_tables(&self, position: &Chess, rng: &mut dyn Rng) -> Option<Chosen> {
        let hired = self.settings.by_tables.hire(&self.means).ok()?;
        hired.sit().choose(position, rng).ok()
    }

    /// The choice in place of a player that could not choose: an agent that fails in a table position still plays by tables.
    fn choose_instead(
        &self,
        error: &PlayError,
        position: &Chess,
        mut rng: &mut dyn Rng,
        say: &mut dyn FnMut(Said),
    ) -> Chosen {
        if let PlayError::Agent(error) = error
            && let Some(chosen) = self.choose_by_tables(position, rng)
        {
            let by_tables = &self.settings.by_tables;
            let words = format!("{}; {by_tables} decides", with_causes(error));
            say(Said::Words(words));
            return chosen;
        }
        let words = match (&self.replaced, error) {
            (Some(why), PlayError::BeyondTables { .. } | PlayError::MissingTable { .. }) => {
                format!("{why}; {RULES_ALONE}")
            }
            _ => excuse(error),
        };
        say(Said::Words(words));
        Chosen::by_rules(stand_in::choose(position, &mut rng))
    }

    /// Makes the player ready. Without its engine an agent still plays by tables; any other player is replaced.
    fn hire(&mut self) -> &Hired {
        if self.hired.is_none() {
            let player = self.settings.player.clone();
            let (why, hired) = match self.player() {
                None => (
                    Some(format!("{player} needs an engine, and none is set")),
                    None,
                ),
                Some(player) => match player.hire(&self.means) {
                    Ok(hired) => (None, Some(hired)),
                    Err(error) => (Some(with_causes(&error)), None),
                },
            };
            self.replaced = why.filter(|_| hired.is_none());
            let hired = hired.unwrap_or_else(|| {
                let instead = match player {
                    PlayerName::Agent { spec, .. } => PlayerName::Agent { spec, engine: None },
                    _ => self.settings.by_tables.clone(),
                };
                let why = self.replaced.clone().unwrap_or_default();
                self.note(format!("{why}; outside tables {RULES_ALONE}"));
                instead.hire(&self.means).expect("it needs no engine")
            });
            for remark in hired.remarks() {
                self.note(remark.clone());
            }
            let is_agent = matches!(self.settings.player, PlayerName::Agent { .. });
            if self.is_human() || self.replaced.is_some() && !is_agent {
                let by_tables = &self.settings.by_tables;
                self.note(format!("in table positions {by_tables} decides"));
            }
            self.hired = Some(hired);
        }
        self.hired.as_ref().expect("it was hired")
    }

    /// Follows a game from its start through these moves, to a position in which this seat is to move.
    fn follow(&mut self, start: &Chess, moves: &[Move]) {
        let ours = match moves.len() % 2 {
            0 => start.turn(),
            _ => !start.turn(),
        };
        let goes_on = |game: &SeatedGame| {
            game.ours == ours && game.start == *start && moves.starts_with(&game.moves)
        };
        if !self.game.as_ref().is_some_and(goes_on) {
            let chooser = self.hire().sit();
            self.game = Some(SeatedGame {
                chooser,
                ours,
                start: start.clone(),
                moves: Vec::new(),
                past: HashSet::from([key(start)]),
                position: start.clone(),
            });
        }
        let game = self.game.as_mut().expect("there is one");
        for m in &moves[game.moves.len()..] {
            game.play(*m);
        }
    }

    /// Chooses a move in the position after these moves, in which the game is not over.
    fn think(
        &mut self,
        start: &Chess,
        moves: &[Move],
        limits: &Limits,
        timer: &Timer,
        say: &mut dyn FnMut(Said),
    ) -> Decision {
        self.follow(start, moves);
        self.hire();
        timer.ready();
        for words in self.unsaid.drain(..) {
            say(Said::Words(words));
        }
        let game = self.game.as_ref().expect("it is followed");
        let position = game.position.clone();
        self.background
            .build_missing(&self.service, &self.means, &position, &self.settings, say);
        let mut rng = self.dice.next_move();
        let by_tables = match self.is_human() {
            true => self.choose_by_tables(&position, &mut rng),
            false => None,
        };
        let game = self.game.as_mut().expect("it is followed");
        let chosen = match by_tables {
            Some(chosen) => Ok(chosen),
            None => (game.chooser).choose_within(&position, &mut rng, timer),
        };
        let mut chosen = match chosen {
            Ok(chosen) => chosen,
            Err(error) => self.choose_instead(&error, &position, &mut rng, say),
        };
        for remark in chosen.remarks.drain(..) {
            say(Said::Words(remark));
        }
        limits.restrict(&mut chosen);
        let game = self.game.as_ref().expect("it is followed");
        let beliefs = game.chooser.beliefs().into_iter();
        let mut said: Vec<Said> = beliefs
            .map(|belief| Said::Words(format!("opponent: {belief}")))
            .collect();
        let sight = self.means.without_engine();
        // Tables know the true value of a move, however it was chosen.
        if !matches!(chosen.judgement, Some(MoveValues::Tables { .. }))
            && let Ok(Some(judgement)) = sight.tables(&position)
        {
            let number = judgement.find(chosen.r#move);
            chosen.mark = number.and_then(|number| judgement.mark(number));
            chosen.ceded = number.map(|number| judgement.ceded(number));
            chosen.judgement = Some(judgement);
        }
        let analyses = limits.is_analysis() || self.settings.analyses || self.settings.lines > 1;
        let best = analyses.then_some(Best {
            lines: self.settings.lines,
            among: &limits.only,
        });
        let lines = lines::of(&position, &chosen, &sight, best, &game.past, timer);
        said.extend(lines.into_iter().map(Said::Line));
        said.push(Said::Words(describe(&position, &chosen)));
        let time = match self.settings.human_time {
            true => pace::human(&chosen, &position, limits, rng.random()),
            false => Duration::ZERO,
        };
        Decision {
            r#move: chosen.r#move,
            time,
            said,
        }
    }

    /// Learns from the opponent's moves while idle. A failing engine is noticed when it is needed.
    fn study(&mut self, watch: &dyn Watch) {
        if let Some(game) = &mut self.game {
            let _ = game.chooser.study(watch);
        }
    }

    /// Stops background builds.
    fn leave(&self) {
        self.background.stop();
    }
}

impl SeatedGame {
    fn play(&mut self, m: Move) {
        match self.position.turn() == self.ours {
            true => self.chooser.made(&self.position, m),
            false => self.chooser.watch(&self.position, m),
        }
        self.position.play_unchecked(m);
        self.past.insert(key(&self.position));
        self.moves.push(m);
    }
}

/// The key of a position for detecting repetitions.
fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

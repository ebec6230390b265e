//! Players by name: those of endgames, and those that know no tables.

use std::{fmt, path::Path, str::FromStr, time::Duration};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use errare_endgame::{Agent, ParsePlayerError, PlayError, Player, PlayerSpec, TieBreak, View};
use errare_engine::{Engines, Settings};
use errare_rating::Human;
use rand::Rng;
use shakmaty::uci::UciMove;

use crate::{calibrating::Calibrating, engine::EnginePath};

/// How deep engines search unless told otherwise.
const DEPTH: u8 = 8;
/// An engine that says nothing for so long is given up.
const SILENCE: Duration = Duration::from_secs(60);

/// A player of endgames, by its name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NamedPlayer {
    /// Knows the tables.
    Endgame(PlayerSpec),
    /// Knows the rules alone.
    Minimax(errare_minimax::Player),
    /// `human:elo=1800,depth=8`: plays like people of a rating, by an engine's evaluations to a depth.
    Human { elo: f64, depth: u8 },
    /// `uci:stockfish,depth=8`: the first choice of an engine; without a name that of the options.
    Uci { engine: String, depth: u8 },
}

/// A player that is ready for games.
pub(crate) enum ReadyPlayer {
    Endgame(PlayerSpec),
    Minimax(errare_minimax::Player),
    Thinker(Box<Thinker>),
}

/// A player with an engine.
pub(crate) enum Thinker {
    Human(Human),
    Engine(Engines),
}

/// What players with an engine stand on.
#[derive(Debug, Args)]
pub(crate) struct Hiring {
    #[command(flatten)]
    engine: EnginePath,

    #[command(flatten)]
    calibrating: Calibrating,
}

impl NamedPlayer {
    /// Whether it asks for depths in DTM besides those of the metric.
    pub(crate) fn needs_dtm(&self) -> bool {
        let ties = TieBreak::LongestDtm;
        *self == NamedPlayer::Endgame(PlayerSpec::Best { ties })
    }

    /// Gets it ready.
    pub(crate) fn hire(&self, hiring: &Hiring) -> Result<ReadyPlayer> {
        Ok(match self {
            NamedPlayer::Endgame(player) => ReadyPlayer::Endgame(player.clone()),
            NamedPlayer::Minimax(player) => ReadyPlayer::Minimax(*player),
            NamedPlayer::Human { elo, depth } => Thinker::Human(hiring.human(*elo, *depth)?).into(),
            NamedPlayer::Uci { engine, depth } => {
                Thinker::Engine(hiring.engines(engine, *depth)?).into()
            }
        })
    }
}

impl Hiring {
    /// The engine of this name, or else that of the options.
    fn engines(&self, name: &str, depth: u8) -> Result<Engines> {
        let path = match name {
            "" => self.engine.find()?,
            name => errare_engine::find(Some(Path::new(name)))?,
        };
        let said = path.display().to_string();
        Engines::start(Settings {
            path,
            depth,
            silence: SILENCE,
        })
        .with_context(|| format!("{said} is of no use as an engine"))
    }

    fn human(&self, elo: f64, depth: u8) -> Result<Human> {
        let engines = self.engines("", depth)?;
        let calibration = self.calibrating.load(engines.key())?;
        let [least, most] = calibration.range();
        if !(least..=most).contains(&elo) {
            bail!("the calibration knows people of {least} to {most} Elo, not of {elo}");
        }
        Ok(Human::new(&calibration, elo, engines))
    }
}

impl FromStr for NamedPlayer {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<NamedPlayer> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        match name {
            "minimax" | "zero" => Ok(NamedPlayer::Minimax(text.parse()?)),
            "human" => human(options),
            "uci" => uci(options),
            _ => text
                .parse()
                .map(NamedPlayer::Endgame)
                .map_err(|error| match error {
                    ParsePlayerError::Name(name) => anyhow!(
                        "there is no player {name:?}; players are best, random, rep:c=20, predator, \
                         emulator:c=20, human:elo=1800, uci:stockfish, minimax:depth=3 and zero:depth=3"
                    ),
                    error => error.into(),
                }),
        }
    }
}

fn human(options: &str) -> Result<NamedPlayer> {
    let (mut elo, mut depth) = (None, DEPTH);
    for option in options.split(',').filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("elo", value)) => {
                let number: f64 = value.parse().context("elo is a number")?;
                elo = Some(number).filter(|elo| elo.is_finite());
            }
            Some(("depth", value)) => depth = search_depth(value)?,
            _ => bail!("human has no option {option:?}; it has elo and depth"),
        }
    }
    let elo = elo.context("human needs a rating, as in human:elo=1800")?;
    Ok(NamedPlayer::Human { elo, depth })
}

fn uci(text: &str) -> Result<NamedPlayer> {
    let (engine, option) = text.split_once(',').unwrap_or((text, ""));
    let depth = match option.split_once('=') {
        None if option.is_empty() => DEPTH,
        Some(("depth", value)) => search_depth(value)?,
        _ => bail!("uci has no option {option:?}; it has depth, as in uci:stockfish,depth=8"),
    };
    let engine = engine.to_owned();
    Ok(NamedPlayer::Uci { engine, depth })
}

fn search_depth(text: &str) -> Result<u8> {
    let depth = text.parse().ok().filter(|depth| (1..=100).contains(depth));
    depth.context("depth is a number from 1 to 100")
}

impl fmt::Display for NamedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NamedPlayer::Endgame(player) => player.fmt(f),
            NamedPlayer::Minimax(player) => player.fmt(f),
            NamedPlayer::Human { elo, depth } => write!(f, "human:elo={elo},depth={depth}"),
            NamedPlayer::Uci { engine, depth } => write!(f, "uci:{engine},depth={depth}"),
        }
    }
}

impl Player for ReadyPlayer {
    fn agent(&self) -> Box<dyn Agent + '_> {
        match self {
            ReadyPlayer::Endgame(player) => player.agent(),
            ReadyPlayer::Minimax(player) => Box::new(Automaton(*player)),
            ReadyPlayer::Thinker(thinker) => Box::new(&**thinker),
        }
    }

    fn chances(&self, view: View<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        match self {
            ReadyPlayer::Endgame(player) => player.chances(view),
            // It draws scores, not moves.
            ReadyPlayer::Minimax(_) => Ok(None),
            ReadyPlayer::Thinker(thinker) => Ok(Some(thinker.chances(view)?)),
        }
    }
}

/// Random minimaxing in an endgame.
struct Automaton(errare_minimax::Player);

impl Agent for Automaton {
    fn choose(&mut self, view: View<'_>, mut rng: &mut dyn Rng) -> Result<usize, PlayError> {
        let chosen = self.0.choose(view.position, &mut rng);
        Ok(view.turn.find(chosen).expect("it makes legal moves"))
    }
}

impl From<Thinker> for ReadyPlayer {
    fn from(thinker: Thinker) -> ReadyPlayer {
        ReadyPlayer::Thinker(Box::new(thinker))
    }
}

impl Agent for &Thinker {
    fn choose(&mut self, view: View<'_>, rng: &mut dyn Rng) -> Result<usize, PlayError> {
        Ok(errare_endgame::draw(&self.chances(view)?, rng))
    }
}

impl Thinker {
    /// How likely it chooses each move.
    fn chances(&self, view: View<'_>) -> Result<Vec<f64>, PlayError> {
        let position = view.position;
        let likely: Vec<(UciMove, f64)> = match self {
            Thinker::Human(human) => human.chances(position),
            Thinker::Engine(engines) => engines
                .evaluate(position)
                .map(|evaluation| vec![(evaluation.moves()[0], 1.0)]),
        }
        .map_err(|error| PlayError::Other(error.into()))?;
        let mut chances = vec![0.0; view.turn.choices().len()];
        for (name, chance) in likely {
            let chosen = name
                .to_move(position)
                .expect("engines are held to legal moves");
            chances[view.turn.find(chosen).expect("tables know all moves")] = chance;
        }
        Ok(chances)
    }
}

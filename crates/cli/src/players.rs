//! Players by name: those of endgames, and those that know no tables.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use errare_endgame::{Agent, ParsePlayerError, PlayError, Player, PlayerSpec, TieBreak, View};
use errare_engine::{Engine, Settings};
use errare_rating::Human;
use rand::Rng;

use crate::{calibrating::Calibrating, engine::EnginePath};

/// How deep the engine of a human player searches unless told otherwise.
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
}

/// A player that is ready for games.
pub(crate) enum ReadyPlayer {
    Endgame(PlayerSpec),
    Minimax(errare_minimax::Player),
    Human(Human),
}

/// What human players stand on.
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
            NamedPlayer::Human { elo, depth } => ReadyPlayer::Human(hiring.human(*elo, *depth)?),
        })
    }
}

impl Hiring {
    fn human(&self, elo: f64, depth: u8) -> Result<Human> {
        let settings = Settings {
            path: self.engine.find()?,
            depth,
            silence: SILENCE,
        };
        let engine = Engine::start(&settings, Arc::new(AtomicBool::new(false)))
            .with_context(|| format!("{} is of no use as an engine", settings.path.display()))?;
        let calibration = self.calibrating.load(engine.key())?;
        let [least, most] = calibration.range();
        if !(least..=most).contains(&elo) {
            bail!("the calibration knows people of {least} to {most} Elo, not of {elo}");
        }
        Ok(Human::new(&calibration, elo, engine, settings))
    }
}

impl FromStr for NamedPlayer {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<NamedPlayer> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        match name {
            "minimax" | "zero" => Ok(NamedPlayer::Minimax(text.parse()?)),
            "human" => human(options),
            _ => text
                .parse()
                .map(NamedPlayer::Endgame)
                .map_err(|error| match error {
                    ParsePlayerError::Name(name) => anyhow!(
                        "there is no player {name:?}; players are best, random, rep:c=20, predator, \
                         emulator:c=20, human:elo=1800, minimax:depth=3 and zero:depth=3"
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
            Some(("depth", value)) => {
                depth = value.parse().context("depth is a small number")?;
            }
            _ => bail!("human has no option {option:?}; it has elo and depth"),
        }
    }
    let elo = elo.context("human needs a rating, as in human:elo=1800")?;
    Ok(NamedPlayer::Human { elo, depth })
}

impl fmt::Display for NamedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NamedPlayer::Endgame(player) => player.fmt(f),
            NamedPlayer::Minimax(player) => player.fmt(f),
            NamedPlayer::Human { elo, depth } => write!(f, "human:elo={elo},depth={depth}"),
        }
    }
}

impl Player for ReadyPlayer {
    fn agent(&self) -> Box<dyn Agent + '_> {
        match self {
            ReadyPlayer::Endgame(player) => player.agent(),
            ReadyPlayer::Minimax(player) => Box::new(Automaton(*player)),
            ReadyPlayer::Human(human) => Box::new(Somebody(human)),
        }
    }

    fn chances(&self, view: View<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        match self {
            ReadyPlayer::Endgame(player) => player.chances(view),
            // It draws scores, not moves.
            ReadyPlayer::Minimax(_) => Ok(None),
            ReadyPlayer::Human(human) => Ok(Some(chances(human, view)?)),
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

/// A human player in a game.
struct Somebody<'a>(&'a Human);

impl Agent for Somebody<'_> {
    fn choose(&mut self, view: View<'_>, rng: &mut dyn Rng) -> Result<usize, PlayError> {
        let chances = chances(self.0, view)?;
        Ok(errare_endgame::draw(&chances, rng))
    }
}

fn chances(human: &Human, view: View<'_>) -> Result<Vec<f64>, PlayError> {
    let by_move = human
        .chances(view.position)
        .map_err(|error| PlayError::Other(error.into()))?;
    let mut chances = vec![0.0; view.turn.choices().len()];
    for (m, chance) in by_move {
        chances[view.turn.find(m).expect("tables know all moves")] = chance;
    }
    Ok(chances)
}

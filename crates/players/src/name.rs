//! Names of players: the small language `name:key=value,key=value` used by every interface.
//!
//! Endgame agents and automata have their own languages in their crates; this one combines them and adds the option
//! `engine` for agents that should also play outside the tables.

use std::{fmt, str::FromStr};

use errare_core::{Elo, Fault, FaultKind, ParseEloError};
use errare_endgame::{ParseTablePlayerError, PlayerSpec};
use serde::{Deserialize, Serialize};

/// A player's name.
///
/// ```
/// use errare_players::PlayerName;
///
/// let player: PlayerName = "rep:c=20,engine=stockfish".parse()?;
/// assert_eq!(player.to_string(), "rep:c=20,engine=stockfish,depth=8");
/// assert!("human:elo=fast".parse::<PlayerName>().is_err());
/// # Ok::<(), errare_players::ParseNameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerName {
    /// An endgame agent, such as `rep:c=20` or `predator`, and the engine it plays by outside the tables, if one is
    /// named.
    Agent {
        /// The agent.
        spec: PlayerSpec,
        /// The engine that replaces the tables.
        engine: Option<EngineName>,
    },
    /// `minimax:depth=3` or `zero:depth=3`: knows only the rules.
    Automaton(errare_minimax::MinimaxPlayer),
    /// `human:elo=1800,depth=8`: imitates people of a rating, using an engine's evaluations to a depth.
    Human {
        /// The rating.
        elo: Elo,
        /// The engine that evaluates.
        engine: EngineName,
    },
    /// `uci:stockfish,depth=8`: an engine's first choice.
    Engine(EngineName),
}

impl PlayerName {
    /// The engine that it plays by or falls back on, if any.
    pub fn engine(&self) -> Option<&EngineName> {
        match self {
            PlayerName::Agent { engine, .. } => engine.as_ref(),
            PlayerName::Human { engine, .. } | PlayerName::Engine(engine) => Some(engine),
            PlayerName::Automaton(_) => None,
        }
    }

    /// The same player, with this engine if its name leaves the engine open; `None` if it needs one and there is none.
    ///
    /// ```
    /// use errare_players::{EngineName, PlayerName};
    ///
    /// let engine: EngineName = EngineName { name: "stockfish".into(), depth: 10 };
    /// let player = "rep:c=20".parse::<PlayerName>()?.with_engine(Some(&engine));
    /// assert_eq!(player, Some("rep:c=20,engine=stockfish,depth=10".parse()?));
    /// assert_eq!("human:elo=1800".parse::<PlayerName>()?.with_engine(None), None);
    /// # Ok::<(), errare_players::ParseNameError>(())
    /// ```
    pub fn with_engine(mut self, usual: Option<&EngineName>) -> Option<PlayerName> {
        match &mut self {
            PlayerName::Agent { spec, engine } => {
                if engine.is_none() && *spec != PlayerSpec::Random {
                    *engine = usual.cloned();
                }
            }
            PlayerName::Human { engine, .. } | PlayerName::Engine(engine) => {
                if engine.name.is_empty() {
                    *engine = usual?.clone();
                }
            }
            PlayerName::Automaton(_) => {}
        }
        Some(self)
    }
}

/// An engine's name and search depth.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EngineName {
    /// A name or a path; empty for the default engine.
    pub name: String,
    /// The depth.
    pub depth: u8,
}

impl EngineName {
    /// The default depth of engines, for which calibrations are shipped.
    pub const DEPTH: u8 = 8;
}

impl Default for EngineName {
    fn default() -> EngineName {
        EngineName {
            name: String::new(),
            depth: EngineName::DEPTH,
        }
    }
}

/// Returned when a text does not name a player.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParseNameError {
    /// Unknown player.
    #[error(
        "there is no player {0:?}; players are best, random, rep:c=20, predator, hunter, emulator:c=20, human:elo=1800, \
         uci:stockfish, minimax:depth=3 and zero:depth=3"
    )]
    Unknown(String),
    /// Unknown option.
    #[error("{player} has no option {option:?}; it has {known}")]
    Option {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
        /// The options it has.
        known: &'static str,
    },
    /// Not a depth.
    #[error("depth = {0:?} is not a search depth, a number from 1 to 100")]
    Depth(String),
    /// A depth without an engine.
    #[error("depth is the engine's: name an engine as well, as in engine=stockfish,depth=8")]
    DepthAlone,
    /// `human` without a rating.
    #[error("human needs a rating, as in human:elo=1800")]
    NoRating,
    /// Not a rating.
    #[error(transparent)]
    Elo(#[from] ParseEloError),
    /// Not an agent of endgames.
    #[error(transparent)]
    Agent(#[from] ParseTablePlayerError),
    /// Not an automaton.
    #[error(transparent)]
    Automaton(#[from] errare_minimax::ParseMinimaxPlayerError),
}

impl Fault for ParseNameError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

/// The options after a player's name, taken one by one.
struct Options<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Options<'a> {
    fn new(text: &'a str) -> Options<'a> {
        let options = text.split(',').filter(|option| !option.is_empty());
        let pair = |option: &'a str| option.split_once('=').unwrap_or((option, ""));
        Options(options.map(pair).collect())
    }

    fn take(&mut self, name: &str) -> Option<&'a str> {
        let at = self.0.iter().position(|option| option.0 == name)?;
        Some(self.0.remove(at).1)
    }

    fn take_depth(&mut self) -> Result<Option<u8>, ParseNameError> {
        let Some(text) = self.take("depth") else {
            return Ok(None);
        };
        let depth = text.parse().ok().filter(|depth| (1..=100).contains(depth));
        depth
            .map(Some)
            .ok_or_else(|| ParseNameError::Depth(text.to_owned()))
    }

    /// The engine that is named, or the default one.
    fn take_engine(&mut self) -> Result<EngineName, ParseNameError> {
        Ok(EngineName {
            name: self.take("engine").unwrap_or_default().to_owned(),
            depth: self.take_depth()?.unwrap_or(EngineName::DEPTH),
        })
    }

    /// Rejects options that were not taken.
    fn finish(self, player: &'static str, known: &'static str) -> Result<(), ParseNameError> {
        match self.0.first() {
            None => Ok(()),
            Some((option, _)) => Err(ParseNameError::Option {
                player,
                option: (*option).to_owned(),
                known,
            }),
        }
    }
}

impl FromStr for PlayerName {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<PlayerName, ParseNameError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        match name {
            "minimax" | "zero" => Ok(PlayerName::Automaton(text.parse()?)),
            "human" => human(rest),
            "uci" => uci(rest),
            _ => agent(name, rest),
        }
    }
}

fn human(text: &str) -> Result<PlayerName, ParseNameError> {
    let mut options = Options::new(text);
    let elo = options.take("elo").ok_or(ParseNameError::NoRating)?;
    let player = PlayerName::Human {
        elo: elo.parse()?,
        engine: options.take_engine()?,
    };
    options.finish("human", "elo, engine and depth")?;
    Ok(player)
}

fn uci(text: &str) -> Result<PlayerName, ParseNameError> {
    // The engine's name comes first and alone, so that a path may contain an equals sign.
    let (first, rest) = text.split_once(',').unwrap_or((text, ""));
    let named = !["depth=", "engine="]
        .iter()
        .any(|key| first.starts_with(key));
    let mut options = Options::new(if named { rest } else { text });
    let mut engine = options.take_engine()?;
    if named && !first.is_empty() {
        first.clone_into(&mut engine.name);
    }
    options.finish("uci", "depth, as in uci:stockfish,depth=8")?;
    Ok(PlayerName::Engine(engine))
}

fn agent(name: &str, text: &str) -> Result<PlayerName, ParseNameError> {
    let mut options = Options::new(text);
    let engine = match options.take("engine") {
        None => None,
        Some(engine) => Some(EngineName {
            name: engine.to_owned(),
            depth: options.take_depth()?.unwrap_or(EngineName::DEPTH),
        }),
    };
    let own: Vec<String> = options
        .0
        .iter()
        .map(|(key, value)| join(key, value))
        .collect();
    let spec = if own.is_empty() {
        name.parse()
    } else {
        format!("{name}:{}", own.join(",")).parse()
    };
    match spec {
        Ok(spec) => Ok(PlayerName::Agent { spec, engine }),
        Err(ParseTablePlayerError::Name(_)) => Err(ParseNameError::Unknown(name.to_owned())),
        Err(ParseTablePlayerError::Option { option, .. }) if option == "depth" => {
            Err(ParseNameError::DepthAlone)
        }
        Err(error) => Err(error.into()),
    }
}

/// An option in its written form.
fn join(key: &str, value: &str) -> String {
    match value {
        "" => key.to_owned(),
        value => format!("{key}={value}"),
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerName::Agent { spec, engine: None } => spec.fmt(f),
            PlayerName::Agent {
                spec,
                engine: Some(engine),
            } => {
                let spec = spec.to_string();
                let separator = if spec.contains(':') { ',' } else { ':' };
                let EngineName { name, depth } = engine;
                write!(f, "{spec}{separator}engine={name},depth={depth}")
            }
            PlayerName::Automaton(player) => player.fmt(f),
            PlayerName::Human { elo, engine } => {
                write!(f, "human:elo={elo}")?;
                if !engine.name.is_empty() {
                    write!(f, ",engine={}", engine.name)?;
                }
                write!(f, ",depth={}", engine.depth)
            }
            PlayerName::Engine(EngineName { name, depth }) if name.is_empty() => {
                write!(f, "uci:depth={depth}")
            }
            PlayerName::Engine(EngineName { name, depth }) => {
                write!(f, "uci:{name},depth={depth}")
            }
        }
    }
}

impl TryFrom<String> for PlayerName {
    type Error = ParseNameError;

    fn try_from(text: String) -> Result<PlayerName, ParseNameError> {
        text.parse()
    }
}

impl From<PlayerName> for String {
    fn from(name: PlayerName) -> String {
        name.to_string()
    }
}

/// Serialised as text.
#[cfg(feature = "schema")]
impl utoipa::PartialSchema for PlayerName {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        String::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for PlayerName {}

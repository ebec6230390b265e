//! A running engine that evaluates positions.
//!
//! Each search starts with `ucinewgame` and uses one thread and a hash table of fixed size, so that an evaluation depends
//! on the position alone. The position is sent without the moves that led to it and without its move number.

use std::{path::PathBuf, time::Duration};

use errare_core::Cancel;
use shakmaty::uci::UciMove;

use crate::{
    Collector, EngineError, EngineKey, EngineOutput, Evaluation,
    line::words,
    pipe::{Heard, Pipe},
};

/// Hash table size. Evaluations depend on it, so it is fixed: large enough for practical depths, and quick to clear
/// before each position.
const HASH_MIB: u32 = 64;
/// Time limit for `uciok`: an engine that has not sent it by then does not speak UCI.
const GREETING_TIME: Duration = Duration::from_secs(10);
/// The options that name a network.
const NETS: [&str; 3] = ["EvalFile", "EvalFileSmall", "WeightsFile"];

/// How to run an engine.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// The program.
    pub path: PathBuf,
    /// How deep to search.
    pub depth: u8,
    /// How long the engine may go without progress.
    pub silence: Duration,
}

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    pipe: Pipe,
    cancel: Cancel,
    key: EngineKey,
    /// The greatest MultiPV it supports, and the current setting.
    most_lines: usize,
    lines: usize,
}

impl Engine {
    /// Starts an engine and reads its identity. Any holder of a clone of `cancel` can kill it at any time, from any
    /// thread; pending requests then fail with [`EngineError::Stopped`].
    pub fn start(settings: &EngineSettings, cancel: Cancel) -> Result<Engine, EngineError> {
        let patience = GREETING_TIME.min(settings.silence);
        let mut pipe = Pipe::start(&settings.path, patience, cancel.clone())?;
        pipe.send("uci\n")?;
        let mut greeting = Greeting::default();
        pipe.listen(|line| {
            let mut first = words(line);
            Ok(match first.next() {
                Some(b"uciok") => Heard::End(()),
                Some(b"id" | b"option") => {
                    greeting.hear(&String::from_utf8_lossy(line));
                    // Does not count as progress: the time limit covers the whole greeting.
                    Heard::Nothing
                }
                _ => Heard::Nothing,
            })
        })
        .map_err(|error| match error {
            EngineError::Silent { seconds, last } => EngineError::NoGreeting { seconds, last },
            error => error,
        })?;
        pipe.allow_silence(settings.silence);
        let mut commands = String::new();
        for (name, value) in [("Threads", 1), ("Hash", HASH_MIB)] {
            if greeting.options.iter().any(|option| option.name == name) {
                commands += &format!("setoption name {name} value {value}\n");
            }
        }
        pipe.send(&(commands + "isready\n"))?;
        pipe.listen(|line| {
            Ok(match EngineOutput::parse(line) {
                EngineOutput::ReadyOk => Heard::End(()),
                _ => Heard::Nothing,
            })
        })?;
        let name = greeting.name.as_deref().ok_or(EngineError::Nameless)?;
        let key = EngineKey::new(name, &greeting.net(), settings.depth);
        tracing::debug!(engine = %key, path = %settings.path.display(), "engine started");
        Ok(Engine {
            key,
            most_lines: greeting.most_lines(),
            lines: 1,
            cancel,
            pipe,
        })
    }

    /// The engine's identity.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.key
    }

    /// The flag that cancels it.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Evaluates all legal moves of a position, given without its move number.
    ///
    /// After an error the engine may be in any state: drop it.
    pub fn evaluate(&mut self, fen: &str, legal: &[UciMove]) -> Result<Evaluation, EngineError> {
        let (collector, best) = self.search(fen, legal, None)?;
        collector.finish(best)
    }

    /// Evaluates all legal moves of a position as deep as the time limit (if any) allows, or until [`Engine::stopper`] is
    /// called.
    pub fn evaluate_within(
        &mut self,
        fen: &str,
        legal: &[UciMove],
        time: Option<Duration>,
    ) -> Result<Evaluation, EngineError> {
        let (collector, best) = self.search(fen, legal, time)?;
        collector.finish_early(best)
    }

    /// Returns a function that ends the current search, if any, from any thread.
    pub fn stopper(&self) -> impl Fn() + Send + use<> {
        self.pipe.stopper()
    }

    fn search<'l>(
        &mut self,
        fen: &str,
        legal: &'l [UciMove],
        time: Option<Duration>,
    ) -> Result<(Collector<'l>, Option<UciMove>), EngineError> {
        if legal.len() > self.most_lines {
            return Err(EngineError::TooFewLines {
                most: self.most_lines,
                legal: legal.len(),
            });
        }
        let depth = self.key.depth;
        let mut commands = String::with_capacity(256);
        if legal.len() != self.lines {
            commands += &format!("setoption name MultiPV value {}\n", legal.len());
            self.lines = legal.len();
        }
        commands += "ucinewgame\nisready\n";
        commands += &format!("position fen {fen} 1\ngo depth {depth}");
        if let Some(time) = time {
            commands += &format!(" movetime {}", time.as_millis().max(1));
        }
        commands += "\n";
        self.pipe.send(&commands)?;

        let mut collector = Collector::new(legal, depth);
        let mut ready = false;
        let best = self.pipe.listen(|line| {
            Ok(match EngineOutput::parse(line) {
                EngineOutput::ReadyOk => {
                    ready = true;
                    Heard::Progress
                }
                EngineOutput::Exact(exact) if ready => {
                    collector.hear(&exact)?;
                    Heard::Progress
                }
                EngineOutput::BestMove(best) if ready => Heard::End(best),
                _ => Heard::Nothing,
            })
        })?;
        Ok((collector, best))
    }
}

/// What an engine says about itself.
#[derive(Default)]
struct Greeting {
    name: Option<String>,
    options: Vec<EngineOption>,
}

/// An option the engine declares.
struct EngineOption {
    name: String,
    default: Option<String>,
    max: Option<usize>,
}

impl Greeting {
    fn hear(&mut self, line: &str) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().to_owned());
        } else if let Some(option) = line.strip_prefix("option name ") {
            let (name, rest) = option.split_once(" type ").unwrap_or((option, ""));
            let after = |word| {
                rest.split_once(word)
                    .map(|(_, value): (_, &str)| value.trim())
            };
            self.options.push(EngineOption {
                name: name.trim().to_owned(),
                default: after(" default ").map(str::to_owned),
                max: after(" max ").and_then(|max| max.parse().ok()),
            });
        }
    }

    /// The networks it uses by default.
    fn net(&self) -> String {
        let named = |name: &&str| {
            let option = self.options.iter().find(|option| option.name == *name)?;
            let default = option.default.as_deref()?;
            (!default.is_empty() && default != "<empty>").then_some(default)
        };
        let nets: Vec<&str> = NETS.iter().filter_map(named).collect();
        nets.join("+")
    }

    fn most_lines(&self) -> usize {
        let mut options = self.options.iter();
        let option = options.find(|option| option.name == "MultiPV");
        option.and_then(|option| option.max).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings() {
        let mut greeting = Greeting::default();
        for line in [
            "id name Stockfish 17.1",
            "id author x",
            "option name Clear Hash type button",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name SyzygyPath type string default <empty>",
            "option name EvalFile type string default nn-1c0000000000.nnue",
            "option name EvalFileSmall type string default nn-37f18f62d772.nnue\r",
            "option name",
            "option name  type",
        ] {
            greeting.hear(line);
        }
        assert_eq!(greeting.name.as_deref(), Some("Stockfish 17.1"));
        assert_eq!(greeting.most_lines(), 256);
        assert_eq!(greeting.net(), "nn-1c0000000000.nnue+nn-37f18f62d772.nnue");
        assert_eq!(Greeting::default().most_lines(), 1);
        assert_eq!(Greeting::default().net(), "");
    }
}

//! An engine that is asked for evaluations.
//!
//! Before each position comes `ucinewgame`, and there is one search thread and a fixed hash table, so that
//! an evaluation depends on the position alone. The position is sent without the moves that led to it and
//! without its move number.

use std::{path::PathBuf, time::Duration};

use errare_core::Cancel;
use shakmaty::uci::UciMove;

use crate::{
    Collector, EngineError, EngineKey, EngineOutput, Evaluation,
    line::words,
    pipe::{Heard, Pipe},
};

/// The size of the hash table. Evaluations depend on it, so it is fixed: enough for the depths people
/// can wait for, and quick to clear before each position.
const HASH_MIB: u32 = 64;
/// How long an engine may take to greet: one that has not said `uciok` by then does not speak UCI.
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
    /// How long it may make no progress.
    pub silence: Duration,
}

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    pipe: Pipe,
    cancel: Cancel,
    key: EngineKey,
    /// The most lines it can show, and how many it shows.
    most_lines: usize,
    lines: usize,
}

impl Engine {
    /// Starts an engine and asks who it is. Whoever holds a clone of `cancel` can end it at any time,
    /// from any thread: whatever it is asked then ends with [`EngineError::Stopped`].
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
                    // Not progress: the time limit is for the whole greeting.
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

    /// Who it is.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.key
    }

    /// The switch that ends it.
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

    /// Evaluates all legal moves of a position as deep as the time allows, if it is bounded, and until somebody calls the
    /// [`Engine::stopper`].
    pub fn evaluate_within(
        &mut self,
        fen: &str,
        legal: &[UciMove],
        time: Option<Duration>,
    ) -> Result<Evaluation, EngineError> {
        let (collector, best) = self.search(fen, legal, time)?;
        collector.finish_early(best)
    }

    /// Ends the search that is going on, if there is one, from any thread.
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

/// An option it has.
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

    /// The networks it uses if not told otherwise.
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

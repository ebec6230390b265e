//! Plays the games of a match with a fleet.
//!
//! Each game has its own stream of random numbers, so the same games are played whichever worker plays
//! them.

use std::path::PathBuf;

use errare_choice::Estimate;
use errare_core::{FaultKind, Watch};
use errare_engine::EngineKey;
use errare_jobs::{Queue, QueueError};
use errare_players::{EngineName, Finish, MatchGame, PlayerName};
use errare_rating::continuous::Calibration;
use serde::{Deserialize, Serialize};

use super::{
    Batch, QueueChoice, Work,
    batch::{About, damaged, keep, kept, none_dead},
    frame::{pack, unpack},
};
use crate::{
    Error, Service,
    matches::{self, Answer, GameName, Request},
};

/// Games per job without an engine.
const QUICK: u64 = 1000;
/// Games per job with an engine.
const SLOW: u64 = 2;
/// Maximum size of a match as sent to workers: its positions and its calibration.
const MOST_ORDER_BYTES: usize = 64 << 20;

/// A match as sent to workers, without anything specific to the submitter's machine.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    request: Request,
    calibration: Option<Calibration>,
    engine: Option<EngineKey>,
}

/// Plays the match on a fleet; `None` if it was only submitted.
pub fn play(
    request: &Request,
    choice: &QueueChoice,
    watch: &dyn Watch,
) -> Result<Option<(Answer, Vec<MatchGame>)>, Error> {
    let queue = choice.open()?;
    let order = Order::new(request)?;
    let batch = order.batch(&*queue)?.share(choice.shard);
    let pieces = order.pieces(&batch)?;
    let ids = batch.submit(&pieces, watch)?;
    match choice.detach {
        true => {
            batch.tell_submitted(ids.len(), watch);
            Ok(None)
        }
        false => Ok(Some(order.collect(&batch, &pieces, &ids, watch)?)),
    }
}

/// Assembles the result of a batch of games.
pub fn collect(
    queue: &dyn Queue,
    batch: &str,
    watch: &dyn Watch,
) -> Result<(Answer, Vec<MatchGame>), Error> {
    let about = queue.about(batch)?;
    let about: Option<About> = serde_json::from_slice(&about).ok();
    let file = about.and_then(|about| about.file);
    let file = file.ok_or_else(|| QueueError::NoSuchBatch(batch.to_owned()))?;
    let order =
        Order::read(queue, &file, watch).map_err(|text| Error::new(FaultKind::Damaged, text))?;
    let batch = order.batch(queue)?;
    let pieces = order.pieces(&batch)?;
    let jobs = pieces.iter().map(|piece| Ok(piece.job()?.id()));
    let ids = jobs.collect::<Result<Vec<_>, Error>>()?;
    let (known, all) = (queue.progress(&batch.name)?.jobs, ids.len() as u64);
    if known < all {
        let text = format!(
            "{} of {all} jobs are missing; collect all shards",
            all - known
        );
        return Err(Error::new(FaultKind::Missing, text));
    }
    order.collect(&batch, &pieces, &ids, watch)
}

/// Plays a job's games, for a worker.
pub(super) fn work(
    service: &Service,
    queue: &dyn Queue,
    engine: Option<PathBuf>,
    file: &str,
    numbers: std::ops::Range<u64>,
    watch: &dyn Watch,
) -> Result<Vec<u8>, String> {
    let order = Order::read(queue, file, watch)?;
    let request = Request {
        engine,
        threads: Some(1),
        ..order.request
    };
    let games = matches::games(service, &request, order.calibration, numbers, watch);
    let games = games.map_err(|error| format!("{error:#}"))?;
    Ok(Games {
        analysed: games.analysed,
        notes: games.notes,
        played: games.played,
    }
    .write())
}

impl Order {
    fn new(request: &Request) -> Result<Order, Error> {
        if request.game == GameName::Chess {
            request.starts()?;
        }
        let engines = engines(request)?;
        let engine = match engines.is_empty() {
            true => None,
            false => Some(request.engine_choice().key(1)?),
        };
        Ok(Order {
            calibration: request.calibration()?,
            request: Request {
                seed: Some(request.seed.unwrap_or_else(rand::random)),
                engine: None,
                calibration: None,
                threads: None,
                ..request.clone()
            },
            engine,
        })
    }

    fn read(queue: &dyn Queue, file: &str, watch: &dyn Watch) -> Result<Order, String> {
        let content = kept(queue, file, MOST_ORDER_BYTES, watch)?;
        let order: Order = serde_json::from_slice(&content)
            .map_err(|error| format!("an unreadable match: {error}"))?;
        let own = order.request.engine.is_some() || order.request.calibration.is_some();
        match engines(&order.request) {
            _ if own => Err("a match that names files of this machine".to_owned()),
            Err(error) => Err(error.to_string()),
            Ok(engines) if !engines.is_empty() && order.engine.is_none() => {
                Err("a match that does not say which engine it needs".to_owned())
            }
            Ok(_) if order.request.seed.is_none() => Err("a match without a seed".to_owned()),
            Ok(_) => Ok(order),
        }
    }

    fn batch<'q>(&self, queue: &'q dyn Queue) -> Result<Batch<'q>, Error> {
        let content = serde_json::to_vec(self).expect("a match can be written");
        if content.len() > MOST_ORDER_BYTES {
            let text = format!(
                "a match with {} bytes of positions is more than the {MOST_ORDER_BYTES} that a fleet takes at once",
                content.len()
            );
            return Err(Error::bad_request(text));
        }
        let [white, black] = &self.request.players;
        let about = About {
            title: format!("{white} against {black}, {} games", self.request.total()),
            file: Some(keep(queue, &content)?),
        };
        Ok(Batch::new(queue, "match", &content, about).seeded(self.request.seed))
    }

    fn pieces(&self, batch: &Batch<'_>) -> Result<Vec<Work>, Error> {
        let file = batch.about.file.clone().expect("it was kept");
        let at_once = match self.engine {
            Some(_) => SLOW,
            None => QUICK,
        };
        let total = self.request.total();
        let firsts = (0..total).step_by(at_once as usize);
        Ok(firsts
            .map(|first| Work::Play {
                file: file.clone(),
                engine: self.engine.clone(),
                first,
                count: at_once.min(total - first),
            })
            .collect())
    }

    fn collect(
        &self,
        batch: &Batch<'_>,
        pieces: &[Work],
        ids: &[errare_jobs::JobId],
        watch: &dyn Watch,
    ) -> Result<(Answer, Vec<MatchGame>), Error> {
        watch.begin("playing games", Some(self.request.total()));
        let mut parts: Vec<Option<Games>> = pieces.iter().map(|_| None).collect();
        let dead = batch.collect(ids, watch, |index, message| {
            let Work::Play { count, .. } = pieces[index] else {
                unreachable!("a match has games");
            };
            let games = Games::read(message).filter(|games| games.played.len() as u64 == count);
            parts[index] = Some(games.ok_or_else(damaged)?);
            watch.advance(count);
            Ok(())
        })?;
        none_dead(&dead, "games")?;
        let mut all = matches::Games::default();
        for games in parts.into_iter().flatten() {
            all.analysed = games.analysed;
            all.notes = games.notes;
            all.played.extend(games.played);
        }
        matches::summary(&self.request, all)
    }
}

/// The players' engines, none of which may be named: a worker starts no program but its own.
fn engines(request: &Request) -> Result<Vec<EngineName>, Error> {
    let engine = |name: &PlayerName| match name {
        PlayerName::Agent { engine, .. } => engine.clone(),
        PlayerName::Automaton(_) => None,
        PlayerName::Human { engine, .. } | PlayerName::Engine(engine) => Some(engine.clone()),
    };
    let engines: Vec<EngineName> = request.players.iter().filter_map(engine).collect();
    match engines.iter().find(|engine| !engine.name.is_empty()) {
        None => Ok(engines),
        Some(engine) => Err(Error::bad_request(format!(
            "a fleet plays with its workers' engine: leave {:?} out of the player's name, as in uci:depth=8 or human:elo=1800",
            engine.name
        ))),
    }
}

/// The answer to a job of games.
#[derive(Debug, Clone, PartialEq)]
pub struct Games {
    /// Were the players analysed?
    pub analysed: bool,
    /// Notes for the reader.
    pub notes: Vec<String>,
    /// The games, in order.
    pub played: Vec<MatchGame>,
}

/// The encoded size of a game.
const GAME: usize = 2 + 2 * 8 + 2 * (1 + 5 * 8);
const FINISHES: [Finish; 6] = [
    Finish::White,
    Finish::Draw,
    Finish::Black,
    Finish::FiftyMoves,
    Finish::Repetition,
    Finish::Unfinished,
];

impl Games {
    /// Encodes a message.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let head = serde_json::to_vec(&(self.analysed, &self.notes)).expect("text");
        let mut games = Vec::with_capacity(GAME * self.played.len());
        for game in &self.played {
            let finish = FINISHES.iter().position(|finish| *finish == game.finish);
            games.extend([
                finish.expect("all are listed") as u8,
                u8::from(game.swapped),
            ]);
            games.extend(game.moves.to_le_bytes());
            games.extend(game.plies.to_le_bytes());
            for estimate in &game.apparent {
                games.push(u8::from(estimate.is_some()));
                let zero = [0.0; 5];
                let numbers = estimate.map_or(zero, |e| [e.mean, e.sd, e.mode, e.low, e.high]);
                games.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        pack([head, games])
    }

    /// Decodes a message; `None` if it is malformed.
    #[must_use]
    pub fn read(message: &[u8]) -> Option<Games> {
        let pieces = unpack(message)?;
        let [head, games] = pieces[..] else {
            return None;
        };
        let (analysed, notes) = serde_json::from_slice(head).ok()?;
        let whole = games.len().is_multiple_of(GAME);
        let played = games
            .chunks_exact(GAME)
            .map(read_game)
            .collect::<Option<_>>();
        Some(Games {
            analysed,
            notes,
            played: played.filter(|_| whole)?,
        })
    }
}

fn read_game(bytes: &[u8]) -> Option<MatchGame> {
    let number = |at: usize| -> [u8; 8] { bytes[at..at + 8].try_into().expect("eight bytes") };
    let estimate = |at: usize| -> Option<Option<Estimate>> {
        let [mean, sd, mode, low, high] =
            [1, 9, 17, 25, 33].map(|offset| f64::from_le_bytes(number(at + offset)));
        match bytes[at] {
            0 => Some(None),
            1 => Some(Some(Estimate {
                mean,
                sd,
                mode,
                low,
                high,
            })),
            _ => None,
        }
    };
    Some(MatchGame {
        finish: *FINISHES.get(usize::from(bytes[0]))?,
        swapped: match bytes[1] {
            0 => false,
            1 => true,
            _ => return None,
        },
        moves: u64::from_le_bytes(number(2)),
        plies: u64::from_le_bytes(number(10)),
        apparent: [estimate(18)?, estimate(59)?],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_written_and_read() {
        let estimate = Estimate {
            mean: 20.1,
            sd: 1.0 / 3.0,
            mode: 20.0,
            low: 3.0,
            high: 31.5,
        };
        let game = |finish, swapped, apparent| MatchGame {
            finish,
            swapped,
            moves: 31,
            plies: 62,
            apparent,
        };
        let games = Games {
            analysed: true,
            notes: vec!["extrapolates".to_owned()],
            played: vec![
                game(Finish::White, false, [Some(estimate), None]),
                game(Finish::Repetition, true, [None, Some(estimate)]),
            ],
        };
        let message = games.write();
        assert_eq!(Games::read(&message), Some(games));
        assert_eq!(Games::read(&message[..message.len() - 1]), None);
    }
}

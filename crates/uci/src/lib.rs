//! The UCI front: any player of `errare-players` as a chess engine, for every program that speaks the protocol.
//!
//! This crate knows the protocol and nothing else. `command` reads lines, `options` is the table of options, and `front` turns both
//! into what a [seat](errare_service::seat) is asked, and what the seat says into lines. Whoever plays, and how its move comes in time,
//! is the seat's business.
//!
//! One thread reads lines, one plays, and one, the front, hears of both and alone writes. So nothing that takes long keeps the
//! front from answering, and each `go` gets one `bestmove`.
//!
//! ```
//! use errare_service::{Service, Supply};
//! use errare_tables::Store;
//!
//! # let directory = errare_testing::scratch_directory();
//! let service = Service { tables: Supply::new(Store::open(directory, 16 << 20)) };
//! let commands = "uci\nposition startpos moves e2e4\ngo movetime 5000\n".as_bytes();
//! let mut lines = Vec::new();
//! errare_uci::speak(service, &"minimax:depth=1".parse()?, "stockfish", commands, &mut lines)?;
//! let lines = String::from_utf8(lines)?;
//! assert!(lines.contains("uciok") && lines.contains("bestmove"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod front;
mod options;

use std::{
    io::{self, BufRead, Read, Write},
    sync::mpsc::{self, Sender},
    thread,
};

use errare_players::PlayerName;
use errare_service::{
    Service,
    seat::{self, SeatThread},
};

use front::Front;
use options::Options;

/// What the front hears of.
enum Event {
    /// A line was read.
    Line(String),
    /// There are no more lines.
    End,
    /// The player tells something.
    Told(seat::Event),
}

/// No command is as long: a game of a thousand moves has five thousand letters.
const LONGEST_LINE: u64 = 1 << 20;

/// Speaks UCI until `quit` or the end of the input: plays as `player` until options say otherwise, with `engine` for players who name
/// none. Engines that were started are stopped at the end.
pub fn speak(
    service: Service,
    player: &PlayerName,
    engine: &str,
    input: impl BufRead + Send + 'static,
    out: impl Write,
) -> io::Result<()> {
    let (events, heard) = mpsc::channel();
    let options = Options::new(player, engine);
    let seat = SeatThread::start(service, options.settings(), {
        let events = events.clone();
        // When nobody listens any more, the program ends.
        move |event| drop(events.send(Event::Told(event)))
    });
    thread::spawn(move || read(input, &events));
    let mut front = Front::new(out, options, seat);
    while !front.is_done() {
        let event = match front.alarm() {
            None => heard.recv().unwrap_or(Event::End),
            Some(alarm) => match heard.recv_timeout(alarm) {
                Ok(event) => event,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    front.ring()?;
                    continue;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => Event::End,
            },
        };
        match event {
            Event::Line(line) => front.obey(&line)?,
            Event::End => front.end()?,
            Event::Told(event) => front.hear(event)?,
        }
    }
    // A thread may be waiting for an engine.
    errare_engine::kill_all();
    Ok(())
}

/// Reads lines, whatever bytes they are made of.
fn read(mut input: impl BufRead, events: &Sender<Event>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) | Err(_) => Event::End,
            Ok(_) => Event::Line(String::from_utf8_lossy(&line).trim().to_owned()),
        };
        let ends = matches!(event, Event::End);
        if events.send(event).is_err() || ends {
            return;
        }
    }
}

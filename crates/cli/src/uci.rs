//! `errare uci`: a chess engine for programs that speak UCI.
//!
//! One thread reads lines, one plays, and one, the front, hears of both and alone writes. So nothing that takes long keeps the
//! front from answering, and each `go` gets one `bestmove`.

mod command;
mod front;
mod options;

use std::{
    io::{self, BufRead, Read},
    process::ExitCode,
    sync::mpsc::{self, Sender},
    thread,
};

use anyhow::Result;
use clap::Args;
use errare_players::PlayerName;
use errare_service::seat::{self, SeatThread};

use crate::options::{directory::Directory, memory::MemoryLimit, supply};
use front::Front;
use options::Options;

/// Plays chess through UCI, the protocol of chess programs
///
/// Every player of errare match plays, from the first move: where there are endgame tables by these, elsewhere
/// by the moves of another engine (option Engine, by default stockfish). Programs that run engines set options and
/// positions; docs/uci.md lists them, and has settings for lichess-bot.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The player at the start, such as rep:c=20, predator or human:elo=1800
    #[arg(default_value = "rep:c=20")]
    player: PlayerName,

    #[command(flatten)]
    directory: Directory,

    #[command(flatten)]
    memory: MemoryLimit,
}

const EXAMPLES: &str = "\
Examples:
  errare uci human:elo=1600
  errare uci predator
  printf 'position startpos\\ngo movetime 1000\\n' | errare uci minimax:depth=3";

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

/// Speaks UCI on standard input and output until `quit`.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = supply::service(&arguments.directory, &arguments.memory, true)?;
    let (events, heard) = mpsc::channel();
    let options = Options::new(&arguments.player);
    let seat = SeatThread::start(service, options.settings(), {
        let events = events.clone();
        // When nobody listens any more, the program ends.
        move |event| drop(events.send(Event::Told(event)))
    });
    thread::spawn(move || read(io::stdin().lock(), &events));
    let mut front = Front::new(io::stdout(), options, seat);
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
    Ok(ExitCode::SUCCESS)
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

//! The UCI front: any player of `errare-players` as a chess engine, for every program that speaks the protocol.
//!
//! This crate knows only the protocol. `command` parses lines, `options` is the table of options, and `front` translates both
//! into requests to a [seat](errare_service::seat), and the seat's events into output. The seat decides what to play and makes
//! sure that the move comes in time.
//!
//! One thread reads lines, one plays, and one watches the clock. They share the `desk`, so that nothing slow keeps the front
//! from answering, and each `go` gets one `bestmove`.
//!
//! ```
//! use errare_service::{Service, Supply};
//! use errare_tables::Store;
//! use errare_uci::Options;
//!
//! # let directory = errare_testing::scratch_directory();
//! let service = Service { tables: Supply::new(Store::open(directory, 16 << 20)) };
//! let commands = "uci\nposition startpos moves e2e4\ngo movetime 5000\n".as_bytes();
//! let options = Options::new(&"minimax:depth=1".parse()?, "stockfish", None);
//! let lines = errare_uci::speak(service, options, commands, Vec::new())?;
//! let lines = String::from_utf8(lines)?;
//! assert!(lines.contains("uciok") && lines.contains("bestmove"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod desk;
mod front;
mod options;

use std::{
    io::{self, BufRead, BufWriter, Read, Write},
    sync::Arc,
    thread,
};

use errare_service::{Service, seat::SeatThread};

use desk::Desk;
use front::Front;
pub use options::Options;

/// Maximum length of a command: a game of a thousand moves has five thousand characters.
const LONGEST_LINE: u64 = 1 << 20;

/// Speaks UCI until `quit` or the end of the input, with these options until they are changed. Stops the engines it started at the
/// end and returns the output.
pub fn speak<W: Write + Send + 'static>(
    service: Service,
    options: Options,
    input: impl BufRead + Send + 'static,
    out: W,
) -> io::Result<W> {
    let desk = Arc::new(Desk::new());
    let seat = SeatThread::start(service, options.settings(), {
        let desk = Arc::clone(&desk);
        move |event| {
            desk.with(|front| front.hear(event));
        }
    });
    // Output is buffered and flushed once per step, so that its reader is woken once.
    let front = Front::new(BufWriter::new(out), options, seat);
    let reader = Arc::clone(&desk);
    let front = desk.keep(front, || {
        thread::spawn(move || read(input, &reader));
    });
    // A thread may be waiting for an engine.
    errare_engine::kill_all();
    Ok(front?.into_output().into_inner()?)
}

/// Reads lines, which need not be valid UTF-8.
fn read(mut input: impl BufRead, desk: &Desk<impl Write>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        let goes_on = match read {
            Ok(0) | Err(_) => {
                desk.with(Front::end);
                false
            }
            Ok(_) => desk.with(|front| front.obey(String::from_utf8_lossy(&line).trim())),
        };
        if !goes_on {
            return;
        }
    }
}

//! Translates commands into requests to a seat, and the seat's events into output.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use errare_service::seat::{Errand, Said, Search, SeatEvent, SeatThread, TrueScore, Variation};
use shakmaty::{CastlingMode, Position};

use crate::{
    command::{Board, Command, Go},
    options::Options,
};

/// Maximum delay of the answer to `isready` while the player gets ready.
const PREPARATION: Duration = Duration::from_secs(10);

/// The protocol's side of the engine.
pub(crate) struct Front<W> {
    out: W,
    options: Options,
    seat: SeatThread,
    /// The position; none if the last one was refused.
    board: Option<Board>,
    /// Does the seat have the current options?
    settled: bool,
    /// The deadlines of all unanswered `isready`s.
    unready: Vec<Instant>,
    /// A `go` that has no `bestmove` yet.
    search: Option<Search>,
    /// Has the input ended?
    ended: bool,
}

impl<W: Write> Front<W> {
    pub(crate) fn new(out: W, options: Options, seat: SeatThread) -> Front<W> {
        Front {
            out,
            options,
            seat,
            board: Some(Board::default()),
            settled: true,
            unready: Vec::new(),
            search: None,
            ended: false,
        }
    }

    /// The next deadline, if any.
    pub(crate) fn alarm(&self) -> Option<Instant> {
        let due = self.search.as_ref().and_then(Search::due);
        due.into_iter().chain(self.unready.first().copied()).min()
    }

    /// Handles deadlines that have passed.
    pub(crate) fn ring(&mut self) -> io::Result<()> {
        let now = Instant::now();
        while self.unready.first().is_some_and(|until| *until <= now) {
            self.ready()?;
        }
        let due = self.search.as_ref().and_then(Search::due);
        if due.is_some_and(|due| due <= now) {
            self.finish()?;
        }
        self.out.flush()
    }

    /// Work for the player, to be handed over after the lock is released.
    pub(crate) fn errand(&mut self) -> Option<Errand> {
        self.seat.errand()
    }

    /// Returns the output. The player is dismissed.
    pub(crate) fn into_output(self) -> W {
        self.out
    }

    /// Has the input ended, with nothing left to answer?
    pub(crate) fn is_done(&self) -> bool {
        self.ended && self.search.is_none() && self.unready.is_empty()
    }

    /// Executes a line.
    pub(crate) fn obey(&mut self, line: &str) -> io::Result<()> {
        match Command::parse(line) {
            Err(error) => self.say(&error)?,
            Ok(Command::Uci) => self.introduce()?,
            Ok(Command::IsReady) => self.prepare()?,
            Ok(Command::SetOption { name, value }) => match self.options.set(&name, &value) {
                Ok(()) => self.settled = false,
                Err(error) => self.say(&error)?,
            },
            Ok(Command::NewGame) => {
                self.settle();
                self.seat.new_game();
                self.board = Some(Board::default());
            }
            Ok(Command::Position(Ok(board))) => self.board = Some(board),
            Ok(Command::Position(Err(error))) => {
                self.board = None;
                self.say(&format!("{error}; there is no position until the next one"))?;
            }
            Ok(Command::Go(go)) => self.go(&go)?,
            Ok(Command::Stop) => self.search.iter_mut().for_each(Search::stop),
            Ok(Command::PonderHit) => self.search.iter_mut().for_each(Search::release),
            Ok(Command::Quit) => {
                self.ended = true;
                self.search = None;
                self.unready.clear();
            }
            Ok(Command::Debug | Command::Register | Command::Empty) => {}
        }
        self.ring()
    }

    /// Handles the end of the input: nobody can stop an infinite search any more.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.ended = true;
        if let Some(search) = self.search.as_mut().filter(|search| search.is_held()) {
            search.stop();
        }
        self.ring()
    }

    /// Handles an event of the player. Events of searches that have been answered are ignored.
    pub(crate) fn hear(&mut self, event: SeatEvent) -> io::Result<()> {
        let current = |number| self.search.as_ref().is_some_and(|search| search.is(number));
        let elapsed = self
            .search
            .as_ref()
            .map(Search::elapsed)
            .unwrap_or_default();
        match event {
            SeatEvent::Ready if !self.unready.is_empty() => self.ready()?,
            SeatEvent::Said(number, said) if current(number) => self.tell(&said, elapsed)?,
            SeatEvent::Decided(number, decision) if current(number) => {
                for said in &decision.said {
                    self.tell(said, elapsed)?;
                }
                self.search.iter_mut().for_each(|it| it.decide(&decision));
            }
            SeatEvent::Failed(number) => {
                if number.is_some_and(current) {
                    self.search.iter_mut().for_each(Search::fail);
                }
                self.say("the player failed, which is a bug of Errare; another takes its place")?;
                if !self.unready.is_empty() {
                    self.ready()?;
                }
            }
            _ => {}
        }
        self.ring()
    }

    fn introduce(&mut self) -> io::Result<()> {
        writeln!(self.out, "id name Errare {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.out, "id author the authors of Errare")?;
        for line in self.options.declare() {
            writeln!(self.out, "{line}")?;
        }
        writeln!(self.out, "uciok")
    }

    /// Gets the player ready, so that no clock runs while an engine starts. A player that is thinking is
    /// ready.
    fn prepare(&mut self) -> io::Result<()> {
        self.settle();
        if self.search.is_some() {
            return writeln!(self.out, "readyok");
        }
        self.unready.push(Instant::now() + PREPARATION);
        self.seat.prepare();
        Ok(())
    }

    fn ready(&mut self) -> io::Result<()> {
        self.unready.remove(0);
        writeln!(self.out, "readyok")
    }

    /// Sends changed options to the seat.
    fn settle(&mut self) {
        if !self.settled {
            self.seat.change(self.options.settings());
            self.settled = true;
        }
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        self.finish()?;
        while !self.unready.is_empty() {
            self.ready()?;
        }
        self.settle();
        for word in &go.unknown {
            self.say(&format!("go has no {word:?}"))?;
        }
        if let Some(limit) = go.unused {
            self.say(&format!(
                "{limit} is not used: how agents choose does not depend on it"
            ))?;
        }
        let Some(board) = self.board.clone() else {
            // A move of an earlier position would be a wrong one.
            self.say("there is no move, because the last position was refused")?;
            return writeln!(self.out, "bestmove (none)");
        };
        let Board {
            start,
            moves,
            position,
        } = board;
        for name in go.illegal(&position) {
            self.say(&format!("{name} is not a legal move"))?;
        }
        let limits = go.limits(&position, self.options.overhead());
        self.search = self.seat.think(start, moves, limits);
        if self.search.is_none() {
            let mated = position.is_check();
            let score = if mated { "mate 0" } else { "cp 0" };
            writeln!(self.out, "info depth 0 score {score}")?;
            writeln!(self.out, "bestmove (none)")?;
        }
        Ok(())
    }

    /// Answers the search with the best move available.
    fn finish(&mut self) -> io::Result<()> {
        let Some(search) = self.search.take() else {
            return Ok(());
        };
        let elapsed = search.elapsed();
        let (chosen, said) = search.finish();
        for said in &said {
            self.tell(said, elapsed)?;
        }
        let name = chosen.to_uci(CastlingMode::Standard);
        writeln!(self.out, "bestmove {name}")
    }

    fn tell(&mut self, said: &Said, elapsed: Duration) -> io::Result<()> {
        match said {
            Said::Words(words) => self.say(words),
            Said::Line(line) => self.show(line, elapsed),
        }
    }

    fn say(&mut self, words: &str) -> io::Result<()> {
        writeln!(self.out, "info string {}", words.replace(['\n', '\r'], " "))
    }

    fn show(&mut self, line: &Variation, elapsed: Duration) -> io::Result<()> {
        let time = elapsed.as_millis();
        let score = match line.score {
            TrueScore::Mate(moves) => format!("mate {moves}"),
            TrueScore::Centipawns(hundredths) => format!("cp {hundredths}"),
        };
        let moves = line.moves.iter();
        let moves = moves.map(|m| m.to_uci(CastlingMode::Standard).to_string());
        let (depth, rank) = (line.depth, line.rank);
        let moves: Vec<String> = moves.collect();
        let moves = moves.join(" ");
        writeln!(
            self.out,
            "info depth {depth} multipv {rank} score {score} time {time} pv {moves}"
        )
    }
}

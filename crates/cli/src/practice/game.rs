//! A game at the prompt.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::{Context, Result};
use errare_report::practice::{
    pgn,
    screen::{self, Look},
};
use errare_service::{
    Service,
    practice::{
        self, Act, Answer, Command, Event, Request, Told,
        history::{History, now},
        report,
    },
};

use super::{
    Arguments, begin,
    input::{Input, Typed},
    voice::Voice,
    watched,
};
use crate::interrupt;

/// Plays games until the person leaves.
pub(super) fn run(
    arguments: &Arguments,
    service: &Service,
    history: Option<&History>,
) -> Result<ExitCode> {
    let mut table = Table {
        arguments,
        service,
        history,
        look: Look {
            bottom: errare_core::Colour::White,
            ascii: arguments.ascii,
            quiz: arguments.quiz,
        },
        input: Input::new(arguments.json)?,
        voice: Voice::new(arguments.json),
        seed: arguments.seed.get(),
    };
    let first = match (arguments.resume, history) {
        (true, Some(history)) => {
            let session = history
                .unfinished()?
                .context("no game waits to be finished")?;
            watched(|watch| practice::resume(service, &session, watch))?
        }
        (true, None) => anyhow::bail!("there is no history to resume a game from"),
        (false, history) => {
            let request = arguments.request(table.seed)?;
            let waiting = history.map(History::unfinished).transpose()?.flatten();
            if waiting.is_some() && !arguments.json {
                talk!("A game is not finished: errare practice --resume goes on with it.");
            }
            begin(service, &request)?
        }
    };
    let mut next = Some(first);
    let mut code = ExitCode::SUCCESS;
    while let Some(answer) = next.take() {
        match table.play(answer)? {
            Leaving::For(answer) => next = Some(*answer),
            Leaving::Quit => {}
            Leaving::Interrupted => code = ExitCode::from(interrupt::EXIT_CODE),
        }
    }
    Ok(code)
}

/// Why a game is left.
enum Leaving {
    /// For another one.
    For(Box<Answer>),
    Quit,
    Interrupted,
}

/// Where games are played.
struct Table<'a> {
    arguments: &'a Arguments,
    service: &'a Service,
    history: Option<&'a History>,
    look: Look,
    input: Input,
    voice: Voice,
    seed: u64,
}

impl Table<'_> {
    /// Plays one game, and stays with it after its end until the person leaves it.
    fn play(&mut self, mut answer: Answer) -> Result<Leaving> {
        self.look.bottom = answer.session.setup.side;
        self.voice.tell(&Told::Began {
            session: Box::new(answer.session.clone()),
            view: Box::new(answer.view.clone()),
        })?;
        self.voice
            .say(&screen::introduction(&answer.session.setup))?;
        self.happened(&answer)?;
        let leaving = loop {
            let prompt = screen::prompt(&answer);
            let line = match self.input.read(&prompt)? {
                Typed::Text(line) => line,
                Typed::End => break Leaving::Quit,
                Typed::Interrupt => break Leaving::Interrupted,
            };
            if !self.input.echoes() {
                self.voice.say(&format!("{prompt}{}", line.trim()))?;
            }
            match Command::read(&line) {
                Command::Act(act) => match self.act(&answer, &act)? {
                    Some(next) => {
                        answer = next;
                        self.happened(&answer)?;
                    }
                    None => continue,
                },
                Command::Quit => break Leaving::Quit,
                command @ (Command::New | Command::Again) => {
                    match self.another(&answer, &command) {
                        Ok(next) => {
                            self.leave(&answer)?;
                            return Ok(Leaving::For(Box::new(next)));
                        }
                        Err(error) => self.voice.refuse(&error, "help lists what you can do")?,
                    }
                }
                command => self.other(&answer, &command)?,
            }
        };
        if answer.session.end.is_none() {
            self.finish(&answer)?;
            if self.history.is_some() && !answer.session.moves.is_empty() {
                self.voice
                    .say("The game is kept: errare practice --resume goes on with it.")?;
            }
        }
        self.leave(&answer)?;
        Ok(leaving)
    }

    /// Does something in the game; none if it cannot be done.
    fn act(&mut self, answer: &Answer, act: &Act) -> Result<Option<Answer>> {
        match watched(|watch| practice::act(self.service, &answer.session, act, watch)) {
            Ok(next) => {
                if let Some(history) = self.history {
                    history.save(&next, now())?;
                }
                Ok(Some(next))
            }
            Err(error) => {
                self.voice.refuse(&error, "help lists what you can do")?;
                Ok(None)
            }
        }
    }

    /// Another game of the same kind, or the same start.
    fn another(&mut self, answer: &Answer, command: &Command) -> Result<Answer> {
        let request = match command {
            Command::New if !self.arguments.resume => {
                self.seed = self.seed.wrapping_add(1);
                self.arguments.request(self.seed)?
            }
            _ => Request::again(&answer.session.setup),
        };
        begin(self.service, &request)
    }

    fn other(&mut self, answer: &Answer, command: &Command) -> Result<()> {
        match command {
            Command::Nothing => Ok(()),
            Command::Report => self.finish(answer),
            command => {
                if let Command::Flip = command {
                    self.look.flip();
                }
                self.voice.say(&screen::aside(command, answer, self.look))
            }
        }
    }

    /// Tells what happened, and shows the board if it is the person's turn.
    fn happened(&mut self, answer: &Answer) -> Result<()> {
        for event in &answer.events {
            self.voice.tell(event)?;
            self.voice.say(&screen::event(event, self.look))?;
        }
        let hinted_only = matches!(
            &answer.events[..],
            [Event::Hinted(_) | Event::DrawDeclined { .. }]
        );
        if answer.view.your_turn && !hinted_only {
            self.voice
                .say(&format!("\n{}", screen::position(answer, self.look)))?;
        }
        if answer.session.end.is_some() {
            self.finish(answer)?;
            self.voice
                .say("Type retry or back to go on from there, again, new or quit.")?;
        }
        Ok(())
    }

    fn finish(&mut self, answer: &Answer) -> Result<()> {
        let report = report(answer, self.history.is_some());
        self.voice.say(&screen::report(&report, self.look))?;
        self.voice.tell(&Told::Report(Box::new(report)))
    }

    /// Writes the game if it is asked for.
    fn leave(&self, answer: &Answer) -> Result<()> {
        let Some(file) = &self.arguments.pgn else {
            return Ok(());
        };
        append(file, &pgn(&answer.session))
            .with_context(|| format!("cannot write {}", file.display()))
    }
}

fn append(file: &Path, text: &str) -> io::Result<()> {
    if file == Path::new("-") {
        return write!(io::stdout(), "{text}");
    }
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    file.write_all(text.as_bytes())
}

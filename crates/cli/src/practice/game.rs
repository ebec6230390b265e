//! A game at the prompt.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::{Context, Result};
use errare_core::parse_position;
use errare_service::{
    Service,
    practice::{
        self, Act, Answer, Event, Report, Request, Session,
        history::{History, now},
        report,
    },
};
use serde::Serialize;
use shakmaty::{Position, san::SanPlus};

use super::{
    Arguments, begin,
    command::{Command, HELP, MARKS, parse},
    input::{Input, Typed},
    show::{self, Look},
    watched,
};
use crate::interrupt;

/// One line of JSON besides the service's events.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Told<'a> {
    /// A session begins or is taken up again.
    Began {
        session: &'a Session,
        view: &'a practice::SessionView,
    },
    /// Something that was typed cannot be done.
    Refused { message: String },
    /// What a session came to.
    Report(Box<Report>),
}

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
    seed: u64,
}

impl Table<'_> {
    /// Plays one game, and stays with it after its end until the person leaves it.
    fn play(&mut self, mut answer: Answer) -> Result<Leaving> {
        self.look.bottom = answer.session.setup.side;
        self.tell(&Told::Began {
            session: &answer.session,
            view: &answer.view,
        })?;
        self.say(&show::introduction(&answer.session.setup))?;
        self.happened(&answer)?;
        let leaving = loop {
            let prompt = show::prompt(&answer);
            let line = match self.input.read(&prompt)? {
                Typed::Text(line) => line,
                Typed::End => break Leaving::Quit,
                Typed::Interrupt => break Leaving::Interrupted,
            };
            if !self.input.echoes() {
                self.say(&format!("{prompt}{}", line.trim()))?;
            }
            match parse(&line) {
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
                        Err(error) => self.refuse(&error)?,
                    }
                }
                command => self.other(&answer, &command)?,
            }
        };
        if answer.session.end.is_none() {
            self.finish(&answer)?;
            if self.history.is_some() && !answer.session.moves.is_empty() {
                self.say("The game is kept: errare practice --resume goes on with it.")?;
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
                self.refuse(&error)?;
                Ok(None)
            }
        }
    }

    /// Another game of the same kind, or the same start.
    fn another(&mut self, answer: &Answer, command: &Command) -> Result<Answer> {
        let setup = &answer.session.setup;
        let request = match command {
            Command::New if !self.arguments.resume => {
                self.seed = self.seed.wrapping_add(1);
                self.arguments.request(self.seed)?
            }
            _ => Request {
                side: Some(setup.side),
                opponent: Some(setup.opponent.clone()),
                metric: Some(setup.metric),
                kappa: Some(setup.kappa),
                seed: Some(setup.seed),
                until: Some(setup.until),
                hold_moves: Some(setup.hold_moves),
                ..Request::new(match &setup.drill {
                    Some(name) => practice::Start::Drill { name: name.clone() },
                    None => practice::Start::Position {
                        fen: setup.fen.clone(),
                    },
                })
            },
        };
        begin(self.service, &request)
    }

    fn other(&mut self, answer: &Answer, command: &Command) -> Result<()> {
        match command {
            Command::Help => self.say(HELP),
            Command::Marks => self.say(MARKS),
            Command::Board => self.say(&show::position(answer, self.look)),
            Command::Flip => {
                self.look.bottom = match self.look.bottom {
                    errare_core::Colour::White => errare_core::Colour::Black,
                    errare_core::Colour::Black => errare_core::Colour::White,
                };
                self.say(&show::position(answer, self.look))
            }
            Command::Moves => {
                let position = parse_position(&answer.view.fen)?;
                let san = |m: &shakmaty::Move| SanPlus::from_move(position.clone(), *m).to_string();
                let moves: Vec<String> = position.legal_moves().iter().map(san).collect();
                self.say(&show::wrapped(&format!("  {}", moves.join(" "))))
            }
            Command::Best => {
                let slip = answer
                    .session
                    .own_moves()
                    .rfind(|played| played.judgement.is_slip());
                let words = slip.and_then(|played| played.judgement.better.clone());
                self.say(&match words {
                    Some(words) => format!("  {words}."),
                    None => "  There is no slip of yours on the board.".to_owned(),
                })
            }
            Command::Report => self.finish(answer),
            Command::Pgn => self.say(&errare_report::practice::pgn(&answer.session)),
            _ => Ok(()),
        }
    }

    /// Tells what happened, and shows the board if it is the person's turn.
    fn happened(&mut self, answer: &Answer) -> Result<()> {
        for event in &answer.events {
            self.tell(event)?;
            self.say(&show::event(event, self.look))?;
        }
        let hinted_only = matches!(
            &answer.events[..],
            [Event::Hinted(_) | Event::DrawDeclined { .. }]
        );
        if answer.view.your_turn && !hinted_only {
            self.say(&format!("\n{}", show::position(answer, self.look)))?;
        }
        if answer.session.end.is_some() {
            self.finish(answer)?;
            self.say("Type retry or back to go on from there, again, new or quit.")?;
        }
        Ok(())
    }

    fn finish(&mut self, answer: &Answer) -> Result<()> {
        let report = report(answer, self.history.is_some());
        self.say(&show::report(&report, self.look))?;
        self.tell(&Told::Report(Box::new(report)))
    }

    /// Writes the game if it is asked for.
    fn leave(&self, answer: &Answer) -> Result<()> {
        let Some(file) = &self.arguments.pgn else {
            return Ok(());
        };
        let pgn = errare_report::practice::pgn(&answer.session);
        append(file, &pgn).with_context(|| format!("cannot write {}", file.display()))
    }

    fn refuse(&self, error: &anyhow::Error) -> Result<()> {
        let message = format!("{error:#}");
        self.say(&show::wrapped(&format!(
            "  {message}; help lists what you can do."
        )))?;
        self.tell(&Told::Refused { message })
    }

    /// Says something to a person.
    fn say(&self, text: &str) -> Result<()> {
        if !self.arguments.json {
            writeln!(anstream::stdout(), "{text}")?;
        }
        Ok(())
    }

    /// Tells something to a script.
    fn tell(&self, event: &impl Serialize) -> Result<()> {
        if self.arguments.json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, event)?;
            writeln!(out)?;
        }
        Ok(())
    }
}

fn append(file: &Path, text: &str) -> io::Result<()> {
    if file == Path::new("-") {
        return write!(io::stdout(), "{text}");
    }
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    file.write_all(text.as_bytes())
}

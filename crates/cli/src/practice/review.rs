//! Slips that are due, tried again.

use std::{io::Write, process::ExitCode, time::Instant};

use anyhow::Result;
use errare_core::parse_position;
use errare_service::practice::Judgement;
use errare_service::{
    Service,
    practice::history::{Grade, History, NextReview, Slip, now},
};
use serde::Serialize;
use shakmaty::Position;

use super::{
    Arguments,
    input::{Input, Typed},
    show, watched,
};
use errare_report::board;

/// One line of JSON.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Told<'a> {
    Due {
        slip: &'a Slip,
    },
    Reviewed {
        slip: i64,
        judgement: &'a Judgement,
        grade: Grade,
        next: Option<NextReview>,
    },
    Refused {
        message: String,
    },
}

/// Shows each slip that is due and grades the answer.
pub(super) fn run(arguments: &Arguments, service: &Service, history: &History) -> Result<ExitCode> {
    let due = history.due(now())?;
    let mut out = anstream::stdout();
    if !arguments.json {
        match due.first() {
            None => writeln!(out, "Nothing is due. {}", next_words(history)?)?,
            Some(_) => writeln!(out, "Due for review: {}. Find the best move.", due.len())?,
        }
    }
    let mut input = Input::new(arguments.json)?;
    let mut review = Review {
        arguments,
        service,
        history,
    };
    for slip in &due {
        if !review.ask(slip, &mut input)? {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn next_words(history: &History) -> Result<String> {
    Ok(match history.slips()?.first() {
        None => "Slips come here from your games.".to_owned(),
        Some(slip) => format!(
            "The next slip comes back on {}.",
            super::list::date(slip.due)
        ),
    })
}

struct Review<'a> {
    arguments: &'a Arguments,
    service: &'a Service,
    history: &'a History,
}

impl Review<'_> {
    /// Asks for a move; false if the person leaves.
    fn ask(&mut self, slip: &Slip, input: &mut Input) -> Result<bool> {
        self.tell(&Told::Due { slip })?;
        let position = parse_position(&slip.fen)?;
        let drawing = board::draw(position.board(), slip.side, self.arguments.ascii);
        self.say(&format!(
            "\n{drawing}\n{}, {} to move.",
            slip.endgame,
            show::side(position.turn().into())
        ))?;
        let begun = Instant::now();
        loop {
            let line = match input.read("> ")? {
                Typed::Text(line) => line,
                Typed::End | Typed::Interrupt => return Ok(false),
            };
            match line.trim() {
                "" => continue,
                "quit" | "exit" | "q" => return Ok(false),
                "skip" => return Ok(true),
                "help" | "?" => {
                    self.say("  Type a move, skip or quit.")?;
                    continue;
                }
                text => match watched(|watch| slip.judge(self.service, text, watch)) {
                    Err(error) => {
                        let message = format!("{error:#}");
                        self.say(&format!("  {message}; type a move, skip or quit."))?;
                        self.tell(&Told::Refused { message })?;
                    }
                    Ok(judgement) => {
                        self.grade(slip, &judgement, begun.elapsed().as_secs_f64())?;
                        return Ok(true);
                    }
                },
            }
        }
    }

    fn grade(&self, slip: &Slip, judgement: &Judgement, seconds: f64) -> Result<()> {
        let grade = Grade::of(judgement, false, Some(seconds));
        let next = self.history.grade(slip.id, grade, now())?;
        self.tell(&Told::Reviewed {
            slip: slip.id,
            judgement,
            grade,
            next,
        })?;
        self.say(&show::wrapped(&format!("  {}.", judgement.sentence())))?;
        if let Some(next) = next {
            let days = match next.days {
                1 => "tomorrow".to_owned(),
                days => format!("in {days} days"),
            };
            self.say(&format!("  It comes back {days}."))?;
        }
        Ok(())
    }

    fn say(&self, text: &str) -> Result<()> {
        if !self.arguments.json {
            writeln!(anstream::stdout(), "{text}")?;
        }
        Ok(())
    }

    fn tell(&self, event: &Told<'_>) -> Result<()> {
        if self.arguments.json {
            println!("{}", serde_json::to_string(event)?);
        }
        Ok(())
    }
}

//! Slips that are due, tried again.

use std::{process::ExitCode, time::Instant};

use anyhow::Result;
use errare_core::parse_position;
use errare_report::practice::screen;
use errare_service::{
    Service,
    practice::{
        Told,
        history::{History, Slip, Try, now},
    },
};

use super::{
    Arguments,
    input::{Input, Typed},
    voice::Voice,
    watched,
};

/// Shows each slip that is due and grades the answer.
pub(super) fn run(arguments: &Arguments, service: &Service, history: &History) -> Result<ExitCode> {
    let voice = Voice::new(arguments.json);
    let reviews = history.reviews(now())?;
    voice.say(&screen::reviews(&reviews))?;
    let mut input = Input::new(arguments.json)?;
    for slip in &reviews.due {
        let slip_told = Box::new(slip.clone());
        voice.tell(&Told::Due { slip: slip_told })?;
        let position = parse_position(&slip.fen)?;
        let endgame = format!("{}, ", slip.endgame);
        let ascii = arguments.ascii;
        voice.say(&screen::question(&position, slip.side, ascii, &endgame, ""))?;
        if !ask(voice, service, history, slip, &mut input)? {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks for a move; false if the person leaves.
fn ask(
    voice: Voice,
    service: &Service,
    history: &History,
    slip: &Slip,
    input: &mut Input,
) -> Result<bool> {
    let begun = Instant::now();
    loop {
        let line = match input.read("> ")? {
            Typed::Text(line) => line,
            Typed::End | Typed::Interrupt => return Ok(false),
        };
        let tried = match line.trim() {
            "" => continue,
            "quit" | "exit" | "q" => return Ok(false),
            "skip" => return Ok(true),
            "help" | "?" => {
                voice.say("  Type a move, skip or quit.")?;
                continue;
            }
            text => Try {
                text: text.to_owned(),
                hinted: false,
                seconds: Some(begun.elapsed().as_secs_f64()),
            },
        };
        match watched(|watch| history.review(service, slip, &tried, now(), watch)) {
            Err(error) => voice.refuse(&error, "type a move, skip or quit")?,
            Ok(reviewed) => {
                voice.say(&screen::reviewed(&reviewed))?;
                voice.tell(&Told::Reviewed {
                    slip: slip.id,
                    reviewed: Box::new(reviewed),
                })?;
                return Ok(true);
            }
        }
    }
}

//! Ten positions against the clock.

use std::{process::ExitCode, time::Instant};

use anyhow::{Context, Result};
use errare_core::parse_position;
use errare_report::practice::screen;
use errare_service::{
    Service,
    practice::{RushRequest, answer_rush, begin_rush},
};

use super::{
    Arguments,
    input::{Input, Typed},
    voice::Voice,
    watched,
};
use crate::output;

/// Plays a rush.
pub(super) fn run(arguments: &Arguments, service: &Service) -> Result<ExitCode> {
    let request = RushRequest {
        endgames: vec![arguments.endgame.context("a rush needs an endgame")?],
        task: arguments.task(),
        depth: arguments.depth,
        level: arguments.level,
        positions: None,
        seconds: None,
        seed: Some(arguments.seed.get()),
    };
    let mut rush = watched(|watch| begin_rush(service, &request, watch))?;
    let voice = Voice::new(arguments.json);
    let mut input = Input::new(arguments.json)?;
    voice.say(&screen::rush(&rush))?;
    if !arguments.json && !matches!(input.read("")?, Typed::Text(_)) {
        return Ok(ExitCode::SUCCESS);
    }
    let begun = Instant::now();
    while let Some(position) = rush.next() {
        let number = format!("{}. ", rush.answers.len() + 1);
        let board = parse_position(&position.fen)?;
        let left = f64::from(rush.seconds) - begun.elapsed().as_secs_f64();
        let left = format!(", {left:.0} s left");
        let (side, ascii) = (position.side, arguments.ascii);
        voice.say(&screen::question(&board, side, ascii, &number, &left))?;
        let text = match input.read("> ")? {
            Typed::Text(text) => text,
            Typed::End | Typed::Interrupt => break,
        };
        match text.trim() {
            "" => continue,
            "quit" | "exit" | "q" => break,
            _ => {}
        }
        let at = begun.elapsed().as_secs_f64();
        match watched(|watch| answer_rush(service, &rush, &text, at, watch)) {
            Ok(next) => {
                rush = next;
                voice.say(&screen::rush_answer(&rush))?;
            }
            Err(error) => talk!("  {error:#}"),
        }
    }
    output::show(&rush, arguments.json)
}

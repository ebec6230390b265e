//! Ten positions against the clock.

use std::{io::Write, process::ExitCode, time::Instant};

use anyhow::{Context, Result};
use errare_core::parse_position;
use errare_service::{
    Service,
    practice::{RushRequest, Task, answer_rush, begin_rush},
};
use shakmaty::Position;

use super::{
    Arguments,
    input::{Input, Typed},
    show, watched,
};
use crate::output;
use errare_report::board;

/// Plays a rush.
pub(super) fn run(arguments: &Arguments, service: &Service) -> Result<ExitCode> {
    let request = RushRequest {
        endgames: vec![arguments.endgame.context("a rush needs an endgame")?],
        task: match (arguments.draw, arguments.lost) {
            (true, _) => Task::Hold,
            (_, true) => Task::Resist,
            _ => Task::Win,
        },
        depth: arguments.depth,
        level: arguments.level,
        positions: None,
        seconds: None,
        seed: Some(arguments.seed.get()),
    };
    let mut rush = watched(|watch| begin_rush(service, &request, watch))?;
    let mut input = Input::new(arguments.json)?;
    let mut out = anstream::stdout();
    if !arguments.json {
        writeln!(
            out,
            "{} positions, {} seconds, one move in each: find the best. Enter starts the clock.",
            rush.positions.len(),
            rush.seconds
        )?;
        if !matches!(input.read("")?, Typed::Text(_)) {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let begun = Instant::now();
    while let Some(position) = rush.next().cloned() {
        let number = rush.answers.len() + 1;
        let board = parse_position(&position.fen)?;
        if !arguments.json {
            let drawing = board::draw(board.board(), position.side, arguments.ascii);
            let left = f64::from(rush.seconds) - begun.elapsed().as_secs_f64();
            let mover = show::side(board.turn().into());
            writeln!(
                out,
                "\n{drawing}\n{number}. {mover} to move, {left:.0} s left."
            )?;
        }
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
                let said = match rush.answers.last() {
                    _ if rush.out_of_time => "  Too late.".to_owned(),
                    Some(answer) => format!("  {}.", answer.judgement.sentence()),
                    None => String::new(),
                };
                if !arguments.json {
                    writeln!(out, "{}", show::wrapped(&said))?;
                }
            }
            Err(error) => talk!("  {error:#}"),
        }
    }
    match arguments.json {
        true => output::json(&rush)?,
        false => writeln!(out, "\n{}", rush.result().words)?,
    }
    Ok(ExitCode::SUCCESS)
}

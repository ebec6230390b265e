//! `errare advise`: the move that sets the opponent the hardest task.

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;
use errare_core::Material;
use errare_endgame::{Analyser, Belief, Oracle, Plies, Prospect, Turn, View, endgames, prospects};
use errare_games::Game;
use errare_tables::parse_position;
use serde::Serialize;
use shakmaty::{Chess, Color, Position, san::SanPlus, uci::UciMove};

use crate::{
    competence::Competence,
    games,
    model::{Model, Prior},
    output, words,
};

/// Says which move sets a fallible opponent the hardest task
///
/// The Predator expects the opponent to be a reference player R_c, and compares moves by what is left
/// after his reply: as winner it wants the least expected depth, as loser the greatest, and in a
/// drawn position the best chance that the opponent errs. Depths are in moves of the winner. The chances of
/// win, draw and loss are those after one reply of an opponent who may lose value too.
///
/// The opponent's c is given, or learned from games in which he played: the side that is not to move
/// in the position, or the player named with --opponent.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The position; underscores may stand for spaces
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,

    /// The opponent's competence c
    #[arg(
        long,
        value_name = "C",
        required_unless_present = "observed",
        allow_negative_numbers = true
    )]
    skill: Option<Competence>,

    /// Games of the opponent, from which his competence is learned
    #[arg(long, value_name = "PGN", conflicts_with = "skill")]
    observed: Vec<PathBuf>,

    /// The opponent's name in those games, or a part of it
    #[arg(long, value_name = "NAME", requires = "observed")]
    opponent: Option<String>,

    /// Competences taken into account before those games, from(step)to or from:step:to
    #[arg(long, default_value = "0(1)50")]
    prior: Prior,

    /// How many plies to look ahead, an even number
    #[arg(long, default_value = "2", value_parser = plies)]
    plies: Plies,

    #[command(flatten)]
    model: Model,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare advise \"8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1\" --skill 20
  errare advise 8/8/8/2K5/r7/2Q5/4k3/8_b_-_-_0_1 --observed earlier.pgn --plies 4";

fn plies(text: &str) -> Result<Plies> {
    let plies = text.parse().ok().and_then(Plies::new);
    plies.context("it is an even number from 2 on: the opponent has the last word")
}

#[derive(Serialize)]
struct Answer {
    endgame: String,
    metric: errare_core::Metric,
    kappa: f64,
    plies: u32,
    opponent: Opponent,
    best: Option<String>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Opponent {
    skill: Competence,
    sd: f64,
    moves_seen: usize,
}

#[derive(Serialize)]
struct Move {
    uci: String,
    san: String,
    optimal: bool,
    keeps_value: bool,
    expected_depth: Option<f64>,
    expected_value: f64,
    win: f64,
    draw: f64,
    loss: f64,
}

/// Asks the Predator.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let position = parse_position(&arguments.fen.join(" "))?;
    if !Oracle::covers(&position) {
        bail!("there are tables for three to five men without castling rights");
    }
    let games = games::read(&arguments.observed)?;
    let mut needed = vec![Material::of(position.board()).0];
    needed.extend(games.iter().flat_map(endgames));
    let oracle = arguments.model.oracle(&needed, &[])?;
    let turn = oracle.turn(&position)?;
    if turn.choices().is_empty() {
        bail!("the game is over: there is no move to advise");
    }
    let (belief, opponent) = arguments.belief(&oracle, &games, !position.turn())?;
    let view = View {
        oracle: &oracle,
        position: &position,
        turn: &turn,
    };
    let prospects = prospects(view, &belief, arguments.model.kappa, arguments.plies)?;
    let moves: Vec<Move> = prospects
        .iter()
        .map(|p| said(p, &position, &turn))
        .collect();
    let answer = Answer {
        endgame: needed[0].to_string(),
        metric: arguments.model.metric,
        kappa: arguments.model.kappa.get(),
        plies: arguments.plies.get(),
        opponent,
        best: moves.first().map(|m| m.uci.clone()),
        moves,
    };
    if arguments.json {
        output::json(&answer)?;
    } else {
        write(&answer, position.turn(), &turn)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// What is known of the opponent, who plays this colour.
    fn belief(&self, oracle: &Oracle, games: &[Game], color: Color) -> Result<(Belief, Opponent)> {
        if let Some(skill) = self.skill {
            let opponent = Opponent {
                skill,
                sd: 0.0,
                moves_seen: 0,
            };
            return Ok((Belief::certain(skill.0), opponent));
        }
        let Prior { grid, shape } = &self.prior;
        let mut analyser = Analyser::new(self.model.kappa, *grid, shape);
        for game in games {
            for (position, m) in game.plies() {
                let is_his = match &self.opponent {
                    Some(name) => game.name(position.turn()).contains(name.as_str()),
                    None => position.turn() == color,
                };
                if is_his && Oracle::covers(&position) {
                    let turn = oracle.turn(&position)?;
                    if let Some(number) = turn.find(m) {
                        analyser.observe(&turn, &turn.choices()[number]);
                    }
                }
            }
        }
        if analyser.moves() == 0 {
            bail!("no move of the opponent with few enough men is in these games");
        }
        let unexplained = "no competence of the prior explains the games; give a wider one";
        let estimate = analyser.posterior().summary().context(unexplained)?;
        let belief = Belief::learned(analyser.posterior()).context(unexplained)?;
        let opponent = Opponent {
            skill: Competence(estimate.mean),
            sd: estimate.sd,
            moves_seen: analyser.moves(),
        };
        Ok((belief, opponent))
    }
}

fn said(prospect: &Prospect, position: &Chess, turn: &Turn) -> Move {
    let choice = &turn.choices()[prospect.number];
    Move {
        uci: UciMove::from_standard(choice.r#move).to_string(),
        san: SanPlus::from_move(position.clone(), choice.r#move).to_string(),
        optimal: turn.is_optimal(choice),
        keeps_value: turn.preserves_value(choice),
        expected_depth: prospect.expected_depth,
        expected_value: prospect.chances.expected_value(),
        win: prospect.chances.win,
        draw: prospect.chances.draw,
        loss: prospect.chances.loss,
    }
}

fn write(answer: &Answer, mover: Color, turn: &Turn) -> Result<()> {
    let value = turn.best().map_or(0, |best| best.value());
    let mut table = output::table(["move", "optimal", "expected depth", "win", "draw", "loss"]);
    let percent = |chance: f64| format!("{:.1} %", 100.0 * chance);
    for m in &answer.moves {
        table.add_row([
            m.san.clone(),
            (if m.optimal { "yes" } else { "" }).to_owned(),
            match m.expected_depth {
                Some(depth) if m.keeps_value => format!("{depth:.3}"),
                _ => "-".to_owned(),
            },
            percent(m.win),
            percent(m.draw),
            percent(m.loss),
        ]);
    }
    output::numbers_from(&mut table, 2);
    let mut out = anstream::stdout().lock();
    let Opponent {
        skill,
        sd,
        moves_seen,
    } = answer.opponent;
    let opponent = words::side(!mover);
    match moves_seen {
        0 => writeln!(out, "{opponent} is taken to be R_c with c = {skill}")?,
        n => writeln!(
            out,
            "{opponent} appears to have c = {skill:.2} ± {sd:.2}, by {n} moves"
        )?,
    }
    writeln!(out, "{}\n", reason(answer, value))?;
    writeln!(out, "{}", table.trim_fmt())?;
    Ok(())
}

/// Why the best move is the best.
fn reason(answer: &Answer, value: i32) -> String {
    let Some(best) = answer.moves.first() else {
        return String::new();
    };
    let second = answer.moves.get(1).filter(|m| m.keeps_value);
    match (value, best.expected_depth, second) {
        (0, ..) => format!(
            "{}: the opponent errs with {:.1} %, which wins",
            best.san,
            100.0 * best.win
        ),
        (_, Some(depth), Some(next)) => format!(
            "{}: a depth of {depth:.3} is expected after the reply, against {:.3} after {}",
            best.san,
            next.expected_depth.unwrap_or(0.0),
            next.san
        ),
        _ => format!("{}: nothing else keeps the value", best.san),
    }
}

//! A game of practice.

use std::io::{self, BufRead, Write};

use anyhow::Result;
use errare_choice::{Estimate, Kappa, Prior};
use errare_endgame::{Agent, Analyser, Choice, Oracle, Player, Turn, View, exits};
use rand::Rng;
use serde::Serialize;
use shakmaty::{Chess, Color, Position, san::San, san::SanPlus, uci::UciMove};

use super::after;
use crate::{board, output, words::side};

const HELP: &str =
    "Type a move like Qd5+ or a5d5; hint for the best move, moves for all, quit to end.";

pub(super) struct Session<'a> {
    oracle: &'a Oracle,
    position: Chess,
    yours: Color,
    agent: Box<dyn Agent + 'a>,
    name: String,
    analyser: Analyser,
    moves: Vec<String>,
    hints: usize,
}

/// What is said at the end.
#[derive(Serialize)]
struct Summary {
    opponent: String,
    side: &'static str,
    end: String,
    moves: usize,
    hints: usize,
    ceded: u32,
    value_losses: usize,
    competence: Option<Estimate>,
    faultless: bool,
    played: Vec<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        oracle: &'a Oracle,
        position: Chess,
        yours: Color,
        opponent: &'a dyn Player,
        name: String,
        kappa: Kappa,
    ) -> Session<'a> {
        let grid = "0(0.01)50".parse().expect("this is a grid");
        Session {
            oracle,
            position,
            yours,
            agent: opponent.agent(),
            name,
            analyser: Analyser::new(kappa, grid, &Prior::Uniform),
            moves: Vec::new(),
            hints: 0,
        }
    }

    /// Plays until the game is over or the player has had enough.
    pub(super) fn play(&mut self, rng: &mut dyn Rng, json: bool) -> Result<()> {
        let mut lines = io::stdin().lock().lines();
        self.say(&format!(
            "You have {} against {}. {HELP}",
            side(self.yours),
            self.name
        ));
        let end = loop {
            let turn = self.oracle.turn(&self.position)?;
            if let Some(end) = self.over(&turn) {
                break end;
            }
            let chosen = if self.position.turn() == self.yours {
                self.show(&turn)?;
                match self.ask(&turn, &mut lines)? {
                    Some(chosen) => chosen,
                    None => break "You have stopped".to_owned(),
                }
            } else {
                let view = View {
                    oracle: self.oracle,
                    position: &self.position,
                    turn: &turn,
                };
                self.agent.choose(view, rng)?
            };
            let choice = turn.choices()[chosen];
            self.tell(&turn, chosen);
            self.position = after(&self.position, choice.r#move);
            if exits(choice.r#move, self.oracle.metric()) {
                break self.converted(&choice);
            }
        };
        self.finish(end, json)
    }

    fn say(&self, text: &str) {
        anstream::eprintln!("{text}");
    }

    fn san(&self, choice: &Choice) -> String {
        SanPlus::from_move(self.position.clone(), choice.r#move).to_string()
    }

    /// How the game ended, if it did.
    fn over(&self, turn: &Turn) -> Option<String> {
        let mover = side(self.position.turn());
        if self.position.is_checkmate() {
            Some(format!("{mover} is mated"))
        } else if turn.choices().is_empty() {
            Some("Stalemate".to_owned())
        } else if self.position.is_insufficient_material() {
            Some("Draw: no mate is possible".to_owned())
        } else {
            None
        }
    }

    fn converted(&self, choice: &Choice) -> String {
        // The mover is no longer to move.
        let mover = !self.position.turn();
        match choice.state.value() {
            1 => format!("{} has converted to a won endgame", side(mover)),
            0 => "The endgame is now another, and drawn".to_owned(),
            _ => format!("{} has converted to a lost endgame", side(mover)),
        }
    }

    /// Shows the position.
    fn show(&self, turn: &Turn) -> Result<()> {
        let outcome = self.oracle.outcome(&self.position)?;
        let moves = outcome
            .moves_in(self.oracle.metric())
            .map_or(0, |moves| moves.0);
        let worth = match turn.best().map_or(0, |best| best.value()) {
            1 => format!("you win in {moves}"),
            0 => "a draw".to_owned(),
            _ => format!("you lose in {moves}"),
        };
        self.say(&format!(
            "\n{}\n{worth} ({})",
            board::draw(self.position.board()),
            self.oracle.metric()
        ));
        Ok(())
    }

    /// Asks for a move until there is one; none if the player stops.
    fn ask(
        &mut self,
        turn: &Turn,
        lines: &mut impl Iterator<Item = io::Result<String>>,
    ) -> Result<Option<usize>> {
        loop {
            eprint!("{}. ", self.position.fullmoves());
            io::stderr().flush()?;
            let Some(line) = lines.next().transpose()? else {
                return Ok(None);
            };
            match line.trim() {
                "" => {}
                "quit" | "exit" => return Ok(None),
                "?" | "help" => self.say(HELP),
                "hint" => {
                    self.hints += 1;
                    let choices = turn.choices().iter();
                    let best = choices.filter(|choice| turn.is_optimal(choice));
                    let names: Vec<_> = best.map(|choice| self.san(choice)).collect();
                    self.say(&names.join(", "));
                }
                "moves" => {
                    let names: Vec<_> = turn.choices().iter().map(|c| self.san(c)).collect();
                    self.say(&names.join(", "));
                }
                text => match self.find(turn, text) {
                    Some(number) => return Ok(Some(number)),
                    None => self.say(&format!("{text:?} is not a legal move here; ? for help")),
                },
            }
        }
    }

    /// The move of this name.
    fn find(&self, turn: &Turn, text: &str) -> Option<usize> {
        let san = || {
            let san: San = text.trim_end_matches(['+', '#', '!', '?']).parse().ok()?;
            san.to_move(&self.position).ok()
        };
        let uci = || {
            let uci: UciMove = text.parse().ok()?;
            uci.to_move(&self.position).ok()
        };
        turn.find(uci().or_else(san)?)
    }

    /// Tells what a move was worth, and takes it into account.
    fn tell(&mut self, turn: &Turn, chosen: usize) {
        let choice = &turn.choices()[chosen];
        let san = self.san(choice);
        let mark = turn.mark(choice).map_or("", |mark| mark.symbol());
        if self.position.turn() == self.yours {
            self.analyser.observe(turn, choice);
            let view = View {
                oracle: self.oracle,
                position: &self.position,
                turn,
            };
            self.agent.watch(view, chosen);
            let judged = match turn.ceded(choice) {
                None => "that changes the result!".to_owned(),
                Some(0) if turn.is_optimal(choice) => "optimal".to_owned(),
                Some(ceded) => format!("+{ceded}/+{}", self.analyser.ceded()),
            };
            self.say(&format!("{san}{mark}  {judged}"));
        } else {
            self.say(&format!("... {san}{mark}"));
        }
        self.moves.push(san);
    }

    fn finish(&self, end: String, json: bool) -> Result<()> {
        let summary = Summary {
            opponent: self.name.clone(),
            side: side(self.yours),
            end,
            moves: self.analyser.moves(),
            hints: self.hints,
            ceded: self.analyser.ceded(),
            value_losses: self.analyser.value_losses(),
            competence: self.analyser.competence(),
            faultless: self.analyser.is_faultless(),
            played: self.moves.clone(),
        };
        if json {
            return Ok(output::json(&summary)?);
        }
        let mut out = anstream::stdout().lock();
        writeln!(out, "\n{}.", summary.end)?;
        let Summary {
            moves,
            ceded,
            value_losses,
            ..
        } = summary;
        writeln!(
            out,
            "You made {moves} moves, ceded {ceded} in depth and lost value {value_losses} times."
        )?;
        match summary.competence {
            Some(Estimate {
                mean,
                sd,
                low,
                high,
                ..
            }) => writeln!(
                out,
                "Your apparent competence is c = {mean:.1} ± {sd:.1} (95 %: {low:.1} - {high:.1})."
            )?,
            None if moves == 0 => {}
            None => writeln!(
                out,
                "No depth was ceded, so your competence has no upper bound."
            )?,
        }
        Ok(())
    }
}

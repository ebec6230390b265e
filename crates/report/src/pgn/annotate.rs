//! Games with all their annotations, and what the tables add.
//!
//! Nothing is lost: tags, comments, assessments and variations stay; whatever follows an illegal move is kept as a
//! comment, so that any program can read the rest. Our annotations come after the author's: an assessment by the rules of
//! [`slip`] where the author gave none, a sentence, and the better line as a variation.

use std::io::{self, Write};

use errare_core::{Colour, Metric};
use errare_endgame::{GameAnalysis, MoveReport, PlayerReport};
use errare_games::{GameScore, Problem, Token};
use errare_service::{
    analyse::Answer,
    anchor,
    model::{Model, ValueRule},
};
use shakmaty::Chess;

use super::{Numbering, write_game};
use crate::{analysis::coach::competence_words, slip, words::counted};

/// Assessments of moves, as opposed to positions: where the author gave one, we add none.
const OF_MOVES: std::ops::RangeInclusive<u8> = 1..=9;

/// All games of a PGN, annotated with the tables' findings.
pub fn annotated(pgn: &str, answer: &Answer) -> io::Result<String> {
    let mut out = Vec::new();
    for score in errare_games::scores(pgn.as_bytes()) {
        let score = score?;
        let number = score.game.number;
        let analysis = answer.games.iter().find(|game| game.number == number);
        write(&mut out, &score, analysis, &answer.model, answer.value)?;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Writes a game with the tables' findings, if there are any.
pub fn write(
    out: &mut impl Write,
    score: &GameScore,
    analysis: Option<&GameAnalysis>,
    model: &Model,
    value: ValueRule,
) -> io::Result<()> {
    let metric = model.metric;
    let game = &score.game;
    let tags = game.tags.iter();
    let tags = tags.map(|(name, value)| (name.as_str(), value.as_str()));
    let mut scribe = Scribe::new(&game.start, metric, analysis);
    let illegal = game
        .problems
        .iter()
        .find(|problem| matches!(problem, Problem::Illegal { .. }));
    let readable = illegal.map_or(usize::MAX, |_| game.moves.len());
    let mut tokens = score.tokens.iter().peekable();
    while let Some(token) = tokens.peek() {
        let unreadable = scribe.level() == 0 && scribe.moves == readable;
        if unreadable && matches!(token, Token::Move(_)) {
            break;
        }
        scribe.write(token);
        tokens.next();
    }
    scribe.flush();
    if let Some(problem) = illegal {
        let rest: Vec<&Token> = tokens
            .filter(|token| !matches!(token, Token::Outcome(_)))
            .collect();
        scribe.comment(&format!("{problem}; as written: {}", plain(&rest)));
    }
    if let Some(Problem::Syntax(flaw)) = game.problems.first() {
        scribe.comment(&format!("the rest of this game cannot be read: {flaw}"));
    }
    if let Some(analysis) = analysis.filter(|analysis| !analysis.moves.is_empty()) {
        scribe.comment(&verdict(analysis, model, value));
    }
    let result = game.ending.as_deref().or(game.result()).unwrap_or("*");
    write_game(out, tags, &scribe.words.join(" "), result)
}

/// Tokens as text suitable for a comment.
fn plain(tokens: &[&Token]) -> String {
    let word = |token: &&Token| match token {
        Token::Move(san) => san.clone(),
        Token::Assessment(number) => format!("${number}"),
        Token::Comment(text) => format!("[{}]", in_comment(text)),
        Token::Open => "(".to_owned(),
        Token::Close => ")".to_owned(),
        Token::Outcome(outcome) => outcome.clone(),
    };
    let words: Vec<String> = tokens.iter().map(word).collect();
    words.join(" ").replace("( ", "(").replace(" )", ")")
}

/// Removes what would end a comment, and line breaks.
fn in_comment(text: &str) -> String {
    let text = text.replace('}', ")").replace('{', "(");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Scribe<'a> {
    metric: Metric,
    reports: std::iter::Peekable<std::slice::Iter<'a, MoveReport>>,
    words: Vec<String>,
    /// The main line and open variations: the number of the next move, and of the last.
    lines: Vec<[Numbering; 2]>,
    /// The number of moves of the main line so far.
    moves: usize,
    /// The report on the last move of the main line, still to be written.
    pending: Option<&'a MoveReport>,
    /// May the last move of the main line still get an assessment from us?
    unassessed: bool,
    /// The men on the board at the last report.
    endgame: Option<&'a str>,
}

impl<'a> Scribe<'a> {
    fn new(start: &Chess, metric: Metric, analysis: Option<&'a GameAnalysis>) -> Scribe<'a> {
        let numbering = Numbering::from(start);
        let moves: &[MoveReport] = analysis.map_or(&[], |analysis| &analysis.moves);
        Scribe {
            metric,
            reports: moves.iter().peekable(),
            words: Vec::new(),
            lines: vec![[numbering.clone(), numbering]],
            moves: 0,
            pending: None,
            unassessed: false,
            endgame: None,
        }
    }

    /// The nesting depth of variations.
    fn level(&self) -> usize {
        self.lines.len() - 1
    }

    fn write(&mut self, token: &Token) {
        let main_line = self.level() == 0;
        if main_line && !matches!(token, Token::Assessment(_)) {
            self.assess();
        }
        if main_line && !matches!(token, Token::Assessment(_) | Token::Comment(_)) {
            self.flush();
        }
        match token {
            Token::Move(san) if main_line => self.main_move(san),
            Token::Move(san) => self.next_move(san),
            Token::Assessment(number) => {
                if main_line && OF_MOVES.contains(number) {
                    self.unassessed = false;
                }
                self.words.push(format!("${number}"));
            }
            Token::Comment(text) => self.comment(text),
            Token::Open => {
                let mut before = self.last()[1].clone();
                before.interrupt();
                self.lines.push([before.clone(), before]);
                self.words.push("(".to_owned());
            }
            Token::Close => {
                if self.level() > 0 {
                    self.lines.pop();
                }
                self.last()[0].interrupt();
                self.close();
            }
            Token::Outcome(_) => {}
        }
    }

    fn last(&mut self) -> &mut [Numbering; 2] {
        self.lines.last_mut().expect("the main line is open")
    }

    /// Closes a variation, with the bracket directly after its last word.
    fn close(&mut self) {
        match self.words.last_mut() {
            Some(word) => word.push(')'),
            None => self.words.push(")".to_owned()),
        }
    }

    /// Writes a move, with its number where it needs one.
    fn next_move(&mut self, san: &str) {
        let [next, before] = self.last();
        *before = next.clone();
        let number = next.next();
        let mut word = number.map_or_else(String::new, |number| format!("{number} ")) + san;
        if self.words.last().is_some_and(|word| word == "(") {
            self.words.pop();
            word.insert(0, '(');
        }
        self.words.extend(word.split(' ').map(str::to_owned));
    }

    fn main_move(&mut self, san: &str) {
        self.moves += 1;
        let ply = self.moves;
        let report = self.reports.next_if(|report| report.ply == ply);
        if let Some(report) = report
            && self.endgame != Some(&report.endgame)
        {
            self.endgame = Some(&report.endgame);
            let text = outcome(report, self.metric);
            self.comment(&text);
        }
        self.next_move(san);
        self.pending = report;
        self.unassessed = report.is_some();
    }

    /// Assesses the last move, unless the author did.
    fn assess(&mut self) {
        if std::mem::take(&mut self.unassessed)
            && let Some(report) = self.pending
            && let Some(assessment) = slip::assessment(report.ceded, report.mark, report.legal)
        {
            self.words.push(format!("${assessment}"));
        }
    }

    /// Writes the comment on the last move, and the better line.
    fn flush(&mut self) {
        self.assess();
        let Some(report) = self.pending.take() else {
            return;
        };
        let Some(text) = slip::words(report, self.metric) else {
            return;
        };
        self.comment(&text);
        if report.better.is_empty() {
            return;
        }
        self.write(&Token::Open);
        for san in &report.better {
            self.next_move(san);
        }
        self.write(&Token::Close);
    }

    fn comment(&mut self, text: &str) {
        let text = in_comment(text);
        self.words
            .extend(format!("{{{text}}}").split(' ').map(str::to_owned));
        self.last()[0].interrupt();
    }
}

/// "KQKR: White wins, 31 moves to conversion".
fn outcome(report: &MoveReport, metric: Metric) -> String {
    let (mover, other) = match report.color {
        Colour::White => ("White", "Black"),
        Colour::Black => ("Black", "White"),
    };
    let winner = match report.value_before {
        1 => mover,
        -1 => other,
        _ => return format!("{}: a draw", report.endgame),
    };
    let to = match metric {
        Metric::Dtm => "to mate",
        Metric::Dtc => "to mate or conversion",
        Metric::Dtz => "to a zeroing move",
        Metric::Dtr => "by the rule",
    };
    let depth = report.depth_before.unwrap_or(0);
    let moves = if depth == 1 { "move" } else { "moves" };
    format!("{}: {winner} wins, {depth} {moves} {to}", report.endgame)
}

/// A sentence on each side's play.
fn verdict(analysis: &GameAnalysis, model: &Model, value: ValueRule) -> String {
    let depth = |ceded: u32| counted(ceded.into(), "move", "moves");
    let results = |lost: usize| counted(lost as u64, "result", "results");
    let side = |name: &str, player: &PlayerReport| -> Option<String> {
        if player.moves == 0 {
            return None;
        }
        let moves = counted(player.moves as u64, "move", "moves");
        let mut text = match (player.ceded, player.value_losses) {
            (0, 0) => format!("{name} made no error in {moves}"),
            (ceded, 0) => format!("{name} ceded {} of depth in {moves}", depth(ceded)),
            (0, lost) => format!("{name} threw away {} in {moves}", results(lost)),
            (ceded, lost) => format!(
                "{name} threw away {} and ceded {} of depth in {moves}",
                results(lost),
                depth(ceded)
            ),
        };
        if let Some(estimate) = player.competence {
            let c = competence_words(&estimate, player.value_losses, value);
            text += &format!(", {c}");
            if let Some(anchor) = anchor::of_estimate(&estimate, model, value) {
                text += &format!(", {}", anchor.text);
            }
        }
        Some(text)
    };
    let sides = [
        side("White", &analysis.white),
        side("Black", &analysis.black),
    ];
    let sides: Vec<String> = sides.into_iter().flatten().collect();
    format!("By the tables ({}): {}", model.metric, sides.join("; "))
}

//! The terminal view of a session.

use anstyle::{AnsiColor, Style};
use errare_core::{Colour, parse_position};
use errare_service::practice::{
    Answer, Command, Drill, Event, GameValue, Happening, Played, Report, Rush, RushPosition, Setup,
    Task, drills,
    history::{Reviewed, Reviews},
    opponent_words,
};
use shakmaty::{Color, Position, san::SanPlus};

use super::{day, pgn};
use crate::{board, slip, text::folded, words::side};

/// The terminal's view of a sitting.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// The side at the bottom of the board.
    bottom: Colour,
    /// Use letters instead of figurines.
    ascii: bool,
    /// Hide better moves.
    quiz: bool,
}

impl Screen {
    /// A screen; `ascii` draws boards in letters instead of figurines, and `quiz` hides better moves.
    pub fn new(ascii: bool, quiz: bool) -> Screen {
        Screen {
            bottom: Colour::White,
            ascii,
            quiz,
        }
    }

    /// The text for a happening; none if there is nothing to show.
    pub fn show(&mut self, happening: &Happening) -> Option<String> {
        Some(match happening {
            Happening::Began(answer) => {
                self.bottom = answer.session.setup.side;
                introduction(&answer.session.setup)
            }
            Happening::Event(it) => event(it, *self),
            Happening::Turn(answer) => format!("\n{}", position(answer, *self)),
            Happening::Asked(command, answer) => {
                if let Command::Flip = command {
                    self.bottom = (!Color::from(self.bottom)).into();
                }
                aside(command, answer, *self)
            }
            Happening::Reported(it) => report(it, *self),
            Happening::Ended => {
                "Type retry or back to go on from there, again, new or quit.".to_owned()
            }
            Happening::Kept => {
                "The game is kept: errare practice --resume goes on with it.".to_owned()
            }
            Happening::Left(_) => return None,
            Happening::Reviews(it) => reviews(it),
            Happening::Due(slip) => {
                let endgame = format!("{}, ", slip.endgame);
                self.question(&slip.fen, slip.side, &endgame, "")?
            }
            Happening::Reviewed { reviewed: it, .. } => reviewed(it),
            Happening::RushReady(it) => rush(it),
            Happening::RushTurn(rush, left) => {
                let RushPosition { fen, side, .. } = rush.next()?;
                let number = format!("{}. ", rush.answers.len() + 1);
                self.question(fen, *side, &number, &format!(", {left:.0} s left"))?
            }
            Happening::RushAnswered(it) => rush_answer(it),
            Happening::Refused { message, advice } => format!("  {message}; {advice}."),
            Happening::Help(words) => format!("  {words}"),
        })
    }

    /// A position in which the person is asked for one move.
    fn question(self, fen: &str, bottom: Colour, before: &str, after: &str) -> Option<String> {
        let position = parse_position(fen).ok()?;
        let drawing = board::draw(position.board(), bottom, self.ascii);
        let turn = side(position.turn());
        Some(format!("\n{drawing}\n{before}{turn} to move{after}."))
    }
}

/// The number of columns beside the board.
const BESIDE_BOARD: usize = 57;

const BAD: Style = AnsiColor::Red.on_default().bold();
const DUBIOUS: Style = AnsiColor::Yellow.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The introduction to a session.
fn introduction(setup: &Setup) -> String {
    let side = side(setup.side.into());
    let mut lines = Vec::new();
    let drill = setup
        .drill
        .as_deref()
        .and_then(|name| drills().iter().find(|drill| drill.name == name));
    if let Some(Drill {
        title,
        instruction,
        goal,
        ..
    }) = drill
    {
        lines.push(styled(STRONG, title));
        lines.push(instruction.clone());
        lines.push(format!("Goal: {goal}"));
    } else {
        lines.push(styled(STRONG, &setup.endgame.to_string()));
        lines.push(match setup.task {
            Task::Win => "Goal: win.".to_owned(),
            Task::Hold => format!("Goal: hold the draw for {} moves.", setup.hold_moves),
            Task::Resist => {
                "Goal: hold out as long as you can, and take your chance if there is one."
                    .to_owned()
            }
        });
    }
    lines.push(format!(
        "You have {side} against {}.",
        opponent_words(&setup.opponent)
    ));
    lines.push(styled(
        FAINT,
        &format!("Seed {}. Type help for the commands.", setup.seed),
    ));
    lines.join("\n")
}

/// The board with notes beside it.
fn position(answer: &Answer, screen: Screen) -> String {
    let view = &answer.view;
    let Ok(position) = parse_position(&view.fen) else {
        return String::new();
    };
    let mut notes = match &answer.session.end {
        Some(end) => vec![end.words.clone()],
        None => vec![
            format!("{} to move", side(position.turn())),
            format!("{}.", view.standing_words),
        ],
    };
    if answer.session.end.is_none() {
        notes.extend(view.clock.words.iter().map(|words| format!("{words}.")));
    }
    if view.claim.is_some() {
        notes.push("You may claim a draw: type claim.".to_owned());
    }
    let notes: Vec<String> = notes
        .iter()
        .map(|note| folded(note, BESIDE_BOARD))
        .collect();
    let mut beside = vec![""];
    beside.extend(notes.iter().flat_map(|note| note.lines()));
    let drawing = board::draw(position.board(), screen.bottom, screen.ascii);
    let mut text = String::new();
    for (number, line) in drawing.lines().enumerate() {
        let note = beside.get(number).copied().unwrap_or_default();
        text.push_str(format!("{line}   {note}").trim_end());
        text.push('\n');
    }
    text
}

/// Describes an event.
fn event(event: &Event, screen: Screen) -> String {
    match event {
        Event::Moved(played) if played.yours => own_move(played, screen),
        Event::Moved(played) => reply(played),
        Event::Hinted(hint) => format!("  Hint: {}", hint.words),
        Event::TookBack { plies, .. } => match plies {
            1 => "  Took back one half-move.".to_owned(),
            plies => format!("  Took back {plies} half-moves."),
        },
        Event::DrawDoubted { words } | Event::DrawDeclined { words } => format!("  {words}"),
        Event::ClaimPossible { words, .. } => format!("  {words} Type claim to do so."),
        Event::Ended(end) => format!("\n{}", styled(STRONG, &end.words)),
    }
}

fn own_move(played: &Played, screen: Screen) -> String {
    let judgement = &played.judgement;
    let words = match screen.quiz {
        true => judgement.words.clone(),
        false => judgement.sentence(),
    };
    let (style, sign) = sign(judgement.ceded);
    let mark = judgement.mark.map_or("", |mark| mark.symbol());
    let name = styled(style, &format!("{}{mark}{sign}", played.san));
    let asked = match (screen.quiz, judgement.is_slip()) {
        (true, true) => " Type retry to try again, best to see what was better.",
        (false, true) => " Type retry to try again.",
        _ => "",
    };
    format!("  {name}  {words}.{asked}")
}

/// The sign after a move that ceded this much, with its colour.
fn sign(ceded: Option<u16>) -> (Style, &'static str) {
    let style = match ceded {
        None => BAD,
        Some(0) => GOOD,
        Some(_) => DUBIOUS,
    };
    let assessment = slip::assessment(ceded, None, 0);
    (style, assessment.map_or("", slip::sign))
}

fn reply(played: &Played) -> String {
    let judgement = &played.judgement;
    let mark = judgement.mark.map_or("", |mark| mark.symbol());
    let said = match (judgement.loses_value(), judgement.after.value) {
        (true, GameValue::Draw) if judgement.before.value == GameValue::Win => {
            "  It throws its win away: a draw now!"
        }
        (true, GameValue::Draw | GameValue::Loss) => "  It goes wrong: you can win now!",
        _ => "",
    };
    // The position after it: a move of Black's has raised the number.
    let number = played.fen.rsplit(' ').next().unwrap_or_default();
    let number: usize = number.parse().unwrap_or(1);
    let number = match played.colour {
        Colour::White => format!("{number}."),
        Colour::Black => format!("{}...", number.saturating_sub(1)),
    };
    format!(
        "  {}{said}",
        styled(STRONG, &format!("{number} {}{mark}", played.san))
    )
}

/// The report of a session.
fn report(report: &Report, screen: Screen) -> String {
    let mut lines: Vec<String> = report.sentences.iter().skip(1).cloned().collect();
    if !report.slips.is_empty() && !screen.quiz {
        lines.push("Slips:".to_owned());
        for slip in &report.slips {
            let (style, sign) = sign(slip.ceded);
            let sign = styled(style, sign);
            lines.push(format!("  {}{sign}  {}.", slip.number, slip.words));
        }
    }
    if !report.next.is_empty() {
        lines.push("Next:".to_owned());
        lines.extend(report.next.iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

/// The prompt: in a game, the move number.
pub fn prompt(game: Option<&Answer>) -> String {
    let Some(Answer { view, .. }) = game else {
        return "> ".to_owned();
    };
    let fields: Vec<&str> = view.fen.split(' ').collect();
    let number = fields.get(5).copied().unwrap_or("1");
    match (view.your_turn, fields.get(1)) {
        (false, _) => "> ".to_owned(),
        (true, Some(&"b")) => format!("{number}... "),
        (true, _) => format!("{number}. "),
    }
}

/// The response to a command that does nothing in the game.
fn aside(command: &Command, answer: &Answer, screen: Screen) -> String {
    match command {
        Command::Help => HELP.to_owned(),
        Command::Marks => MARKS.to_owned(),
        Command::Board | Command::Flip => position(answer, screen),
        Command::Moves => moves(answer),
        Command::Best => match answer.session.better_than_last_slip() {
            Some(words) => format!("  {words}."),
            None => "  You have no slip on the board.".to_owned(),
        },
        Command::Pgn => pgn(&answer.session),
        _ => String::new(),
    }
}

/// All legal moves.
fn moves(answer: &Answer) -> String {
    let Ok(position) = parse_position(&answer.view.fen) else {
        return String::new();
    };
    let san = |m: &shakmaty::Move| SanPlus::from_move(position.clone(), *m).to_string();
    let moves: Vec<String> = position.legal_moves().iter().map(san).collect();
    format!("  {}", moves.join(" "))
}

/// The introduction to a review.
fn reviews(reviews: &Reviews) -> String {
    match (&reviews.next, reviews.due.len()) {
        (_, 1..) => format!("Due for review: {}. Find the best move.", reviews.due.len()),
        (Some(slip), _) => format!(
            "Nothing is due. The next slip comes back on {}.",
            day(slip.due)
        ),
        (None, _) => "Nothing is due. Slips come here from your games.".to_owned(),
    }
}

/// The result of a try.
fn reviewed(reviewed: &Reviewed) -> String {
    let judged = format!("  {}.", reviewed.words);
    match reviewed.next.map(|next| next.days) {
        None => judged,
        Some(1) => format!("{judged}\n  It comes back tomorrow."),
        Some(days) => format!("{judged}\n  It comes back in {days} days."),
    }
}

/// The introduction to a rush, before its clock starts.
fn rush(rush: &Rush) -> String {
    format!(
        "{} positions, {} seconds, one move in each: find the best. Enter starts the clock.",
        rush.positions.len(),
        rush.seconds
    )
}

/// The result of the last answer in a rush.
fn rush_answer(rush: &Rush) -> String {
    match rush.answers.last() {
        _ if rush.out_of_time => "  Too late.".to_owned(),
        Some(answer) => format!("  {}.", answer.judgement.sentence()),
        None => String::new(),
    }
}

/// The list of commands.
const HELP: &str = "\
Type a move as you like: Qd5+, qd5, a5d5, b8 (a queen), b8n, 0-0.
  hint     which man to move; again: where to; again: the line
  best     the better moves of your last slip
  back     take your last move back
  retry    try again from your last slip
  draw     offer a draw          claim   claim one (threefold, 50 moves)
  resign   give up               again   the same start
  new      another game          report  how it is going
  moves    all legal moves       board   show the board, flip turns it
  marks    what the marks mean   pgn     the game so far
  quit     leave; the game is kept and can be resumed";

/// The explanation of the marks.
const MARKS: &str = "\
Marks after a move:
  °   the only legal move
  \"   the only move that keeps the result
  '   the only best move
  ?!  a slip: the result stands, but the win is farther off (or the loss nearer)
  ?   a slip that costs five moves or more
  ??  throws the result away
Depths count moves of the winner, in the metric of the session.
  c   your competence: 0 plays at random; the greater c, the rarer and smaller
      the errors";

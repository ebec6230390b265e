//! What the person sees of a session.

use anstyle::{AnsiColor, Style};
use errare_core::{Colour, parse_position};
use errare_service::practice::{
    Answer, Drill, Event, GameValue, Judgement, Played, Report, Setup, Task, drills, opponent_words,
};
use shakmaty::Position;

use errare_report::board;

/// How things are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// The side at the bottom of the board.
    pub(super) bottom: Colour,
    /// No figurines.
    pub(super) ascii: bool,
    /// Better moves are kept back.
    pub(super) quiz: bool,
}

const BAD: Style = AnsiColor::Red.on_default().bold();
const DUBIOUS: Style = AnsiColor::Yellow.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The first words of a session.
pub(super) fn introduction(setup: &Setup) -> String {
    let side = side(setup.side);
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
        lines.push(wrapped(instruction));
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
    lines.push(wrapped(&format!(
        "You have {side} against {}.",
        opponent_words(&setup.opponent)
    )));
    lines.push(styled(
        FAINT,
        &format!("Seed {}. Type help for the commands.", setup.seed),
    ));
    lines.join("\n")
}

/// The board with what there is to say beside it.
pub(super) fn position(answer: &Answer, look: Look) -> String {
    let view = &answer.view;
    let Ok(position) = parse_position(&view.fen) else {
        return String::new();
    };
    let to_move = side(position.turn().into());
    let mut notes = vec![
        format!("{to_move} to move"),
        format!("{}.", view.standing_words),
    ];
    notes.extend(view.clock.words.iter().map(|words| format!("{words}.")));
    if view.claim.is_some() {
        notes.push("You may claim a draw: type claim.".to_owned());
    }
    let notes: Vec<String> = notes
        .iter()
        .map(|note| folded(note, BESIDE_BOARD))
        .collect();
    let mut beside = vec![""];
    beside.extend(notes.iter().flat_map(|note| note.lines()));
    let drawing = board::draw(position.board(), look.bottom, look.ascii);
    let mut text = String::new();
    for (number, line) in drawing.lines().enumerate() {
        let note = beside.get(number).copied().unwrap_or_default();
        text.push_str(format!("{line}   {note}").trim_end());
        text.push('\n');
    }
    text
}

/// What happened.
pub(super) fn event(event: &Event, look: Look) -> String {
    match event {
        Event::Moved(played) if played.yours => own_move(played, look),
        Event::Moved(played) => reply(played),
        Event::Hinted(hint) => format!("  Hint: {}", hint.words),
        Event::TookBack { plies, .. } => match plies {
            1 => "  One half-move is taken back.".to_owned(),
            plies => format!("  {plies} half-moves are taken back."),
        },
        Event::DrawDeclined { words } => format!("  {words}"),
        Event::ClaimPossible { words, .. } => format!("  {words} Type claim to do so."),
        Event::Ended(end) => format!("\n{}", styled(STRONG, &end.words)),
    }
}

fn own_move(played: &Played, look: Look) -> String {
    let judgement = &played.judgement;
    let words = match look.quiz {
        true => judgement.words.clone(),
        false => judgement.sentence(),
    };
    let (style, sign) = sign(judgement);
    let mark = judgement.mark.map_or("", |mark| mark.symbol());
    let name = styled(style, &format!("{}{mark}{sign}", played.san));
    let asked = match (look.quiz, judgement.is_slip()) {
        (true, true) => " Type retry to try again, best to see what was better.",
        (false, true) => " Type retry to try again.",
        _ => "",
    };
    wrapped(&format!("  {name}  {words}.{asked}"))
}

/// The sign behind a move, with its colour.
fn sign(judgement: &Judgement) -> (Style, &'static str) {
    match judgement.ceded {
        None => (BAD, "??"),
        Some(0) => (GOOD, ""),
        Some(_) => (DUBIOUS, "?"),
    }
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
    let dots = match played.colour {
        Colour::White => "",
        Colour::Black => "... ",
    };
    format!(
        "  {}{said}",
        styled(STRONG, &format!("{dots}{}{mark}", played.san))
    )
}

/// The report of a session.
pub(super) fn report(report: &Report, look: Look) -> String {
    let mut lines: Vec<String> = report
        .sentences
        .iter()
        .skip(1)
        .map(|sentence| wrapped(sentence))
        .collect();
    if !report.slips.is_empty() && !look.quiz {
        lines.push("Slips:".to_owned());
        for slip in &report.slips {
            let sign = if slip.value_lost {
                styled(BAD, "??")
            } else {
                styled(DUBIOUS, "?")
            };
            lines.push(wrapped(&format!(
                "  {}{sign}  {}.",
                slip.number, slip.words
            )));
        }
    }
    if !report.next.is_empty() {
        lines.push("Next:".to_owned());
        lines.extend(report.next.iter().map(|line| wrapped(&format!("  {line}"))));
    }
    lines.join("\n")
}

/// The prompt: the number of the move.
pub(super) fn prompt(answer: &Answer) -> String {
    let fields: Vec<&str> = answer.view.fen.split(' ').collect();
    let number = fields.get(5).copied().unwrap_or("1");
    match (answer.view.your_turn, fields.get(1)) {
        (false, _) => "> ".to_owned(),
        (true, Some(&"b")) => format!("{number}... "),
        (true, _) => format!("{number}. "),
    }
}

/// The name of a side.
pub(super) fn side(side: Colour) -> &'static str {
    match side {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// Lines of at most 80 columns; those after the first are set in as the first is.
pub(super) fn wrapped(text: &str) -> String {
    folded(text, 80)
}

/// The columns that are free beside the board.
const BESIDE_BOARD: usize = 57;

/// Lines of at most so many columns.
fn folded(text: &str, columns: usize) -> String {
    let indent: String = text.chars().take_while(|c| *c == ' ').collect();
    let (mut lines, mut length) = (vec![String::new()], 0);
    for word in text.trim_start().split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        let width = visible(word);
        if length > 0 && indent.len() + length + 1 + width > columns {
            lines.push(word.to_owned());
            length = width;
        } else {
            if !line.is_empty() {
                line.push(' ');
                length += 1;
            }
            line.push_str(word);
            length += width;
        }
    }
    lines
        .iter()
        .map(|line| format!("{indent}{line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The columns that a word takes, escape sequences aside.
fn visible(word: &str) -> usize {
    let (mut count, mut escaped) = (0, false);
    for character in word.chars() {
        match character {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            _ if escaped => {}
            _ => count += 1,
        }
    }
    count
}

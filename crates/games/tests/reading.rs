//! Games as found in the wild: with comments, variations, clocks, mistakes; plain and compressed.

use std::{
    fs,
    io::{self, Write},
    num::NonZeroU32,
    path::Path,
};

use errare_games::{
    Game, GameScore, MOST_BYTES, MOST_PLIES, Problem, Token, decompressed, games, open, scores,
};
use proptest::prelude::*;
use shakmaty::{Color, Position};
use tempfile::TempDir;

/// A game whose tag contradicts its end; a Lichess game; a variant; an illegal move; two starts, of which
/// only the second is a position; and no moves.
const GAMES: &str = r#"[White "Smith, \"J.\""]
[Black "B"]
[Result "1-0"]

1. e4 {a comment} (1. d4 d5) e5 $1 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 0-1

[White "x"]
[Variant "Standard"]

1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { [%eval 0.2] [%clk 0:02:59.5] } 2. f4 1/2-1/2

[Variant "Crazyhouse"]

1. e4 e5 *

1. e4 e5 2. Nf3 Ke6 { [%clk 0:00:01] } 3. d4 1-0

[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]

1. Ka2 *

[FEN "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 70"]
[Result "*"]

70. Kb7 Re7+ *

[White "nobody moved"]

*
"#;

fn read(text: &str) -> Vec<Game> {
    let games: Result<_, _> = games(text.as_bytes()).collect();
    games.unwrap()
}

#[test]
fn games_are_read_as_far_as_they_can_be_played_through() {
    let games = read(GAMES);
    let facts = games
        .iter()
        .map(|game| (game.number, game.moves.len(), game.result()));
    assert_eq!(
        facts.collect::<Vec<_>>(),
        [
            (1, 7, Some("1-0")),
            (2, 3, Some("1/2-1/2")),
            (3, 0, Some("*")),
            (4, 3, Some("1-0")),
            (5, 0, Some("*")),
            (6, 2, Some("*")),
            (7, 0, Some("*")),
        ]
    );
    assert_eq!(games[0].name(Color::White), "Smith, \"J.\"");
    assert_eq!(games[1].name(Color::Black), "");
    let numbers = games[5].plies().map(|(before, _)| before.fullmoves());
    assert!(numbers.eq([NonZeroU32::new(70).unwrap(); 2]));
}

#[test]
fn what_is_wrong_is_told() {
    let told: Vec<Vec<String>> = read(GAMES)
        .iter()
        .map(|game| game.problems.iter().map(ToString::to_string).collect())
        .collect();
    let expected: [&[&str]; 7] = [
        &["the tag says 1-0, the moves end with 0-1"],
        &[],
        &["it is a game of Crazyhouse, not of standard chess"],
        &["Ke6 is not a legal move at 2..."],
        &["the FEN tag \"8/8/8/8/8/8/8/K7 w - - 0 1\" is not a legal position"],
        &[],
        &[],
    ];
    assert_eq!(told, expected);
    // A wrong result keeps no move from being read.
    let flawed = read(GAMES).into_iter().filter(|game| game.flaw().is_some());
    assert!(flawed.map(|game| game.number).eq([3, 4, 5]));
}

#[test]
fn clocks_are_those_after_the_moves() {
    let games = read(GAMES);
    assert_eq!(games[1].clocks, [Some(180.0), Some(179.5), None]);
    // The clock of an unread move is dropped.
    assert_eq!(games[3].clocks, [None; 3]);
}

#[test]
fn names_of_older_databases_are_read_rightly() {
    let bytes: &[u8] = b"[White \"M\xfcller\"]\n[Black \"\x8aimi\xe6\"]\n\n1. e4 *\n";
    let game = games(decompressed(bytes).unwrap()).next().unwrap().unwrap();
    assert_eq!(game.name(Color::White), "Müller");
    assert_eq!(game.name(Color::Black), "Šimiæ");
}

/// Unescaped quotation marks within a name, which other programs let through, break neither this game
/// nor the next.
#[test]
fn quotation_marks_in_tags_are_kept() {
    let games = read(
        "[White \"Der \"Große\" Müller\"]\n[Black \"B\"]\n\n1. e4 *\n\n[White \"C\"]\n\n1. d4 *\n",
    );
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].name(Color::White), "Der \"Große\" Müller");
    assert_eq!(games[0].name(Color::Black), "B");
    assert_eq!(games[0].moves.len(), 1);
}

/// A text of any length is read game by game, and no game takes more memory than a real one can.
#[test]
fn a_game_is_bounded() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_PLIES / 4 + 1);
    let games = read(&format!("{shuffle}*\n\n1. e4 *\n"));
    assert_eq!(games[0].moves.len(), MOST_PLIES);
    assert_eq!(games[0].flaw(), Some(&Problem::TooLong));
    let told = Problem::TooLong.to_string();
    assert!(told.contains(&MOST_PLIES.to_string()), "{told}");
    assert_eq!(games[1].moves.len(), 1);

    let comment = format!("{{{}}} ", "x".repeat(1000));
    let games = read(&format!(
        "1. e4 {} e5 *\n\n1. e4 *\n",
        comment.repeat(MOST_BYTES / 1000 + 1)
    ));
    assert_eq!(games[0].moves.len(), 1);
    assert_eq!(games[0].flaw(), Some(&Problem::TooLarge));
    assert_eq!(games[1].flaw(), None);
}

/// The annotations of a game are bounded too.
#[test]
fn a_score_is_bounded() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_PLIES / 2);
    let variations = "(1... c5 $1 2. Nf3) ".repeat(MOST_BYTES / 50);
    let text = format!("{shuffle}*\n\n1. e4 {variations} e5 *\n\n1. e4 (1. d4 *\n");
    let scores: Vec<GameScore> = scores(text.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(scores[0].game.flaw(), Some(&Problem::TooLong));
    assert!(scores[0].tokens.len() <= MOST_PLIES + 2);
    assert_eq!(scores[1].game.flaw(), Some(&Problem::TooLarge));
    for score in &scores {
        let count = |wanted: Token| {
            score
                .tokens
                .iter()
                .filter(|token| **token == wanted)
                .count()
        };
        assert_eq!(
            count(Token::Open),
            count(Token::Close),
            "variations are closed"
        );
    }
    assert_eq!(scores[2].tokens.len(), 5);
}

/// Words that are neither moves nor comments in braces are kept, and an unreadable move is not skipped.
#[test]
fn nothing_is_passed_over() {
    let text = "1. e4 ; to the end {of} the line\n1... e5+- 2. Kd9 Nf6 3. d4 *\n\n1. c4 {never closed\n\n[White \"B\"]\n\n1. d4 *\n";
    let scores: Vec<GameScore> = scores(text.as_bytes()).map(Result::unwrap).collect();
    let illegal = Problem::Illegal {
        number: "2.".to_owned(),
        san: "Kd9".to_owned(),
    };
    assert_eq!(scores[0].game.flaw(), Some(&illegal));
    assert_eq!(scores[0].game.moves.len(), 2);
    let comment = |text: &str| Token::Comment(text.to_owned());
    for token in [
        comment("to the end (of) the line"),
        comment("+-"),
        Token::Move("Kd9".to_owned()),
    ] {
        assert!(
            scores[0].tokens.contains(&token),
            "{token:?}: {:?}",
            scores[0].tokens
        );
    }
    assert!(scores[1].tokens.contains(&comment("never closed")));
    assert_eq!(scores[2].game.name(Color::White), "B");
    assert_eq!(
        games(text.as_bytes()).next().unwrap().unwrap().flaw(),
        Some(&illegal)
    );
}

/// A file that is not text is refused, and a word that is not a move does not garble the terminal.
#[test]
fn what_is_no_text_is_told() {
    let database = b"SQLite format 3\0\x10\0\x01\x01".as_slice();
    let refused = errare_games::decompressed(database).err().unwrap();
    assert_eq!(refused.to_string(), "it is not a text file");
    let problem = errare_games::Problem::Illegal {
        number: "1.".to_owned(),
        san: "\u{1b}[31mrather_long_for_a_move_of_chess".to_owned(),
    };
    let told = problem.to_string();
    assert_eq!(
        told,
        "\u{fffd}[31mrather_long_for… is not a legal move at 1."
    );
}

#[test]
fn an_empty_text_has_no_games() {
    assert_eq!(read("").len(), 0);
    assert_eq!(read("\n\n").len(), 0);
}

#[test]
fn games_after_one_that_is_not_pgn_are_read() {
    let endless = "x".repeat(1 << 16);
    let games = read(&format!(
        "[White \"A\"]\n\n1. e4 *\n\n[White \"{endless}\n[Black \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n1. c4 *\n"
    ));
    assert_eq!(games.len(), 3);
    assert!(matches!(games[1].problems[..], [Problem::Syntax(_)]));
    assert_eq!(games[2].name(Color::White), "C");
}

#[test]
fn compressed_files_are_read() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("games.pgn"), GAMES).unwrap();
    let packed = zstd::encode_all(GAMES.as_bytes(), 3).unwrap();
    fs::write(path("games.pgn.zst"), &packed).unwrap();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(GAMES.as_bytes()).unwrap();
    fs::write(path("games.pgn.gz"), packer.finish().unwrap()).unwrap();
    for name in ["games.pgn", "games.pgn.gz", "games.pgn.zst"] {
        assert_eq!(games(open(&path(name)).unwrap()).count(), 7, "{name}");
    }
    let absent = open(Path::new("no-such.pgn")).err().unwrap();
    assert_eq!(absent.to_string(), "cannot read no-such.pgn");
    // A damaged file ends with an error, not with silence.
    let half = io::Cursor::new(packed[..packed.len() / 2].to_owned());
    let read: Vec<_> = games(decompressed(half).unwrap()).collect();
    assert!(read.last().unwrap().is_err());
}

proptest! {
    #[test]
    fn any_bytes_as_games(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for game in games(&bytes[..]).map_while(Result::ok) {
            prop_assert_eq!(game.plies().count(), game.clocks.len());
        }
    }

    /// Input that looks like PGN gets deeper into the parser than random bytes.
    #[test]
    fn anything_like_pgn_as_games(text in "(\\[(FEN|Result|Variant) \"[ -~]{0,12}\"\\]\n){0,3}\n?([1-9]\\. ?|[a-hKQRBN][x1-8a-h]{1,4}[+#]? |\\{[ -~]{0,9}|\\} ?|\\(|\\) ?|\\$[0-9] |1-0|\n){0,40}") {
        for game in games(text.as_bytes()).map_while(Result::ok) {
            prop_assert_eq!(game.plies().count(), game.clocks.len());
        }
    }
}

#[allow(dead_code)]
#[path = "../examples/list.rs"]
mod list;

#[test]
fn the_example_lists_games() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("games.pgn");
    fs::write(
        &path,
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Ke3 1-0\n",
    )
    .unwrap();
    let mut out = Vec::new();
    list::list(&path, &mut out).unwrap();
    let text = "1. A - B 1-0, 2 plies\n   Ke3 is not a legal move at 2.\n";
    assert_eq!(String::from_utf8(out).unwrap(), text);
}

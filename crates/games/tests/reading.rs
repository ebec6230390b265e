//! Games as they come: with comments, variations, clocks, mistakes; plain and compressed.

use std::{
    fs,
    io::{self, Write},
    num::NonZeroU32,
    path::Path,
};

use errare_games::{Game, Problem, decompressed, games, open};
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
    // That of a move that was not read is nobody's.
    assert_eq!(games[3].clocks, [None; 3]);
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

    /// What looks like PGN gets further than any bytes do.
    #[test]
    fn anything_like_pgn_as_games(text in "(\\[(FEN|Result|Variant) \"[ -~]{0,12}\"\\]\n){0,3}\n?([1-9]\\. ?|[a-hKQRBN][x1-8a-h]{1,4}[+#]? |\\{[ -~]{0,9}|\\} ?|\\(|\\) ?|\\$[0-9] |1-0|\n){0,40}") {
        for game in games(text.as_bytes()).map_while(Result::ok) {
            prop_assert_eq!(game.plies().count(), game.clocks.len());
        }
    }
}

//! Reading games and entering them.

use std::{fs, thread};

use errare_rating::{BadGame, Exclusion, GameRecord, Study, StudyError};
use tempfile::TempDir;

use crate::study;

/// Knights go out and back; then the only legal move; then a Lichess game, a variant, an illegal move, a
/// bad position, no moves, and a game that begins with a position.
const GAMES: &str = r#"[Event "A"]
[White "Smith, \"J.\""]
[Black "B"]
[WhiteElo "2400"]
[BlackElo "?"]
[Date "2009.??.??"]

1. Nf3 Nf6 2. Ng1 Ng8 {back} 3. Nf3 Nf6 4. Ng1 Ng8 (4... d5 5. d4) 5. Nf3 $1 Nf6
6. Ng1 Ng8 7. e4 e5 8. Bc4 Bc5 9. Qh5 Nf6 10. Qxf7# 1-0

[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "x"]
[Black "y"]
[UTCDate "2024.01.02"]
[TimeControl "180+2"]
[Variant "Standard"]

1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { [%eval 0.2] [%clk 0:02:59.5] } 2. f4 1/2-1/2

[Event "V"]
[Variant "Crazyhouse"]

1. e4 e5 *

[Event "Bad"]

1. e4 e5 2. Ke3 d6 *

[Event "Bad"]
[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]

1. Ka2 *

[Event "None"]

*

[Event "End"]
[SetUp "1"]
[FEN "7k/8/6K1/8/8/8/8/R7 b - - 40 60"]

60... Kg8 61. Ra8# 1-0
"#;

fn read(text: &str) -> Vec<Result<GameRecord, BadGame>> {
    errare_games::games(text.as_bytes())
        .map(|game| GameRecord::new(game.expect("a game")))
        .collect()
}

#[test]
fn games_are_read_and_bad_ones_are_named() {
    let games = read(GAMES);
    assert_eq!(games.len(), 7);
    let bad = |number: usize| games[number - 1].as_ref().expect_err("bad").to_string();
    assert_eq!(bad(3), "it is a game of Crazyhouse, not of standard chess");
    assert_eq!(bad(4), "Ke3 is not a legal move at 2.");
    assert_eq!(
        bad(5),
        "the FEN tag \"8/8/8/8/8/8/8/K7 w - - 0 1\" is not a legal position"
    );
    assert_eq!(bad(6), "it has no moves");
    let good = |number: usize| games[number - 1].as_ref().expect("good");
    assert_eq!(good(1).tags["White"], "Smith, \"J.\"");
    assert_eq!(good(2).turns[1].clock, Some(179.5));
    assert_eq!(good(2).turns[2].clock, None);
    assert_eq!(good(7).turns[0].ply, 119);
    assert_eq!(good(7).turns[1].position, "6k1/8/6K1/8/8/8/8/R7 w - - 41");
}

/// Positions that engines do not accept, and move numbers beyond any game.
#[test]
fn impossible_games_are_not_entered() {
    let bad = |fen: &str, moves: &str| {
        let text = format!("[FEN \"{fen}\"]\n\n{moves} *\n");
        read(&text).remove(0).expect_err("bad").to_string()
    };
    let told = bad("4k3/8/8/8/8/8/8/r3K2r w - - 0 30", "30. Kd2");
    assert_eq!(told, "its starting position cannot occur in a game");
    let told = bad("7k/8/6K1/8/8/8/8/R7 b - - 0 4294967295", "1... Kg8");
    assert_eq!(told, "its first move has the number 4294967295");
}

#[test]
fn turns_keep_the_reason_why_they_are_not_used() {
    let games = read(GAMES);
    let turns = &games[0].as_ref().expect("good").turns;
    assert_eq!(turns.len(), 19);
    assert!(
        turns[..16]
            .iter()
            .all(|turn| turn.exclusion == Some(Exclusion::Opening))
    );
    assert!(turns[16..].iter().all(|turn| turn.exclusion.is_none()));
    let turns = &games[6].as_ref().expect("good").turns;
    assert_eq!(turns[0].exclusion, Some(Exclusion::OnlyMove));
    assert_eq!(turns[1].exclusion, None);

    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 d6 5. c3 Nf6 6. b4 Bb6 7. a4 a6 8. O-O O-O \
                 9. Re1 Re8 10. Rf1 Rf8 11. Re1 Re8 *";
    let turns = read(moves).remove(0).expect("good").turns;
    let reasons: Vec<_> = turns[16..].iter().map(|turn| turn.exclusion).collect();
    let again = Some(Exclusion::Repetition);
    // After 10... Rf8 the position of move 9 recurs.
    assert_eq!(reasons, [None, None, None, None, again, again]);
}

/// An en-passant square that no pawn can use does not make a different position.
#[test]
fn positions_are_the_same_if_the_moves_are() {
    let turns = read("1. e4 *\n").remove(0).expect("good").turns;
    assert_eq!(
        turns[0].position,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0"
    );
    let turns = read("1. e4 e5 *\n").remove(0).expect("good").turns;
    assert_eq!(
        turns[1].position,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0"
    );
}

#[test]
fn games_are_entered_once() {
    let (_directory, mut study) = study();
    let games: Vec<GameRecord> = read(GAMES).into_iter().flatten().collect();
    let first = study.add_games(&games).expect("entered");
    assert!(first.iter().all(|added| added.new));
    let again = study.add_games(&games).expect("entered");
    assert!(again.iter().all(|added| !added.new));
    assert_eq!(first[2].id, again[2].id);
    let stored = study.games().expect("games");
    let game = &stored[&first[0].id];
    assert_eq!((game.white.elo, game.black.elo), (Some(2400), None));
    assert_eq!((game.date(), game.year()), (Some("2009.??.??"), Some(2009)));
    let lichess = &stored[&first[1].id];
    assert_eq!(lichess.date(), Some("2024.01.02"));
    assert_eq!(lichess.time_control(), Some("180+2"));
    assert_eq!(lichess.white.elo, None);
}

#[test]
fn several_begin_a_study_at_once() {
    let directory = TempDir::new().expect("a directory");
    for number in 0..20 {
        let path = directory.path().join(format!("{number}.db"));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| Study::open_or_create(&path).expect("a study"));
            }
        });
    }
}

#[test]
fn files_that_are_no_study_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("x.db");
    let error = Study::open(&path).expect_err("nothing").to_string();
    assert!(error.starts_with("there is no study"), "{error}");
    fs::write(&path, "not a database, but long enough to be looked at").expect("a file");
    assert!(matches!(Study::open(&path), Err(StudyError::Open { .. })));
    fs::remove_file(&path).expect("removed");
    let other = rusqlite::Connection::open(&path).expect("a database");
    other.execute_batch("CREATE TABLE x (y)").expect("a table");
    assert!(matches!(Study::open(&path), Err(StudyError::NotAStudy(_))));
    fs::remove_file(&path).expect("removed");
    drop(Study::open_or_create(&path).expect("a study"));
    let newer = rusqlite::Connection::open(&path).expect("a database");
    newer
        .pragma_update(None, "user_version", 99)
        .expect("newer");
    let error = Study::open(&path).expect_err("newer").to_string();
    assert!(error.contains("version 99"), "{error}");
}

//! The runner of matches.

use errare_core::{Cancel, Fault as _, FaultKind};
use errare_minimax::{ConnectFour, Othello};
use errare_players::{Board, Finish, Match, MatchGame, PlayError, Seats};
use shakmaty::Chess;

use crate::{hire, position};

fn play<G: Board>(
    players: [&dyn Seats<G>; 2],
    start: G,
    games: u64,
    swap: bool,
    threads: usize,
) -> Result<Vec<MatchGame>, PlayError> {
    let meeting = Match {
        players,
        starts: &[start],
        games,
        swap,
        seed: 7,
        most_moves: 200,
    };
    meeting.play(threads, &())
}

#[test]
fn games_depend_on_seed_and_number_alone() {
    let (minimax, random) = (hire("minimax:depth=2"), hire("random"));
    let once = play([&minimax, &random], Chess::default(), 6, true, 1).unwrap();
    assert_eq!(
        once,
        play([&minimax, &random], Chess::default(), 6, true, 3).unwrap()
    );
    let swapped: Vec<bool> = once.iter().map(|game| game.swapped).collect();
    assert_eq!(swapped, [false, true, false, true, false, true]);
    let first_only = play([&minimax, &random], Chess::default(), 2, true, 2).unwrap();
    assert_eq!(first_only, once[..2]);
}

/// Each kind of end, from positions that force it.
#[test]
fn every_end() {
    let (best, random, zero) = (hire("best"), hire("random"), hire("zero:depth=2"));
    let finish = |players: [&dyn Seats; 2], fen: &str| {
        play(players, position(fen), 1, false, 1).unwrap()[0].finish
    };
    let mate_in_one = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";
    assert_eq!(finish([&zero, &random], mate_in_one), Finish::White);
    let no_men = "7k/8/6K1/8/8/8/8/8 w - - 0 1";
    assert_eq!(finish([&random, &random], no_men), Finish::Draw);
    let old = "7k/8/6K1/8/8/8/8/1Q6 b - - 99 80";
    assert_eq!(finish([&best, &random], old), Finish::FiftyMoves);
    let locked = "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1";
    let games = play([&random, &random], position(locked), 8, false, 2).unwrap();
    assert!(
        games
            .iter()
            .all(|game| game.finish == Finish::Repetition || game.plies >= 100)
    );
    assert!(games.iter().any(|game| game.finish == Finish::Repetition));
}

#[test]
fn other_games_are_played_by_the_same_runner() {
    let [minimax, random] = ["minimax:depth=3", "random"].map(|name| name.parse().unwrap());
    let (minimax, random): (errare_minimax::MinimaxPlayer, errare_minimax::MinimaxPlayer) =
        (minimax, random);
    for games in [
        play([&minimax, &random], Othello::default(), 10, true, 2).unwrap(),
        play([&minimax, &random], ConnectFour::default(), 10, true, 2).unwrap(),
    ] {
        let won = |game: &&MatchGame| {
            let first = if game.swapped {
                Finish::Black
            } else {
                Finish::White
            };
            game.finish == first
        };
        assert!(games.iter().filter(won).count() >= 6, "{games:?}");
    }
}

#[test]
fn a_match_can_be_stopped() {
    let random = hire("random");
    let cancel = Cancel::default();
    cancel.cancel();
    let meeting = Match::<Chess> {
        players: [&random, &random],
        starts: &[Chess::default()],
        games: u64::MAX,
        swap: false,
        seed: 1,
        most_moves: u64::MAX,
    };
    let error = meeting.play(2, &cancel).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Stopped);
}

#[test]
fn whoever_needs_a_table_says_so() {
    let (rep, random) = (hire("rep:c=20"), hire("random"));
    let error = play([&rep, &random], Chess::default(), 1, false, 1).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("not 32 men with castling rights"), "{text}");
    assert!(text.contains("rep:c=20,engine=stockfish,depth=8"), "{text}");
    let unbuilt = position("8/8/8/2K5/r7/2Q5/4k3/8 w - - 0 1");
    let error = play([&rep, &random], unbuilt, 1, false, 1).unwrap_err();
    assert!(error.to_string().contains("dtc table of KQKR"), "{error}");
}

//! Agents at a board: by tables, or else by an engine's list.

use std::{
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    time::Duration,
};

use errare_core::{Deadline, Mark, Watch};
use errare_players::{Basis, Belief, Ceded, Chosen};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, Position, uci::UciMove};

use crate::{hire, position};

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(5)
}

fn choose(name: &str, position: &Chess) -> Chosen {
    hire(name).sit().choose(position, &mut rng()).unwrap()
}

fn play(position: &mut Chess, uci: &str) -> shakmaty::Move {
    let m = uci.parse::<UciMove>().unwrap().to_move(position).unwrap();
    position.play_unchecked(m);
    m
}

#[test]
fn tables_decide_where_there_are_any() {
    // Kh7 is the only legal move.
    let only = position("6k1/8/6K1/8/8/8/8/5Q2 b - - 0 1");
    let chosen = choose("rep:c=20", &only);
    assert_eq!(chosen.mark, Some(Mark::OnlyLegal));
    let won = position("7k/8/8/8/8/1Q6/8/K7 w - - 0 1");
    for name in ["best", "rep:c=20", "emulator:c=20", "predator", "random"] {
        let chosen = choose(name, &won);
        assert!(won.is_legal(chosen.r#move), "{name}");
        assert!(matches!(chosen.source, Basis::Tables(_)), "{name}");
        assert!(
            chosen.probability.is_some_and(|p| p > 0.0 && p <= 1.0),
            "{name}"
        );
        let sum: f64 = chosen.chances.iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{name}");
    }
    assert_eq!(choose("best", &won).ceded, Some(Ceded::Moves(0)));
}

/// In a middlegame with a mate in one, by a shallow engine's list.
#[test]
fn an_engines_list_takes_the_tables_place() {
    let mate = position("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    for name in [
        "best:engine=stockfish,depth=2",
        "rep:c=40,engine=stockfish,depth=2",
        "emulator:c=40,engine=stockfish,depth=2",
        "predator:engine=stockfish,depth=2",
        "hunter:engine=stockfish,depth=2",
        "hunter:c=20,engine=stockfish,depth=2",
    ] {
        let chosen = choose(name, &mate);
        assert_eq!(chosen.source, Basis::Engine { depth: 2 }, "{name}");
        assert_eq!(chosen.r#move.to_string(), "Qh5xf7", "{name}");
        assert_eq!(chosen.ceded, Some(Ceded::Pawns(0.0)), "{name}");
    }
}

/// R_0 is the random player, by a list as by tables; R_c prefers what the engine prefers.
#[test]
fn chances_follow_the_list() {
    let start = Chess::default();
    let even = choose("rep:c=0,engine=stockfish,depth=1", &start);
    assert!(even.chances.iter().all(|(_, p)| (p - 0.05).abs() < 1e-9));
    let skilled = choose("rep:c=20,engine=stockfish,depth=1", &start);
    assert!(
        skilled.chances.is_sorted_by(|a, b| a.1 >= b.1),
        "{:?}",
        skilled.chances
    );
    assert!(skilled.chances[0].1 > 1.2 * skilled.chances[19].1);
}

/// A Predator learns its opponent's strength: from an engine's moves, or from the worst moves.
#[test]
fn predators_learn_ratings() {
    let learned = |number: fn(usize) -> usize| {
        let mut predator = hire("predator:engine=stockfish,depth=8").sit();
        let mut board = Chess::default();
        for uci in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"] {
            play(&mut board, uci);
        }
        let mut opponent = hire("uci:stockfish,depth=8").sit();
        for _ in 0..3 {
            let chosen = opponent.choose(&board, &mut rng()).unwrap();
            let moves = chosen.judgement.unwrap().moves();
            let m = moves[number(moves.len())];
            predator.watch(&board, m);
            board.play_unchecked(m);
            let reply = opponent.choose(&board, &mut rng()).unwrap().r#move;
            board.play_unchecked(reply);
        }
        predator.study(&()).unwrap();
        match predator.beliefs()[..] {
            [Belief::Elo { mean, .. }] => mean,
            ref other => panic!("{other:?}"),
        }
    };
    let strong = learned(|_| 0);
    let weak = learned(|moves| moves / 2);
    assert!(strong > weak + 200.0, "{strong} {weak}");
}

/// With hardly any time there is a shallow move in time, not an error, even if a Predator first has something to
/// learn.
#[test]
fn time_bounds_the_engine() {
    let mut after = Chess::default();
    let first = play(&mut after, "e2e4");
    for name in [
        "rep:c=20,engine=stockfish,depth=90",
        "predator:engine=stockfish,depth=90",
        "hunter:engine=stockfish,depth=90",
    ] {
        let mut player = hire(name).sit();
        player.watch(&Chess::default(), first);
        let watch = Deadline::after(Duration::from_millis(500), &());
        let chosen = player.choose_within(&after, &mut rng(), &watch).unwrap();
        assert!(matches!(chosen.source, Basis::Engine { depth } if depth < 90));
    }
}

/// A Predator that had no time to look into the replies says so.
#[test]
fn a_predator_in_a_hurry_says_so() {
    /// Leaves time for the list of moves and the replies to the first of them.
    struct Hurry(AtomicUsize);
    impl Watch for Hurry {
        fn is_stopped(&self) -> bool {
            self.0.fetch_add(1, SeqCst) > 1
        }
    }
    let mut predator = hire("predator:engine=stockfish,depth=2").sit();
    let start = Chess::default();
    let calm = predator.choose(&start, &mut rng()).unwrap();
    assert_eq!(calm.remarks, Vec::<String>::new());
    // All lists are known by now, so the watch is asked once for each.
    let hurry = Hurry(AtomicUsize::new(0));
    let chosen = predator.choose_within(&start, &mut rng(), &hurry).unwrap();
    let [remark] = &chosen.remarks[..] else {
        panic!("{:?}", chosen.remarks)
    };
    assert!(
        remark.starts_with("time to look into the replies to 1 of "),
        "{remark}"
    );
}

#[test]
fn people_beyond_the_data_are_told_of() {
    let remarks = hire("human:elo=1500").remarks().join(" ");
    assert!(remarks.contains("extrapolates"), "{remarks}");
    assert!(hire("human:elo=2200").remarks().is_empty());
    let refusal = "human:elo=4500"
        .parse::<errare_players::PlayerName>()
        .unwrap();
    let refusal = refusal.hire(&crate::means()).unwrap_err().to_string();
    assert!(refusal.contains("covers ratings from"), "{refusal}");
    let shallow = "human:elo=1800,depth=3"
        .parse::<errare_players::PlayerName>()
        .unwrap();
    let refusal = shallow.hire(&crate::means()).unwrap_err().to_string();
    assert!(
        refusal.ends_with("there are calibrations for the depths 8 and 10: human:elo=1800,depth=8"),
        "{refusal}"
    );
}

#[test]
fn nobody_moves_when_the_game_is_over() {
    let mated = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    for name in ["best", "random", "minimax:depth=1", "uci:stockfish,depth=1"] {
        let error = hire(name).sit().choose(&mated, &mut rng()).unwrap_err();
        assert!(error.to_string().contains("the game is over"), "{name}");
    }
}

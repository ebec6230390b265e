//! Real positions: published and recorded numbers, and the fast pass against plain recursion.

use std::num::NonZeroU32;
use std::time::Duration;

use errare_core::{Cancel, Deadline, Stopped, Watch};
use errare_minimax::{
    Alpha, Automaton, ConnectFour, GamePosition, Leaves, MatchTally, MinimaxMatch, MinimaxPlayer,
    Othello, Shape, Terminals, Ties, Tree, perft, probabilities,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, uci::UciMove};
use statrs::distribution::{ChiSquared, ContinuousCDF};

fn plies(depth: u32) -> NonZeroU32 {
    depth.try_into().unwrap()
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// White mates by Ra8, and has 17 moves.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

fn probability_of(position: &Chess, uci: &str, depth: u32, terminals: Terminals) -> f64 {
    let shape = Shape::of(position, plies(depth), terminals);
    let estimate = probabilities(&shape, Alpha::CONTINUOUS, Ties::Uniform, 1e-8);
    assert!((estimate.certificate() - 1.0).abs() <= estimate.error + 1e-12);
    let sought = uci.parse::<UciMove>().unwrap().to_move(position).unwrap();
    let index = position
        .moves()
        .iter()
        .position(|&legal| legal == sought)
        .unwrap();
    estimate.probabilities[index]
}

/// Depth 5 from the start: two pawn moves have nearly all the probability.
#[test]
fn start_position_at_depth_5() {
    for (uci, expected) in [("e2e3", 0.523), ("e2e4", 0.449), ("d2d4", 0.026)] {
        let probability = probability_of(&Chess::default(), uci, 5, Terminals::Recognised);
        assert!((probability - expected).abs() < 5e-4, "{uci} {probability}");
    }
}

/// The whole tree, position by position, without transpositions and without rows.
fn tree_of<G: GamePosition>(position: &G, depth: u32) -> Tree {
    if depth == 0 {
        return Tree::LEAF;
    }
    let children: Vec<_> = position
        .moves()
        .into_iter()
        .map(|m| (tree_of(&position.play(m), depth - 1), 1))
        .collect();
    // A game that is over has one dummy child at every level, which is the score of one leaf.
    if children.is_empty() {
        Tree::LEAF
    } else {
        Tree::node(children)
    }
}

fn fast_equals_plain<G: GamePosition>(position: &G, depth: u32) {
    let tree = tree_of(position, depth);
    let shape = Shape::of(position, plies(depth), Terminals::Paper);
    assert_eq!(shape.leaves(), u128::from(perft(position, depth)));
    for alpha in [
        Alpha::CONTINUOUS,
        Alpha::finite(7).unwrap(),
        Alpha::finite(2).unwrap(),
    ] {
        for ties in [Ties::All, Ties::Uniform] {
            let fast = probabilities(&shape, alpha, ties, 1e-8).probabilities;
            let plain = probabilities(&tree, alpha, ties, 1e-8).probabilities;
            for (fast, plain) in fast.iter().zip(plain) {
                assert!(
                    (fast - plain).abs() < 1e-11,
                    "depth {depth}: {fast} {plain}"
                );
            }
        }
    }
}

/// Rows and shared nodes change nothing: [`Shape`] is the plain recursion.
#[test]
fn shapes_equal_trees() {
    for depth in 1..=3 {
        fast_equals_plain(&Chess::default(), depth);
        fast_equals_plain(&position(KIWIPETE), depth.min(2));
        fast_equals_plain(&position(MATE_IN_ONE), depth);
    }
    fast_equals_plain(&Othello::default(), 5);
    fast_equals_plain(&ConnectFour::default(), 4);
}

/// The paper's dummy moves make the end of the game attractive at even depths and repellent at odd
/// ones; a recognised mate is always played.
#[test]
fn parity_artefact_of_the_papers_terminals() {
    let mate = position(MATE_IN_ONE);
    let papers = (2..=5).map(|depth| probability_of(&mate, "a1a8", depth, Terminals::Paper));
    let [two, three, four, five] = papers.collect::<Vec<_>>()[..] else {
        unreachable!()
    };
    let fair = 1.0 / mate.moves().len() as f64;
    assert!(two > 4.0 * fair && four > 4.0 * fair, "{two} {four}");
    assert!(three < fair && five < fair, "{three} {five}");
    for depth in 2..=4 {
        assert!((probability_of(&mate, "a1a8", depth, Terminals::Recognised) - 1.0).abs() < 1e-12);
    }
}

/// White can stalemate with Ke6, and cannot mate.
const STALEMATE_IN_ONE: &str = "4k3/4P3/8/4K3/8/8/8/8 w - - 0 1";

/// A draw is in the middle of the scores: a move that leaves c replies is better than a draw if all
/// c leaves are above the median.
#[test]
fn a_draw_is_worth_the_median() {
    let stalemate = position(STALEMATE_IN_ONE);
    let shape = Shape::of(&stalemate, plies(2), Terminals::Recognised);
    let estimate = probabilities(&shape, Alpha::CONTINUOUS, Ties::Uniform, 1e-9);
    let (mut above, mut drawn) = (1.0, Vec::new());
    for (chosen, probability) in stalemate.moves().into_iter().zip(&estimate.probabilities) {
        let child = GamePosition::play(&stalemate, chosen);
        match child.moves().len() {
            0 => drawn.push(*probability),
            count => above *= 1.0 - 0.5_f64.powi(count as i32),
        }
    }
    assert!(!drawn.is_empty());
    for probability in &drawn {
        assert!(
            (probability - above / drawn.len() as f64).abs() < 1e-9,
            "{drawn:?} {above}"
        );
    }
}

/// White can only take the last pawn, which is a draw: all the probability is in one atom.
#[test]
fn a_certain_draw_is_an_atom() {
    let forced = position("8/8/8/8/8/8/p1k5/K7 w - - 0 1");
    for depth in 1..=4 {
        let shape = Shape::of(&forced, plies(depth), Terminals::Recognised);
        let estimate = probabilities(&shape, Alpha::CONTINUOUS, Ties::Uniform, 1e-8);
        assert!((estimate.certificate() - 1.0).abs() <= 1e-8);
    }
}

/// The p-value of moves sampled by an automaton, given those computed for some depth; moves expected
/// fewer than five times are pooled. `None` if only one move is possible.
fn chi_square_p(position: &Chess, automaton: Automaton, depth: u32, seed: u64) -> Option<f64> {
    const SAMPLES: u32 = 1500;
    let Leaves::Random(alpha) = automaton.leaves else {
        panic!("a random automaton")
    };
    let shape = Shape::of(position, plies(depth), automaton.terminals);
    let expected = probabilities(&shape, alpha, Ties::Uniform, 1e-8).probabilities;
    let moves = position.moves();
    let mut observed = vec![0.0; moves.len()];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..SAMPLES {
        let chosen = MinimaxPlayer::Minimax(automaton).choose(position, &mut rng);
        observed[moves.iter().position(|&legal| legal == chosen).unwrap()] += 1.0;
    }
    let (mut cells, mut rare) = (Vec::new(), (0.0, 0.0));
    let expected = expected.iter().map(|p| p * f64::from(SAMPLES));
    for (o, e) in observed.into_iter().zip(expected) {
        if e >= 5.0 {
            cells.push((o, e));
        } else {
            rare = (rare.0 + o, rare.1 + e);
        }
    }
    if rare.1 < 1e-3 {
        assert_eq!(rare.0, 0.0, "a move was played that is all but impossible");
    } else {
        cells.push(rare);
    }
    let statistic: f64 = cells.iter().map(|(o, e)| (o - e) * (o - e) / e).sum();
    let freedom = cells.len() - 1;
    (freedom > 0).then(|| ChiSquared::new(freedom as f64).unwrap().sf(statistic))
}

/// Sampled play agrees with quadrature: requiring that none of n p-values is below 0.05 / n makes a
/// test at 5 % (Bonferroni). An honest p-value is above one half every other time: fewer than a
/// quarter of the thirty or more happens once in several hundred runs.
#[test]
fn sampled_play_agrees_with_quadrature() {
    let positions = [
        (position(KIWIPETE), 2),
        (Chess::default(), 3),
        (position(MATE_IN_ONE), 3),
        (position("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), 4),
        (position(STALEMATE_IN_ONE), 2),
    ];
    let mut p_values = Vec::new();
    for (position, depth) in positions {
        for alpha in [Alpha::CONTINUOUS, Alpha::finite(3).unwrap()] {
            for terminals in [Terminals::Paper, Terminals::Recognised] {
                let automaton = Automaton {
                    depth: plies(depth),
                    leaves: Leaves::Random(alpha),
                    terminals,
                };
                p_values.extend([1, 2].map(|seed| chi_square_p(&position, automaton, depth, seed)));
            }
        }
    }
    let p_values: Vec<f64> = p_values.into_iter().flatten().collect();
    assert!(p_values.len() >= 30);
    let least = 0.05 / p_values.len() as f64;
    assert!(p_values.iter().all(|&p| p > least), "{p_values:.4?}");
    let above = p_values.iter().filter(|&&p| p > 0.5).count();
    assert!(4 * above >= p_values.len(), "{p_values:.3?}");
}

/// The test above can fail: it detects play at another depth.
#[test]
fn sampled_play_at_another_depth_is_told_apart() {
    let automaton = Automaton {
        depth: plies(2),
        leaves: Leaves::Random(Alpha::CONTINUOUS),
        terminals: Terminals::Recognised,
    };
    let p = chi_square_p(&position(KIWIPETE), automaton, 3, 1).unwrap();
    assert!(p < 1e-9, "{p}");
}

/// Matches do not depend on the number of threads, and a seed repeats them.
#[test]
fn matches_repeat() {
    let meeting = MinimaxMatch {
        players: ["minimax:depth=2", "random"].map(|name| name.parse().unwrap()),
        start: Othello::default(),
        games: 12,
        most_plies: 400,
        seed: 7,
    };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| meeting.play(&()).unwrap())
    };
    let games = with(1);
    assert_eq!(games, with(2));
    let tally = MatchTally::of(&games);
    assert_eq!(tally.wins + tally.draws + tally.losses, 12);
    let other = MinimaxMatch {
        seed: 8,
        ..meeting.clone()
    };
    assert_ne!(games, other.play(&()).unwrap());
}

/// Colours alternate, so a player who meets itself wins as often as not, and one who sees mate beats
/// one who does not.
#[test]
fn sight_wins_connect_four() {
    let meeting = MinimaxMatch {
        players: ["zero:depth=4", "random"].map(|name| name.parse().unwrap()),
        start: ConnectFour::default(),
        games: 60,
        most_plies: 400,
        seed: 1,
    };
    let tally = MatchTally::of(&meeting.play(&()).unwrap());
    assert!(tally.win.unwrap().low > 0.8, "{tally:?}");
    assert_eq!(tally.adjudicated, 0);
}

/// Players that would search for hours give up when told to, or when their time is up.
#[test]
fn a_search_is_stopped() {
    let told = Cancel::default();
    told.cancel();
    let late = Deadline::after(Duration::from_millis(20), &());
    let watches: [&dyn Watch; 2] = [&told, &late];
    for name in ["minimax:depth=12", "zero:depth=12"] {
        let player: MinimaxPlayer = name.parse().unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for watch in watches {
            let chosen = player.choose_watched(&Chess::default(), &mut rng, watch);
            assert_eq!(chosen, Err(Stopped), "{name}");
        }
    }
}

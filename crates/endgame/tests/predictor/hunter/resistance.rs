//! Nobody resists better than the hunter: over whole endgames, and by an independent computation.

use errare_choice::Kappa;
use errare_core::{Metric, parse_position};
use errare_endgame::{
    Goal, Hunt, Prey, ReferencePlayer, Resistance, Scope, Solved, Weighting, exits,
};
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, Color, Position};

use super::{
    MEMORY, predator,
    twin::{Case, KRK},
};
use crate::tables::oracle;

/// The players that the hunter is compared with.
fn others() -> [Resistance; 3] {
    [Resistance::Best, predator(2), predator(4)]
}

/// No position takes longer against others than against the hunter, and some are at least a percent shorter.
fn check_lengths(hunt: &Hunt<'_>, prey: Prey, longest: &Solved) {
    for other in others() {
        let found = hunt.lengths(prey, other, &()).unwrap();
        let mut pairs = longest.values().iter().zip(found.values());
        let longer = |(hunter, other): (&f64, &f64)| *hunter >= other * (1.0 - 1e-8);
        assert!(pairs.clone().all(longer), "{other:?}");
        let clearly = |(hunter, other): (&f64, &f64)| *hunter > other * 1.01;
        assert!(pairs.any(clearly), "{other:?}");
    }
}

/// No other player leaves the prey less of a chance than the hunter does in any position, beyond this error, and in
/// some clearly more.
fn check_chances(least: &Solved, error: f64, found_by: impl Fn(Resistance) -> Solved) {
    for other in others() {
        let found = found_by(other);
        let mut pairs = least.values().iter().zip(found.values());
        let less = |(hunter, other): (&f64, &f64)| *hunter <= other + error;
        assert!(pairs.clone().all(less), "{other:?}");
        assert!(
            pairs.any(|(hunter, other)| *hunter < other - 1e-3),
            "{other:?}"
        );
    }
}

#[test]
fn nobody_resists_better() {
    for (name, competence) in [("KRK", 10.0), ("KQK", 5.0)] {
        let oracle = oracle(name, Metric::Dtc);
        let case = Case {
            name,
            competence,
            ..KRK
        };
        let (hunt, prey) = (case.hunt(&oracle), case.model());
        let longest = hunt.lengths(prey, Resistance::Hunter, &()).unwrap();
        check_lengths(&hunt, prey, &longest);
        let within = |resistance| hunt.chances(prey, Goal::Win, resistance, 20, &()).unwrap();
        check_chances(&within(Resistance::Hunter), 1e-12, within);
    }
}

/// In KPK White may let the win slip: no other player makes the win less likely.
#[test]
fn nobody_holds_better() {
    let oracle = oracle("KPK", Metric::Dtz);
    let case = Case {
        name: "KPK",
        metric: Metric::Dtz,
        scope: Scope::WinsAtRisk,
        competence: 4.0,
        ..KRK
    };
    let hunt = case.hunt(&oracle);
    let ever = |resistance| hunt.win_chances(case.model(), resistance, &()).unwrap();
    // Both are known to 1e-9.
    check_chances(&ever(Resistance::Hunter), 2e-9, ever);
}

/// As winner it is never slower than other players, and in a draw none makes the prey go wrong more
/// often.
#[test]
fn nobody_hunts_better() {
    let oracle_of_rook = oracle("KRK", Metric::Dtc);
    let lost = Case {
        prey: Color::Black,
        scope: Scope::Losses,
        competence: 3.0,
        ..KRK
    };
    let hunt = lost.hunt(&oracle_of_rook);
    let lengths = |resistance| hunt.lengths(lost.model(), resistance, &()).unwrap();
    let least = lengths(Resistance::Hunter);
    for other in others() {
        let found = lengths(other);
        let mut pairs = least.values().iter().zip(found.values());
        assert!(
            pairs
                .clone()
                .all(|(hunter, other)| *hunter <= other * (1.0 + 1e-8))
        );
        assert!(pairs.any(|(hunter, other)| *hunter < other * 0.99));
    }
    let oracle_of_pawn = oracle("KPK", Metric::Dtz);
    let drawn = Case {
        name: "KPK",
        metric: Metric::Dtz,
        scope: Scope::Draws,
        ..lost
    };
    let hunt = drawn.hunt(&oracle_of_pawn);
    let slips = |resistance| {
        let chances = hunt.chances(drawn.model(), Goal::Slip, resistance, 20, &());
        chances.unwrap()
    };
    let most = slips(Resistance::Hunter);
    for other in others() {
        let found = slips(other);
        let mut pairs = most.values().iter().zip(found.values());
        assert!(
            pairs
                .clone()
                .all(|(hunter, other)| *hunter >= other - 1e-12)
        );
        assert!(pairs.any(|(hunter, other)| *hunter > other + 0.01));
    }
}

#[test]
fn no_digit_depends_on_the_number_of_threads() {
    let oracle = oracle("KRK", Metric::Dtc);
    let solve = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let lengths = KRK
                .hunt(&oracle)
                .lengths(KRK.model(), Resistance::Hunter, &());
            lengths.unwrap().values().to_vec()
        })
    };
    assert_eq!(solve(1), solve(3));
}

/// KQKR from its deepest win. A program that shares nothing with this one, with its own moves, its own depths and
/// 64-bit numbers throughout, gives a chance of 0.0118843908538 for the best reply; 32-bit numbers change it by less than 2e-8.
#[test]
fn kqkr_from_its_deepest_win() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let position = parse_position("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1").unwrap();
    let hunt = Hunt::from_position(&oracle, &position, Scope::Wins, MEMORY, &()).unwrap();
    let prey = Prey {
        competence: 20.0,
        kappa: Kappa::ONE,
    };
    let node = hunt.node(&position).unwrap();
    let lengths = hunt.lengths(prey, Resistance::Hunter, &()).unwrap();
    let length = lengths.at(node);
    assert!((length.value - 216.811_978).abs() < 1e-5, "{length:?}");
    check_lengths(&hunt, prey, &lengths);
    let within = |resistance, moves| {
        let chances = hunt.chances(prey, Goal::Win, resistance, moves, &());
        chances.unwrap()
    };
    let in_time = within(Resistance::Hunter, 50);
    let chance = in_time.at(node).value;
    assert!((chance - 0.011_884_390_853_8).abs() < 1e-12, "{chance}");
    check_chances(&in_time, 1e-12, |other| {
        let found = within(other, 50);
        if other == Resistance::Best {
            assert!((found.at(node).value - 0.0571).abs() < 5e-5);
        }
        found
    });

    // The equations hold by plain move generation, there and along a game of random moves.
    let sooner = within(Resistance::Hunter, 49);
    let player = ReferencePlayer {
        competence: prey.competence,
        kappa: prey.kappa,
        weighting: Weighting::keeping_value(),
    };
    let mut position = position;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..100 {
        let node = hunt.node(&position).unwrap();
        let turn = oracle.turn(&position).unwrap();
        let (mut length, mut chance) = (1.0, 0.0);
        let mut onward = Vec::new();
        for (choice, p) in turn.choices().iter().zip(player.probabilities(&turn)) {
            let mut after = position.clone();
            after.play_unchecked(choice.r#move);
            if p == 0.0 {
                continue;
            }
            if exits(choice.r#move, Metric::Dtc) || after.legal_moves().is_empty() {
                chance += p;
                continue;
            }
            let replies = after.legal_moves().into_iter().map(|m| {
                let mut reply = after.clone();
                reply.play_unchecked(m);
                reply
            });
            let nodes: Vec<(usize, Chess)> = replies
                .map(|reply| (hunt.node(&reply).unwrap(), reply))
                .collect();
            let values = |solved: &Solved| -> Vec<f64> {
                nodes
                    .iter()
                    .map(|(node, _)| solved.values()[*node])
                    .collect()
            };
            length += p * values(&lengths).into_iter().fold(0.0, f64::max);
            chance += p * values(&sooner).into_iter().fold(1.0, f64::min);
            onward.extend(nodes);
        }
        let off = length / lengths.values()[node] - 1.0;
        assert!(off.abs() < 1e-9, "{off} {position:?}");
        let off = chance / in_time.values()[node] - 1.0;
        assert!(off.abs() < 1e-12, "{off} {position:?}");
        position = match onward.is_empty() {
            true => break,
            false => onward.swap_remove(rng.random_range(0..onward.len())).1,
        };
    }
}

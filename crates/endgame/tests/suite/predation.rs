//! The Predator in the positions of Haworth (2002), section 4 and appendix B.

use errare_choice::{Kappa, PriorShape};
use errare_core::{Cancel, Fault, FaultKind, Metric};
use errare_endgame::{
    Analyser, Opponent, OpponentBelief, Oracle, Predator, PredatorDepth, Prospect, TableView,
    prospects,
};
use errare_tables::parse_position;
use shakmaty::{Color, Position, san::SanPlus};

use crate::{
    browne_belle::{games, notes},
    oracle,
};

const KAPPAS: [Kappa; 2] = [Kappa::ZERO, Kappa::ONE];

/// The 12 preference marks of appendix B, given White's earlier play; and never a suboptimal move
/// (section 5).
#[test]
fn marks_of_preference() {
    for kappa in KAPPAS {
        for grid in ["0(10)50", "0(1)50"] {
            let mut marks = 0;
            for (game, notes) in games().iter().zip(notes()) {
                let mut white = Analyser::new(kappa, grid.parse().unwrap(), &PriorShape::Uniform);
                for ((position, m), note) in game.plies().zip(notes) {
                    let turn = oracle().turn(&position).unwrap();
                    let played = &turn.choices()[turn.find(m).unwrap()];
                    if position.turn() == Color::White {
                        white.observe(&turn, played);
                        continue;
                    }
                    let view = TableView {
                        oracle: oracle(),
                        position: &position,
                        turn: &turn,
                    };
                    let belief = OpponentBelief::learned(white.posterior()).unwrap();
                    let best = prospects(view, &belief, kappa, PredatorDepth::TWO, &()).unwrap()[0];
                    let choice = &turn.choices()[best.number];
                    assert!(turn.is_optimal(choice));
                    if let Some(preferred) = note.preferred {
                        let san = SanPlus::from_move(position.clone(), choice.r#move);
                        assert_eq!(san.to_string(), preferred, "κ = {kappa}, c = {grid}");
                        marks += 1;
                    }
                }
            }
            assert_eq!(marks, 12);
        }
    }
}

/// The expected depth after a move and White's reply, against an R_c.
fn expected(fen: &str, san: &str, kappa: Kappa, c: f64) -> f64 {
    let position = parse_position(fen).unwrap();
    let turn = oracle().turn(&position).unwrap();
    let view = TableView {
        oracle: oracle(),
        position: &position,
        turn: &turn,
    };
    let prospects = prospects(
        view,
        &OpponentBelief::certain(c),
        kappa,
        PredatorDepth::TWO,
        &(),
    )
    .unwrap();
    let is_named = |prospect: &&Prospect| {
        let m = turn.choices()[prospect.number].r#move;
        SanPlus::from_move(position.clone(), m).to_string() == san
    };
    prospects
        .iter()
        .find(is_named)
        .unwrap()
        .expected_depth
        .unwrap()
}

/// The c at which the second move becomes better than the first, between two bounds.
fn crossover(fen: &str, moves: [&str; 2], kappa: Kappa, [mut low, mut high]: [f64; 2]) -> f64 {
    let first_is_better = |c| {
        let [first, second] = moves.map(|san| expected(fen, san, kappa, c));
        first > second
    };
    assert!(
        first_is_better(low) && !first_is_better(high),
        "{moves:?} κ = {kappa}"
    );
    while high - low > 1e-6 {
        let middle = f64::midpoint(low, high);
        if first_is_better(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

const BB2_10B: &str = "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1";
const BB2_12B: &str = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";
const BB2_22B: &str = "8/8/8/5r2/4K1k1/4Q3/8/8 b - - 0 1";
const BB2_24B: &str = "8/5r2/8/7k/4K3/6Q1/8/8 b - - 0 1";
const J1_1B: &str = "8/8/r7/2Q2k2/8/4K3/8/8 b - - 0 1";

/// The text reads the crossovers off charts and prints 6.3; 19.7 and 36; 4.25 and 28.5; 2.5.
#[test]
fn crossovers() {
    let cases = [
        (BB2_10B, ["Ra4", "Re4"], [0.0, 50.0], [5.965, 6.231]),
        (BB2_12B, ["Rf4", "Re4"], [0.0, 30.0], [15.806, 16.548]),
        (BB2_12B, ["Re4", "Rg4"], [20.0, 50.0], [31.198, 32.732]),
        (BB2_24B, ["Rb7", "Rf6"], [0.0, 15.0], [4.021, 4.248]),
        (BB2_24B, ["Rf6", "Rb7"], [15.0, 50.0], [26.274, 27.986]),
        (J1_1B, ["Kf6", "Kg6"], [0.5, 30.0], [2.409, 2.530]),
    ];
    for (fen, moves, bounds, expected) in cases {
        for (kappa, expected) in KAPPAS.into_iter().zip(expected) {
            let found = crossover(fen, moves, kappa, bounds);
            assert!(
                (found - expected).abs() < 5e-4,
                "{moves:?} κ = {kappa}: {found}"
            );
        }
    }
}

/// Figures 1 and 3. For BB2-24b the text says that Rf6 dominates Rf8 throughout; it does up to c =
/// 30, and beyond that Rb7 is better than both.
#[test]
fn dominated_moves() {
    for kappa in KAPPAS {
        for c in (0..=50).map(f64::from) {
            let [rf7, rf6] = ["Rf7", "Rf6"].map(|san| expected(BB2_22B, san, kappa, c));
            assert!(rf7 > rf6, "BB2-22b, c = {c}");
            let [rb7, rf6, rf8] = ["Rb7", "Rf6", "Rf8"].map(|san| expected(BB2_24B, san, kappa, c));
            assert!(rf6 > rf8 || (c > 30.0 && rb7 > rf8), "BB2-24b, c = {c}");
            let others = ["Rf4", "Re4", "Rg4"].map(|san| expected(BB2_12B, san, kappa, c));
            let rh4 = expected(BB2_12B, "Rh4", kappa, c);
            assert!(others.iter().any(|&other| other > rh4), "BB2-12b, c = {c}");
        }
    }
}

/// A slow and plain version of the search.
mod plain {
    use errare_choice::probabilities;
    use errare_endgame::{Weighting, exits};
    use shakmaty::{Chess, Move};

    use super::*;

    fn play(position: &Chess, m: Move) -> Chess {
        let mut after = position.clone();
        after.play_unchecked(m);
        after
    }

    /// For a loser: the expected depth after a move and this many plies against R_c.
    pub(super) fn expected(oracle: &Oracle, position: &Chess, m: Move, plies: u32, c: f64) -> f64 {
        let after = play(position, m);
        let replies = oracle.turn(&after).unwrap();
        let options = Weighting::keeping_value().options(&replies, Kappa::ONE);
        let mut sum = 0.0;
        for (reply, chance) in replies.choices().iter().zip(probabilities(options, c)) {
            if chance == 0.0 {
                continue;
            }
            let next = play(&after, reply.r#move);
            let depth = f64::from(reply.state.depth().unwrap());
            let ends =
                plies == 2 || exits(reply.r#move, Metric::Dtc) || next.legal_moves().is_empty();
            let moves = next.legal_moves();
            let deeper = moves
                .iter()
                .map(|&m| expected(oracle, &next, m, plies - 2, c));
            sum += chance
                * if ends {
                    depth
                } else {
                    deeper.fold(f64::MIN, f64::max)
                };
        }
        sum
    }
}

#[test]
fn deeper_searches_agree_with_a_plain_one() {
    let lost = parse_position(BB2_22B).unwrap();
    let turn = oracle().turn(&lost).unwrap();
    let view = TableView {
        oracle: oracle(),
        position: &lost,
        turn: &turn,
    };
    for plies in [2, 4] {
        let belief = OpponentBelief::certain(8.0);
        for prospect in prospects(
            view,
            &belief,
            Kappa::ONE,
            PredatorDepth::new(plies).unwrap(),
            &(),
        )
        .unwrap()
        {
            let m = turn.choices()[prospect.number].r#move;
            if errare_endgame::exits(m, Metric::Dtc) {
                continue;
            }
            let plain = plain::expected(oracle(), &lost, m, plies, 8.0);
            let found = prospect.expected_depth.unwrap();
            assert!(
                (found - plain).abs() < 1e-9,
                "{plies} plies: {found} {plain}"
            );
        }
    }
}

/// Out of time, a Predator moves like one that looks less far ahead; a list of prospects, which states its depth, is
/// refused.
#[test]
fn a_deep_predator_can_be_stopped() {
    let position = parse_position(BB2_22B).unwrap();
    let turn = oracle().turn(&position).unwrap();
    let view = TableView {
        oracle: oracle(),
        position: &position,
        turn: &turn,
    };
    let [two, four] = [2, 4].map(|plies| PredatorDepth::new(plies).unwrap());
    let stopped = Cancel::default();
    stopped.cancel();
    let belief = OpponentBelief::certain(8.0);
    let first = |plies| prospects(view, &belief, Kappa::ONE, plies, &()).unwrap()[0].number;
    let predator = |plies| Predator {
        kappa: Kappa::ONE,
        plies,
        opponent: Opponent::Known(8.0),
    };
    let look = |plies| predator(plies).look(view, &stopped).unwrap();
    assert_eq!([two, four].map(look), [(first(two), two); 2]);
    let look = predator(four).look(view, &()).unwrap();
    assert_eq!(look, (first(four), four));
    let error = prospects(view, &belief, Kappa::ONE, four, &stopped).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Stopped);
}

/// A weak White may let the win slip, and the Predator sees how likely that is.
#[test]
fn chances_sum_to_one() {
    let position = parse_position(BB2_12B).unwrap();
    let turn = oracle().turn(&position).unwrap();
    let view = TableView {
        oracle: oracle(),
        position: &position,
        turn: &turn,
    };
    let prospects = prospects(
        view,
        &OpponentBelief::certain(3.0),
        Kappa::ONE,
        PredatorDepth::TWO,
        &(),
    )
    .unwrap();
    for Prospect { chances, .. } in &prospects {
        assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12);
    }
    assert!(prospects[0].chances.draw > 0.01);
}

/// In a drawn position the Predator seeks the win.
#[test]
fn drawn_positions() {
    let position = parse_position("8/8/8/8/3k4/8/3n4/K6R w - - 0 1").unwrap();
    let turn = oracle().turn(&position).unwrap();
    assert_eq!(
        turn.best().map(|best| best.value()),
        Some(0),
        "KRKN is drawn here"
    );
    let view = TableView {
        oracle: oracle(),
        position: &position,
        turn: &turn,
    };
    for plies in [PredatorDepth::TWO, PredatorDepth::new(4).unwrap()] {
        let prospects =
            prospects(view, &OpponentBelief::certain(0.0), Kappa::ONE, plies, &()).unwrap();
        let best = prospects[0];
        assert!(turn.preserves_value(&turn.choices()[best.number]));
        assert!(best.chances.win > 0.0);
        if plies == PredatorDepth::TWO {
            let keeps = |p: &&Prospect| turn.preserves_value(&turn.choices()[p.number]);
            let most = prospects
                .iter()
                .filter(keeps)
                .map(|p| p.chances.expected_value());
            assert_eq!(best.chances.expected_value(), most.fold(f64::MIN, f64::max));
        }
    }
}

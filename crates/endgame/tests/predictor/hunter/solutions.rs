//! Solved hunts against the twin, to 1e-9.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{Goal, Resistance, Scope};
use shakmaty::Color;

use super::twin::{Case, KRK, Twin};
use crate::tables::oracle;

#[test]
fn the_loser_makes_it_as_long_as_value_iteration_does() {
    for case in [
        KRK,
        Case {
            name: "KQK",
            competence: 8.0,
            kappa: Kappa::ZERO,
            ..KRK
        },
    ] {
        let oracle = oracle(case.name, case.metric);
        let (hunt, twin) = (case.hunt(&oracle), Twin::new(&oracle, &case));
        let lengths = twin.settle(|values| twin.step(values, [1.0, 0.0], |_| 0.0, f64::max));
        let found = hunt.lengths(case.model(), Resistance::Hunter, &()).unwrap();
        twin.check(&case, &hunt, &lengths, &found);

        let mut chances = vec![0.0; twin.prey.len()];
        for _ in 0..12 {
            let won = |value| f64::from(u8::from(value > 0));
            chances = twin.step(&chances, [0.0, 0.0], won, f64::min);
        }
        let found = hunt
            .chances(case.model(), Goal::Win, Resistance::Hunter, 12, &())
            .unwrap();
        twin.check(&case, &hunt, &chances, &found);
    }
}

/// The winner hunts a fallible loser.
#[test]
fn the_winner_makes_it_as_short_as_value_iteration_does() {
    let case = Case {
        prey: Color::Black,
        scope: Scope::Losses,
        competence: 3.0,
        ..KRK
    };
    let oracle = oracle(case.name, case.metric);
    let (hunt, twin) = (case.hunt(&oracle), Twin::new(&oracle, &case));
    let lengths = twin.settle(|values| twin.step(values, [0.0, 1.0], |_| 0.0, f64::min));
    let found = hunt.lengths(case.model(), Resistance::Hunter, &()).unwrap();
    twin.check(&case, &hunt, &lengths, &found);
    // Against a loser who errs the win never takes longer than against the best one.
    let best = hunt.lengths(case.model(), Resistance::Best, &()).unwrap();
    assert!(
        found
            .values()
            .iter()
            .zip(best.values())
            .all(|(hunted, best)| *hunted <= best + 1e-9)
    );
}

/// In KPK White may let the win slip, and Black may lose the draw.
#[test]
fn value_at_risk_is_as_value_iteration_has_it() {
    let at_risk = Case {
        name: "KPK",
        metric: Metric::Dtz,
        scope: Scope::WinsAtRisk,
        competence: 4.0,
        ..KRK
    };
    let oracle = oracle("KPK", Metric::Dtz);
    let (hunt, twin) = (at_risk.hunt(&oracle), Twin::new(&oracle, &at_risk));
    let won = |value| f64::from(u8::from(value > 0));
    let ever = twin.settle(|values| twin.step(values, [0.0, 0.0], won, f64::min));
    let found = hunt
        .win_chances(at_risk.model(), Resistance::Hunter, &())
        .unwrap();
    twin.check(&at_risk, &hunt, &ever, &found);
    let mut slips = vec![0.0; twin.prey.len()];
    for _ in 0..10 {
        slips = twin.step(
            &slips,
            [0.0, 0.0],
            |value| f64::from(u8::from(value <= 0)),
            f64::max,
        );
    }
    let found = hunt
        .chances(at_risk.model(), Goal::Slip, Resistance::Hunter, 10, &())
        .unwrap();
    twin.check(&at_risk, &hunt, &slips, &found);

    for scope in [Scope::Draws, Scope::DrawsAndWins] {
        let case = Case {
            prey: Color::Black,
            scope,
            ..at_risk
        };
        let (hunt, twin) = (case.hunt(&oracle), Twin::new(&oracle, &case));
        let mut slips = vec![0.0; twin.prey.len()];
        for _ in 0..10 {
            slips = twin.step(
                &slips,
                [0.0, 0.0],
                |value| f64::from(u8::from(value < 0)),
                f64::max,
            );
        }
        assert!(slips.iter().any(|slip| *slip > 0.1));
        let found = hunt
            .chances(case.model(), Goal::Slip, Resistance::Hunter, 10, &())
            .unwrap();
        twin.check(&case, &hunt, &slips, &found);
    }
}

//! The library of endgames to practise, easiest first.
//!
//! Difficulty is measured by how rarely the reference player R_20, who may throw the result away, wins the deepest
//! positions within 50 moves against best defence. The numbers are data, `data/library.json`, so that the list is
//! available before any table; a test recomputes them.

use std::sync::LazyLock;

use errare_core::Material;
use serde::{Deserialize, Serialize};

/// An endgame to practise, in DTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LibraryEntry {
    /// The endgame; White wins.
    pub endgame: Material,
    /// A position of it, for display.
    pub fen: String,
    /// The depth of its deepest wins, in moves.
    pub deepest: u16,
    /// The probability that R_20 wins the deepest ones within 50 moves.
    pub chance: f64,
    /// The least depth at which that probability is below 3/4; none if there is none, or if it is at most 1/4 there.
    pub medium_from: Option<u16>,
    /// The least depth at which it is at most 1/4.
    pub hard_from: Option<u16>,
}

static ENTRIES: LazyLock<Vec<LibraryEntry>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/library.json")).expect("the library is well formed")
});

/// The endgames, easiest first.
pub fn entries() -> &'static [LibraryEntry] {
    &ENTRIES
}

#[cfg(test)]
mod tests {
    use errare_choice::Kappa;
    use errare_core::{Metric, parse_position};
    use errare_endgame::{Oracle, Predictor, Values};
    use errare_tables::{Prober, Store};
    use shakmaty::{Color, Position};

    use super::*;
    use crate::Supply;

    #[test]
    fn the_easiest_come_first_and_the_pictures_are_of_them() {
        assert!(entries().is_sorted_by(|a, b| a.chance >= b.chance));
        for entry in entries() {
            let position = parse_position(&entry.fen).unwrap();
            assert_eq!(Material::of(position.board()), (entry.endgame, false));
        }
    }

    /// Recomputes endgames of three men; those of four take seconds each.
    #[test]
    fn the_numbers_are_those_of_the_predictor() {
        let directory = tempfile::tempdir().unwrap();
        let supply = Supply::new(Store::open(directory.path(), 1 << 24)).with_memory(1 << 30);
        for entry in entries().iter().filter(|entry| entry.endgame.men() == 3) {
            supply
                .provide(&[entry.endgame], &[Metric::Dtc], &())
                .unwrap();
            let oracle = Oracle::new(Prober::new(supply.store().clone()), Metric::Dtc);
            let predictor =
                Predictor::new(&oracle, entry.endgame, Kappa::ONE, Values::Risked).unwrap();
            let chain = &predictor
                .chains(Color::White, &[20.0], f64::INFINITY, &())
                .unwrap()[0];
            let chances = chain.win_within(50);
            let chance = |depth| chances[chain.states().number(chain.win(depth))];
            let deepest = chain.depths().max().unwrap();
            assert_eq!(deepest, entry.deepest, "{}", entry.endgame);
            assert!(
                (chance(deepest) - entry.chance).abs() < 1e-4,
                "{}",
                entry.endgame
            );
            let first = |most: f64| chain.depths().find(|&depth| chance(depth) <= most);
            assert_eq!(first(0.25), entry.hard_from, "{}", entry.endgame);
        }
    }
}

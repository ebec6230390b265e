//! The meaning of a competence: the typical c of players of known rating.
//!
//! The numbers are in `data/anchor.json`, which also names the games and the command they come from. They are valid for
//! DTC with κ = 1, over the endgames that occur in games; another metric or κ has another scale and no anchor. The
//! treatment of moves that lose value also matters: a c is compared with those that the same model found.

use std::sync::LazyLock;

use errare_choice::{Estimate, Kappa};
use errare_core::Metric;
use serde::{Deserialize, Serialize};

use crate::{
    analyse::rated::{Population, Typical},
    model::{Model, ValueRule},
};

/// How a competence compares with rated players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Anchor {
    /// The competence.
    pub competence: f64,
    /// In words: "players of 2400 are usually near 3-15 in their games, mostly rook endings".
    pub text: String,
}

/// The numbers and their origin.
#[derive(Debug, Clone, Deserialize)]
pub struct AnchorData {
    /// The games.
    pub games: String,
    /// The command that computed the numbers from them.
    pub command: String,
    /// The numbers.
    pub population: Population,
}

/// The numbers by the treatment of moves that lose value.
#[derive(Debug, Deserialize)]
struct Shipped {
    keep: AnchorData,
    risk: AnchorData,
}

static SHIPPED: LazyLock<Shipped> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/anchor.json"))
        .expect("the shipped numbers are well formed")
});

/// Where rated players were seen: other endgames are harder or easier by this measure.
const WHERE: &str = "in their games, mostly rook endings";

/// The numbers for a treatment of moves that lose value, and their origin.
pub fn source(value: ValueRule) -> &'static AnchorData {
    match value {
        ValueRule::Keep => &SHIPPED.keep,
        ValueRule::Risk => &SHIPPED.risk,
    }
}

/// How a competence of this model compares with rated players; `None` where that is unknown.
pub fn of(c: f64, model: &Model, value: ValueRule) -> Option<Anchor> {
    if model.metric != Metric::Dtc || model.kappa != Kappa::ONE || !c.is_finite() || c <= 0.0 {
        return None;
    }
    let population = &source(value).population;
    let (first, last) = (population.typical.first()?, population.typical.last()?);
    let near = |typical: &Typical| {
        let [low, high] = typical.usual.map(f64::round);
        format!("{low}-{high}")
    };
    let [slowest, fastest] = population.slope_interval;
    let (who, nearest, [lowest, highest]) = if slowest <= 0.0 && fastest >= 0.0 {
        // The games do not show that c depends on the rating.
        let middle = &population.typical[population.typical.len() / 2];
        let who = format!("rated players ({:.0}-{:.0})", first.elo, last.elo);
        (who, middle, middle.usual)
    } else {
        let distance = |typical: &&Typical| (typical.median / c).ln().abs();
        let nearest = population
            .typical
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let who = format!("players of {:.0}", nearest.elo);
        (who, nearest, [first.usual[0], last.usual[1]])
    };
    let near = near(nearest);
    let text = if c < lowest {
        format!("less than {who} usually show {WHERE} ({near})")
    } else if c > highest {
        format!("more than {who} usually show {WHERE} ({near})")
    } else {
        format!("{who} are usually near {near} {WHERE}")
    };
    Some(Anchor {
        competence: (c * 100.0).round() / 100.0,
        text,
    })
}

/// An interval whose ends differ by a greater factor fits nearly every rated player.
const WIDEST: f64 = 5.0;

/// Is an estimate too rough for a comparison?
pub fn is_rough(estimate: &Estimate) -> bool {
    estimate.high > WIDEST * estimate.low
}

/// How an estimated competence compares with rated players; `None` also if the estimate is too rough.
///
/// ```
/// use errare_choice::Estimate;
/// use errare_service::{anchor, model::{Model, ValueRule}};
///
/// let estimate = |low: f64, high: f64| Estimate { mean: 15.0, sd: 5.0, low, high, mode: 15.0 };
/// let of = |estimate| anchor::of_estimate(&estimate, &Model::default(), ValueRule::Keep);
/// assert!(of(estimate(9.0, 24.0)).is_some());
/// assert!(of(estimate(0.7, 41.0)).is_none());
/// ```
pub fn of_estimate(estimate: &Estimate, model: &Model, value: ValueRule) -> Option<Anchor> {
    of(estimate.mean, model, value).filter(|_| !is_rough(estimate))
}

#[cfg(test)]
mod tests {
    use errare_core::grouped;

    use super::*;

    #[test]
    fn the_shipped_numbers_say_where_they_come_from() {
        for value in [ValueRule::Keep, ValueRule::Risk] {
            let AnchorData {
                games,
                command,
                population,
            } = source(value);
            assert!(!games.is_empty() && command.starts_with("errare analyse"));
            assert!(command.contains(&format!("--value {value}")));
            assert!(population.sides > 50 && population.typical.is_sorted_by(|a, b| a.elo < b.elo));
            for typical in &population.typical {
                assert!(typical.usual[0] < typical.median && typical.median < typical.usual[1]);
            }
        }
    }

    /// The document has the shipped numbers, and how many games they come from.
    #[test]
    fn the_document_has_these_numbers() {
        let document = include_str!("../../../docs/reference-players.md").replace('\n', " ");
        for value in [ValueRule::Keep, ValueRule::Risk] {
            let Population {
                sides,
                moves,
                slope,
                slope_interval: [low, high],
                typical,
                ..
            } = &source(value).population;
            let counted = format!("{sides} sides, {} moves", grouped(*moves as u64));
            let grows =
                format!("grows by {slope:.2} per 100 Elo, 95 % interval {low:.2} to {high:.2})");
            for words in [counted, grows] {
                assert!(document.contains(&words), "{words}");
            }
            for each in typical {
                let [low, high] = each.median_interval;
                let [least, most] = each.usual;
                let row = format!(
                    "| {:.0} | {:.1} | {low:.1} - {high:.1} | {least:.1} - {most:.1} |",
                    each.elo, each.median
                );
                assert!(document.contains(&row), "{row}");
            }
        }
    }

    #[test]
    fn a_competence_is_compared_with_those_of_the_same_model() {
        let said = |value| of(1.0, &Model::default(), value).unwrap().text;
        assert_ne!(said(ValueRule::Keep), said(ValueRule::Risk));
        for value in [ValueRule::Keep, ValueRule::Risk] {
            let near = |typical: &Typical| {
                let [low, high] = typical.usual.map(f64::round);
                format!("{low}-{high}")
            };
            let mut ranges = source(value).population.typical.iter().map(near);
            assert!(ranges.any(|range| said(value).contains(&range)), "{value}");
        }
    }

    #[test]
    fn what_is_beyond_all_that_was_seen_is_said_to_be() {
        for value in [ValueRule::Keep, ValueRule::Risk] {
            let said = |c| of(c, &Model::default(), value).unwrap().text;
            let (low, high) = (said(0.001), said(1e4));
            assert!(
                low.starts_with("less than ") && low.contains("usually show"),
                "{low}"
            );
            assert!(
                high.starts_with("more than ") && high.contains("usually show"),
                "{high}"
            );
        }
    }

    #[test]
    fn what_was_not_measured_has_no_anchor() {
        let usual = Model::default();
        assert!(
            of(20.0, &usual, ValueRule::Keep)
                .unwrap()
                .text
                .contains("usually")
        );
        for c in [0.0, -3.0, f64::INFINITY] {
            assert_eq!(of(c, &usual, ValueRule::Risk), None);
        }
        let other = Model {
            metric: Metric::Dtm,
            ..usual
        };
        assert_eq!(of(20.0, &other, ValueRule::Keep), None);
    }
}

//! Key figures of our engine for games at the paper's mileposts.
//!
//! The figures of our own run are shipped, so that the papers can be reproduced without an engine. The run is described in
//! `docs/calibration.md`; `cargo run -p errare-service --example mileposts -- STUDY.db` writes such files.

use std::collections::BTreeMap;

use errare_core::{FaultKind, Watch};
use errare_rating::{CAP, DECIDED_PAWNS, TurnEntry, scaled};
use serde::{Deserialize, Serialize};

use super::PERIODS;
use crate::{Error, Service, fit, study::StudyView};

/// c of the fits in which only s is free, so that periods can be compared: our line through 2006-2009 has this c near
/// 2550.
const FIXED_C: f64 = 0.57;

/// The width of intervals of the advantage, in pawns.
const WIDTH: f64 = 0.5;

const FITTED: &str = include_str!("fitted.tsv");
const FIXED: &str = include_str!("fixed.tsv");
const SCALING: &str = include_str!("scaling.tsv");

/// Fits by milepost and the scaling law, for one engine.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingsSummary {
    /// 2006-2009, fitted as in the paper: c from a line over Elo, then s.
    pub fitted: Vec<SummaryRow>,
    /// All periods with the same c.
    pub fixed: Vec<SummaryRow>,
    /// The mean cost of moves, by advantage.
    pub scaling: Vec<Bin>,
}

/// One milepost of one period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SummaryRow {
    /// The years.
    pub period: String,
    /// The rating of both players.
    pub elo: u16,
    /// Turns used.
    pub turns: usize,
    /// Sensitivity.
    pub s: f64,
    /// Its standard error.
    pub error: f64,
    /// Consistency.
    pub c: f64,
    /// First-move matches in per cent, actual.
    pub mm: f64,
    /// Average difference, scaled, actual.
    pub ad: f64,
    /// First-move matches in per cent, as the agent projects them.
    #[serde(default)]
    pub mm_projected: Option<f64>,
    /// Average difference, scaled, as the agent projects it.
    #[serde(default)]
    pub ad_projected: Option<f64>,
    /// Q_fit, the quality of the projected rank frequencies.
    #[serde(default)]
    pub q_fit: Option<f64>,
}

impl SummaryRow {
    /// The row in words.
    pub(super) fn words(&self) -> String {
        let projected = |value: Option<f64>, digits| {
            value.map_or(String::new(), |value| format!("{value:.digits$} / "))
        };
        let q_fit = self.q_fit.map(|q_fit| format!(", Q_fit {q_fit:.3}"));
        format!(
            "s_fit {:.3} ± {:.3}, c_fit {:.3}, mm {}{:.1}, ad {}{:.3}{}, {} turns",
            self.s,
            self.error,
            self.c,
            projected(self.mm_projected, 1),
            self.mm,
            projected(self.ad_projected, 3),
            self.ad,
            q_fit.unwrap_or_default(),
            self.turns
        )
    }
}

/// Turns of similar advantage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// The middle of the interval, in pawns.
    pub advantage: f64,
    /// Turns.
    pub turns: f64,
    /// The mean cost of moves, in pawns.
    pub raw: f64,
    /// The mean scaled cost.
    pub scaled: f64,
}

impl RatingsSummary {
    /// Our own run.
    pub(super) fn stored() -> RatingsSummary {
        RatingsSummary {
            fitted: rows(FITTED),
            fixed: rows(FIXED),
            scaling: rows(SCALING),
        }
    }

    /// The summary of the games of a study.
    pub fn of(
        service: &Service,
        view: &StudyView,
        watch: &dyn Watch,
    ) -> Result<RatingsSummary, Error> {
        let [recent, ..] = PERIODS;
        let mut fixed = Vec::new();
        for period in PERIODS {
            fixed.extend(fitted(service, view, period, Some(FIXED_C), watch)?);
        }
        Ok(RatingsSummary {
            fitted: fitted(service, view, recent, None, watch)?,
            fixed,
            scaling: scaling(view)?,
        })
    }

    /// Does s fall as Elo rises? A line through the mileposts must fall by more than three standard errors.
    pub(super) fn sensitivity_falls(&self) -> bool {
        let weighted = |of: &dyn Fn(&SummaryRow) -> f64| -> f64 {
            self.fitted
                .iter()
                .map(|row| of(row) / row.error.powi(2))
                .sum()
        };
        let elo = |row: &SummaryRow| f64::from(row.elo);
        let all = weighted(&|_| 1.0);
        let [x, y] = [weighted(&elo) / all, weighted(&|row| row.s) / all];
        let spread = weighted(&|row| (elo(row) - x).powi(2));
        let slope = weighted(&|row| (elo(row) - x) * (row.s - y)) / spread;
        slope < -3.0 / spread.sqrt()
    }

    /// The mean difference of s between two periods over their common mileposts, with its standard error and the number of
    /// mileposts.
    pub(super) fn inflation(&self, then: &str, now: &str) -> Option<(f64, f64, usize)> {
        let of = |period: &str| {
            let period = period.to_owned();
            self.fixed.iter().filter(move |row| row.period == period)
        };
        let pairs: Vec<(f64, f64)> = of(then)
            .filter_map(|row| {
                let now = of(now).find(|now| now.elo == row.elo)?;
                Some((row.s - now.s, row.error.hypot(now.error)))
            })
            .collect();
        let count = pairs.len() as f64;
        let difference = pairs.iter().map(|pair| pair.0).sum::<f64>() / count;
        let error = pairs.iter().map(|pair| pair.1.powi(2)).sum::<f64>().sqrt() / count;
        (!pairs.is_empty()).then_some((difference, error, pairs.len()))
    }
}

/// The lines of a stored table.
fn rows<T: for<'de> Deserialize<'de>>(table: &str) -> Vec<T> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .from_reader(table.as_bytes());
    let rows: Result<Vec<T>, _> = reader.deserialize().collect();
    rows.expect("the stored tables are well written")
}

/// The mileposts of a period with turns; empty if there are no games of these years.
fn fitted(
    service: &Service,
    view: &StudyView,
    period: &str,
    c: Option<f64>,
    watch: &dyn Watch,
) -> Result<Vec<SummaryRow>, Error> {
    let years = period
        .split_once('-')
        .and_then(|(from, to)| Some([from.parse().ok()?, to.parse().ok()?]));
    let mut request = fit::Request::new(view.clone());
    request.classes.mileposts = (16..=27).rev().map(|hundred| hundred * 100).collect();
    request.classes.years = years;
    request.paper = c.is_none();
    request.c = c;
    let answer = match fit::answer(service, &request, watch) {
        Err(error) if error.kind() == FaultKind::Missing => return Ok(Vec::new()),
        answer => answer?,
    };
    Ok(answer
        .classes
        .iter()
        .filter_map(|class| {
            let known = class.known.as_ref()?;
            let fit = &known.fits.as_ref()?.percentile;
            Some(SummaryRow {
                period: period.to_owned(),
                elo: class.milepost?,
                turns: class.turns,
                s: fit.s,
                error: fit.s_se?,
                c: fit.c,
                mm: 100.0 * known.mm.actual,
                ad: known.ad.actual,
                mm_projected: Some(100.0 * known.mm.projected),
                ad_projected: Some(known.ad.projected),
                q_fit: Some(known.q_fit),
            })
        })
        .collect())
}

/// The mean cost of moves, by advantage.
fn scaling(view: &StudyView) -> Result<Vec<Bin>, Error> {
    let (study, view) = view.open()?;
    let mut sums: BTreeMap<i32, [f64; 3]> = BTreeMap::new();
    study.visit(&view, |entry| {
        if let TurnEntry::Used(turn) = entry {
            let best = turn.options[0].score.pawns();
            let played = turn.options[turn.played].score.pawns().max(best - CAP);
            // An advantage of exactly three pawns is the last that counts.
            let interval = (best / WIDTH).floor().min(DECIDED_PAWNS / WIDTH - 1.0);
            let sum = sums.entry(interval as i32).or_default();
            sum[0] += 1.0;
            sum[1] += best - played;
            sum[2] += scaled(best) - scaled(played);
        }
    })?;
    Ok(sums
        .into_iter()
        .map(|(interval, [turns, raw, scaled])| Bin {
            advantage: (f64::from(interval) + 0.5) * WIDTH,
            turns,
            raw: raw / turns,
            scaled: scaled / turns,
        })
        .collect())
}

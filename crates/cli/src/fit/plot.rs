//! s, mm and ad over ratings.

use std::path::Path;

use anyhow::Result;

use super::answer::Answer;
use crate::{
    chart::{self, Dot, Panel},
    files,
};

/// Standard errors that bars reach to either side.
const REACH: f64 = 2.0;

/// Draws three panels: s with its errors, mm and ad as they are and as projected.
pub(super) fn draw(path: &Path, answer: &Answer) -> Result<()> {
    let mut panels = ["s", "mm", "ad"].map(|y| Panel {
        x: "Elo",
        y,
        dots: Vec::new(),
        levels: Vec::new(),
    });
    for class in &answer.classes {
        let (Some(milepost), Some(known)) = (class.milepost, &class.known) else {
            continue;
        };
        let dot = |value: f64, error: f64, projected| Dot {
            x: milepost.into(),
            low: value - REACH * error,
            value,
            high: value + REACH * error,
            projected,
        };
        if let (Some(fits), Some(method)) = (&known.fits, answer.method) {
            let fit = fits.by(method);
            panels[0]
                .dots
                .push(dot(fit.s, fit.s_se.unwrap_or(0.0), None));
        }
        for (panel, compared) in panels[1..].iter_mut().zip([known.mm, known.ad]) {
            let projected = Some(compared.projected);
            panel
                .dots
                .push(dot(compared.actual, compared.sd, projected));
        }
    }
    files::write(path, &chart::svg(&panels)?)
}

//! The report on a screening: the list, then the method and its caveats.

use std::path::Path;

use anyhow::Result;
use errare_rating::{Calibration, FEWEST_SCREENED_TURNS, Screening};

use super::{HEAD, row, thresholds};
use crate::{
    chart::{self, Dot, Panel},
    page::Page,
};

/// Writes the page.
pub(super) fn write(
    path: &Path,
    screening: &Screening,
    calibration: &Calibration,
    fast: bool,
) -> Result<()> {
    let mut page = Page::new("Screening");
    page.warning(
        "Nothing here is a finding about a person. A label says what to do next: nothing (normal), look \
         at further games (watch), or have the games examined in full (full test).",
    );
    if fast {
        page.warning("Some games are fast ones; the calibration is for classical games.");
    }
    page.paragraph(&thresholds(screening));
    page.table(&HEAD, screening.players.iter().map(row));
    let notes = screening.players.iter().filter(|one| !one.has_few_turns());
    for (one, warning) in notes.flat_map(|one| one.warnings.iter().map(move |text| (one, text))) {
        page.paragraph(&format!("{}: {warning}.", one.player));
    }
    if !screening.unscreened.is_empty() {
        page.paragraph(&format!(
            "Without a rating or a turn that is used, and so not screened: {}.",
            screening.unscreened.join("; ")
        ));
    }
    let panel = |y, z: &dyn Fn(usize) -> f64| Panel {
        x: "place in the list",
        y,
        dots: (0..screening.players.len())
            .map(|place| Dot {
                x: (place + 1) as f64,
                low: z(place),
                value: z(place),
                high: z(place),
                projected: None,
            })
            .collect(),
        levels: vec![screening.thresholds.watch, screening.thresholds.full_test],
    };
    page.svg(&chart::svg(&[
        panel("adjusted z of mm", &|place| {
            screening.players[place].adjusted.z_mm
        }),
        panel("adjusted z of ad", &|place| {
            screening.players[place].adjusted.z_ad
        }),
    ])?);
    method(&mut page, calibration);
    page.write(path)
}

fn method(page: &mut Page, calibration: &Calibration) {
    let inflation = calibration.inflation;
    page.heading("Method");
    page.paragraph(&format!(
        "Every legal move of every turn after move 8, in positions new in their game, with more than one \
         legal move and neither side more than three pawns ahead, was evaluated by {}. A model agent \
         that stands for players of the player's own rating says how often it would play the engine's \
         first move (mm), a move of the best value (equal), and how much its moves would cost on average \
         (ad, scaled), in the very same positions, with standard deviations. z is the distance of what \
         was played from that, in standard deviations; positive z mean more agreement.",
        calibration.engine
    ));
    page.paragraph(&format!(
        "Among players of known rating z scatter by {:.2} (mm) and {:.2} (ad) where 1 is nominal \
         ({} players). Adjusted z are divided by these factors; labels go by the greater of the two \
         adjusted z.",
        inflation.mm, inflation.ad, inflation.players
    ));
    page.heading("Caveats");
    for caveat in [
        "Many comparisons: out of a thousand honest players one has a z above 3 by chance, and with \
         heavier tails than the normal distribution's rather three to six. Thresholds rise with the \
         number of players screened, but not with the number of lists you look at.",
        "The rating must be the player's true strength. Young, improving, returning or underrated players \
         exceed what their rating lets expect, and so does anybody in good form.",
        "Well-known opening play beyond move 8, forced sequences, and simple endgames raise agreement \
         without any aid. Look at the games.",
        "Turns of one game hang together more than the model has it; that is what the adjustment is for.",
    ] {
        page.paragraph(caveat);
    }
    page.paragraph(&format!(
        "With fewer than {FEWEST_SCREENED_TURNS} turns nobody gets a label other than normal. \
         A z is evidence only together with other evidence. Reference: Regan and Haworth (2011), \
         Intrinsic chess ratings.",
    ));
}

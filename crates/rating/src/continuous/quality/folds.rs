//! Folds for cross-validation.

use errare_core::Watch;

use super::super::{
    choices::{Choices, Stretch},
    fit::{ContinuousFit, FitError},
    lines::Lines,
};

/// The number of folds of games or players; each is predicted from the others.
pub(in super::super) const FOLDS: usize = 10;

/// Lines for each fold, fitted to the others.
pub(in super::super) fn left_out(
    choices: &Choices,
    lines: &Lines,
    part: impl Fn(&Stretch) -> usize,
    watch: &dyn Watch,
) -> Result<Vec<Lines>, FitError> {
    (0..FOLDS)
        .map(|fold| {
            let fit = ContinuousFit::new(choices, lines, |it| part(it) != fold, watch)?;
            watch.advance(1);
            Ok(fit.lines)
        })
        .collect()
}

/// The fold of a game.
pub(in super::super) fn part_of_game(stretch: &Stretch) -> usize {
    mixed(stretch.game.0 as u64)
}

/// The fold of a player; for unnamed players, that of the game.
pub(in super::super) fn part_of_player(stretch: &Stretch) -> usize {
    stretch
        .player
        .map_or_else(|| part_of_game(stretch), |player| mixed(player as u64))
}

/// Scrambles a number with the finaliser of SplitMix64, so that folds do not follow the order of
/// files.
fn mixed(number: u64) -> usize {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) % FOLDS as u64) as usize
}

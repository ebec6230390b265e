//! The covariance of fitted coefficients, allowing for correlation within games and players.
//!
//! Turns of a game and games of a player are not independent. The sandwich has the squared scores of clusters between
//! two inverse curvatures; with clusters of both kinds, squares of games and of players are added, and those of a
//! player in a game, which both contain, subtracted.
//!
//! Reference: Cameron, Gelbach & Miller (2011), *Robust inference with multiway clustering*.

use std::{collections::BTreeMap, ops::AddAssign};

use nalgebra::{DMatrix, DVector};

use super::choices::Stretch;

/// The covariance from the scores of stretches and the inverse of the curvature.
pub(super) fn covariance(
    stretches: &[&Stretch],
    scores: &[DVector<f64>],
    inverse: &DMatrix<f64>,
) -> DMatrix<f64> {
    // Unnamed players are all different.
    let player = |place: usize| stretches[place].player.ok_or(place);
    let games = squares(scores, |place| stretches[place].game);
    let players = squares(scores, player);
    let both = squares(scores, |place| (stretches[place].game, player(place)));
    let squares = games + players - both;
    nonnegative(&(inverse * squares * inverse))
}

/// The sum over clusters of the squares of their scores.
fn squares<K: Ord>(scores: &[DVector<f64>], cluster: impl Fn(usize) -> K) -> DMatrix<f64> {
    let count = scores[0].len();
    let mut sums: BTreeMap<K, DVector<f64>> = BTreeMap::new();
    for (place, score) in scores.iter().enumerate() {
        let sum = sums.entry(cluster(place));
        sum.or_insert_with(|| DVector::zeros(count))
            .add_assign(score);
    }
    let mut squares = DMatrix::zeros(count, count);
    for sum in sums.values() {
        squares.ger(1.0, sum, sum, 1.0);
    }
    squares
}

/// The nearest covariance: because of the subtraction, chance can make a variance negative, which is set to zero.
fn nonnegative(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let symmetric = 0.5 * (matrix + matrix.transpose());
    let mut eigen = symmetric.clone().symmetric_eigen();
    if eigen.eigenvalues.iter().all(|value| *value >= 0.0) {
        return symmetric;
    }
    eigen.eigenvalues.apply(|value| *value = value.max(0.0));
    eigen.recompose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameId;

    fn stretch(game: i64, player: Option<usize>) -> Stretch {
        Stretch {
            game: GameId(game),
            player,
            elo: None,
            turns: 0..0,
        }
    }

    fn variance(stretches: &[Stretch], scores: &[f64]) -> f64 {
        let stretches: Vec<&Stretch> = stretches.iter().collect();
        let scores: Vec<DVector<f64>> = scores
            .iter()
            .map(|it| DVector::from_element(1, *it))
            .collect();
        covariance(&stretches, &scores, &DMatrix::identity(1, 1))[(0, 0)]
    }

    /// Players 0 and 1 play games 0 and 2, in any order of the stretches; two unnamed players play game 5.
    #[test]
    fn pairs_of_a_game_and_of_a_player_count_once() {
        let mut stretches = vec![
            stretch(0, Some(0)),
            stretch(2, Some(1)),
            stretch(0, Some(1)),
            stretch(2, Some(0)),
        ];
        let [a, b, c, d] = [1.0, 2.0, 4.0, 8.0];
        // Of the six pairs, two share a game and two a player.
        let shared = 2.0 * (a * c + b * d + a * d + b * c);
        let own: f64 = [a, b, c, d].iter().map(|it| it * it).sum();
        assert_eq!(variance(&stretches, &[a, b, c, d]), own + shared);
        stretches.extend([stretch(5, None), stretch(5, None)]);
        let unnamed = (3.0_f64 + 5.0).powi(2);
        let all = variance(&stretches, &[a, b, c, d, 3.0, 5.0]);
        assert_eq!(all, own + shared + unnamed);
    }

    /// One person's turns in a game may come in several stretches.
    #[test]
    fn stretches_of_a_player_in_a_game_are_one() {
        let stretches = [
            stretch(0, Some(0)),
            stretch(0, Some(1)),
            stretch(0, Some(0)),
        ];
        assert_eq!(variance(&stretches, &[1.0, 2.0, 4.0]), 49.0);
    }

    #[test]
    fn no_variance_is_negative() {
        // Opponents pull apart, and so do each player's games.
        let stretches = [
            stretch(0, Some(0)),
            stretch(0, Some(1)),
            stretch(1, Some(0)),
            stretch(1, Some(1)),
        ];
        assert_eq!(variance(&stretches, &[1.0, -1.0, -1.0, 1.0]), 0.0);
        let matrix = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]);
        let eigen = nonnegative(&matrix).symmetric_eigen();
        let least = eigen.eigenvalues.min();
        assert!(least.abs() < 1e-12 && (eigen.eigenvalues.max() - 3.0).abs() < 1e-12);
    }
}

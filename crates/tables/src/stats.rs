//! Statistics of a table: how many positions are won, drawn and lost, and how deep they are.

mod count;

use std::collections::BTreeMap;

use errare_core::{Material, Metric, Moves, Outcome, Plies, Watch};
use serde::{Deserialize, Serialize};
use shakmaty::{Color, EnPassantMode, fen::Fen};

use self::count::{CountTally, Counts};
use crate::{Layer, Scan, ScanError, Store, layout::side};

/// The statistics of an endgame in one metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Statistics {
    /// The endgame.
    #[serde(rename = "endgame")]
    pub material: Material,
    /// The metric.
    pub metric: Metric,
    /// White to move.
    pub white: SideStatistics,
    /// Black to move.
    pub black: SideStatistics,
}

/// The statistics with one side to move. Positions are those of the whole board, except where they
/// are counted up to symmetry: eight symmetries without pawns, two with them. Wins are wins of the
/// side to move. En-passant rights are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SideStatistics {
    /// Legal positions.
    pub legal: u64,
    /// Positions that are won.
    pub wins: u64,
    /// Positions that are drawn.
    pub draws: u64,
    /// Positions that are lost.
    pub losses: u64,
    /// The deepest wins.
    pub deepest_win: Option<Deepest>,
    /// The deepest losses.
    pub deepest_loss: Option<Deepest>,
    /// Wins by depth in moves.
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, u64>))]
    pub win_depths: BTreeMap<Moves, u64>,
    /// Losses by depth in moves.
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, u64>))]
    pub loss_depths: BTreeMap<Moves, u64>,
    /// Statistics up to symmetry.
    pub unique: UniqueStatistics,
    /// Mutual zugzwangs, up to symmetry: positions legal with either side to move in which White
    /// does better if Black is to move. If both sides have the same men, swapping colours is a
    /// symmetry too. The number is the same for either side to move.
    pub mutual_zugzwangs: u64,
}

/// The deepest positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Deepest {
    /// Their depth.
    pub plies: Plies,
    /// Their depth in moves.
    pub moves: Moves,
    /// How many positions are as deep, in plies.
    pub positions: u64,
    /// One of them.
    pub fen: String,
}

/// Statistics with one side to move, up to symmetry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UniqueStatistics {
    /// Positions that are won.
    pub wins: u64,
    /// Positions that are drawn.
    pub draws: u64,
    /// Positions that are lost.
    pub losses: u64,
    /// Wins by depth in plies.
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, u64>))]
    pub win_plies: BTreeMap<Plies, u64>,
    /// Losses by depth in plies.
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, u64>))]
    pub loss_plies: BTreeMap<Plies, u64>,
}

/// Counts all positions of a stored table.
///
/// ```
/// use errare_core::Metric;
/// use errare_tables::{Store, build, statistics};
///
/// # let directory = tempfile::tempdir()?;
/// # let store = Store::open(directory.path(), 16 << 20);
/// build(&store, &["KRK".parse()?], &[Metric::Dtm], 1 << 30, &())?;
/// let statistics = statistics(&store, "KRK".parse()?, Metric::Dtm, &())?;
/// assert_eq!(statistics.white.deepest_win.ok_or("White wins")?.moves.0, 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn statistics(
    store: &Store,
    material: Material,
    metric: Metric,
    watch: &dyn Watch,
) -> Result<Statistics, ScanError> {
    let scan = Scan::new(store, material, Layer::Metric(metric))?;
    let counts = Counts::of(&scan, watch)?;
    let side = |turn| {
        Summary {
            scan: &scan,
            counts: &counts,
            metric,
            turn,
        }
        .statistics()
    };
    Ok(Statistics {
        material,
        metric,
        white: side(Color::White),
        black: side(Color::Black),
    })
}

/// Turns the counts of one side to move into statistics.
struct Summary<'a> {
    scan: &'a Scan,
    counts: &'a Counts,
    metric: Metric,
    turn: Color,
}

impl Summary<'_> {
    /// The outcomes that occur with this sign: 1 for wins, 0 for draws, -1 for losses.
    fn outcomes(&self, sign: i32) -> impl Iterator<Item = (Outcome, &CountTally)> {
        let palette = self.scan.table.palette(self.turn).iter().copied();
        palette
            .zip(&self.counts.sides[side(self.turn)])
            .filter(move |(outcome, tally)| outcome.sign() == sign && tally.occurs())
    }

    fn on_board(&self, tally: &CountTally) -> u64 {
        tally.on_board(self.scan.layout.symmetries())
    }

    fn statistics(&self) -> SideStatistics {
        let total = |sign| self.outcomes(sign).map(|(_, tally)| self.on_board(tally));
        let [wins, draws, losses] = [1, 0, -1].map(|sign| total(sign).sum());
        SideStatistics {
            legal: wins + draws + losses,
            wins,
            draws,
            losses,
            deepest_win: self.deepest(1),
            deepest_loss: self.deepest(-1),
            win_depths: self.by_moves(1),
            loss_depths: self.by_moves(-1),
            unique: self.unique(),
            mutual_zugzwangs: self.counts.mutual_zugzwangs.up_to_symmetry(),
        }
    }

    fn unique(&self) -> UniqueStatistics {
        let total = |sign| self.outcomes(sign).map(|(_, tally)| tally.up_to_symmetry());
        let [wins, draws, losses] = [1, 0, -1].map(|sign| total(sign).sum());
        let by_plies = |sign| {
            self.outcomes(sign)
                .filter_map(|(outcome, tally)| Some((outcome.plies()?, tally.up_to_symmetry())))
                .collect()
        };
        UniqueStatistics {
            wins,
            draws,
            losses,
            win_plies: by_plies(1),
            loss_plies: by_plies(-1),
        }
    }

    fn by_moves(&self, sign: i32) -> BTreeMap<Moves, u64> {
        let mut depths = BTreeMap::new();
        for (outcome, tally) in self.outcomes(sign) {
            if let Some(moves) = outcome.moves_in(self.metric) {
                *depths.entry(moves).or_default() += self.on_board(tally);
            }
        }
        depths
    }

    fn deepest(&self, sign: i32) -> Option<Deepest> {
        let (outcome, tally) = self
            .outcomes(sign)
            .max_by_key(|(outcome, _)| outcome.plies())?;
        let first = self.scan.layout.place_at(tally.first());
        let position = self.scan.position(first, self.turn);
        Some(Deepest {
            plies: outcome.plies()?,
            moves: outcome.moves_in(self.metric)?,
            positions: self.on_board(tally),
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
        })
    }
}

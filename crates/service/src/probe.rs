//! The verdict on a position and on its moves.
//!
//! The answer is a superset of lila-tablebase's. Depths are signed plies for the side to move: positive for a win,
//! negative for a loss, 0 for a draw and for checkmate, null if unknown. As there, a move is described by the
//! position after it, from the opponent's view.

use std::{path::PathBuf, time::Duration};

use errare_core::{Deadline, Mark, Material, Metric, Moves, Outcome, Watch, parse_position};
pub use errare_tables::Authority;
use errare_tables::{
    Assessment, Category, Depths, Judge, MAX_MEN, MoveVerdict, Prober, Syzygy, Verdict,
};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position, uci::UciMove};

use crate::{Error, Service};

/// A position, and how to judge it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ProbeRequest))]
pub struct Request {
    /// The position as FEN; underscores may stand for spaces. Its halfmove clock counts.
    pub fen: String,
    /// The metric in which moves are compared.
    #[serde(default = "usual_metric")]
    pub metric: Metric,
    /// Seconds after which the search for the DTR of moves returns bounds; 0 for bounds at once.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Directories of Syzygy tables, for positions with more men than Errare's tables have. Local requests only.
    #[serde(skip)]
    pub syzygy: Vec<PathBuf>,
}

/// DTC, the metric of the papers on fallible play.
fn usual_metric() -> Metric {
    Metric::Dtc
}

impl Request {
    /// A request for a position in DTC.
    pub fn new(fen: impl Into<String>) -> Request {
        Request {
            fen: fen.into(),
            metric: usual_metric(),
            seconds: None,
            syzygy: Vec::new(),
        }
    }
}

/// The verdict on a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ProbeAnswer))]
pub struct Answer {
    /// The verdict on the position.
    #[serde(flatten)]
    pub position: PositionVerdict,
    /// The tables it comes from.
    pub source: Authority,
    /// The metric used for the order, marks and ceded depths of moves.
    pub metric: Metric,
    /// Is it certain which moves are best? A comparison in DTR may run out of time, and then has bounds.
    #[serde(default = "certainly")]
    pub certain: bool,
    /// Every legal move, best first.
    pub moves: Vec<ProbedMove>,
}

fn certainly() -> bool {
    true
}

/// The verdict on a position, for the side to move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PositionVerdict {
    /// Its value under the 50-move rule, taking the halfmove clock into account.
    pub category: Category,
    /// Plies to a zeroing move.
    pub dtz: Option<i32>,
    /// Plies to a zeroing move, if known exactly.
    pub precise_dtz: Option<i32>,
    /// Plies to conversion.
    pub dtc: Option<i32>,
    /// Plies to mate.
    pub dtm: Option<i32>,
    /// Always null: a depth for variants.
    pub dtw: Option<i32>,
    /// The least k, in plies, such that a k-ply rule does not spoil the win.
    pub dtr: Option<i32>,
    /// The depths in moves of the winner.
    pub moves_to: MovesTo,
    /// Is the side to move mated?
    pub checkmate: bool,
    /// Is the side to move stalemated?
    pub stalemate: bool,
    /// Always false: variants are not supported.
    pub variant_win: bool,
    /// Always false: variants are not supported.
    pub variant_loss: bool,
    /// Can neither side ever mate?
    pub insufficient_material: bool,
    /// The endgame.
    pub endgame: Material,
}

/// Depths in moves of the winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MovesTo {
    /// To mate.
    pub dtm: Option<Moves>,
    /// To conversion.
    pub dtc: Option<Moves>,
    /// To a zeroing move.
    pub dtz: Option<Moves>,
    /// By the rule.
    pub dtr: Option<Moves>,
}

impl MovesTo {
    /// The depth in a metric.
    pub fn get(&self, metric: Metric) -> Option<Moves> {
        match metric {
            Metric::Dtm => self.dtm,
            Metric::Dtc => self.dtc,
            Metric::Dtz => self.dtz,
            Metric::Dtr => self.dtr,
        }
    }
}

impl From<&Depths> for MovesTo {
    fn from(depths: &Depths) -> MovesTo {
        let moves = |metric| depths.get(metric)?.moves_in(metric);
        MovesTo {
            dtm: moves(Metric::Dtm),
            dtc: moves(Metric::Dtc),
            dtz: moves(Metric::Dtz),
            dtr: moves(Metric::Dtr),
        }
    }
}

/// The verdict on a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProbedMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Is it a capture or pawn move, which resets the halfmove clock?
    pub zeroing: bool,
    /// Is it a capture or promotion, which changes the endgame?
    pub converting: bool,
    /// The same under lila-tablebase's name.
    #[serde(default)]
    pub conversion: bool,
    /// How forced it was.
    pub mark: Option<Mark>,
    /// The number of the winner's moves that it cedes compared with the best move; null if it changes the value, or
    /// if computing it takes too long.
    pub ceded: Option<Moves>,
    /// The depths for the side that makes it, counting this move, in moves of the winner.
    pub through: MovesTo,
    /// The upper bound of DTR, if the one in `through` is only a lower bound.
    pub dtr_at_most: Option<Moves>,
    /// The verdict on the position after it, for the side then to move.
    #[serde(flatten)]
    pub after: PositionVerdict,
}

/// The verdict on a position and its moves. Missing tables are built if permitted.
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let position = parse_position(&request.fen)?;
    let judge = judge(service, &position, &request.syzygy, watch)?;
    let limit = request.seconds.map(|seconds| seconds.max(0.0));
    let limit = limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = Deadline::after(limit.unwrap_or(Duration::MAX), watch);
    let verdict = judge.verdict(&position, request.metric, &deadline)?;
    watch.check()?;
    Ok(Answer::from(&verdict))
}

/// A judge for a position.
pub(crate) fn judge(
    service: &Service,
    position: &Chess,
    syzygy: &[PathBuf],
    watch: &dyn Watch,
) -> Result<Judge, Error> {
    let (endgame, _) = Material::of(position.board());
    if (3..=MAX_MEN).contains(&endgame.men()) && position.castles().is_empty() {
        service.tables.provide(&[endgame], &Metric::ALL, watch)?;
    }
    let needs_syzygy = endgame.men() > MAX_MEN && !syzygy.is_empty();
    let syzygy = needs_syzygy.then(|| Syzygy::open(syzygy)).transpose()?;
    let prober = Prober::new(service.tables.store().clone());
    Ok(Judge::new(prober, syzygy))
}

impl From<&Verdict> for Answer {
    fn from(verdict: &Verdict) -> Answer {
        Answer {
            position: (&verdict.position).into(),
            source: verdict.source,
            metric: verdict.metric,
            certain: verdict.certain,
            moves: verdict.moves.iter().map(ProbedMove::from).collect(),
        }
    }
}

impl From<&Assessment> for PositionVerdict {
    fn from(position: &Assessment) -> PositionVerdict {
        let depths = &position.depths;
        let plies = |metric| depths.get(metric).map(Outcome::signed_plies);
        PositionVerdict {
            category: position.category,
            dtz: plies(Metric::Dtz),
            precise_dtz: plies(Metric::Dtz).filter(|_| !depths.dtz_is_rounded()),
            dtc: plies(Metric::Dtc),
            dtm: plies(Metric::Dtm),
            dtw: None,
            dtr: plies(Metric::Dtr),
            moves_to: depths.into(),
            checkmate: position.checkmate,
            stalemate: position.stalemate,
            variant_win: false,
            variant_loss: false,
            insufficient_material: position.insufficient_material,
            endgame: position.endgame,
        }
    }
}

impl From<&MoveVerdict> for ProbedMove {
    fn from(verdict: &MoveVerdict) -> ProbedMove {
        let greatest = verdict.greatest_dtr;
        ProbedMove {
            uci: UciMove::from_standard(verdict.r#move).to_string(),
            san: verdict.san.to_string(),
            zeroing: verdict.zeroing,
            converting: verdict.converting,
            conversion: verdict.converting,
            mark: verdict.mark,
            ceded: verdict.ceded,
            through: (&verdict.through).into(),
            dtr_at_most: greatest.and_then(|dtr| dtr.moves_in(Metric::Dtr)),
            after: (&verdict.after).into(),
        }
    }
}

//! Lines of best play.

use std::path::PathBuf;

use errare_core::{Colour, Metric, Watch, parse_position};
use errare_tables::{Authority, Extent, Line};
use serde::{Deserialize, Serialize};
use shakmaty::Position;

use crate::{
    Error, Service,
    probe::{PositionVerdict, ProbedMove, judge},
};

/// A position, and how far to continue from it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LineRequest))]
pub struct Request {
    /// The position as FEN; underscores may stand for spaces.
    pub fen: String,
    /// The metric in which play is best.
    #[serde(default = "usual_metric")]
    pub metric: Metric,
    /// Does the line end with the first capture or promotion?
    #[serde(default)]
    pub to_conversion: bool,
    /// Directories of Syzygy tables, for positions with more men than Errare's tables have. Local requests only.
    #[serde(skip)]
    pub syzygy: Vec<PathBuf>,
}

fn usual_metric() -> Metric {
    Metric::Dtc
}

/// A line of best play, a superset of lila-tablebase's main line. A drawn position has no moves in its line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LineAnswer))]
pub struct Answer {
    /// The starting position.
    pub fen: String,
    /// The verdict on it.
    #[serde(flatten)]
    pub position: PositionVerdict,
    /// The tables it comes from.
    pub source: Authority,
    /// The metric in which play is best.
    pub metric: Metric,
    /// The winner, ignoring the 50-move rule; null for a draw.
    pub winner: Option<Colour>,
    /// The result of the line, as in PGN; `*` if the line stops before the end of the game.
    pub result: String,
    /// The moves, each with the verdict on the position after it.
    pub mainline: Vec<ProbedMove>,
}

/// Plies without a capture or a pawn move after which a draw can be claimed.
const FIFTY_MOVES: u32 = 100;

impl Answer {
    /// The line if players claim a draw by the 50-move rule as soon as they can, as in lila-tablebase.
    pub fn with_claims(mut self) -> Result<Answer, Error> {
        let mut clock = parse_position(&self.fen)?.halfmoves();
        let allowed = self.mainline.iter().take_while(|m| {
            let allowed = clock < FIFTY_MOVES;
            clock = if m.zeroing { 0 } else { clock + 1 };
            allowed
        });
        let allowed = allowed.count();
        if allowed < self.mainline.len() {
            self.mainline.truncate(allowed);
            self.winner = None;
            self.result = "1/2-1/2".to_owned();
        }
        Ok(self)
    }
}

/// A line of best play by both sides. Missing tables are built if permitted.
///
/// ```
/// use errare_service::line::{self, Request};
/// use serde_json::{from_value, json};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request: Request = from_value(json!({"fen": "8/8/8/4k3/8/8/Q7/K7 w - - 0 1"}))?;
/// let line = line::answer(&service, &request, &())?;
/// assert_eq!(line.result, "1-0");
/// assert!(line.mainline.last().is_some_and(|last| last.san.ends_with('#')));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let position = parse_position(&request.fen)?;
    let judge = judge(service, &position, &request.syzygy, watch)?;
    let extent = match request.to_conversion {
        true => Extent::Conversion,
        false => Extent::Mate,
    };
    let line = judge.line(&position, request.metric, extent, watch)?;
    Ok(Answer::from(&line))
}

impl From<&Line> for Answer {
    fn from(line: &Line) -> Answer {
        Answer {
            fen: line.fen.to_string(),
            position: (&line.position).into(),
            source: line.source,
            metric: line.metric,
            winner: line.winner.map(Colour::from),
            result: line.result().to_string(),
            mainline: line.mainline.iter().map(ProbedMove::from).collect(),
        }
    }
}

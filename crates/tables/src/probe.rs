//! Looks up the outcome of any position that has a table.

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError},
};

use errare_core::{Material, Metric, Outcome, Plies};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position};

use crate::{
    FileError, Layer, Layout, LayoutError, MAX_MEN, Store, TableFile, backup::before,
    generate::FIFTY_MOVES,
};

/// Looks up positions in a store of tables. Any number of threads may share it; cloning is as cheap as for the
/// store, and clones share open files.
///
/// ```no_run
/// use errare_core::{Metric, Outcome, Plies};
/// use errare_tables::{Prober, Store, parse_position};
///
/// let prober = Prober::new(Store::open("tables", 256 << 20));
/// let position = parse_position("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1")?;
/// assert_eq!(prober.outcome(&position, Metric::Dtm)?, Outcome::Win(Plies(69)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Prober {
    store: Store,
}

/// A table open for probing.
#[derive(Debug)]
pub(crate) struct OpenTable {
    layout: Layout,
    file: Arc<TableFile>,
}

/// Why a position has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// A side may still castle.
    #[error("tables do not know castling rights; write - for them if no side can castle")]
    Castling,
    /// More men than tables support.
    #[error("the position has {0} men; tables have at most {MAX_MEN}")]
    TooManyMen(usize),
    /// The table is missing.
    #[error("there is no {layer} table of {material} in {}", directory.display())]
    Missing {
        /// The endgame.
        material: Material,
        /// The layer.
        layer: Layer,
        /// The directory searched.
        directory: PathBuf,
    },
    /// The table cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Prober {
    /// A prober for this store.
    pub fn new(store: Store) -> Prober {
        Prober { store }
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The outcome of a position, with its depth in a layer. En-passant rights are taken into account.
    pub fn outcome(
        &self,
        position: &Chess,
        layer: impl Into<Layer>,
    ) -> Result<Outcome, ProbeError> {
        let layer = layer.into();
        let [without] = self.without_en_passant(position, [layer])?;
        // Most positions have no such right, and checking is cheap.
        if position.ep_square(EnPassantMode::Legal).is_none() {
            return Ok(without);
        }
        let moves = position.legal_moves();
        let (captures, others): (Vec<&Move>, Vec<&Move>) =
            moves.iter().partition(|m| m.is_en_passant());
        let mut best = (!others.is_empty()).then_some(without);
        for capture in captures {
            let after = after(position, *capture);
            let outcome = self.through_exit(&after, layer)?;
            if best.is_none_or(|best| outcome.preference() > best.preference()) {
                best = Some(outcome);
            }
        }
        Ok(best.unwrap_or(without))
    }

    /// The outcomes of a position in several layers. Its index is computed once.
    pub(crate) fn outcomes<const N: usize>(
        &self,
        position: &Chess,
        layers: [Layer; N],
    ) -> Result<[Outcome; N], ProbeError> {
        if position.ep_square(EnPassantMode::Legal).is_none() {
            return self.without_en_passant(position, layers);
        }
        let mut outcomes = [Outcome::Draw; N];
        for (outcome, layer) in outcomes.iter_mut().zip(layers) {
            *outcome = self.outcome(position, layer)?;
        }
        Ok(outcomes)
    }

    /// The outcome for the side that just made a move to which the layer measures the distance, such as a
    /// capture.
    pub(crate) fn through_exit(&self, after: &Chess, layer: Layer) -> Result<Outcome, ProbeError> {
        let metric = match layer {
            Layer::Metric(metric) => metric,
            Layer::Dtz50 => Metric::Dtr,
        };
        let through = before(self.outcome(after, metric)?, metric, true);
        Ok(match layer {
            Layer::Metric(_) => through,
            Layer::Dtz50 => under_rule(through),
        })
    }

    /// The tables' answers, ignoring en-passant rights.
    fn without_en_passant<const N: usize>(
        &self,
        position: &Chess,
        layers: [Layer; N],
    ) -> Result<[Outcome; N], ProbeError> {
        if position.castles().any() {
            return Err(ProbeError::Castling);
        }
        let mut outcomes = [Outcome::Draw; N];
        let (material, flipped) = Material::of(position.board());
        match material.men() {
            ..=2 => return Ok(outcomes),
            3..=MAX_MEN => {}
            men => return Err(ProbeError::TooManyMen(men)),
        }
        let turn = seen(position.turn(), flipped);
        let mut index = None;
        for (outcome, layer) in outcomes.iter_mut().zip(layers) {
            let table = self.table(material, layer)?;
            // All layers of an endgame have one layout.
            let index = *index.get_or_insert_with(|| {
                let index = table.layout.index(position.board(), flipped);
                index.expect("the kings of a legal position are apart")
            });
            *outcome = table.file.outcome(turn, index)?;
        }
        Ok(outcomes)
    }

    fn table(&self, material: Material, layer: Layer) -> Result<Arc<OpenTable>, ProbeError> {
        let key = (material, layer);
        let probed = &self.store.probed;
        let open = probed.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&key) {
            return Ok(Arc::clone(table));
        }
        drop(open);
        let file = match layer {
            Layer::Dtz50 => self.dtz50_file(material)?,
            layer => self.file(material, layer)?,
        };
        let layout = Layout::new(material).map_err(|error| match error {
            LayoutError::TooManyMen(material) | LayoutError::BareKings(material) => {
                ProbeError::TooManyMen(material.men())
            }
        })?;
        file.check_layout(&layout)?;
        let table = Arc::new(OpenTable { layout, file });
        let mut open = probed.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(open.entry(key).or_insert(table)))
    }

    /// The DTZ50 file, or the DTZ file if the DTR table says that they are equal.
    fn dtz50_file(&self, material: Material) -> Result<Arc<TableFile>, ProbeError> {
        let dtr = self.file(material, Layer::Metric(Metric::Dtr))?;
        let layer = if dtr.description().separate_dtz50 {
            Layer::Dtz50
        } else {
            Layer::Metric(Metric::Dtz)
        };
        self.file(material, layer)
    }

    fn file(&self, material: Material, layer: Layer) -> Result<Arc<TableFile>, ProbeError> {
        self.store
            .table(material, layer)?
            .ok_or_else(|| ProbeError::Missing {
                material,
                layer,
                directory: self.store.directory().to_owned(),
            })
    }
}

/// The colour in the endgame's terms.
fn seen(color: Color, flipped: bool) -> Color {
    if flipped { !color } else { color }
}

/// The value in DTZ50 of a zeroing move with this DTR.
fn under_rule(dtr: Outcome) -> Outcome {
    match dtr {
        Outcome::Win(plies) if plies.0 <= FIFTY_MOVES.into() => Outcome::Win(Plies(1)),
        Outcome::Loss(plies) if plies.0 <= FIFTY_MOVES.into() => Outcome::Loss(Plies(1)),
        _ => Outcome::Draw,
    }
}

/// The position after a move.
pub(crate) fn after(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}

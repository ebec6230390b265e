//! Plans a build: which layers of which endgames are missing, in which order to build them, and with how much
//! memory.

use errare_core::{Fault, FaultKind, Material, Metric};

use super::{BuildError, memory::slices_within};
use crate::{FileError, Layer, Layout, LayoutError, MAX_MEN, Store, generate::Family};

/// What to do with tables that are damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damaged {
    /// Damage is an error: only missing tables are built. The contents of blocks are not checked.
    Refused,
    /// Damaged tables are rebuilt. Finding them requires reading every file.
    Replaced,
}

/// Layers of an endgame that are solved together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildTask {
    /// The endgame.
    pub material: Material,
    /// The layers.
    pub layers: Vec<Layer>,
    /// Number of values to store: positions, for both sides to move, times layers.
    pub values: u64,
    /// The memory that it needs, in bytes.
    pub memory: u64,
    pub(super) family: Family,
    pub(super) slices_at_a_time: usize,
}

/// The tasks, and the damage found in existing tables.
#[derive(Debug, Default)]
pub(super) struct Missing {
    pub(super) tasks: Vec<BuildTask>,
    pub(super) damaged: Vec<FileError>,
}

/// The search for missing tables.
#[derive(Debug, Clone)]
pub(super) struct Search<'a> {
    pub(super) store: &'a Store,
    pub(super) metrics: Vec<Metric>,
    pub(super) memory: u64,
    pub(super) damaged: Damaged,
}

impl Search<'_> {
    /// The missing tables of these endgames and of all their subgames, in build order.
    pub(super) fn missing_of(&self, endgames: &[Material]) -> Result<Missing, BuildError> {
        // Otherwise the error would name a subgame that the user did not ask for.
        if let Some(&material) = endgames.iter().find(|material| material.men() > MAX_MEN) {
            return Err(LayoutError::TooManyMen(material).into());
        }
        let mut all = Missing::default();
        for material in Material::closure(endgames.iter().copied()) {
            let Missing { tasks, damaged } = self.missing(material)?;
            all.tasks.extend(tasks);
            all.damaged.extend(damaged);
        }
        Ok(all)
    }

    /// The missing tables of one endgame, planned within the memory limit if possible.
    pub(super) fn missing(&self, material: Material) -> Result<Missing, BuildError> {
        let mut damaged = Vec::new();
        let mut absent = Vec::new();
        for &metric in &self.metrics {
            if !self.is_there(material, metric, &mut damaged)? {
                absent.push(metric);
            }
        }
        if absent.is_empty() {
            return Ok(Missing::default());
        }
        let layout = Layout::new(material)?;
        let missing = |metric: Metric| absent.contains(&metric);
        // Without pawns, exactly the conversions are zeroing moves.
        let same = !material.has_pawns();
        let mut families: Vec<(Family, Vec<Layer>)> = Vec::new();
        let with_conversion = |mut layers: Vec<Layer>| {
            if same && missing(Metric::Dtc) {
                layers.push(Metric::Dtc.into());
            }
            layers
        };
        if missing(Metric::Dtr) {
            let mut layers = vec![Metric::Dtr.into(), Layer::Dtz50];
            if missing(Metric::Dtz) || !self.is_there(material, Metric::Dtz, &mut damaged)? {
                layers.push(Metric::Dtz.into());
            }
            families.push((Family::Rule, with_conversion(layers)));
        } else if missing(Metric::Dtz) {
            families.push((Family::Zeroing, with_conversion(vec![Metric::Dtz.into()])));
        }
        let done = |layer: Layer| families.iter().any(|(_, layers)| layers.contains(&layer));
        if missing(Metric::Dtc) && !done(Metric::Dtc.into()) {
            families.push((Family::Conversion, vec![Metric::Dtc.into()]));
        }
        if missing(Metric::Dtm) {
            families.push((Family::Mate, vec![Metric::Dtm.into()]));
        }
        let task = |(family, layers): (Family, Vec<Layer>)| {
            let by_the_rule = family == Family::Rule;
            let (slices_at_a_time, memory) = slices_within(&layout, by_the_rule, self.memory);
            BuildTask {
                material,
                values: 2 * layout.len() * layers.len() as u64,
                memory,
                layers,
                family,
                slices_at_a_time,
            }
        };
        Ok(Missing {
            tasks: families.into_iter().map(task).collect(),
            damaged,
        })
    }

    /// Is a metric complete? DTR also needs DTZ50 if its table says that DTZ50 has a file of its own.
    fn is_there(
        &self,
        material: Material,
        metric: Metric,
        damaged: &mut Vec<FileError>,
    ) -> Result<bool, FileError> {
        let separate_dtz50 = self.check(material, metric.into(), damaged)?;
        Ok(match separate_dtz50 {
            None => false,
            Some(true) if metric == Metric::Dtr => {
                self.check(material, Layer::Dtz50, damaged)?.is_some()
            }
            Some(_) => true,
        })
    }

    /// Does the table say that DTZ50 has a file of its own? `None` if the table is missing or will be
    /// replaced.
    fn check(
        &self,
        material: Material,
        layer: Layer,
        damaged: &mut Vec<FileError>,
    ) -> Result<Option<bool>, FileError> {
        let found = self.store.find(material, layer).and_then(|table| {
            if let (Some(table), Damaged::Replaced) = (&table, self.damaged) {
                if let Ok(layout) = Layout::new(material) {
                    table.check_layout(&layout)?;
                }
                table.check_blocks()?;
            }
            Ok(table)
        });
        match found {
            Ok(table) => Ok(table.map(|table| table.description().separate_dtz50)),
            Err(error) if self.damaged == Damaged::Replaced && can_be_replaced(&error) => {
                damaged.push(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Is the file an unusable table of ours? Files of other programs or newer versions are never replaced.
fn can_be_replaced(error: &FileError) -> bool {
    error.kind() == FaultKind::Damaged
        && !matches!(error, FileError::Foreign { .. } | FileError::Newer { .. })
}

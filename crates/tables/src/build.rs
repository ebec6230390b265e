//! Building the tables that are missing, subgames first.

mod memory;
mod sink;
pub(crate) mod subgames;
mod usage;

use std::ops::ControlFlow;

pub use self::usage::Usage;
use self::{memory::slices_within, sink::Tables, subgames::StoredSubgames, usage::Moment};
use crate::{
    FileError, Layer, Layout, LayoutError, Store, StoreError, WriteError,
    generate::{Abort, Failure, Family, Watch, generate},
};
use errare_core::{Material, Metric};

/// What is told while tables are built; every method may be called from any thread.
pub trait Observer: Sync {
    /// So much is to be built, if anything is.
    fn planned(&self, _tasks: &[Task]) {}

    /// A family of layers of an endgame is begun: `step` of `steps`, counted from 0.
    fn begin(&self, _task: &Task, _step: usize, _steps: usize) {}

    /// A ply of a pawn slice begins. A break ends the work; nothing unfinished is left behind.
    fn ply(&self, _progress: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Values of so many positions, both sides to move and all layers counted, are stored.
    fn stored(&self, _positions: u64) {}

    /// Another process is building the same endgame; its end is awaited.
    fn waiting(&self, _material: Material) {}

    /// A table is in its place.
    fn built(&self, _report: &Report) {}
}

/// Nothing is told.
impl Observer for () {}

/// Where the work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The endgame.
    pub material: Material,
    /// The layer.
    pub layer: Layer,
    /// The pawn slice, from 0.
    pub slice: usize,
    /// The ply.
    pub ply: u16,
}

/// Layers of an endgame that are solved together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The endgame.
    pub material: Material,
    /// The layers.
    pub layers: Vec<Layer>,
    /// Values to be stored: positions, for both sides to move, times layers.
    pub values: u64,
    /// The memory that it needs, in bytes.
    pub memory: u64,
    family: Family,
    slices_at_a_time: usize,
}

/// How the layers of a task were built.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The endgame.
    pub material: Material,
    /// The layers that were solved together, with the bytes of their files.
    pub layers: Vec<(Layer, u64)>,
    /// Positions of each layer, for both sides to move.
    pub positions: u64,
    /// What the solution took, reading of subgames included.
    pub solve: Usage,
    /// What compression and writing took.
    pub write: Usage,
    /// The greatest memory that the process has used so far, in bytes, where the system tells.
    pub peak_memory: Option<u64>,
}

/// Why tables could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no table of this endgame.
    #[error(transparent)]
    Endgame(#[from] LayoutError),
    /// More memory is needed than is allowed.
    #[error("{material} needs {} MiB of memory, more than the {} MiB that are free or allowed; raise --memory or close other programs", mib(*needed), mib(*allowed))]
    Memory {
        /// The endgame.
        material: Material,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that it may use.
        allowed: u64,
    },
    /// The directory cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A subgame cannot be read.
    #[error("cannot read a subgame of {material}")]
    Subgame {
        /// The endgame that is built.
        material: Material,
        /// What is wrong with the subgame.
        source: FileError,
    },
    /// A table that is there cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A depth does not fit into a table.
    #[error("{0} has a depth of more than 255 plies, which tables do not hold")]
    TooDeep(Material),
    /// The observer asked to stop.
    #[error("stopped; tables finished so far are kept")]
    Stopped,
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// What is missing for these metrics of these endgames, in the order in which it can be built.
fn plan(
    store: &Store,
    endgames: &[Material],
    metrics: &[Metric],
    memory: u64,
) -> Result<Vec<Task>, BuildError> {
    let mut tasks = Vec::new();
    for material in Material::closure(endgames.iter().copied()) {
        tasks.extend(missing(store, material, metrics, memory)?);
    }
    Ok(tasks)
}

/// What is missing of one endgame, to be built with so much memory if that is possible.
fn missing(
    store: &Store,
    material: Material,
    metrics: &[Metric],
    memory: u64,
) -> Result<Vec<Task>, BuildError> {
    let mut absent = Vec::new();
    for &metric in metrics {
        if !is_there(store, material, metric)? {
            absent.push(metric);
        }
    }
    if absent.is_empty() {
        return Ok(Vec::new());
    }
    let layout = Layout::new(material)?;
    let missing = |metric: Metric| absent.contains(&metric);
    // Without pawns a conversion is a zeroing move and no other is.
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
        if !is_there(store, material, Metric::Dtz)? {
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
        let (slices_at_a_time, memory) = slices_within(&layout, family == Family::Rule, memory);
        Task {
            material,
            values: 2 * layout.len() * layers.len() as u64,
            memory,
            layers,
            family,
            slices_at_a_time,
        }
    };
    Ok(families.into_iter().map(task).collect())
}

/// Whether a metric needs no building. DTR needs DTZ50 beside it, if it says that this has a table.
fn is_there(store: &Store, material: Material, metric: Metric) -> Result<bool, FileError> {
    let Some(found) = store.description(material, metric.into())? else {
        return Ok(false);
    };
    let needs_dtz50 = metric == Metric::Dtr && found.separate_dtz50;
    Ok(!needs_dtz50 || store.description(material, Layer::Dtz50)?.is_some())
}

/// Builds what is missing for these metrics of these endgames, with at most so many bytes of
/// memory. Whatever is finished stays, also after an error.
pub fn build(
    store: &Store,
    endgames: &[Material],
    metrics: &[Metric],
    memory: u64,
    observer: &impl Observer,
) -> Result<Vec<Report>, BuildError> {
    let tasks = plan(store, endgames, metrics, memory)?;
    if let Some(task) = tasks.iter().max_by_key(|task| task.memory)
        && task.memory > memory
    {
        return Err(BuildError::Memory {
            material: task.material,
            needed: task.memory,
            allowed: memory,
        });
    }
    observer.planned(&tasks);
    let mut reports = Vec::new();
    for (step, planned) in tasks.iter().enumerate() {
        let material = planned.material;
        let _lock = match store.try_lock(material)? {
            Some(lock) => lock,
            None => {
                observer.waiting(material);
                store.lock(material)?
            }
        };
        // Another process may have finished it meanwhile, or a part of it, so that there is something
        // else to do than was planned; but not more.
        if let Some(task) = missing(store, material, metrics, memory)?.first() {
            observer.begin(task, step, tasks.len());
            let report = build_task(store, task, observer)?;
            observer.built(&report);
            reports.push(report);
        }
    }
    Ok(reports)
}

fn build_task(store: &Store, task: &Task, observer: &impl Observer) -> Result<Report, BuildError> {
    let material = task.material;
    let layout = Layout::new(material)?;
    let begun = Moment::now();
    let subgames = StoredSubgames::new(store, task.family.layer());
    let mut tables = Tables::new(store, task, layout.len(), observer);
    let watch = Watched { material, observer };
    generate(
        &layout,
        task.family,
        &subgames,
        task.slices_at_a_time,
        &watch,
        &mut tables,
    )
    .map_err(|failure| match failure {
        Failure::Aborted(Abort::Cancelled) => BuildError::Stopped,
        Failure::Aborted(Abort::TooDeep) => BuildError::TooDeep(material),
        Failure::Subgame(source) => BuildError::Subgame { material, source },
        Failure::Sink(error) => error.into(),
    })?;
    let (layers, write) = tables.finish()?;
    let total = begun.elapsed();
    Ok(Report {
        material,
        layers,
        positions: 2 * layout.len(),
        solve: total - write,
        write,
        peak_memory: usage::peak_memory(),
    })
}

struct Watched<'a, O> {
    material: Material,
    observer: &'a O,
}

impl<O: Observer> Watch for Watched<'_, O> {
    fn ply(&self, slice: usize, layer: Layer, ply: u16) -> ControlFlow<()> {
        self.observer.ply(Progress {
            material: self.material,
            layer,
            slice,
            ply,
        })
    }
}

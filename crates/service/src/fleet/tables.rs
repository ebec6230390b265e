//! Builds tables with a fleet, in order of dependency.
//!
//! Workers that share a directory of tables with the submitter leave them there. If the queue spans machines, tables travel
//! through it: a worker fetches missing subgames and stores what it has built, and the submitter fetches that.

use std::{fs, sync::Arc};

use errare_core::{FaultKind, Material, Metric, Watch, write_file};
use errare_jobs::{MOST_FILE_BYTES, Queue, insist};
use errare_tables::{Damaged, Layer};
use serde::{Deserialize, Serialize};

use super::{
    Batch, QueueChoice, Work,
    batch::{About, damaged},
    piece::hash,
};
use crate::{Error, Service, tables};

/// A table built by a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct BuiltTable {
    layer: Layer,
    bytes: u64,
    sha256: String,
}

/// Builds missing tables, or submits them if nobody waits, and tells the watch how many.
///
/// A submitter that waits submits an endgame once its subgames are done, so that nothing is built twice. Without waiting, all
/// endgames are submitted at once, smaller ones first, and a worker builds any subgames that are still missing.
pub fn build(
    service: &Service,
    request: &tables::build::Request,
    choice: &QueueChoice,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let queue = choice.open()?;
    let (endgames, metrics) = request.tables()?;
    let plan = service.tables.plan(&endgames, &metrics)?;
    let mut missing: Vec<Material> = plan.tasks().iter().map(|task| task.material).collect();
    drop(plan);
    missing.dedup();
    if missing.is_empty() {
        watch.tell("the fleet has nothing to build: all tables are there");
        return Ok(());
    }
    let about = About {
        title: format!("build {} endgames", missing.len()),
        file: None,
    };
    // Named after the request, not after the tables still missing, so that a later call finds the same batch.
    let content = format!("{endgames:?} {metrics:?}");
    let batch = Batch::new(&*queue, "tables", content.as_bytes(), about);
    let piece = |&endgame: &Material| Work::Build {
        endgame,
        metrics: metrics.clone(),
    };
    let pieces: Vec<Work> = missing.iter().map(piece).collect();
    if choice.detach {
        batch.submit(&pieces, watch)?;
        batch.tell_submitted(pieces.len(), watch);
        return Ok(());
    }
    watch.begin("building tables", Some(missing.len() as u64));
    let mut here: Vec<bool> = vec![false; missing.len()];
    while here.contains(&false) {
        let is_missing = |endgame: &Material| {
            let place = missing.iter().position(|it| it == endgame);
            place.is_some_and(|place| !here[place])
        };
        let is_ready =
            |place: &usize| !here[*place] && !missing[*place].subgames().iter().any(is_missing);
        let wave: Vec<usize> = (0..missing.len()).filter(is_ready).collect();
        let work: Vec<Work> = wave.iter().map(|place| pieces[*place].clone()).collect();
        let ids = batch.submit(&work, watch)?;
        let mut answers = Vec::new();
        let dead = batch.collect(&ids, watch, |index, message| {
            let built: Vec<BuiltTable> = serde_json::from_slice(message).map_err(|_| damaged())?;
            answers.push((missing[wave[index]], built));
            watch.advance(1);
            Ok(())
        })?;
        // Not while answers are read: a queue handles one call at a time.
        for (endgame, built) in &answers {
            for table in built {
                take(service, &*queue, *endgame, table, watch)?;
            }
        }
        if let Some((index, job)) = dead.first() {
            let text = format!("{} was given up: {}", missing[wave[*index]], job.reason);
            return Err(Error::new(FaultKind::Internal, text));
        }
        for place in wave {
            here[place] = true;
        }
    }
    let plan = service.tables.plan(&endgames, &metrics)?;
    if let Some(task) = plan.tasks().first() {
        let text = format!("a worker's answer lacks tables of {}", task.material);
        return Err(Error::new(FaultKind::Damaged, text));
    }
    batch.forget(watch)?;
    watch.tell(&format!("the fleet has built {} endgames", missing.len()));
    Ok(())
}

/// The name under which a table is stored in the queue.
fn name(endgame: Material, layer: Layer) -> String {
    let version = env!("CARGO_PKG_VERSION").replace('.', "-");
    format!("table-{endgame}-{layer}-{version}")
}

/// Fetches a table from the queue, unless it exists already.
fn take(
    service: &Service,
    queue: &dyn Queue,
    endgame: Material,
    table: &BuiltTable,
    watch: &dyn Watch,
) -> Result<(), Error> {
    if service.tables.store().path(endgame, table.layer).is_file() {
        return Ok(());
    }
    let content = fetch(queue, endgame, table.layer, watch)?;
    let content = content.filter(|content| hash(content) == table.sha256);
    let Some(content) = content else {
        return Err(Error::new(
            FaultKind::Missing,
            format!(
                "a worker has built {endgame} {} in a directory that is not shared with this one",
                table.layer
            ),
        ));
    };
    keep(service, endgame, table.layer, content)
}

fn fetch(
    queue: &dyn Queue,
    endgame: Material,
    layer: Layer,
    watch: &dyn Watch,
) -> Result<Option<Vec<u8>>, Error> {
    let name = name(endgame, layer);
    Ok(insist(watch, || queue.get(&name, MOST_FILE_BYTES))?)
}

/// Puts a table that was built elsewhere into the directory, if it is one.
fn keep(service: &Service, endgame: Material, layer: Layer, content: Vec<u8>) -> Result<(), Error> {
    let store = service.tables.store();
    let content = Arc::new(content);
    store
        .check(endgame, layer, Arc::clone(&content))
        .map_err(|error| Error::from(error).context("a table in the queue is not usable"))?;
    let path = store.path(endgame, layer);
    let written = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| write_file(&path, &content));
    written.map_err(|error| {
        let text = format!("cannot write {}: {error}", path.display());
        Error::new(FaultKind::Internal, text)
    })
}

/// Fetches the subgames of an endgame that are missing here but in the queue. A damaged one is built here instead.
fn fetch_subgames(
    service: &Service,
    queue: &dyn Queue,
    endgame: Material,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let store = service.tables.store();
    let subgames = Material::closure([endgame]).into_iter();
    for subgame in subgames.filter(|subgame| *subgame != endgame) {
        for layer in Layer::ALL {
            if store.path(subgame, layer).is_file() {
                continue;
            }
            let fetched = fetch(queue, subgame, layer, watch).and_then(|content| match content {
                None => Ok(()),
                Some(content) => keep(service, subgame, layer, content),
            });
            match fetched {
                Err(error) if error.kind() == FaultKind::Damaged => {
                    tracing::warn!(%error, %subgame, %layer, "building a table that the queue has");
                }
                fetched => fetched?,
            }
        }
    }
    Ok(())
}

/// Builds the tables of one endgame, for a worker.
pub(super) fn work(
    service: &Service,
    queue: &dyn Queue,
    endgame: Material,
    metrics: &[Metric],
    watch: &dyn Watch,
) -> Result<Vec<u8>, String> {
    let built = || -> Result<Vec<BuiltTable>, Error> {
        let store = service.tables.store();
        if queue.spans_hosts() {
            fetch_subgames(service, queue, endgame, watch)?;
        }
        let damaged = Damaged::Replaced;
        service
            .tables
            .build(&[endgame], metrics, damaged, watch, |_| ())?;
        let mut built = Vec::new();
        for layer in Layer::ALL {
            let path = store.path(endgame, layer);
            let Ok(content) = fs::read(&path) else {
                continue;
            };
            if queue.spans_hosts() {
                let name = name(endgame, layer);
                insist(watch, || queue.put(&name, &content))?;
            }
            built.push(BuiltTable {
                layer,
                bytes: content.len() as u64,
                sha256: hash(&content),
            });
        }
        Ok(built)
    };
    let built = built().map_err(|error| error.to_string())?;
    serde_json::to_vec(&built).map_err(|error| error.to_string())
}

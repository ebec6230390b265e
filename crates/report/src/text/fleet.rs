//! The status of a job queue.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use errare_service::fleet::{
    shard::CollectedEvaluations,
    status::{BatchStatus, DeadLetter, Status, WorkerStatus},
    worker,
};

use super::{Text, table};
use crate::words::counted;

impl Text for Status {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Status {
            queue,
            batches,
            workers,
            per_minute,
            left,
        } = self;
        let left = counted(*left, "job", "jobs");
        writeln!(out, "{queue}: {left} left, {per_minute} a minute")?;
        if !batches.is_empty() {
            writeln!(out)?;
            let header = ["what", "jobs", "done", "given up", "batch"];
            table(out, header, 1, batches.iter().map(batch_row))?;
        }
        if !workers.is_empty() {
            writeln!(out)?;
            let header = ["has", "cores", "done", "failed", "a minute", "worker"];
            table(out, header, 1, workers.iter().map(worker_row))?;
        }
        for worker in workers {
            if let Some(reason) = &worker.trouble {
                let name = &worker.name;
                writeln!(
                    out,
                    "\n{name} may be broken; its last jobs all failed: {reason}"
                )?;
            }
        }
        for batch in batches {
            let mut causes: BTreeMap<&str, Vec<&DeadLetter>> = BTreeMap::new();
            for dead in &batch.dead {
                causes.entry(cause(&dead.reason)).or_default().push(dead);
            }
            let batch = &batch.batch;
            for (cause, dead) in causes {
                let job: String = dead[0].job.chars().take(12).collect();
                let reason = &dead[0].reason;
                match dead.len() {
                    1 => writeln!(out, "\n{batch}: job {job} was given up: {reason}")?,
                    many => writeln!(
                        out,
                        "\n{batch}: {many} jobs, {job} and others, were given up: {cause}"
                    )?,
                }
            }
        }
        Ok(())
    }
}

impl Text for CollectedEvaluations {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let CollectedEvaluations { new, left } = self;
        writeln!(out, "{new} new evaluations, {left} positions left")
    }
}

/// Why a job was given up, without the position that the reason may begin with.
fn cause(reason: &str) -> &str {
    match reason.split_once(": ") {
        Some((position, cause)) if position.contains('/') => cause,
        _ => reason,
    }
}

fn batch_row(batch: &BatchStatus) -> Vec<String> {
    vec![
        batch.title.clone(),
        batch.jobs.to_string(),
        batch.done.to_string(),
        batch.dead.len().to_string(),
        batch.batch.clone(),
    ]
}

fn worker_row(worker: &WorkerStatus) -> Vec<String> {
    vec![
        worker.kit.clone(),
        worker.cores.to_string(),
        worker.completed.to_string(),
        worker.failed.to_string(),
        worker.per_minute.to_string(),
        worker.name.clone(),
    ]
}

/// A worker's totals are a remark, not an answer.
impl Text for worker::Answer {
    fn write(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn aside(&self) -> Option<String> {
        let worker::Answer {
            name,
            completed,
            failed,
        } = self;
        Some(format!("{name}: {completed} jobs done, {failed} failed"))
    }
}

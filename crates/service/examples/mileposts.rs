//! Writes the figures that `errare reproduce` shows beside Regan and Haworth's tables, from a
//! study.
//!
//! `cargo run -p errare-service --example mileposts -- STUDY.db DIRECTORY`

use std::{env, error::Error, path::Path};

use errare_service::{Service, StudyView, Supply, reproduce::RatingsSummary};
use errare_tables::Store;
use serde::Serialize;

fn main() -> Result<(), Box<dyn Error>> {
    let [study, directory] = [1, 2].map(|nth| env::args().nth(nth).expect("STUDY.db DIRECTORY"));
    let service = Service {
        tables: Supply::new(Store::open(&directory, 0)).without_building(),
    };
    let view = StudyView {
        study: study.into(),
        ..StudyView::default()
    };
    let summary = RatingsSummary::of(&service, &view, &())?;
    write(&directory, "fitted.tsv", &summary.fitted)?;
    write(&directory, "fixed.tsv", &summary.fixed)?;
    write(&directory, "scaling.tsv", &summary.scaling)
}

fn write<T: Serialize>(directory: &str, name: &str, rows: &[T]) -> Result<(), Box<dyn Error>> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(b'\t')
        .from_path(Path::new(directory).join(name))?;
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(writer.flush()?)
}

//! Evaluation, fits, calibration, ratings and screenings, as any face requests them, on made-up evaluations of
//! made-up games. Every answer round-trips through JSON.

mod round_trip;
mod studies;
#[path = "../../../cli/tests/ratings/variants.rs"]
mod variants;
#[path = "../../../cli/tests/ratings/world.rs"]
mod world;

use std::{fs, path::PathBuf, sync::LazyLock};

use errare_choice::{Curve, Link};
use errare_rating::Estimator;
use errare_service::{
    CalibrationChoice, EvidenceChoice, Service, StudyView, Supply,
    calibrate::{self, Agents},
    evaluate::{self, ImportRequest},
    fit::Classes,
};
use errare_tables::Store;
use tempfile::TempDir;

/// A study with players of 2000, 2200 and 2400, and a calibration made from it; all tests share them.
struct Desk {
    directory: TempDir,
    service: Service,
}

static DESK: LazyLock<Desk> = LazyLock::new(|| {
    let directory = TempDir::new().unwrap();
    let tables = Supply::new(Store::open(directory.path().join("tables"), 1 << 20));
    let desk = Desk {
        directory,
        service: Service { tables },
    };
    fs::write(desk.path("turns.jsonl"), world::turns()).unwrap();
    let import = ImportRequest {
        file: desk.path("turns.jsonl"),
        store: desk.path("study.db"),
        net: Some("made-up.nnue".to_owned()),
    };
    evaluate::import(&desk.service, &import, &()).unwrap();
    let calibration = calibrate::answer(&desk.service, &calibrate_request(&desk), &()).unwrap();
    let text = serde_json::to_string(&calibration).unwrap();
    fs::write(desk.path("calibration.json"), text).unwrap();
    desk
});

fn calibrate_request(desk: &Desk) -> calibrate::Request {
    calibrate::Request {
        view: desk.view(),
        years: None,
        features: Vec::new(),
        agents: Some(Agents {
            classes: Classes::default(),
            link: Link::LogLog,
            curve: Curve::InverseExponential,
            method: Estimator::Likelihood,
        }),
    }
}

impl Desk {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn view(&self) -> StudyView {
        StudyView {
            study: self.path("study.db"),
            ..StudyView::default()
        }
    }

    fn evidence(&self) -> EvidenceChoice {
        EvidenceChoice {
            games: self.path("study.db"),
            calibration: CalibrationChoice {
                calibration: Some(self.path("calibration.json")),
                ..CalibrationChoice::default()
            },
            ..EvidenceChoice::default()
        }
    }
}

//! Figures of an independent computation on evaluated turns of real games.

use std::{env, fs, path::PathBuf};

use errare_choice::{Agent, Curve, Link};
use errare_rating::{AgentModel, Convergence, Estimator, Fit, Projection, Sample, Study};
use serde_json::Value;

/// The directory of the reference data, if available.
fn directory() -> Option<PathBuf> {
    let directory = env::var_os("ERRARE_REFERENCE").map(PathBuf::from);
    if directory.is_none() {
        errare_testing::skip("ERRARE_REFERENCE does not name the reference data");
    }
    directory
}

/// The used turns of each milepost, read through a study.
fn samples(directory: &std::path::Path) -> Vec<(String, Sample)> {
    let work = tempfile::tempdir().unwrap();
    let mut study = Study::open_or_create(&work.path().join("study.db")).unwrap();
    let turns = fs::File::open(directory.join("evals/depth10.jsonl")).unwrap();
    study.import(turns).unwrap();
    let view = study.view(None, None).unwrap();
    let mut samples = vec![
        ("2700".to_owned(), Sample::default()),
        ("2100".to_owned(), Sample::default()),
    ];
    for turn in study.turns(&view).unwrap().used {
        let milepost = turn.place.game.tag("Milepost").unwrap().to_owned();
        let sample = samples.iter_mut().find(|(name, _)| *name == milepost);
        let pawns: Vec<f64> = turn.options.iter().map(|it| it.score.pawns()).collect();
        sample.unwrap().1.push(&pawns, turn.played);
    }
    samples
}

fn near(ours: f64, theirs: &Value, tolerance: f64, what: &str) {
    let theirs = theirs.as_f64().unwrap();
    assert!(
        (ours - theirs).abs() <= tolerance,
        "{what}: {ours}, reference {theirs}"
    );
}

#[test]
fn projections_at_fixed_skill() {
    let Some(directory) = directory() else { return };
    let text = fs::read_to_string(directory.join("evals/depth10.expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    for (milepost, sample) in samples(&directory) {
        let expected = &expected[&milepost];
        assert_eq!(sample.turns() as u64, expected["T"].as_u64().unwrap());
        let tied = (0..sample.turns()).filter(|&turn| sample.turn(turn).tops > 1);
        assert_eq!(tied.count() as u64, expected["tied_top"].as_u64().unwrap());
        for (link, name) in [(Link::LogLog, "loglog"), (Link::Norm, "norm")] {
            for (s, c) in [(0.08, 0.513), (0.149, 0.45), (0.2, 0.5)] {
                let agent = Agent {
                    link,
                    ..Agent::of_paper(s, c)
                };
                let ours = Projection::new(&sample, &agent);
                let key = format!("{name}_s{s}_c{c}");
                let theirs = &expected[&key];
                near(ours.mm.actual, &expected["mm_actual"], 1e-9, &key);
                near(ours.ad.actual, &expected["ad_actual"], 1e-9, &key);
                near(ours.mm.projected, &theirs["mm"], 1e-9, &key);
                near(ours.mm.sd, &theirs["mm_sd"], 1e-9, &key);
                near(ours.ad.projected, &theirs["ad"], 1e-9, &key);
                near(ours.ad.sd, &theirs["ad_sd"], 1e-9, &key);
                near(ours.log_loss, &theirs["nll"], 1e-9, &key);
                near(ours.percentile, &theirs["S"], 1e-9, &key);
                near(ours.q_fit, &theirs["qfit50"], 1e-9, &key);
            }
        }
    }
}

#[test]
fn fits() {
    let Some(directory) = directory() else { return };
    let text = fs::read_to_string(directory.join("evals/depth10.expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    for (milepost, sample) in samples(&directory) {
        let expected = &expected[&milepost];
        for (estimator, name) in Estimator::ALL.into_iter().zip(["pct", "mle", "mmad"]) {
            let free = Fit::new(&sample, &AgentModel::of_paper(), estimator).unwrap();
            assert_eq!(
                free.convergence,
                Convergence::Converged,
                "{milepost} {name}"
            );
            let theirs = &expected[format!("fit_{name}")];
            near(free.agent.s, &theirs["s"], 1e-3, name);
            near(free.agent.c, &theirs["c"], 1e-3, name);
            near(free.objective, &theirs["objective"], 1e-8, name);
            let given = AgentModel::of_paper().with_c(0.5);
            let given = Fit::new(&sample, &given, estimator).unwrap();
            near(
                given.agent.s,
                &expected[format!("fit_{name}_c0.5_s")],
                1e-3,
                name,
            );
        }
        let theirs = &expected["blend_mle"];
        let mut model = AgentModel::new(Curve::InverseExponential, Link::Blend { lambda: 0.3 });
        let blend = Fit::new(&sample, &model, Estimator::Likelihood).unwrap();
        near(blend.agent.s, &theirs["s"], 1e-3, "blend");
        near(blend.agent.c, &theirs["c"], 1e-3, "blend");
        near(blend.agent.link.lambda(), &theirs["lam"], 1e-3, "blend");
        near(blend.objective, &theirs["nll"], 1e-7, "blend");
        let projection = Projection::new(&sample, &blend.agent);
        near(projection.mm.projected, &theirs["mm"], 1e-4, "blend");
        near(projection.ad.projected, &theirs["ad"], 1e-4, "blend");
        (model.c, model.lambda) = (Some(0.6), Some(0.35));
        let given = Fit::new(&sample, &model, Estimator::Likelihood).unwrap();
        near(given.agent.s, &theirs["s_at_c06_lam035"], 1e-3, "blend");
    }
}

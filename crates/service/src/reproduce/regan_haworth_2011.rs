//! Regan and Haworth (2011), *Intrinsic chess ratings*: the printed tables, and the results of our own engine and
//! games.

mod summary;

use std::path::{Path, PathBuf};

use errare_rating::{Point, StraightLine};
use serde::{Deserialize, Serialize};

pub use self::summary::RatingsSummary;
use super::{
    Computed, Experiment, Figure, FigureCurve, Finding, PaperVerdict, kept::pgn_files, lab::Lab,
};
use crate::{Error, Service, engine::EngineChoice, evaluate, study::StudyView};

pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "regan-haworth-2011/section-3.1",
        short: true,
        run: section_3_1,
    },
    Experiment {
        id: "regan-haworth-2011/section-7",
        short: true,
        run: section_7,
    },
    Experiment {
        id: "regan-haworth-2011/tables",
        short: true,
        run: tables,
    },
];

/// Games to evaluate for the tables, instead of our stored figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Ratings {
    /// The games, as PGN.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub games: Vec<PathBuf>,
    /// The study that keeps their evaluations.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub store: PathBuf,
    /// The search depth.
    pub depth: u8,
    /// The engine.
    #[serde(default)]
    pub engine: EngineChoice,
}

impl Ratings {
    /// All PGN files in a directory and its subdirectories; their evaluations are kept beside the tables.
    pub fn of_directory(
        service: &Service,
        directory: &Path,
        depth: u8,
        engine: EngineChoice,
    ) -> Result<Ratings, Error> {
        Ok(Ratings {
            games: pgn_files(directory)?,
            store: service.tables.store().directory().join("reproduction.db"),
            depth,
            engine,
        })
    }
}

/// The results of our engine: for the user's games, or the stored ones.
fn summary(lab: &Lab<'_>) -> Result<RatingsSummary, Error> {
    let Some(ratings) = &lab.ratings else {
        return Ok(RatingsSummary::stored());
    };
    let request = evaluate::Request {
        games: ratings.games.clone(),
        store: ratings.store.clone(),
        depth: ratings.depth,
        engine: ratings.engine.clone(),
    };
    evaluate::answer(lab.service, &request, lab.watch)?;
    lab.watch.check()?;
    let view = StudyView {
        study: ratings.store.clone(),
        ..StudyView::default()
    };
    RatingsSummary::of(lab.service, &view, &lab.quiet())
}

/// The remark on numbers from the user's games.
fn own_games(lab: &Lab<'_>) -> Option<String> {
    let depth = lab.ratings.as_ref()?.depth;
    Some(format!(
        "Your games and your engine at depth {depth} instead of the paper's games and Rybka 3 at depth 13."
    ))
}

/// A row of the tables of section 7.
struct Milepost {
    period: &'static str,
    elo: f64,
    c: f64,
    c_fit: &'static str,
    s_fit: f64,
    ad_projected: f64,
}

/// The printed tables: period, Elo, s, c, c_fit, s_fit, mm projected and actual, ad projected and actual, Q_fit.
const TABLES: &str = include_str!("regan_haworth_2011/printed.tsv");

const PERIODS: [&str; 3] = ["2006-2009", "1991-1994", "1976-1979"];

fn mileposts() -> Vec<Milepost> {
    TABLES
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&'static str> = line.split('\t').collect();
            let number = |field: usize| fields[field].parse().expect("the table holds numbers");
            Milepost {
                period: fields[0],
                elo: number(1),
                c: number(3),
                c_fit: fields[4],
                s_fit: number(5),
                ad_projected: number(8),
            }
        })
        .collect()
}

/// The scaling law: the mean cost of moves over the advantage, in pawns and scaled by ln(1 + x).
fn section_3_1(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let summary = summary(lab)?;
    let bins = &summary.scaling;
    let turns: f64 = bins.iter().map(|bin| bin.turns).sum();
    let mean = |of: fn(&summary::Bin) -> f64| {
        bins.iter().map(|bin| bin.turns * of(bin)).sum::<f64>() / turns
    };
    let means = [mean(|bin| bin.raw), mean(|bin| bin.scaled)];
    // How far the intervals are from level, relative to their mean.
    let scatter = |of: fn(&summary::Bin) -> f64, mean: f64| {
        let squares = bins
            .iter()
            .map(|bin| bin.turns * (of(bin) / mean - 1.0).powi(2));
        (squares.sum::<f64>() / turns).sqrt()
    };
    let raw = scatter(|bin| bin.raw, means[0]);
    let scaled = scatter(|bin| bin.scaled, means[1]);
    let side = |sign: f64| {
        let side = bins.iter().filter(|bin| sign * bin.advantage > 0.0);
        let (sum, turns) = side.fold((0.0, 0.0), |(sum, turns), bin| {
            (sum + bin.turns * bin.raw, turns + bin.turns)
        });
        sum / turns
    };
    let curve = |name: &str, of: fn(&summary::Bin) -> f64, mean: f64| FigureCurve {
        name: name.to_owned(),
        points: bins
            .iter()
            .map(|bin| (bin.advantage, of(bin) / mean))
            .collect(),
    };
    let figure = Figure {
        x: "advantage before the move (pawns)".to_owned(),
        y: "average difference, relative to its mean".to_owned(),
        curves: vec![
            curve("in pawns", |bin| bin.raw, means[0]),
            curve("scaled", |bin| bin.scaled, means[1]),
        ],
        marks: Vec::new(),
        printed: Vec::new(),
    };
    let text = format!(
        "{:.0} % in pawns, {:.0} % scaled, {turns:.0} turns",
        100.0 * raw,
        100.0 * scaled
    );
    let findings = [
        Finding::new("behind", Computed::yes(side(-1.0) > side(1.0))),
        Finding::new("levels", Computed::yes(scaled < raw)).with(figure),
        Finding::new("scatter", Computed::Text(text)),
    ];
    let why = own_games(lab);
    Ok(findings.map(|finding| finding.because(why.clone())).into())
}

fn section_7(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let all = mileposts();
    let recent: Vec<&Milepost> = all.iter().filter(|row| row.period == PERIODS[0]).collect();
    let line = |x: fn(&Milepost) -> f64, y: fn(&Milepost) -> f64| {
        let points: Vec<Point> = recent
            .iter()
            .map(|row| Point {
                x: x(row),
                y: y(row),
                error: 1.0,
            })
            .collect();
        StraightLine::through(&points).expect("the table has more than one row")
    };
    let c_by_elo = line(|row| row.elo, |row| row.c);
    let elo_by_ad = line(|row| row.ad_projected, |row| row.elo);
    let inflation = |period: &str| {
        let shared: Vec<f64> = all
            .iter()
            .filter(|row| row.period == period)
            .filter_map(|row| {
                let now = recent.iter().find(|now| now.elo == row.elo)?;
                Some(row.s_fit - now.s_fit)
            })
            .collect();
        let mean = shared.iter().sum::<f64>() / shared.len() as f64;
        Computed::Text(format!("{mean:+.4} over {} mileposts", shared.len()))
    };
    let ours = summary(lab)?;
    let printed = |period: &&str| FigureCurve {
        name: format!("{period}, print"),
        points: all
            .iter()
            .filter(|row| row.period == *period)
            .map(|row| (row.elo, row.s_fit))
            .collect(),
    };
    let mut curves: Vec<FigureCurve> = PERIODS.iter().map(printed).collect();
    curves.push(FigureCurve {
        name: "2006-2009, ours".to_owned(),
        points: ours
            .fitted
            .iter()
            .map(|row| (f64::from(row.elo), row.s))
            .collect(),
    });
    let figure = Figure {
        x: "Elo".to_owned(),
        y: "s_fit".to_owned(),
        curves,
        marks: Vec::new(),
        printed: Vec::new(),
    };
    let off_the_line = all.iter().filter(|row| {
        let c = c_by_elo.intercept + c_by_elo.slope * row.elo;
        Computed::Number(c).verdict(row.c_fit) != PaperVerdict::Equal
    });
    let in_range = all.iter().all(|row| (0.430..=0.545).contains(&row.c));
    let mut findings = vec![
        Finding::new("c-interval", Computed::Number(100.0 * c_by_elo.slope)),
        Finding::new("c-fit", Computed::count(off_the_line.count())),
        Finding::new("c-range", Computed::yes(in_range)),
        Finding::new(
            "elo-by-ad",
            Computed::Text(format!(
                "{:.0} {:+.0} ad, rms {:.0} Elo",
                elo_by_ad.intercept, elo_by_ad.slope, elo_by_ad.rms
            )),
        ),
        Finding::new("smooth", Computed::yes(ours.sensitivity_falls()))
            .with(figure)
            .because(own_games(lab)),
        Finding::new("inflation/1991", inflation(PERIODS[1])),
        Finding::new("inflation/1976", inflation(PERIODS[2])),
    ];
    for (key, period) in [("ours/1991", PERIODS[1]), ("ours/1976", PERIODS[2])] {
        if let Some((difference, error, mileposts)) = ours.inflation(period, PERIODS[0]) {
            let many = if mileposts == 1 { "" } else { "s" };
            let text = format!(
                "{difference:+.3} ± {:.3} over {mileposts} milepost{many}",
                2.0 * error
            );
            findings.push(Finding::new(key, Computed::Text(text)).because(own_games(lab)));
        }
    }
    Ok(findings)
}

/// The rows of the three tables, from our engine and games.
fn tables(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let ours = summary(lab)?;
    let rows = ours
        .fitted
        .iter()
        .chain(ours.fixed.iter().filter(|row| row.period != PERIODS[0]));
    let why = own_games(lab);
    Ok(rows
        .map(|row| {
            let key = format!("{}/{}", row.period, row.elo);
            Finding::new(key, Computed::Text(row.words())).because(why.clone())
        })
        .collect())
}

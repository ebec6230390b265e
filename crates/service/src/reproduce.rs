//! The papers computed again: every number, figure and claim that can be computed, beside what is printed.
//!
//! The data file `printed.tsv` has a line for each printed number; a computation produces our values for all
//! lines of one place. The verdict follows from the two and is never written by hand. Where the paper is wrong
//! or cannot be reproduced, the line says that this is known, and why.

mod entry;
mod games;
mod haworth_2001;
mod haworth_2002;
mod haworth_andrist_2004;
mod kept;
mod lab;
mod levene_fenner;
mod open_experiments;
mod printed;
mod regan_haworth_2011;

use std::{collections::BTreeSet, time::Instant};

use errare_core::Watch;
use serde::{Deserialize, Serialize};

use self::{
    entry::Computed,
    lab::Lab,
    printed::{Printed, printed},
};
pub use self::{
    entry::{Figure, FigureCurve, PaperEntry, PaperVerdict},
    kept::all_games,
    regan_haworth_2011::{Ratings, RatingsSummary},
};
use crate::{Error, Service};

/// What to reproduce.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReproduceRequest))]
pub struct Request {
    /// Names of entries, or the beginnings of names, such as `haworth-2002/figure-2`; all if empty.
    #[serde(default)]
    pub ids: Vec<String>,
    /// Only computations that take seconds, for a first look and for tests?
    #[serde(default)]
    pub short: bool,
    /// PGN of further games of Haworth and Andrist's table 2.
    #[serde(default)]
    pub games: Option<String>,
    /// Games to evaluate for Regan and Haworth's tables, instead of our stored figures.
    #[serde(default)]
    pub ratings: Option<Ratings>,
    /// Entries that were computed before and need not be computed again.
    #[serde(default)]
    pub known: Vec<PaperEntry>,
}

/// The reproduced entries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReproduceAnswer))]
pub struct Answer {
    /// The version of the program that computed it.
    pub version: String,
    /// The entries, in the order of the papers.
    pub entries: Vec<PaperEntry>,
}

impl Answer {
    /// The entries whose verdict is not the known and explained one.
    pub fn surprises(&self) -> impl Iterator<Item = &PaperEntry> {
        self.entries
            .iter()
            .filter(|entry| entry.verdict != entry.expected)
    }
}

/// The computation of one place of a paper: everything below its name in the data file.
struct Experiment {
    id: &'static str,
    /// Does it take only seconds?
    short: bool,
    run: fn(&Lab<'_>) -> Result<Vec<Finding>, Error>,
}

/// Our value for one line of the data file.
struct Finding {
    /// The name below that of the experiment; empty for the experiment itself.
    key: String,
    computed: Computed,
    figure: Option<Figure>,
    /// Why it differs from the paper, where the data file cannot know.
    why: Option<String>,
}

impl Finding {
    fn new(key: impl Into<String>, computed: Computed) -> Finding {
        Finding {
            key: key.into(),
            computed,
            figure: None,
            why: None,
        }
    }

    fn because(mut self, why: Option<String>) -> Finding {
        self.why = why;
        self
    }

    fn with(mut self, figure: Figure) -> Finding {
        self.figure = Some(figure);
        self
    }
}

/// All computations, in the order of the data file.
fn experiments() -> impl Iterator<Item = &'static Experiment> {
    [
        haworth_2001::EXPERIMENTS,
        haworth_2002::EXPERIMENTS,
        haworth_andrist_2004::EXPERIMENTS,
        levene_fenner::EXPERIMENTS,
        regan_haworth_2011::EXPERIMENTS,
        open_experiments::EXPERIMENTS,
    ]
    .into_iter()
    .flatten()
}

/// Is a name equal to another or below it?
fn is_below(id: &str, above: &str) -> bool {
    id.strip_prefix(above)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A claim of a paper, before anything is computed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrintedClaim {
    /// Its name.
    pub id: &'static str,
    /// The paper, the first part of the name.
    pub paper: &'static str,
    /// The place in the paper.
    pub place: &'static str,
    /// What the number means.
    pub claim: &'static str,
    /// The printed value.
    pub printed: &'static str,
    /// The known and explained verdict.
    pub expected: PaperVerdict,
    /// Why they differ, why it cannot be computed, or what we add.
    pub why: Option<&'static str>,
}

/// Every claim, in the order of the papers.
pub fn claims() -> Vec<PrintedClaim> {
    let lines = printed::printed().into_iter();
    lines
        .map(|line| PrintedClaim {
            id: line.id,
            paper: line.id.split('/').next().unwrap_or(line.id),
            place: line.place,
            claim: line.claim,
            printed: line.printed,
            expected: line.expected,
            why: line.why,
        })
        .collect()
}

/// The names that can be requested, one per place.
pub fn ids() -> Vec<&'static str> {
    experiments().map(|experiment| experiment.id).collect()
}

/// The papers, each the beginning of its entries' names.
fn papers() -> BTreeSet<&'static str> {
    let paper = |id: &'static str| id.split_once('/').map_or(id, |(paper, _)| paper);
    ids().into_iter().map(paper).collect()
}

/// The name of the paper or entry closest to this one.
fn most_similar(name: &str) -> &'static str {
    let all = papers().into_iter().chain(ids());
    all.min_by_key(|known| edits(known, name))
        .expect("there are papers")
}

/// The number of letters to insert, delete or replace to turn one name into the other (Levenshtein's distance).
fn edits(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.chars().enumerate() {
            let replaced = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    row[other.chars().count()]
}

/// Computes the requested entries. A run of everything keeps partial results beside the tables, so that an interrupted
/// run resumes.
pub fn run(service: &Service, request: Request, watch: &dyn Watch) -> Result<Answer, Error> {
    if !request.ids.is_empty() {
        return answer(service, &request, watch, &mut |_| {});
    }
    let kept = kept(service);
    let request = Request {
        known: kept.entries(),
        ..request
    };
    let answer = answer(service, &request, watch, &mut |entry| kept.add(entry))?;
    kept.forget();
    Ok(answer)
}

/// Deletes the partial results of an interrupted run.
pub fn forget(service: &Service) {
    kept(service).forget();
}

fn kept(service: &Service) -> kept::Kept {
    kept::Kept::new(service.tables.store().directory())
}

/// Computes the papers again. Entries are reported as they come, so that an interrupted run keeps its results.
pub fn answer(
    service: &Service,
    request: &Request,
    watch: &dyn Watch,
    told: &mut dyn FnMut(&PaperEntry),
) -> Result<Answer, Error> {
    let lines = printed();
    let is_asked =
        |id: &str| request.ids.is_empty() || request.ids.iter().any(|asked| is_below(id, asked));
    for asked in &request.ids {
        if !lines.iter().any(|line| is_below(line.id, asked)) {
            return Err(Error::bad_request(format!(
                "there is no entry {asked:?}, the most similar is {}; the papers are {}",
                most_similar(asked),
                papers().into_iter().collect::<Vec<_>>().join(", ")
            )));
        }
    }
    let lab = Lab {
        service,
        watch,
        games: request.games.clone(),
        ratings: request.ratings.clone(),
    };
    let chosen: Vec<&Experiment> = experiments()
        .filter(|experiment| experiment.short || !request.short)
        .filter(|experiment| {
            lines
                .iter()
                .any(|line| is_below(line.id, experiment.id) && is_asked(line.id))
        })
        .collect();
    // Experiments show their own stages; after each, the stage of the papers is resumed.
    let all = chosen.len() as u64;
    let show = |done: u64| {
        watch.begin("reproducing the papers", Some(all));
        watch.advance(done);
    };
    show(0);
    // Earlier results did not use the games that are available now.
    let is_of_games = |id: &str| {
        (request.games.is_some() && is_below(id, "haworth-andrist-2004/table-2"))
            || (request.ratings.is_some() && is_below(id, "regan-haworth-2011"))
    };
    let mut entries = Vec::new();
    for (number, experiment) in (1..).zip(chosen) {
        watch.check()?;
        let below: Vec<&Printed> = lines
            .iter()
            .filter(|line| is_below(line.id, experiment.id) && is_asked(line.id))
            .collect();
        let known: Vec<PaperEntry> = below
            .iter()
            .filter_map(|line| request.known.iter().find(|entry| entry.id == line.id))
            .filter(|entry| !is_of_games(&entry.id))
            .cloned()
            .collect();
        if known.len() == below.len() {
            entries.extend(known);
        } else {
            let begun = Instant::now();
            let findings = (experiment.run)(&lab)
                .map_err(|error| error.context(format!("cannot compute {}", experiment.id)))?;
            let seconds = begun.elapsed().as_secs_f64();
            for line in below {
                let own_games = is_of_games(line.id);
                let entry = judged(line, experiment.id, &findings, seconds, own_games);
                // A later run may not have these games.
                if !own_games {
                    told(&entry);
                }
                entries.push(entry);
            }
        }
        show(number);
    }
    Ok(Answer {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        entries,
    })
}

/// The reason shown if the user's games are not enough for a line.
const TOO_FEW: &str = "The given games are not enough to compute it.";

/// The entry for a line, with our value, from the user's games or without them.
fn judged(
    line: &Printed,
    experiment: &str,
    findings: &[Finding],
    seconds: f64,
    own_games: bool,
) -> PaperEntry {
    let key = line.id[experiment.len()..].trim_start_matches('/');
    let finding = findings.iter().find(|finding| finding.key == key);
    let verdict = match (finding, line.expected) {
        (None, _) => PaperVerdict::NotComputable,
        (Some(_), PaperVerdict::Beyond) => PaperVerdict::Beyond,
        (Some(finding), _) => finding.computed.verdict(line.printed),
    };
    // It is not known in advance which lines the user's games can fill, and what a few games show.
    let of_own_games = own_games && finding.is_some_and(|finding| finding.why.is_some());
    let (expected, why) = match (line.expected, verdict) {
        _ if of_own_games => (verdict, None),
        (PaperVerdict::Equal | PaperVerdict::WithinError, _) if finding.is_some() => {
            (line.expected, line.why)
        }
        (_, PaperVerdict::NotComputable) if own_games => (verdict, Some(TOO_FEW)),
        (PaperVerdict::NotComputable, _) => (verdict, line.why),
        (expected, _) => (expected, line.why),
    };
    let why = finding
        .and_then(|finding| finding.why.clone())
        .or_else(|| why.map(str::to_owned));
    PaperEntry {
        id: line.id.to_owned(),
        paper: line.id.split('/').next().unwrap_or_default().to_owned(),
        place: line.place.to_owned(),
        claim: line.claim.to_owned(),
        printed: line.printed.to_owned(),
        computed: finding.map(|finding| finding.computed.shown(line.printed)),
        difference: finding.and_then(|finding| finding.computed.difference(line.printed)),
        verdict,
        expected,
        why,
        seconds,
        command: format!("errare reproduce {}", line.id),
        figure: finding.and_then(|finding| finding.figure.clone()),
    }
}

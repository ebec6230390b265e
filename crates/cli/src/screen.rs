//! `errare screen`: whose moves agree with the engine more than the rating explains?

mod page;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, bail};
use clap::Args;
use errare_rating::{
    Calibration, FEWEST_SCREENED_TURNS, Pace, PlayerTurns, Screened, Screenee, Screening, Study,
    View, study::EngineSummary,
};
use serde::Serialize;

use crate::{calibrating::Calibrating, engine::EngineOptions, evaluating, interrupt, output};

/// Compares each player's moves with what the player's own rating lets expect, and ranks them
///
/// Games are evaluated first where they are not yet, into a study beside the file or the one named by
/// --store; a study can be screened as it is, where --engine is a part of the engine's name if there are
/// several. Positive z mean more agreement with the engine than
/// expected. Among many honest players some have high z by chance: the thresholds depend on how many are
/// screened. The labels are normal, watch and full test, and say what to do next, nothing about a person.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Games in PGN, or a study
    #[arg(value_name = "GAMES.pgn|STUDY.db")]
    input: PathBuf,

    /// The study the games are evaluated into [default: the games' file with .db at its end]
    #[arg(long, value_name = "STUDY.db")]
    store: Option<PathBuf>,

    /// How deep to search [default: 10, or the greatest depth of the study]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,

    #[command(flatten)]
    engine: EngineOptions,

    #[command(flatten)]
    calibrating: Calibrating,

    /// Write a report as a page, with the method and its caveats
    #[arg(long, value_name = "REPORT.html")]
    html: Option<PathBuf>,

    /// Print JSON instead of a table
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV instead of a table
    #[arg(long)]
    csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare screen round9.pgn
  errare screen round9.pgn --depth 8 --calibration depth8.json --html report.html
  errare screen study.db --calibration calibration.json --json";

/// A player with what the whole list depends on.
#[derive(Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    one: &'a Screened,
    players_screened: usize,
    thresholds: [f64; 2],
}

/// Evaluates what is missing, screens and reports.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (study, view) = match open(arguments)? {
        Some(opened) => opened,
        None => return Ok(ExitCode::from(interrupt::EXIT_CODE)),
    };
    let calibration = arguments.calibrating.load(&view.engine)?;
    let players: Vec<PlayerTurns> = PlayerTurns::all(&study, &view)?;
    let screening = calibration.screen(&players.iter().map(screenee).collect::<Vec<_>>());
    if !screening.unscreened.is_empty() {
        talk!(
            "errare: without a rating or a turn that is used, and so not screened: {}",
            screening.unscreened.join("; ")
        );
    }
    let fast = players.iter().flat_map(|player| player.games.values());
    let fast = fast.filter(|game| Pace::of(game) == Pace::Fast).count();
    if fast > 0 {
        talk!("errare: some games are fast ones; the calibration is for classical games");
    }
    if screening.players.is_empty() {
        talk!("errare: there is nobody to screen");
        return Ok(ExitCode::from(1));
    }
    if let Some(path) = &arguments.html {
        page::write(path, &screening, &calibration, fast > 0)?;
    }
    if arguments.json {
        let thresholds = screening.thresholds;
        let listed = |one| Listed {
            one,
            players_screened: thresholds.players,
            thresholds: [thresholds.watch, thresholds.full_test],
        };
        output::json(&screening.players.iter().map(listed).collect::<Vec<_>>())?;
    } else if arguments.csv {
        csv(&screening)?;
    } else {
        table(&screening, &calibration)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The study to screen, evaluated; none if that was interrupted.
fn open(arguments: &Arguments) -> Result<Option<(Study, View)>> {
    let input = &arguments.input;
    if is_study(input) {
        let study = Study::open(input)?;
        if arguments.store.is_some() {
            bail!("a study is screened as it is; --store is for games");
        }
        // Of several engines the name tells which; one that is alone needs none.
        let several = study.engines()?.chunk_by(same_engine).count() > 1;
        let engine = arguments.engine.named().filter(|_| several);
        let view = study.view(engine, arguments.depth)?;
        return Ok(Some((study, view)));
    }
    let store = match &arguments.store {
        Some(store) => store.clone(),
        None if input.as_os_str() == "-" => {
            bail!("games from standard input need --store STUDY.db")
        }
        None => input.with_added_extension("db"),
    };
    let pool = arguments.engine.start(arguments.depth.unwrap_or(10))?;
    let engine = pool.key().clone();
    let mut study = Study::open_or_create(&store)?;
    let entered = evaluating::enter(&mut study, std::slice::from_ref(input))?;
    let positions = evaluating::evaluate(&mut study, pool, Some(&entered.games))?;
    if positions.interrupted {
        talk!("errare: interrupted; what is evaluated is kept, the same command goes on");
        return Ok(None);
    }
    if positions.failed > 0 {
        bail!("the engine kept failing at {} positions", positions.failed);
    }
    let games = Some(entered.games);
    Ok(Some((study, View { engine, games })))
}

/// Whether both are of one engine, at different depths perhaps.
fn same_engine(one: &EngineSummary, other: &EngineSummary) -> bool {
    one.key.at_depth(0) == other.key.at_depth(0)
}

/// Whether a file is an SQLite database.
fn is_study(path: &Path) -> bool {
    let mut head = [0; 16];
    let read =
        std::fs::File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut head));
    read.is_ok() && head.starts_with(b"SQLite format 3")
}

fn screenee(player: &PlayerTurns) -> Screenee {
    Screenee {
        name: player.name.clone(),
        elo: player.elo(),
        games: player.games_used(),
        sample: player.sample(|_| true),
    }
}

/// The columns of the list.
const HEAD: [&str; 12] = [
    "player", "Elo", "turns", "mm %", "exp.", "equal %", "ad", "exp.", "z mm", "z ad", "adjusted",
    "label",
];

fn row(one: &Screened) -> Vec<String> {
    vec![
        one.player.clone(),
        format!("{:.0}", one.elo),
        one.turns.to_string(),
        format!("{:.1}", 100.0 * one.mm.actual),
        format!("{:.1}", 100.0 * one.mm.projected),
        format!("{:.1}", 100.0 * one.equal.actual),
        format!("{:.4}", one.ad.actual),
        format!("{:.4}", one.ad.projected),
        format!("{:+.2}", one.z_mm),
        format!("{:+.2}", one.z_ad),
        format!("{:+.2} {:+.2}", one.adjusted.z_mm, one.adjusted.z_ad),
        one.label.to_string(),
    ]
}

/// What the thresholds are and why.
fn thresholds(screening: &Screening) -> String {
    let thresholds = screening.thresholds;
    format!(
        "{} players screened. With so many, an adjusted z of {:.2} or more (watch) is seen in one such \
         list of honest players out of twenty, one of {:.2} or more (full test) in less than one out of \
         a thousand.",
        thresholds.players, thresholds.watch, thresholds.full_test
    )
}

fn table(screening: &Screening, calibration: &Calibration) -> Result<()> {
    let mut out = io::stdout().lock();
    let mut table = output::table(HEAD);
    for one in &screening.players {
        table.add_row(row(one));
    }
    output::numbers_from(&mut table, 1);
    writeln!(out, "{}\n\n{table}\n", calibration.engine)?;
    let few = screening
        .players
        .iter()
        .filter(|one| one.has_few_turns())
        .count();
    if few > 0 {
        writeln!(
            out,
            "{few} players, the last ones, have fewer than {FEWEST_SCREENED_TURNS} turns: \
             too few for any label but normal."
        )?;
    }
    for one in screening.players.iter().filter(|one| !one.has_few_turns()) {
        for warning in &one.warnings {
            writeln!(out, "{}: {warning}.", one.player)?;
        }
    }
    writeln!(out, "{}", thresholds(screening))?;
    writeln!(
        out,
        "A label says what to do next and nothing about a person: z measure agreement, not its cause."
    )?;
    Ok(())
}

fn csv(screening: &Screening) -> Result<()> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record([
        "player",
        "elo",
        "games",
        "turns",
        "mm",
        "mm_projected",
        "mm_sd",
        "equal",
        "equal_projected",
        "equal_sd",
        "ad",
        "ad_projected",
        "ad_sd",
        "z_mm",
        "z_equal",
        "z_ad",
        "adjusted_z_mm",
        "adjusted_z_equal",
        "adjusted_z_ad",
        "label",
    ])?;
    for one in &screening.players {
        let mut record = vec![
            one.player.clone(),
            one.elo.to_string(),
            one.games.to_string(),
            one.turns.to_string(),
        ];
        for compared in [one.mm, one.equal, one.ad] {
            record.extend(
                [compared.actual, compared.projected, compared.sd].map(|it| it.to_string()),
            );
        }
        let adjusted = one.adjusted;
        let z = [
            one.z_mm,
            one.z_equal,
            one.z_ad,
            adjusted.z_mm,
            adjusted.z_equal,
            adjusted.z_ad,
        ];
        record.extend(z.map(|z| z.to_string()));
        record.push(one.label.to_string());
        out.write_record(record)?;
    }
    out.flush()?;
    Ok(())
}

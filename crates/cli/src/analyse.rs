//! `errare analyse`: how competently were endgames played?

use std::io::IsTerminal;

use errare_report::{
    analysis::{
        Rows, coach,
        outputs::{Outputs, refuse_input},
    },
    slip, text,
};
use errare_service::{
    analyse::{
        AnalyseSettings, AnalysisSession, Build,
        stream::{Stream, find_player, scores},
    },
    model::{Prior, ValueRule},
};
use errare_tables::MAX_MEN;
use indicatif::HumanDuration;

use crate::{prelude::*, remedy};

/// What `--annotate` does, with the rules by which it assesses moves.
fn annotate_help() -> String {
    format!(
        "Write all games, annotated by the tables\n\n\
         Everything in the file is kept: comments, variations, assessments, tags; the rest of a game after an illegal \
         move becomes a comment. Each slip gets a sentence and the better line as a variation, and each move that the \
         author did not assess may get one assessment:\n\n{}",
        slip::rules()
    )
}

/// Says how competently the endgames of games were played
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Files of games in PGN, plain, .gz or .zst; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Write all games, annotated by the tables
    #[arg(long, value_name = "PGN", long_help = annotate_help())]
    annotate: Option<PathBuf>,

    /// Write one printable page per player: endgames, results thrown away, depth lost, what to train
    #[arg(long, value_name = "HTML")]
    html: Option<PathBuf>,

    /// Draw depth and competence move by move, as SVG; a number is added if there are several games
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,

    /// Analyse the games of this player alone: a name or a part of it, whatever its capitals and spaces
    #[arg(long, value_name = "NAME", conflicts_with = "by_rating")]
    player: Option<String>,

    /// Competences considered, from(step)to or from:step:to, equally likely before a game, or with a
    /// normal distribution: 0:1:50,normal:20:5
    #[arg(long, visible_alias = "grid", default_value_t = AnalyseSettings::default().prior)]
    prior: Prior,

    /// Whether the c of a game leaves out moves that lose value (keep), as in the papers, or counts them (risk)
    #[arg(long, default_value = "keep")]
    value: ValueRule,

    /// Use each game's posterior as the prior for the same player's next game
    #[arg(long)]
    carry: bool,

    /// Build tables of at most this many men
    #[arg(long, value_name = "N", default_value_t = MAX_MEN as u8, value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: u8,

    /// Build missing tables without asking, however long it takes
    #[arg(long)]
    yes: bool,

    /// Sum up by rating instead of by player, in bands of this many Elo
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(1..))]
    by_rating: Option<u32>,

    #[command(flatten)]
    model: ModelOptions,

    #[command(flatten)]
    format: Format,
}

impl Arguments {
    /// Is standard output free for text? It holds only one output, so that other programs can read it.
    fn tells(&self) -> Result<bool> {
        let files = [&self.annotate, &self.html, &self.plot]
            .into_iter()
            .flatten();
        let dashes = files.filter(|file| file.as_path() == Path::new("-"));
        let rows = self.format.json || self.format.csv;
        match dashes.count() + usize::from(rows) {
            0 => Ok(true),
            1 => Ok(false),
            _ => bail!("standard output can hold one answer only; name files for the others"),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(html) = &arguments.html {
        refuse_input(&arguments.files, html)?;
    }
    let told = arguments.tells()?;
    let service = arguments.model.tables.service()?;
    let settings = AnalyseSettings {
        model: arguments.model.get(),
        value: arguments.value,
        prior: arguments.prior.clone(),
        carry: arguments.carry,
        men: arguments.men.into(),
    };
    let terminal = Terminal::new();
    let permits = |build: &Build| terminal.suspend(|| permits(arguments.yes, build));
    let mut session = AnalysisSession::new(&service, &settings, &permits);
    if let Some(wanted) = &arguments.player {
        session = session.of_player(&find_player(&arguments.files, wanted, &terminal)?);
    }
    if let Some(width) = arguments.by_rating {
        session = session.by_rating(width);
    }
    let (annotate, plot) = (arguments.annotate.as_deref(), arguments.plot.as_deref());
    let mut outputs = Outputs::create(&arguments.files, annotate, plot)?;
    let mut games = Stream::new(
        session,
        scores(&arguments.files),
        &terminal,
        |score, analysis| Ok::<(), anyhow::Error>(outputs.write(score, analysis, &settings)?),
    );
    if arguments.format.json {
        let mut out = io::stdout().lock();
        games.write_json(&mut out)?;
        writeln!(out)?;
    } else if arguments.format.csv {
        let mut rows = Rows::new(io::stdout().lock(), &settings)?;
        while let Some((_, analysis)) = games.next_analysed()? {
            rows.write(&analysis)?;
        }
    } else {
        while let Some((score, analysis)) = games.next_analysed()? {
            if told {
                let mut out = output::for_people();
                terminal.suspend(|| text::game(&mut out, &score.game, &analysis, &settings))?;
            }
        }
    }
    let session = games.into_session();
    outputs.finish()?;
    terminal.clear();
    let directory = service.tables.store().directory();
    finish(&session, arguments, told, directory)
}

/// Whether to build; a long build needs the user's consent.
fn permits(yes: bool, build: &Build) -> bool {
    if !build.is_long() {
        return true;
    }
    let time = HumanDuration(build.time);
    talk!("{}; building takes about {time}", coach::needed(build));
    if yes {
        return true;
    }
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        talk!("this part of the game is left out; add --yes to build without being asked");
        return false;
    }
    let _ = write!(io::stderr(), "build them now? [y/N] ");
    let mut reply = String::new();
    let read = io::stdin().read_line(&mut reply);
    read.is_ok() && matches!(reply.trim(), "y" | "Y" | "yes")
}

/// Prints the summary and what was missing.
fn finish(
    session: &AnalysisSession<'_>,
    arguments: &Arguments,
    told: bool,
    directory: &Path,
) -> Result<ExitCode> {
    let totals = session.totals();
    let metric = arguments.model.metric;
    let page = || anyhow::Ok(coach::page(&totals, metric));
    files::write_to(arguments.html.as_ref(), page)?;
    if told {
        text::summary(&mut output::for_people(), session, &totals, metric)?;
    }
    for missing in &totals.missing {
        let command = remedy::command(missing.endgame, Some(metric.into()), directory);
        let left_out = coach::left_out(missing);
        talk!("errare: {left_out}; {command} builds what is missing");
    }
    let nothing = coach::nothing(&totals);
    if let Some(why) = &nothing {
        talk!("errare: {why}");
    }
    Ok(exit_code(nothing.is_none()))
}

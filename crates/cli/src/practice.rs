//! `errare practice`: an endgame in the terminal, against an opponent who fights back.

mod input;
mod sitting;
mod start;

use errare_report::{
    practice::{exported, screen::Screen},
    words::counted,
};
use errare_service::practice::{
    self, GameSitting, Request, ReviewSitting, RushRequest, RushSitting, Until,
    history::{History, now},
};

use self::{
    sitting::{Audience, patient},
    start::StartOptions,
};
use crate::prelude::*;

/// Plays an endgame with you, tells you what each move was worth and measures your competence
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    start: StartOptions,

    /// The opponent: predator, best, emulator:c=20, rep:c=20, rep:c=20,value=risk, human:elo=1800, uci:stockfish ...
    /// [default: predator]
    #[arg(long, value_name = "PLAYER")]
    opponent: Option<String>,

    /// Play the Emulator of this competence c
    #[arg(long, value_name = "C", conflicts_with = "opponent")]
    skill: Option<Competence>,

    /// Play on to mate, past captures and promotions
    #[arg(long)]
    to_mate: bool,

    /// Hide better moves until asked
    #[arg(long)]
    quiz: bool,

    /// Draw the board in plain letters
    #[arg(long)]
    ascii: bool,

    /// Ten positions against the clock, one move in each
    #[arg(long, requires = "endgame", conflicts_with = "tricky")]
    rush: bool,

    #[command(flatten)]
    errand: Errand,

    /// Append the game to this file as PGN, with annotations; - is standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    #[command(flatten)]
    history: HistoryOptions,

    #[command(flatten)]
    seed: Seed,

    #[command(flatten)]
    model: ModelOptions,

    /// For scripts: every event is one line of JSON on standard output
    #[arg(long)]
    json: bool,
}

/// What to do instead of a new game.
#[derive(Debug, Args)]
#[group(multiple = false, conflicts_with_all = ["place", "rush"])]
struct Errand {
    /// Try the due slips again
    #[arg(long)]
    review: bool,

    /// Resume the last unfinished game
    #[arg(long)]
    resume: bool,

    /// Show how your competence has changed
    #[arg(long)]
    progress: bool,

    /// List the drills
    #[arg(long)]
    list: bool,

    /// Write all sessions of the history to a file, as PGN or, if it ends in .json, as JSON
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,

    /// Erase the history
    #[arg(long)]
    erase: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (errand, json) = (&arguments.errand, arguments.json);
    if errand.list {
        return output::show(practice::drills(), json);
    }
    if let Some(pgn) = &arguments.pgn {
        files::must_be_writable(pgn)?;
    }
    let history = arguments.history.open()?;
    let history = history.as_ref();
    let kept = || history.context("there is no history: --no-history says so");
    if errand.progress {
        return output::show(&kept()?.progress(now())?, json);
    }
    if let Some(file) = &errand.export {
        return export(kept()?, file);
    }
    if errand.erase {
        kept()?.erase()?;
        talk!("The history {} is empty now.", kept()?.path().display());
        return Ok(ExitCode::SUCCESS);
    }
    let service = &arguments.model.tables.service()?;
    let mut audience = Audience {
        script: json,
        screen: Screen::new(arguments.ascii, arguments.quiz),
        pgn: arguments.pgn.as_deref(),
    };
    if errand.review {
        return audience.sit(&mut ReviewSitting::new(service, kept()?, now())?);
    }
    if errand.resume {
        let history = kept()?;
        let game = watched(|watch| GameSitting::resumed(service, history, &patient(watch)))?;
        return audience.sit(&mut game.context("no game waits to be finished")?);
    }
    if arguments.rush {
        let request = arguments.rush_request()?;
        let mut rush = watched(|watch| RushSitting::new(service, history, &request, json, watch))?;
        let code = audience.sit(&mut rush)?;
        output::show(&rush.rush, json)?;
        return Ok(code);
    }
    let request = arguments.request()?;
    let waiting = history.map(History::unfinished).transpose()?.flatten();
    if waiting.is_some() && !json {
        talk!("A game is not finished: errare practice --resume goes on with it.");
    }
    let game = watched(|watch| GameSitting::new(service, history, request, &patient(watch)));
    audience.sit(&mut game?)
}

impl Arguments {
    fn rush_request(&self) -> Result<RushRequest> {
        Ok(RushRequest {
            endgames: vec![self.start.endgame().context("a rush needs an endgame")?],
            task: self.start.task(),
            depth: self.start.depth,
            level: self.start.level,
            positions: None,
            seconds: None,
            seed: Some(self.seed.get()),
        })
    }

    fn request(&self) -> Result<Request> {
        let kappa = self.model.kappa;
        let emulator = self.skill.map(|c| format!("emulator:c={c},kappa={kappa}"));
        Ok(Request {
            side: self.start.side,
            opponent: self.opponent.clone().or(emulator),
            metric: Some(self.model.metric),
            kappa: Some(kappa.get()),
            seed: Some(self.seed.get()),
            until: Some(match self.to_mate {
                true => Until::Mate,
                false => Until::Conversion,
            }),
            ..Request::new(self.start.get()?)
        })
    }
}

/// Writes the history to a file.
fn export(history: &History, file: &Path) -> Result<ExitCode> {
    let kept = history.export()?;
    files::write(file, &exported(&kept, file)?)?;
    let count = counted(kept.sessions.len() as u64, "session", "sessions");
    talk!("{count} written to {}", file.display());
    Ok(ExitCode::SUCCESS)
}

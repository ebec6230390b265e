//! `errare practice`: an endgame in the terminal, against an opponent that fights back.

mod input;
mod sitting;

use errare_choice::Kappa;
use errare_report::{
    practice::{pgn, screen::Screen},
    words::counted,
};
use errare_service::{
    Service,
    practice::{
        self, DepthRange, GameSitting, Level, Request, ReviewSitting, RushRequest, RushSitting,
        Start, Task, Trick, Until,
        history::{History, now},
    },
};

use crate::prelude::*;
use sitting::Audience;

/// Plays an endgame with you, tells you what each move was worth and measures your competence
///
/// Name an endgame, a drill or a position. The opponent is the Predator, which learns how you play and sets you
/// the hardest tasks, or another player that uses tables: best, random, rep, emulator, hunter. The rules of chess are in force: 50 moves, threefold repetition,
/// stalemate, dead positions. Type moves as you like (Qd5+, qd5, a5d5, b8) and help for everything else.
///
/// Sessions and slips are kept in a local history; slips come back for review when they are due.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, like KQKR
    endgame: Option<Material>,

    /// Play a drill by its name; --list shows them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["endgame", "from"])]
    drill: Option<String>,

    /// Start from this position; you have the side to move unless --side says otherwise
    #[arg(long, value_name = "FEN", conflicts_with = "endgame")]
    from: Option<String>,

    /// Start from one of the trickiest positions: where players most often throw away the result, or depth
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "result", requires = "endgame", conflicts_with_all = ["depth", "level"])]
    tricky: Option<Trick>,

    /// Hold a drawn position
    #[arg(long)]
    draw: bool,

    /// Resist in a lost position
    #[arg(long, alias = "defend", conflicts_with = "draw")]
    lost: bool,

    /// Your side: white or black
    #[arg(long)]
    side: Option<Colour>,

    /// Between which depths the start is to be, in moves: 12, 12-20, 12-
    #[arg(
        long = "start-depth",
        alias = "depth",
        value_name = "MOVES",
        requires = "endgame"
    )]
    depth: Option<DepthRange>,

    /// How hard the start is to be: easy, medium or hard, by the chance of a player of c = 20
    #[arg(long, requires = "endgame")]
    level: Option<Level>,

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

    /// Do not tell better moves until asked
    #[arg(long)]
    quiz: bool,

    /// Draw the board in plain letters
    #[arg(long)]
    ascii: bool,

    /// Ten positions against the clock, one move in each
    #[arg(long, requires = "endgame", conflicts_with_all = ["drill", "from", "tricky"])]
    rush: bool,

    /// Try the slips again that are due
    #[arg(long, conflicts_with_all = ["endgame", "drill", "from"])]
    review: bool,

    /// Go on with the last game that was not finished
    #[arg(long, conflicts_with_all = ["endgame", "drill", "from", "review"])]
    resume: bool,

    /// Show how your competence has changed
    #[arg(long, conflicts_with_all = ["endgame", "drill", "from", "review", "resume"])]
    progress: bool,

    /// List the drills
    #[arg(long, conflicts_with_all = ["endgame", "drill", "from", "review", "resume", "progress"])]
    list: bool,

    /// Write all sessions of the history to a file, as PGN or, if it ends in .json, as JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["endgame", "drill", "from", "review", "resume"])]
    export: Option<PathBuf>,

    /// Erase the history
    #[arg(long, conflicts_with_all = ["endgame", "drill", "from", "review", "resume", "export"])]
    erase: bool,

    /// Append the game to this file as PGN, with annotations; - is standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    #[command(flatten)]
    history: HistoryOptions,

    #[command(flatten)]
    seed: Seed,

    /// The metric of depths: dtm, dtc, dtz or dtr
    #[arg(long, default_value = "dtc")]
    metric: Metric,

    /// κ of the preference (d + κ)^-c by which competence is measured
    #[arg(long, default_value = "1")]
    kappa: Kappa,

    #[command(flatten)]
    tables: TableOptions,

    /// For scripts: every event is one line of JSON on standard output
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare practice KQKR --level medium
  errare practice --drill lucena
  errare practice KRPKR --draw --opponent rep:c=20,value=risk
  errare practice --from \"8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1\" --skill 10
  errare practice --review";

/// Practises, or says something about practice.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.list {
        return output::show(practice::drills(), arguments.json);
    }
    if let Some(pgn) = &arguments.pgn {
        files::must_be_writable(pgn)?;
    }
    let history = arguments.history.open()?;
    let history = history.as_ref();
    let kept = || history.context("there is no history: --no-history says so");
    if arguments.progress {
        return output::show(&kept()?.progress(now())?, arguments.json);
    }
    if let Some(file) = &arguments.export {
        return export(kept()?, file);
    }
    if arguments.erase {
        kept()?.erase()?;
        talk!("The history {} is empty now.", kept()?.path().display());
        return Ok(ExitCode::SUCCESS);
    }
    let service = &arguments.tables.service()?;
    let mut audience = Audience {
        script: arguments.json,
        screen: Screen::new(arguments.ascii, arguments.quiz),
        pgn: arguments.pgn.as_deref(),
    };
    if arguments.review {
        return audience.sit(&mut ReviewSitting::new(service, kept()?, now())?);
    }
    if arguments.rush {
        let (request, at_once) = (arguments.rush_request()?, arguments.json);
        let rush = watched(|watch| RushSitting::new(service, &request, at_once, watch));
        let mut rush = rush?;
        let code = audience.sit(&mut rush)?;
        output::show(&rush.rush, arguments.json)?;
        return Ok(code);
    }
    audience.sit(&mut arguments.game(service, history)?)
}

impl Arguments {
    /// The game to begin or to go on with.
    fn game<'a>(
        &self,
        service: &'a Service,
        history: Option<&'a History>,
    ) -> Result<GameSitting<'a>> {
        if self.resume {
            let history = history.context("there is no history to resume a game from")?;
            let game = watched(|watch| GameSitting::resumed(service, history, watch))?;
            return game.context("no game waits to be finished");
        }
        let request = self.request()?;
        let waiting = history.map(History::unfinished).transpose()?.flatten();
        if waiting.is_some() && !self.json {
            talk!("A game is not finished: errare practice --resume goes on with it.");
        }
        Ok(watched(|watch| {
            GameSitting::new(service, history, request, watch)
        })?)
    }

    fn task(&self) -> Task {
        match (self.draw, self.lost) {
            (true, _) => Task::Hold,
            (_, true) => Task::Resist,
            _ => Task::Win,
        }
    }

    fn rush_request(&self) -> Result<RushRequest> {
        Ok(RushRequest {
            endgames: vec![self.endgame.context("a rush needs an endgame")?],
            task: self.task(),
            depth: self.depth,
            level: self.level,
            positions: None,
            seconds: None,
            seed: Some(self.seed.get()),
        })
    }

    fn request(&self) -> Result<Request> {
        let task = self.task();
        let start = match (&self.from, &self.drill, self.endgame) {
            (Some(fen), ..) => Start::Position { fen: fen.clone() },
            (_, Some(name), _) => Start::Drill { name: name.clone() },
            (_, _, Some(endgame)) => match self.tricky {
                Some(by) => Start::Tricky { endgame, task, by },
                None => Start::Random {
                    endgame,
                    task,
                    depth: self.depth,
                    level: self.level,
                },
            },
            _ => bail!(
                "name an ENDGAME, like KQKR, a drill with --drill or a position with --from; --list shows the drills"
            ),
        };
        let emulator = self
            .skill
            .map(|c| format!("emulator:c={c},kappa={}", self.kappa));
        Ok(Request {
            side: self.side,
            opponent: self.opponent.clone().or(emulator),
            metric: Some(self.metric),
            kappa: Some(self.kappa.get()),
            seed: Some(self.seed.get()),
            until: Some(if self.to_mate {
                Until::Mate
            } else {
                Until::Conversion
            }),
            ..Request::new(start)
        })
    }
}

/// Writes the history to a file.
fn export(history: &History, file: &Path) -> Result<ExitCode> {
    let kept = history.export()?;
    let text = match file.extension().and_then(|it| it.to_str()) {
        Some("json") => serde_json::to_string_pretty(&kept)? + "\n",
        _ => kept.sessions.iter().map(pgn).collect(),
    };
    files::write(file, &text)?;
    let count = counted(kept.sessions.len() as u64, "session", "sessions");
    talk!("{count} written to {}", file.display());
    Ok(ExitCode::SUCCESS)
}

//! `errare match`: two players meet.

use errare_players::{MatchGame, PlayerName};
use errare_report::csv;
use errare_service::{
    fleet,
    matches::{self, GameName},
};

use crate::prelude::*;

/// Plays many games between two players, from given positions or openings
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// White
    white: PlayerName,

    /// Black
    black: PlayerName,

    /// Where games start, a FEN or `start`; may be given several times
    #[arg(long, value_name = "FEN")]
    from: Vec<String>,

    /// Start from the positions of this file: the ends of its games if it is PGN, otherwise one FEN or EPD per line
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    openings: Option<PathBuf>,

    /// What they play: chess, othello or connect4
    #[arg(long, default_value = "chess")]
    game: GameName,

    /// How many games from each position
    #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// Swap colours after each game
    #[arg(long)]
    swap: bool,

    #[command(flatten)]
    seed: Seed,

    /// In endgames with tables, play on through conversions, until mate or stalemate
    #[arg(long)]
    to_mate: bool,

    /// In endgames with tables, apply the 50-move rule
    #[arg(long)]
    fifty: bool,

    /// Abandon games after this many moves of White and count them as unfinished
    #[arg(long, value_name = "N", default_value = "100000")]
    max_moves: u64,

    /// Competences that the Analyser takes into account, from(step)to or from:step:to
    #[arg(long, default_value = "0(1)50")]
    prior: String,

    /// Number of threads, at most one per game [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    engine: EnginePath,

    #[command(flatten)]
    calibration: CalibrationPath,

    #[command(flatten)]
    model: ModelOptions,

    #[command(flatten)]
    pub(crate) queue: QueueOptions,

    #[command(flatten)]
    shard: ShardOption,

    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.tables.service()?;
    let queue = arguments.queue.choice();
    let share = arguments.shard.choice(queue.clone());
    if share.is_some() && arguments.seed.given().is_none() {
        bail!("all shares of a match need the same seed: give it with --seed");
    }
    let request = arguments.request(share.is_some() || queue.is_some())?;
    let Some(queue) = share.as_ref().or(queue.as_ref()) else {
        let (answer, played) = watched(|watch| matches::play(&service, &request, watch))?;
        return report(&answer, &played, arguments.format);
    };
    let played = watched(|watch| fleet::play(&request, queue, watch))?;
    if let Some((answer, played)) = played {
        return report(&answer, &played, arguments.format);
    }
    if share.is_some() {
        work_off(&service, queue, &request.engine_choice())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the result of a match.
pub(crate) fn report(
    answer: &matches::Answer,
    played: &[MatchGame],
    format: Format,
) -> Result<ExitCode> {
    format.show(answer, |out, answer| csv::games(out, answer, played))
}

impl Arguments {
    fn request(&self, is_queued: bool) -> Result<matches::Request> {
        Ok(matches::Request {
            players: [self.white.clone(), self.black.clone()],
            from: match &self.openings {
                Some(file) => matches::openings(file)?,
                None => self.from.clone(),
            },
            games: self.games,
            game: self.game,
            swap: self.swap,
            seed: Some(match is_queued {
                true => queue_seed(self.seed.given(), "match"),
                false => self.seed.get(),
            }),
            to_mate: self.to_mate,
            fifty: self.fifty,
            most_moves: self.max_moves,
            metric: self.model.metric,
            kappa: self.model.kappa.get(),
            prior: self.prior.clone(),
            threads: self.threads.map(NonZero::get),
            engine: self.engine.named(),
            calibration: self.calibration.calibration.clone(),
        })
    }
}

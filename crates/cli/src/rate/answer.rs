//! What `errare rate` answers.

use anyhow::Result;
use errare_choice::Agent;
use errare_engine::Score;
use errare_rating::{
    Calibration, Compared, Pace, Phase, PlayerTurns, Projection, Rating, Sample, Turn, costs,
};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, fen::Fen, san::SanPlus, uci::UciMove};

use super::Arguments;
use crate::{calibrating::About, words};

/// With fewer turns the interval says almost nothing.
const SMALL: usize = 200;
/// With fewer turns a part of the games is not rated at all.
const SMALLEST_GROUP: usize = 10;

/// A player's rating.
#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) player: String,
    /// The rating in the games' files.
    pub(super) elo: Option<f64>,
    pub(super) games: usize,
    pub(super) turns: usize,
    excluded: std::collections::BTreeMap<errare_rating::Exclusion, usize>,
    pub(super) rating: Rating,
    pub(super) mm: Compared,
    pub(super) equal: Compared,
    pub(super) ad: Compared,
    pub(super) by_colour: Vec<Group>,
    pub(super) by_phase: Vec<Group>,
    pub(super) by_game: Vec<Group>,
    pub(super) costliest: Vec<Costly>,
    pub(super) calibration: About,
    pub(super) warnings: Vec<String>,
}

/// Some of the turns.
#[derive(Serialize)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) turns: usize,
    /// None if there are too few turns.
    pub(super) rating: Option<Rating>,
    pub(super) mm: f64,
    pub(super) ad: f64,
}

/// A turn that cost much.
#[derive(Serialize)]
pub(super) struct Costly {
    pub(super) game: String,
    pub(super) move_number: u32,
    pub(super) fen: String,
    pub(super) played: String,
    pub(super) best: String,
    /// Scores of the best move and of the one played, for the mover.
    pub(super) scores: [Score; 2],
    /// What it cost, scaled.
    pub(super) cost: f64,
    /// How likely the move is at the player's own level.
    pub(super) probability: f64,
    /// What a player of that level gives away here on average: how difficult the turn is.
    pub(super) difficulty: f64,
}

impl Answer {
    pub(super) fn new(
        player: &PlayerTurns,
        calibration: &Calibration,
        arguments: &Arguments,
    ) -> Result<Answer> {
        let level = arguments.level;
        let all = player.sample(|_| true);
        let rating = calibration.rate(&all, level)?;
        let agent = calibration.agent(rating.mean);
        let projection = Projection::new(&all, &agent);
        let group = |name: String, sample: &Sample| group(name, sample, calibration, level);
        let by_colour = Color::ALL.map(|colour| {
            let sample = player.sample(|turn| turn.place.colour() == colour);
            group(words::side(colour).to_owned(), &sample)
        });
        let by_phase = Phase::ALL.map(|phase| {
            let sample = player.sample(|turn| Phase::of(turn) == phase);
            group(format!("{phase:?}").to_lowercase(), &sample)
        });
        let by_game = player.games.values().map(|game| {
            let sample = player.sample(|turn| turn.place.game.id == game.id);
            let date = game.date().unwrap_or("?");
            let name = format!("{} - {}, {date}", game.white.name, game.black.name);
            group(name, &sample)
        });
        let inhabited = |group: &Group| group.turns > 0;
        Ok(Answer {
            player: player.name.clone(),
            elo: player.elo(),
            games: player.games_used(),
            turns: all.turns(),
            excluded: player.excluded.clone(),
            mm: projection.mm,
            equal: projection.equal,
            ad: projection.ad,
            by_colour: by_colour.into_iter().filter(inhabited).collect(),
            by_phase: by_phase.into_iter().filter(inhabited).collect(),
            by_game: by_game.filter(inhabited).collect(),
            costliest: costliest(player, &agent, arguments.costliest),
            calibration: About::new(calibration),
            warnings: warnings(player, calibration, &rating),
            rating,
        })
    }
}

fn group(name: String, sample: &Sample, calibration: &Calibration, level: f64) -> Group {
    let turns = sample.turns();
    let actual = |of: &dyn Fn(usize) -> f64| {
        let sum: f64 = (0..turns).map(of).sum();
        sum / turns.max(1) as f64
    };
    let rated = turns >= SMALLEST_GROUP;
    Group {
        name,
        turns,
        rating: rated
            .then(|| calibration.rate(sample, level).ok())
            .flatten(),
        mm: actual(&|turn| f64::from(u8::from(sample.turn(turn).played == 0))),
        ad: actual(&|turn| sample.turn(turn).costs[sample.turn(turn).played]),
    }
}

fn costliest(player: &PlayerTurns, agent: &Agent, count: usize) -> Vec<Costly> {
    let mut all: Vec<Costly> = player
        .turns
        .iter()
        .map(|turn| costly(turn, agent))
        .collect();
    all.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    all.retain(|turn| turn.cost > 0.0);
    all.truncate(count);
    all
}

fn costly(turn: &Turn, agent: &Agent) -> Costly {
    let pawns: Vec<f64> = turn.options.iter().map(|it| it.score.pawns()).collect();
    let costs = costs(&pawns);
    let p = agent.probabilities(&costs);
    let game = &turn.place.game;
    Costly {
        game: format!("{} - {}", game.white.name, game.black.name),
        move_number: turn.place.move_number(),
        fen: turn.place.fen.clone(),
        played: san(&turn.place.fen, turn.place.played),
        best: san(&turn.place.fen, turn.options[0].uci),
        scores: [turn.options[0].score, turn.options[turn.played].score],
        cost: costs[turn.played],
        probability: p[turn.played],
        difficulty: p.iter().zip(&costs).map(|(p, cost)| p * cost).sum(),
    }
}

/// The name of a move as people write it.
fn san(fen: &str, m: UciMove) -> String {
    let name = || {
        let position: Chess = fen
            .parse::<Fen>()
            .ok()?
            .into_position(CastlingMode::Standard)
            .ok()?;
        let m = m.to_move(&position).ok()?;
        Some(SanPlus::from_move(position, m).to_string())
    };
    name().unwrap_or_else(|| m.to_string())
}

fn warnings(player: &PlayerTurns, calibration: &Calibration, rating: &Rating) -> Vec<String> {
    let mut warnings = Vec::new();
    let turns = player.turns.len();
    if turns < SMALL {
        warnings.push(format!(
            "the sample is small: {turns} turns, so that the interval is wide"
        ));
    }
    let fast = player
        .games
        .values()
        .filter(|game| Pace::of(game) == Pace::Fast);
    let fast = fast.count();
    if fast > 0 {
        warnings.push(format!(
            "{fast} of {} games were not played at a classical time control, \
             for which the calibration is made",
            player.games.len()
        ));
    }
    if rating.open {
        warnings.push("the interval is open: it ends only where the calibration does".to_owned());
    }
    let [lowest, highest] = calibration.mileposts();
    if rating.mean < f64::from(lowest) || rating.mean > f64::from(highest) {
        warnings.push(format!(
            "the rating is beyond the players of the calibration, who are from {lowest} to {highest}"
        ));
    }
    warnings.extend(
        calibration
            .warnings
            .iter()
            .map(|warning| format!("calibration: {warning}")),
    );
    warnings
}

//! Each player's results over many games, for a coach.
//!
//! The model is R_c that may lose value, as in practice: a c that ignored results thrown away would praise the pupil
//! who threw away most.

use std::collections::BTreeMap;

use errare_choice::{Estimate, Grid, Kappa, PriorShape};
use errare_core::{Colour, Material, parse_position};
use errare_endgame::{Analyser, Choice, MoveReport, Turn, Values};
use errare_games::{Game, name_key};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    anchor::{self, Anchor},
    model::{Model, ValueRule},
    names::more_legible,
    practice::MISTAKE,
};

/// A player's results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerSummary {
    /// The name, as the games spell it; spellings that differ in case and spaces alone are one.
    pub name: String,
    /// Over all endgames.
    #[serde(flatten)]
    pub total: PlayTally,
    /// The treatment of moves that lose value in the competences here: they count as errors.
    pub value: ValueRule,
    /// How players of such a competence compare with rated players, where known.
    pub anchor: Option<Anchor>,
    /// By endgame, the costliest first.
    pub endgames: Vec<EndgameSummary>,
    /// The moves that threw a result away, in the order of the games.
    pub thrown: Vec<Incident>,
    /// The moves that ceded most depth, worst first.
    pub slips: Vec<Incident>,
    /// The endgame that cost most results, or otherwise most depth; none if nothing was lost that is worth training.
    pub train: Option<Material>,
}

/// A player's results in an endgame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EndgameSummary {
    /// The endgame.
    pub endgame: Material,
    /// The numbers.
    #[serde(flatten)]
    pub tally: PlayTally,
}

/// Games, moves and errors.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayTally {
    /// Games.
    pub games: usize,
    /// Moves made.
    pub moves: usize,
    /// The winner's moves ceded.
    pub ceded: u32,
    /// Moves that lost value.
    pub value_losses: usize,
    /// The apparent competence, from all moves; none if no error was seen.
    pub competence: Option<Estimate>,
}

/// A costly move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Incident {
    /// The number of the game.
    pub game: usize,
    /// The opponent.
    pub opponent: String,
    /// The player's colour.
    pub color: Colour,
    /// The endgame.
    pub endgame: Material,
    /// The move and what it cost.
    pub r#move: MoveReport,
}

/// The maximum number of slips kept per player.
const MOST_SLIPS: usize = 10;

/// With no result thrown away, this many of the winner's moves ceded in an endgame make it worth training: as many as make
/// one move a mistake. Less is lost by those who know it well, too, and costs nothing.
const LEAST_CEDED: u32 = MISTAKE as u32;

/// The grid for competences over many games, where finer steps are not needed.
const GRID: &str = "0(0.25)50";

/// Accumulates the results game by game.
#[derive(Debug)]
pub(super) struct Summary {
    model: Model,
    grid: Grid,
    /// By [key](name_key) of the name.
    players: BTreeMap<String, PlayerRecord>,
}

#[derive(Debug)]
struct PlayerRecord {
    name: String,
    total: Account,
    /// By name of the endgame.
    endgames: BTreeMap<String, (Material, Account)>,
    thrown: Vec<Incident>,
    slips: Vec<Incident>,
}

#[derive(Debug)]
struct Account {
    games: usize,
    last_game: usize,
    analyser: Analyser,
}

impl Account {
    fn new(kappa: Kappa, grid: Grid) -> Account {
        Account {
            games: 0,
            last_game: 0,
            analyser: Analyser::new(kappa, grid, &PriorShape::Uniform).with_values(Values::Risked),
        }
    }

    fn observe(&mut self, game: usize, turn: &Turn, choice: &Choice) {
        if self.games == 0 || self.last_game != game {
            self.games += 1;
            self.last_game = game;
        }
        self.analyser.observe(turn, choice);
    }

    fn tally(&self) -> PlayTally {
        PlayTally {
            games: self.games,
            moves: self.analyser.moves(),
            ceded: self.analyser.ceded(),
            value_losses: self.analyser.value_losses(),
            competence: self.analyser.competence(),
        }
    }
}

impl Summary {
    pub(super) fn new(model: Model) -> Summary {
        Summary {
            model,
            grid: GRID.parse().expect("it is a grid"),
            players: BTreeMap::new(),
        }
    }

    pub(super) fn observe(
        &mut self,
        game: &Game,
        report: &MoveReport,
        turn: &Turn,
        choice: &Choice,
    ) {
        let mover: Color = report.color.into();
        let name = game.name(mover);
        let Ok(position) = parse_position(&report.fen) else {
            return;
        };
        if !errare_games::names_somebody(name) {
            return;
        }
        let (endgame, _) = Material::of(shakmaty::Position::board(&position));
        let account = || Account::new(self.model.kappa, self.grid);
        let player = self
            .players
            .entry(name_key(name))
            .or_insert_with(|| PlayerRecord {
                name: name.to_owned(),
                total: account(),
                endgames: BTreeMap::new(),
                thrown: Vec::new(),
                slips: Vec::new(),
            });
        player.name = more_legible(&player.name, name).to_owned();
        player.total.observe(game.number, turn, choice);
        let here = player.endgames.entry(endgame.to_string());
        let (_, here) = here.or_insert_with(|| (endgame, account()));
        here.observe(game.number, turn, choice);
        if report.ceded == Some(0) {
            return;
        }
        let incident = Incident {
            game: game.number,
            opponent: game.name(!mover).to_owned(),
            color: report.color,
            endgame,
            r#move: report.clone(),
        };
        match report.ceded {
            None => player.thrown.push(incident),
            Some(_) => {
                player.slips.push(incident);
                player
                    .slips
                    .sort_by_key(|slip| std::cmp::Reverse(slip.r#move.ceded));
                player.slips.truncate(MOST_SLIPS);
            }
        }
    }

    pub(super) fn players(&self) -> Vec<PlayerSummary> {
        self.players
            .values()
            .map(|player| player.summary(&self.model))
            .collect()
    }
}

impl PlayerRecord {
    fn summary(&self, model: &Model) -> PlayerSummary {
        let total = self.total.tally();
        let endgames = self.endgames.values();
        let mut endgames: Vec<EndgameSummary> = endgames
            .map(|(endgame, account)| EndgameSummary {
                endgame: *endgame,
                tally: account.tally(),
            })
            .collect();
        // Lost results come first, then lost depth.
        endgames.sort_by_key(|each| {
            let PlayTally {
                value_losses,
                ceded,
                moves,
                ..
            } = each.tally;
            std::cmp::Reverse((value_losses, ceded, moves))
        });
        let worst = endgames.first();
        let train = worst.filter(|EndgameSummary { tally, .. }| {
            tally.value_losses > 0 || tally.ceded >= LEAST_CEDED
        });
        PlayerSummary {
            name: self.name.clone(),
            anchor: total
                .competence
                .and_then(|estimate| anchor::of_estimate(&estimate, model, ValueRule::Risk)),
            value: ValueRule::Risk,
            train: train.map(|worst| worst.endgame),
            total,
            endgames,
            thrown: self.thrown.clone(),
            slips: self.slips.clone(),
        }
    }
}

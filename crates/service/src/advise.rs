//! The Predator's advice: the move that sets a fallible opponent the hardest task.
//!
//! The opponent's competence is given, or learned from games. An [`Adviser`] learns once and answers for any number
//! of positions.

mod hunted;

use std::path::PathBuf;

use errare_core::{Competence, FaultKind, Material, Watch, parse_position};
use errare_endgame::{
    Analyser, OpponentBelief, Oracle, PredatorDepth, Prospect, TableView, Turn, endgames, prospects,
};
use errare_games::{Game, games, name_key};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position, san::SanPlus, uci::UciMove};

pub use self::hunted::{HuntVerdict, Hunted, MoveWorth};
use crate::{
    Error, Service,
    advise::hunted::Hunters,
    anchor::{self, Anchor},
    model::{Model, Prior, ValueRule},
    names,
    predict::hunted::{must_be_followed, must_be_huntable},
    texts::all_text,
};

/// A position to give advice on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AdviseRequest))]
pub struct Request {
    /// The position.
    pub fen: String,
    /// The opponent's model, and the search depth.
    #[serde(flatten)]
    pub settings: AdviseSettings,
}

/// The opponent's model, and the search depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AdviseSettings {
    /// The opponent's competence; if missing, games must be given.
    #[serde(default)]
    pub skill: Option<Competence>,
    /// Games of the opponent in PGN, from which the competence is learned.
    #[serde(default)]
    pub observed: Option<String>,
    /// The opponent's name in those games, or a part of it; if missing, the side that is not to move.
    #[serde(default)]
    pub opponent: Option<String>,
    /// The prior of the competence before those games.
    #[serde(default = "AdviseSettings::prior")]
    pub prior: Prior,
    /// The number of plies to look ahead; even.
    #[serde(default = "AdviseSettings::plies")]
    pub plies: u32,
    /// Also ask the exact hunter?
    #[serde(default)]
    pub hunter: bool,
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
}

/// The text of an opponent's games in files; `None` if there are no files.
pub fn observed(files: &[PathBuf]) -> Result<Option<String>, Error> {
    match files {
        [] => Ok(None),
        files => all_text(files).map(Some),
    }
}

impl AdviseSettings {
    /// The default prior of an opponent's competence.
    pub fn prior() -> Prior {
        "0(1)50".parse().expect("it is a prior")
    }

    /// The default number of plies, as in the papers.
    pub fn plies() -> u32 {
        PredatorDepth::TWO.get()
    }
}

/// The Predator's advice for a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AdviseAnswer))]
pub struct Answer {
    /// The position.
    pub fen: String,
    /// Its endgame.
    pub endgame: Material,
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
    /// The number of plies looked ahead.
    pub plies: u32,
    /// The opponent's model.
    pub opponent: AdviseOpponent,
    /// The value of the position for the side to move: 1 a win, 0 a draw, -1 a loss.
    pub value: i32,
    /// The best move, in UCI notation.
    pub best: Option<String>,
    /// All moves, best first.
    pub moves: Vec<Move>,
    /// The exact hunter's advice, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunter: Option<Hunted>,
}

/// The opponent's model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AdviseOpponent {
    /// The name, if games were given and a name was asked for.
    pub name: Option<String>,
    /// The competence.
    pub skill: Competence,
    /// Its standard deviation.
    pub sd: f64,
    /// The number of moves from which it was learned.
    pub moves_seen: usize,
    /// How players of such a competence compare with rated players, where known.
    pub anchor: Option<Anchor>,
}

/// The prospects of a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AdviseMove))]
pub struct Move {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Is it optimal in the metric?
    pub optimal: bool,
    /// Does it keep the value?
    pub keeps_value: bool,
    /// The expected depth after the plies looked ahead, in moves of the winner.
    pub expected_depth: Option<f64>,
    /// The expected value, with 1 for a win and -1 for a loss, after one reply of an opponent who may lose value.
    pub expected_value: f64,
    /// The probability of a win after that reply.
    pub win: f64,
    /// The probability of a draw.
    pub draw: f64,
    /// The probability of a loss.
    pub loss: f64,
}

/// Advises in one position.
///
/// ```
/// use errare_service::advise::{self, Request};
/// use serde_json::{from_value, json};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request: Request = from_value(json!({"fen": "8/8/8/4k3/8/8/Q7/K7 b - - 0 1", "skill": 5, "metric": "dtc", "kappa": 1}))?;
/// let advice = advise::answer(&service, &request, &())?;
/// assert!(advice.moves.iter().any(|each| Some(&each.uci) == advice.best.as_ref()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    Adviser::new(service, &request.settings, watch)?.advise(&request.fen, watch)
}

/// Advises in any position against one opponent.
#[derive(Debug)]
pub struct Adviser<'a> {
    service: &'a Service,
    settings: &'a AdviseSettings,
    plies: PredatorDepth,
    games: Vec<Game>,
    /// The opponent's name as spelled in the games.
    name: Option<String>,
}

impl<'a> Adviser<'a> {
    /// Reads the games and finds the opponent in them.
    pub fn new(
        service: &'a Service,
        settings: &'a AdviseSettings,
        watch: &dyn Watch,
    ) -> Result<Adviser<'a>, Error> {
        let plies = PredatorDepth::new(settings.plies).ok_or_else(|| {
            Error::bad_request(
                "the number of plies must be even and at least 2, so that the opponent replies last",
            )
        })?;
        let mut all = Vec::new();
        for game in games(settings.observed.as_deref().unwrap_or("").as_bytes()) {
            watch.check()?;
            all.push(game.map_err(|error| Error::new(FaultKind::Damaged, error.to_string()))?);
        }
        let both = |game: &'_ Game| Color::ALL.map(|color| game.name(color).to_owned());
        let spelt: Vec<String> = all.iter().flat_map(both).collect();
        let name = match &settings.opponent {
            None => None,
            Some(wanted) => {
                let found = names::find(spelt.iter().map(String::as_str), wanted)?;
                Some(found.to_owned())
            }
        };
        Ok(Adviser {
            service,
            settings,
            plies,
            games: all,
            name,
        })
    }

    /// Ranks the moves of a position.
    pub fn advise(&self, fen: &str, watch: &dyn Watch) -> Result<Answer, Error> {
        let position = parse_position(fen)?;
        if !Oracle::covers(&position) {
            return Err(Error::bad_request(
                "there are tables for three to five men without castling rights",
            ));
        }
        let Model { metric, kappa } = self.settings.model;
        let (endgame, _) = Material::of(position.board());
        if self.settings.hunter {
            must_be_followed(&endgame, metric)?;
            self.settings.skill.map_or(Ok(()), must_be_huntable)?;
        }
        let mut needed = vec![endgame];
        needed.extend(self.games.iter().flat_map(endgames));
        let oracle = self.service.tables.oracle(&needed, metric, &[], watch)?;
        let turn = oracle.turn(&position)?;
        if turn.choices().is_empty() {
            return Err(Error::bad_request(
                "the game is over: there is no move to advise",
            ));
        }
        let (belief, opponent) = self.belief(&oracle, !position.turn(), watch)?;
        let view = TableView {
            oracle: &oracle,
            position: &position,
            turn: &turn,
        };
        let prospects = prospects(view, &belief, kappa, self.plies, watch)?;
        let numbered: Vec<(usize, Move)> = prospects
            .iter()
            .map(|prospect| (prospect.number, Move::new(prospect, &position, &turn)))
            .collect();
        let hunter = match self.settings.hunter {
            true => {
                let memory = self.service.tables.memory()?;
                let given = self.settings.skill.is_some();
                let hunters = Hunters::new(opponent.skill.get(), given, kappa, memory);
                Some(hunters.ask(view, &numbered, watch)?)
            }
            false => None,
        };
        let moves: Vec<Move> = numbered.into_iter().map(|(_, m)| m).collect();
        Ok(Answer {
            fen: fen.trim().replace('_', " "),
            endgame,
            model: self.settings.model,
            plies: self.plies.get(),
            opponent,
            value: turn.best().map_or(0, |best| best.value()),
            best: moves.first().map(|m| m.uci.clone()),
            moves,
            hunter,
        })
    }

    /// The belief about the opponent, who plays this colour.
    fn belief(
        &self,
        oracle: &Oracle,
        color: Color,
        watch: &dyn Watch,
    ) -> Result<(OpponentBelief, AdviseOpponent), Error> {
        if let Some(skill) = self.settings.skill {
            let opponent = AdviseOpponent {
                name: None,
                skill,
                sd: 0.0,
                moves_seen: 0,
                anchor: anchor::of(skill.get(), &self.settings.model, ValueRule::Keep),
            };
            return Ok((OpponentBelief::certain(skill.get()), opponent));
        }
        let Prior { grid, shape } = &self.settings.prior;
        let mut analyser = Analyser::new(self.settings.model.kappa, *grid, shape);
        for game in &self.games {
            watch.check()?;
            for (position, m) in game.plies() {
                let is_his = match &self.name {
                    Some(name) => name_key(game.name(position.turn())) == name_key(name),
                    None => position.turn() == color,
                };
                if is_his && Oracle::covers(&position) {
                    let turn = oracle.turn(&position)?;
                    if let Some(number) = turn.find(m) {
                        analyser.observe(&turn, &turn.choices()[number]);
                    }
                }
            }
        }
        if analyser.moves() == 0 {
            return Err(Error::new(
                FaultKind::Missing,
                "these games contain no move of the opponent with few enough men",
            ));
        }
        let known = analyser
            .posterior()
            .summary()
            .zip(OpponentBelief::learned(analyser.posterior()));
        let (estimate, belief) = known.ok_or_else(|| {
            Error::bad_request("no competence of the prior explains the games; give a wider one")
        })?;
        let skill = Competence::new(estimate.mean).expect("it lies within the grid");
        let opponent = AdviseOpponent {
            name: self.name.clone(),
            skill,
            sd: estimate.sd,
            moves_seen: analyser.moves(),
            anchor: anchor::of(skill.get(), &self.settings.model, ValueRule::Keep),
        };
        Ok((belief, opponent))
    }
}

impl Move {
    fn new(prospect: &Prospect, position: &Chess, turn: &Turn) -> Move {
        let choice = &turn.choices()[prospect.number];
        Move {
            uci: UciMove::from_standard(choice.r#move).to_string(),
            san: SanPlus::from_move(position.clone(), choice.r#move).to_string(),
            optimal: turn.is_optimal(choice),
            keeps_value: turn.preserves_value(choice),
            expected_depth: prospect.expected_depth,
            expected_value: prospect.chances.expected_value(),
            win: prospect.chances.win,
            draw: prospect.chances.draw,
            loss: prospect.chances.loss,
        }
    }
}

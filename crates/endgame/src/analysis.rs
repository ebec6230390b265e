//! Analyses games: what each move ceded, and the apparent competence of both sides.

use std::collections::HashMap;

use errare_choice::{Bounds, Estimate, Grid, Kappa, Likelihood, PriorShape, Profile};
use errare_core::{Colour, Mark, Material};
use errare_games::{Game, name_key, names_somebody};
use errare_tables::ProbeError;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen, san::SanPlus};

use crate::{Analyser, Choice, Oracle, Turn, Values, Weighting, exits};

/// Settings of an analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalyserSettings {
    /// κ.
    pub kappa: Kappa,
    /// May the model player lose value? If not, moves that lose it are counted apart from the competence.
    pub values: Values,
    /// The competences considered.
    pub grid: Grid,
    /// The prior for each game.
    pub prior: PriorShape,
}

/// What earlier games have shown about players, by name: the prior for each player's next game.
#[derive(Debug, Default)]
pub struct Record {
    players: HashMap<String, Side>,
}

/// The analysis of a game, as far as there are tables for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameAnalysis {
    /// The game's number in its file.
    pub number: usize,
    /// White over all phases.
    pub white: PlayerReport,
    /// Black over all phases.
    pub black: PlayerReport,
    /// The result.
    pub result: Option<String>,
    /// Its phases, each with constant material.
    pub phases: Vec<Phase>,
    /// The moves of all phases.
    pub moves: Vec<MoveReport>,
    /// Problems with the game.
    pub problems: Vec<String>,
    /// The endgames of positions that were not analysed because their table is missing, or that of an endgame they lead to.
    #[serde(default)]
    pub missing: Vec<Material>,
}

/// A player's results.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerReport {
    /// The name; empty if unknown.
    pub name: String,
    /// Moves made.
    pub moves: usize,
    /// The winner's moves ceded.
    pub ceded: u32,
    /// Moves that lost value.
    pub value_losses: usize,
    /// The apparent competence; none if no error counts.
    pub competence: Option<Estimate>,
    /// The same without a grid, between the grid's ends.
    pub continuous: Option<Estimate>,
    /// Were there no errors?
    pub faultless: bool,
}

/// A phase of the game with constant material.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Phase {
    /// The men on the board, White's first.
    pub endgame: String,
    /// The first ply, counted from 1 in the game.
    pub first_ply: usize,
    /// The last ply.
    pub last_ply: usize,
    /// White in this phase.
    pub white: PlayerReport,
    /// Black in this phase.
    pub black: PlayerReport,
}

/// A move analysed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveReport {
    /// The ply, counted from 1 in the game.
    pub ply: usize,
    /// The move number, as counted in the game.
    pub number: u32,
    /// The side that moved.
    pub color: Colour,
    /// The men on the board, White's first.
    pub endgame: String,
    /// The position before the move.
    pub fen: String,
    /// The move.
    pub san: String,
    /// The number of legal moves.
    pub legal: usize,
    /// How forced it was.
    pub mark: Option<Mark>,
    /// 1 if the mover had a win, 0 a draw, -1 a loss.
    pub value_before: i32,
    /// The same after the move.
    pub value_after: i32,
    /// The depth of the position, in moves of the winner; none for a draw.
    pub depth_before: Option<u16>,
    /// The depth of the position after the move; 0 if it ended the phase.
    pub depth_after: Option<u16>,
    /// The number of the winner's moves ceded; none if the move changed the value.
    pub ceded: Option<u16>,
    /// The player's total of ceded moves in the game so far.
    pub total_ceded: u32,
    /// The best moves.
    pub optimal: Vec<String>,
    /// If the move was not one of them: the best continuation, as far as it is worth showing.
    pub better: Vec<String>,
    /// The mean of the player's apparent competence so far; none if no error has counted yet.
    pub competence: Option<f64>,
    /// Its credible interval.
    pub competence_interval: Option<[f64; 2]>,
}

/// The endgames of a game for which tables are needed.
pub fn endgames(game: &Game) -> Vec<Material> {
    let mut endgames: Vec<Material> = Vec::new();
    for (position, _) in game
        .plies()
        .filter(|(position, _)| Oracle::covers(position))
    {
        let (material, _) = Material::of(position.board());
        if !endgames.contains(&material) {
            endgames.push(material);
        }
    }
    endgames
}

/// Analyses a single game.
///
/// ```
/// use errare_choice::{Kappa, PriorShape};
/// use errare_core::Metric;
/// use errare_endgame::{AnalyserSettings, Oracle, Values, analyse};
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let pgn = "[White \"Smith\"]\n[FEN \"8/8/8/4k3/8/8/Q7/K7 w - - 0 1\"]\n\n1. Kb2 Kd4 2. Ka3 *\n";
/// let game = errare_games::games(pgn.as_bytes()).next().unwrap()?;
/// let settings = AnalyserSettings {
///     kappa: Kappa::ONE,
///     values: Values::Kept,
///     grid: "0(1)50".parse()?,
///     prior: PriorShape::Uniform,
/// };
/// let analysis = analyse(&oracle, &game, &settings)?;
/// assert_eq!(analysis.white.name, "Smith");
/// assert!(analysis.white.ceded > 0, "Ka3 goes back");
/// assert!(analysis.white.competence.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(
    oracle: &Oracle,
    game: &Game,
    settings: &AnalyserSettings,
) -> Result<GameAnalysis, ProbeError> {
    analyse_after(oracle, game, settings, &mut Record::default())
}

/// Analyses a game with the players' earlier games as prior, and updates the record. Each phase is analysed on its
/// own.
pub fn analyse_after(
    oracle: &Oracle,
    game: &Game,
    settings: &AnalyserSettings,
    record: &mut Record,
) -> Result<GameAnalysis, ProbeError> {
    analyse_observed(oracle, game, settings, record, &mut |_, _, _| {})
}

/// Like [`analyse_after`]; also calls `observe` with every analysed move and the options it was chosen from.
pub fn analyse_observed(
    oracle: &Oracle,
    game: &Game,
    settings: &AnalyserSettings,
    record: &mut Record,
    observe: &mut dyn FnMut(&MoveReport, &Turn, &Choice),
) -> Result<GameAnalysis, ProbeError> {
    let mut whole = Sides::new(settings);
    for color in Color::ALL {
        if let Some(known) = record.players.get(&name_key(game.name(color))) {
            whole.sides[color.fold_wb(0, 1)] = known.for_next_game();
        }
    }
    let mut phases: Vec<PhaseRecord<'_>> = Vec::new();
    let mut moves = Vec::new();
    let mut missing: Vec<Material> = Vec::new();
    for (number, (position, m)) in game.plies().enumerate() {
        if !Oracle::covers(&position) {
            continue;
        }
        let turn = match oracle.turn(&position) {
            Err(ProbeError::Missing { .. }) => {
                let (material, _) = Material::of(position.board());
                if !missing.contains(&material) {
                    missing.push(material);
                }
                continue;
            }
            turn => turn?,
        };
        let Some(choice) = turn.find(m).map(|number| turn.choices()[number]) else {
            continue;
        };
        let (ply, mover) = (number + 1, position.turn());
        let endgame = men(&position);
        match phases.last_mut() {
            Some(phase) if phase.endgame == endgame => phase.last_ply = ply,
            _ => phases.push(PhaseRecord {
                endgame: endgame.clone(),
                first_ply: ply,
                last_ply: ply,
                sides: Sides::new(settings),
            }),
        }
        let profile = Weighting::of(settings.values).profile(&turn, settings.kappa);
        whole.observe(mover, &turn, &profile, &choice);
        if let Some(phase) = phases.last_mut() {
            phase.sides.observe(mover, &turn, &profile, &choice);
        }
        let outcome = oracle.outcome(&position)?;
        let competence = whole.of(mover).analyser.competence();
        let san = |m| SanPlus::from_move(position.clone(), m).to_string();
        let choices = turn.choices().iter();
        let report = MoveReport {
            ply,
            number: position.fullmoves().into(),
            color: mover.into(),
            endgame,
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            san: san(m),
            legal: turn.choices().len(),
            mark: turn.mark(&choice),
            value_before: outcome.sign(),
            value_after: choice.state.value(),
            depth_before: outcome.moves_in(oracle.metric()).map(|moves| moves.0),
            depth_after: choice.state.depth(),
            ceded: turn.ceded(&choice),
            total_ceded: whole.of(mover).analyser.ceded(),
            optimal: choices
                .filter(|choice| turn.is_optimal(choice))
                .map(|choice| san(choice.r#move))
                .collect(),
            better: match turn.is_optimal(&choice) {
                true => Vec::new(),
                false => best_line(oracle, &position)?,
            },
            competence: competence.map(|estimate| estimate.mean),
            competence_interval: competence.map(|estimate| [estimate.low, estimate.high]),
        };
        observe(&report, &turn, &choice);
        moves.push(report);
    }
    let [white, black] = Color::ALL.map(|color| whole.report(color, game));
    for (color, side) in Color::ALL.into_iter().zip(whole.sides) {
        if names_somebody(game.name(color)) {
            record.players.insert(name_key(game.name(color)), side);
        }
    }
    Ok(GameAnalysis {
        number: game.number,
        white,
        black,
        result: game.result().map(str::to_owned),
        phases: phases.into_iter().map(|phase| phase.report(game)).collect(),
        moves,
        problems: game.problems.iter().map(ToString::to_string).collect(),
        missing,
    })
}

/// Maximum number of plies shown of a line.
const SHOWN_PLIES: usize = 8;

/// The best continuation from a position, until the phase ends or some plies are shown. In a draw there is nothing to
/// follow after the first move.
fn best_line(oracle: &Oracle, position: &Chess) -> Result<Vec<String>, ProbeError> {
    let mut line = Vec::new();
    let mut position = position.clone();
    while line.len() < SHOWN_PLIES {
        let turn = match oracle.turn(&position) {
            Err(ProbeError::Missing { .. }) => break,
            turn => turn?,
        };
        let Some(best) = turn.choices().iter().find(|choice| turn.is_optimal(choice)) else {
            break;
        };
        line.push(SanPlus::from_move(position.clone(), best.r#move).to_string());
        if best.state.value() == 0 || exits(best.r#move, oracle.metric()) {
            break;
        }
        position.play_unchecked(best.r#move);
    }
    Ok(line)
}

/// The men on a board, White's first.
fn men(position: &Chess) -> String {
    let (material, flipped) = Material::of(position.board());
    let [white, black] = [Color::White, Color::Black].map(|color| {
        let army = material.army(if flipped { !color } else { color });
        let men: String = army.men().map(|role| role.upper_char()).collect();
        format!("K{men}")
    });
    white + &black
}

/// Both sides of a game or a phase.
struct Sides<'a> {
    settings: &'a AnalyserSettings,
    sides: [Side; 2],
}

/// One of them.
#[derive(Debug)]
struct Side {
    analyser: Analyser,
    likelihood: Likelihood,
}

impl Side {
    fn for_next_game(&self) -> Side {
        Side {
            analyser: self.analyser.for_next_game(),
            likelihood: self.likelihood.clone(),
        }
    }
}

impl<'a> Sides<'a> {
    fn new(settings: &'a AnalyserSettings) -> Sides<'a> {
        let side = || Side {
            analyser: Analyser::new(settings.kappa, settings.grid, &settings.prior)
                .with_values(settings.values),
            likelihood: Likelihood::default(),
        };
        Sides {
            settings,
            sides: [side(), side()],
        }
    }

    fn of(&self, color: Color) -> &Side {
        &self.sides[color.fold_wb(0, 1)]
    }

    fn observe(&mut self, mover: Color, turn: &Turn, profile: &Profile, choice: &Choice) {
        let side = &mut self.sides[mover.fold_wb(0, 1)];
        side.analyser.observe_profile(turn, profile, choice);
        if turn.preserves_value(choice) || self.settings.values == Values::Risked {
            let preference = turn.preference(self.settings.kappa);
            let aversion = preference.aversion(choice.state);
            side.likelihood.observe(profile, aversion);
        }
    }

    fn report(&self, color: Color, game: &Game) -> PlayerReport {
        let Side {
            analyser,
            likelihood,
        } = self.of(color);
        let grid = self.settings.grid;
        let bounds = Bounds {
            min: grid.point(0),
            max: grid.point(grid.len() - 1),
        };
        let competence = analyser.competence();
        PlayerReport {
            name: game.name(color).to_owned(),
            moves: analyser.moves(),
            ceded: analyser.ceded(),
            value_losses: analyser.value_losses(),
            competence,
            continuous: competence.and_then(|_| likelihood.summary(bounds, &self.settings.prior)),
            faultless: analyser.is_faultless(),
        }
    }
}

struct PhaseRecord<'a> {
    endgame: String,
    first_ply: usize,
    last_ply: usize,
    sides: Sides<'a>,
}

impl PhaseRecord<'_> {
    fn report(self, game: &Game) -> Phase {
        Phase {
            white: self.sides.report(Color::White, game),
            black: self.sides.report(Color::Black, game),
            endgame: self.endgame,
            first_ply: self.first_ply,
            last_ply: self.last_ply,
        }
    }
}

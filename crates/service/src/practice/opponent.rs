//! The opponent's replies.
//!
//! An opponent is given by a player's name. Its memory, if any, is rebuilt from the moves of the game, and its
//! random numbers come from a separate stream for each ply: so a stored session continues as if it had never
//! been interrupted, and a move taken back and made again gets the same reply. Players that do not use tables,
//! such as engines, have no memory: they see only the position.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use errare_choice::State;
use errare_core::{Deadline, Watch};
use errare_endgame::{Oracle, PlayerSpec, TablePlayer, TableView, TieBreak};
use errare_players::{EngineRoom, Hired, Means, PlayerName};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, Color, Move, Position};

use super::setup::{Setup, Task};
use crate::{Error, Service, predict::hunted::must_be_followed};

/// The default opponent: it sets the hardest tasks.
pub(super) const DEFAULT_OPPONENT: &str = "predator";

/// How long an opponent may prepare while somebody waits for its reply: a hunter goes on in the background, and plays
/// as the Predator does until it is ready.
const PREPARING: Duration = Duration::from_secs(2);

/// The engines of all opponents: each program is started once, not once per move.
static ENGINES: LazyLock<Arc<EngineRoom>> = LazyLock::new(Arc::default);

/// An opponent that can be asked for replies.
#[derive(Debug, Clone)]
pub(super) struct PracticeOpponent {
    name: PlayerName,
}

impl PracticeOpponent {
    /// The opponent with this name; endgames are solved within the service's memory limit.
    pub(super) fn named(service: &Service, name: &str) -> Result<PracticeOpponent, Error> {
        let mut name: PlayerName = name.parse()?;
        if let (PlayerName::Agent { spec, .. }, Some(bytes)) =
            (&mut name, service.tables.memory_limit())
        {
            *spec = spec.clone().with_memory(bytes);
        }
        Ok(PracticeOpponent { name })
    }

    /// Makes sure that it can play, which may start an engine, and reports its remarks.
    pub(super) fn prepare(&self, watch: &dyn Watch) -> Result<(), Error> {
        if self.spec().is_none() {
            let hired = self.hire()?;
            hired.remarks().iter().for_each(|remark| watch.tell(remark));
        }
        Ok(())
    }

    /// Makes sure that it can play from this position on. Says so if it plays as another does at first.
    pub(super) fn take_seat(
        &self,
        oracle: &Oracle,
        setup: &Setup,
        position: &Chess,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let Some(PlayerSpec::Hunter(hunter)) = self.spec() else {
            return Ok(());
        };
        must_be_followed(&setup.endgame, setup.metric)?;
        let turn = oracle.turn(position)?;
        let view = TableView {
            oracle,
            position,
            turn: &turn,
        };
        let is_ready = hunter.is_ready(view, setup.opponent_side().into(), watch)?;
        if !is_ready && watch.remaining().is_some() {
            let endgame = setup.endgame;
            watch.tell(&format!(
                "The Hunter has to work out {endgame} first, once; until then it plays as the Predator does."
            ));
        }
        Ok(())
    }

    /// Its specification, if it plays by tables, which cover every position of a session.
    fn spec(&self) -> Option<&PlayerSpec> {
        match &self.name {
            PlayerName::Agent { spec, .. } => Some(spec),
            _ => None,
        }
    }

    fn hire(&self) -> Result<Hired, Error> {
        let means = Means {
            room: Arc::clone(&ENGINES),
            ..Means::default()
        };
        Ok(self.name.hire(&means)?)
    }

    /// Does it need depths in DTM as well as in the metric?
    pub(super) fn needs_dtm(&self) -> bool {
        matches!(
            self.spec(),
            Some(PlayerSpec::Best {
                ties: TieBreak::LongestDtm
            })
        )
    }

    /// Its full name.
    pub(super) fn name(&self) -> String {
        self.name.to_string()
    }

    /// Its reply in the last of these positions, reached by these moves.
    pub(super) fn reply(
        &self,
        oracle: &Oracle,
        setup: &Setup,
        positions: &[Chess],
        moves: &[Move],
        watch: &dyn Watch,
    ) -> Result<Move, Error> {
        let position = positions
            .last()
            .ok_or_else(|| Error::bad_request("there is no position to reply in"))?;
        let rng = &mut stream(setup.seed, moves.len());
        let Some(spec) = self.spec() else {
            let mut chooser = self.hire()?.sit();
            return Ok(chooser.choose_within(position, rng, watch)?.r#move);
        };
        let own: Color = setup.opponent_side().into();
        // A page waits for the reply, not for the solution of an endgame.
        let soon = Deadline::after(PREPARING, watch);
        let patience: &dyn Watch = match watch.remaining() {
            Some(_) => &soon,
            None => watch,
        };
        let mut agent = spec.agent();
        let remembers_itself = match spec {
            PlayerSpec::Emulator { .. } => true,
            // Once it has risked its draw it keeps pursuing the chance it took the risk for.
            PlayerSpec::Hunter(hunter) => hunter.risks_own,
            _ => false,
        };
        for (ply, (position, m)) in positions.iter().zip(moves).enumerate() {
            let is_own = position.turn() == own;
            if is_own && !remembers_itself {
                continue;
            }
            let turn = oracle.turn(position)?;
            let view = TableView {
                oracle,
                position,
                turn: &turn,
            };
            if is_own {
                agent.prepare(view, own, patience)?;
                agent.choose(view, &mut stream(setup.seed, ply))?;
            } else if let Some(number) = turn.find(*m) {
                agent.watch(view, number);
            }
        }
        let mut turn = oracle.turn(position)?;
        let attacks = setup.task == Task::Hold && turn.best() == Some(State::Draw);
        if attacks && matches!(spec, PlayerSpec::Predator { .. }) {
            let new = turn.retaining(|choice| {
                turn.preserves_value(choice) && !repeats(positions, choice.r#move)
            });
            if !new.choices().is_empty() {
                turn = new;
            }
        }
        let view = TableView {
            oracle,
            position,
            turn: &turn,
        };
        agent.prepare(view, own, patience)?;
        let chosen = agent.choose(view, rng)?;
        Ok(turn.choices()[chosen].r#move)
    }
}

/// Does a move in the last of these positions repeat one of them? A player who plays for a win in a drawn position
/// avoids that.
fn repeats(positions: &[Chess], m: Move) -> bool {
    let Some(mut after) = positions.last().cloned() else {
        return false;
    };
    after.play_unchecked(m);
    let same = |before: &Chess| before.board() == after.board() && before.turn() == after.turn();
    positions.iter().any(same)
}

/// The random numbers of one ply.
fn stream(seed: u64, ply: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Stream 0 draws the start.
    rng.set_stream(ply as u64 + 1);
    rng
}

/// An opponent in words: "the Predator, which sets you the hardest tasks".
pub fn opponent_words(name: &str) -> String {
    let (player, options) = name.split_once(':').unwrap_or((name, ""));
    let option = |wanted: &str| {
        options
            .split(',')
            .filter_map(|option| option.split_once('='))
            .find_map(|(name, value)| (name == wanted).then_some(value))
    };
    let competence = option("c").unwrap_or("?");
    let risks = option("value") == Some("risk");
    match player {
        "predator" => {
            "the Predator, which learns how you play and sets you the hardest tasks".to_owned()
        }
        "hunter" => "the Hunter, which sets the hardest possible tasks".to_owned(),
        "best" => "a perfect player".to_owned(),
        "random" => "a player of random moves".to_owned(),
        "emulator" => format!("the Emulator, which appears to play with c = {competence}"),
        "rep" if risks => format!("a player of c = {competence} who may throw the result away"),
        "rep" => format!("a player of c = {competence} who errs but keeps the result"),
        "human" => format!(
            "a player like people of {} Elo",
            option("elo").unwrap_or("unknown")
        ),
        "uci" => match options.split(',').next() {
            Some(engine) if !engine.is_empty() && !engine.contains('=') => {
                format!("the engine {engine}")
            }
            _ => "an engine".to_owned(),
        },
        "minimax" => format!(
            "random minimaxing, which knows only the rules and looks {} plies ahead",
            option("depth").unwrap_or("some")
        ),
        _ => name.to_owned(),
    }
}

//! Actions in a session: moves, hints, takebacks, draws, resigning.

use errare_core::{Colour, Metric, Watch};
use errare_endgame::Oracle;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, uci::UciMove};

use super::{
    hint::{self, Hint},
    judgement::Judgement,
    notation::typed_move,
    opponent::PracticeOpponent,
    rules::{self, Claim, End, EndKind},
    session::{Attempt, Board, GivenHint, Played, Session, fen, mover, san},
    setup::{Setup, Task, Until},
    standing::{GameValue, Standing},
    view::{SessionView, view_of},
};
use crate::{Error, Service};

/// An action of the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Act {
    /// Makes a move, as typed; the opponent replies.
    Move {
        /// The move.
        text: String,
    },
    /// Asks for a hint: first the piece, then the square, then the line.
    Hint,
    /// Takes the last move back, with the reply to it.
    TakeBack,
    /// Returns to one of the person's turns: the one before this ply, or else the last slip.
    Retry {
        /// The ply.
        ply: Option<usize>,
    },
    /// Offers a draw.
    OfferDraw,
    /// Claims a draw.
    ClaimDraw,
    /// Resigns.
    Resign,
}

/// An event in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A move was made, by either side.
    Moved(Played),
    /// A hint was given.
    Hinted(Hint),
    /// Moves were taken back, to this position.
    TookBack {
        /// The number of plies.
        plies: usize,
        /// The position now on the board.
        fen: String,
    },
    /// The winning side offers a draw: the opponent is asked only if it is offered again.
    DrawDoubted {
        /// Why, in a sentence.
        words: String,
    },
    /// The opponent declines a draw.
    DrawDeclined {
        /// The reason, in a sentence.
        words: String,
    },
    /// The person may claim a draw now.
    ClaimPossible {
        /// The grounds.
        claim: Claim,
        /// The grounds in a sentence.
        words: String,
    },
    /// The game is over.
    Ended(End),
}

/// A session after an action, with its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PracticeAnswer))]
pub struct Answer {
    /// The updated session.
    pub session: Session,
    /// The events, in order.
    pub events: Vec<Event>,
    /// What to show.
    pub view: SessionView,
}

/// The number of moves that a drawn position must be held before the attacker agrees to a draw.
const MOVES_BEFORE_AGREEING: usize = 10;

/// Performs an action in a session. The given session is not changed and stays valid after an error.
pub fn act(
    service: &Service,
    session: &Session,
    act: &Act,
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    let opponent = PracticeOpponent::named(service, &session.setup.opponent)?;
    let oracle = oracle(service, &session.setup, &opponent, watch)?;
    let mut game = GameInPlay {
        oracle: &oracle,
        opponent: &opponent,
        watch,
        board: session.board()?,
        session: session.clone(),
        events: Vec::new(),
    };
    game.act(act)?;
    game.answer()
}

/// Resumes a session and returns what to show. If it is the opponent's turn, the opponent moves.
pub fn resume(service: &Service, session: &Session, watch: &dyn Watch) -> Result<Answer, Error> {
    let opponent = PracticeOpponent::named(service, &session.setup.opponent)?;
    let oracle = oracle(service, &session.setup, &opponent, watch)?;
    let mut game = GameInPlay {
        oracle: &oracle,
        opponent: &opponent,
        watch,
        board: session.board()?,
        session: session.clone(),
        events: Vec::new(),
    };
    if game.session.end.is_none() {
        game.after_move()?;
    }
    game.answer()
}

/// The tables of a session's endgame.
pub(super) fn oracle(
    service: &Service,
    setup: &Setup,
    opponent: &PracticeOpponent,
    watch: &dyn Watch,
) -> Result<Oracle, Error> {
    let also: &[Metric] = match opponent.needs_dtm() {
        true => &[Metric::Dtm],
        false => &[],
    };
    service
        .tables
        .oracle(&[setup.endgame], setup.metric, also, watch)
}

/// A session at work.
struct GameInPlay<'a> {
    oracle: &'a Oracle,
    opponent: &'a PracticeOpponent,
    watch: &'a dyn Watch,
    board: Board,
    session: Session,
    events: Vec<Event>,
}

impl GameInPlay<'_> {
    fn answer(self) -> Result<Answer, Error> {
        let view = view_of(self.oracle, &self.session, &self.board)?;
        Ok(Answer {
            session: self.session,
            events: self.events,
            view,
        })
    }

    fn act(&mut self, act: &Act) -> Result<(), Error> {
        match act {
            Act::TakeBack => return self.take_back(),
            Act::Retry { ply } => return self.retry(*ply),
            _ => {}
        }
        if let Some(end) = &self.session.end {
            return Err(Error::bad_request(format!(
                "the game is over ({}); take a move back, try again from a slip, or begin another",
                end.words.trim_end_matches('.')
            )));
        }
        match act {
            Act::Move { text } => {
                let m = typed_move(self.board.position(), text)?;
                self.make(m)?;
                self.after_move()
            }
            Act::Hint => self.hint(),
            Act::OfferDraw => self.offer_draw(),
            Act::ClaimDraw => self.claim_draw(),
            Act::Resign => {
                self.finish(
                    EndKind::Resigned,
                    GameValue::Loss,
                    "You have resigned.".to_owned(),
                );
                Ok(())
            }
            Act::TakeBack | Act::Retry { .. } => Ok(()),
        }
    }

    /// Makes a move of either side, and judges it.
    fn make(&mut self, m: Move) -> Result<(), Error> {
        let position = self.board.position().clone();
        let yours = mover(&position) == self.session.setup.side;
        let turn = self.turn(&position)?;
        let chosen = turn
            .find(m)
            .ok_or_else(|| Error::bad_request("the tables do not know that move"))?;
        let judgement = Judgement::new(
            &position,
            &turn,
            &turn.choices()[chosen],
            self.oracle.metric(),
        );
        let (san, uci) = (san(&position, m), UciMove::from_standard(m).to_string());
        let hint = self.session.hint_level();
        let counts = yours && self.session.counts_now();
        if yours {
            self.session.attempts.push(Attempt {
                ply: self.session.moves.len(),
                fen: self.session.fen().to_owned(),
                san: san.clone(),
                uci: uci.clone(),
                judgement: judgement.clone(),
                counts,
            });
        }
        self.board.play(m);
        let played = Played {
            ply: self.session.moves.len(),
            colour: mover(&position),
            yours,
            san,
            uci,
            fen: fen(self.board.position()),
            judgement,
            standing: self.standing()?,
            hint: if yours { hint } else { 0 },
            counts,
        };
        self.session.moves.push(played.clone());
        self.session.draw_doubted = false;
        self.events.push(Event::Moved(played));
        Ok(())
    }

    /// Everything after a move: the end, the opponent's claim or reply, the person's right to a claim.
    fn after_move(&mut self) -> Result<(), Error> {
        if self.is_over()? {
            return Ok(());
        }
        if mover(self.board.position()) != self.session.setup.side {
            if let Some(claim) = rules::claim(&self.board.positions)
                && self.opponent_wants_a_draw()?
            {
                let words = format!("Your opponent claims a draw: {}.", claim.words());
                self.finish(kind_of(claim), GameValue::Draw, words);
                return Ok(());
            }
            let Board { positions, moves } = &self.board;
            let setup = &self.session.setup;
            let reply = self
                .opponent
                .reply(self.oracle, setup, positions, moves, self.watch)?;
            self.make(reply)?;
            if self.is_over()? || self.is_held()? {
                return Ok(());
            }
        }
        if let Some(claim) = self.session.claim(&self.board) {
            let words = format!("You may claim a draw: {}.", claim.words());
            self.events.push(Event::ClaimPossible { claim, words });
        }
        Ok(())
    }

    fn finish(&mut self, kind: EndKind, result: GameValue, words: String) {
        let end = End {
            kind,
            result,
            words,
        };
        self.session.end = Some(end.clone());
        self.events.push(Event::Ended(end));
    }

    /// Did the last move end the game, by the rules or by leaving the endgame?
    fn is_over(&mut self) -> Result<bool, Error> {
        let end = match rules::end_by_rule(&self.board.positions, self.session.setup.side) {
            Some(end) => Some(end),
            None => self.conversion()?,
        };
        if let Some(end) = end {
            self.session.end = Some(end.clone());
            self.events.push(Event::Ended(end));
            return Ok(true);
        }
        Ok(false)
    }

    /// The end by a capture or promotion into a decided or drawn endgame. If the loser made it, the winner
    /// still has to prove the win, and the game goes on.
    fn conversion(&self) -> Result<Option<End>, Error> {
        let Some(&m) = self.board.moves.last() else {
            return Ok(None);
        };
        let converts = m.is_capture() || m.is_promotion();
        if !converts || self.session.setup.until == Until::Mate {
            return Ok(None);
        }
        let position = self.board.position();
        let standing = self.standing()?;
        // The side now to move did not make it.
        let yours = mover(position) != self.session.setup.side;
        let value = standing.value;
        if value
            == if yours {
                GameValue::Loss
            } else {
                GameValue::Win
            }
        {
            return Ok(None);
        }
        let what = match m.is_promotion() {
            true => "promotion",
            false => "capture",
        };
        let endgame = errare_core::Material::of(shakmaty::Position::board(position)).0;
        let words = match (value, yours) {
            (GameValue::Win, _) => {
                format!("Won: your {what} leads to {endgame}, which you win.")
            }
            (GameValue::Draw, true) => format!("Your {what} leads to {endgame}, a draw."),
            (GameValue::Draw, false) => {
                format!("Your opponent's {what} leads to {endgame}, a draw.")
            }
            (GameValue::Loss, _) => {
                format!("Lost: your opponent's {what} leads to {endgame}, which you lose.")
            }
        };
        Ok(Some(End {
            kind: EndKind::Converted,
            result: value,
            words,
        }))
    }

    /// Has a drawn position been held for long enough?
    fn is_held(&mut self) -> Result<bool, Error> {
        let setup = &self.session.setup;
        let moves = self.session.own_moves().count();
        let held = setup.task == Task::Hold
            && moves >= usize::from(setup.hold_moves)
            && self.standing()?.value == GameValue::Draw;
        if held {
            let words = format!("Held: after {moves} moves the position is still a draw.");
            self.finish(EndKind::Held, GameValue::Draw, words);
        }
        Ok(held)
    }

    fn hint(&mut self) -> Result<(), Error> {
        let level = (self.session.hint_level() + 1).min(hint::MOST);
        let hint = hint::give(self.oracle, self.board.position(), level)?;
        self.session.hints.push(GivenHint {
            ply: self.session.moves.len(),
            fen: self.session.fen().to_owned(),
            level,
        });
        self.events.push(Event::Hinted(hint));
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Error> {
        let last = self
            .session
            .own_moves()
            .next_back()
            .map(|played| played.ply);
        let last = last.ok_or_else(|| Error::bad_request("you have no move to take back"))?;
        self.go_back_to(last)
    }

    fn retry(&mut self, ply: Option<usize>) -> Result<(), Error> {
        let to = match ply {
            Some(ply) => self.session.own_moves().find(|played| played.ply == ply),
            None => self
                .session
                .own_moves()
                .rfind(|played| played.judgement.is_slip()),
        };
        let to = to.map(|played| played.ply).ok_or_else(|| {
            Error::bad_request(match ply {
                Some(_) => "that is not one of your moves on the board",
                None => "you have no slip on the board to try again from",
            })
        })?;
        self.go_back_to(to)
    }

    /// Returns to the board before a ply.
    fn go_back_to(&mut self, ply: usize) -> Result<(), Error> {
        let plies = self.session.moves.len() - ply;
        self.session.moves.truncate(ply);
        self.session.draw_doubted = false;
        self.session.end = None;
        self.board.positions.truncate(ply + 1);
        self.board.moves.truncate(ply);
        let fen = self.session.fen().to_owned();
        self.events.push(Event::TookBack { plies, fen });
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<(), Error> {
        let standing = self.standing()?;
        let moves = self.session.own_moves().count();
        let hopes = self.session.setup.task == Task::Hold && moves < MOVES_BEFORE_AGREEING;
        let words = match standing.value {
            GameValue::Loss => "Your opponent declines: it is winning.",
            GameValue::Draw if hopes => "Your opponent declines: it still hopes that you err.",
            GameValue::Win if !self.session.draw_doubted => {
                self.session.draw_doubted = true;
                let words = "You are winning, and your opponent would accept. Offer the draw again if you mean it.";
                self.events.push(Event::DrawDoubted {
                    words: words.to_owned(),
                });
                return Ok(());
            }
            _ => {
                let words = "Your opponent accepts: the game is drawn by agreement.".to_owned();
                self.finish(EndKind::Agreed, GameValue::Draw, words);
                return Ok(());
            }
        };
        self.events.push(Event::DrawDeclined {
            words: words.to_owned(),
        });
        Ok(())
    }

    fn claim_draw(&mut self) -> Result<(), Error> {
        let claim = self.session.claim(&self.board).ok_or_else(|| {
            Error::bad_request(
                "there is nothing to claim: the position has not occurred three times, and fewer than 50 \
                 moves were made without a capture or a pawn move",
            )
        })?;
        let words = format!("Draw claimed: {}.", claim.words());
        self.finish(kind_of(claim), GameValue::Draw, words);
        Ok(())
    }

    /// Does the opponent want a draw? It does if it is losing, or defends a drawn position.
    fn opponent_wants_a_draw(&self) -> Result<bool, Error> {
        Ok(match self.standing()?.value {
            GameValue::Win => true,
            GameValue::Draw => self.session.setup.task == Task::Win,
            GameValue::Loss => false,
        })
    }

    /// The person's standing.
    fn standing(&self) -> Result<Standing, Error> {
        standing_of(self.oracle, self.board.position(), self.session.setup.side)
    }

    fn turn(&self, position: &Chess) -> Result<errare_endgame::Turn, Error> {
        Ok(self.oracle.turn(position)?)
    }
}

/// The standing of a side in a position.
pub(super) fn standing_of(
    oracle: &Oracle,
    position: &Chess,
    side: Colour,
) -> Result<Standing, Error> {
    let outcome = oracle.outcome(position)?;
    let turn = shakmaty::Position::turn(position);
    Ok(Standing::of(outcome, turn, side, oracle.metric()))
}

fn kind_of(claim: Claim) -> EndKind {
    match claim {
        Claim::Threefold => EndKind::Threefold,
        Claim::FiftyMoves => EndKind::FiftyMoves,
    }
}

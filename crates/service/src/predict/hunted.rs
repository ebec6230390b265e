//! Predictions against an opponent with a known policy: exact in every position, averaged by depth.

use std::collections::BTreeMap;

use errare_core::{Competence, Material, Metric, Watch};
use errare_endgame::{Goal, Hunt, HuntError, Oracle, Prey, Resistance, Scope, Solved, TieBreak};
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};

use super::{Forecast, Request, Within, exact};
use crate::{Error, RequestError, Service, model::ValueRule};

/// The forecast for each competence, and for the position if there is one.
pub(super) fn answer(
    service: &Service,
    request: &Request,
    resistance: Resistance,
    oracle: &Oracle,
    side: Color,
    position: Option<(&exact::Request, &Chess)>,
    watch: &dyn Watch,
) -> Result<(Vec<Forecast>, Option<exact::Answer>), Error> {
    let scope = match request.value {
        ValueRule::Keep => Scope::Wins,
        ValueRule::Risk => Scope::WinsAtRisk,
    };
    let memory = service.tables.memory()?;
    let hunt = Hunt::new(oracle, request.endgame, side, scope, memory, watch)?;
    if hunt.positions() == 0 {
        return Err(RequestError::NoWin.into());
    }
    let mut forecasts = Vec::new();
    let mut followed = None;
    for (number, skill) in [request.skill].iter().chain(&request.compare).enumerate() {
        let prey = prey(request, *skill);
        let solved = |solved| unless_too_long(solved, prey, watch);
        let (lengths, wins) = match request.value {
            ValueRule::Keep => (solved(hunt.lengths(prey, resistance, watch))?, None),
            // Play may go on for ever, so lengths are infinite.
            ValueRule::Risk => (None, solved(hunt.win_chances(prey, resistance, watch))?),
        };
        let chances = hunt.chances(prey, Goal::Win, resistance, request.moves, watch)?;
        forecasts.push(forecast(
            request,
            &hunt,
            lengths.as_ref(),
            wins.as_ref(),
            &chances,
        ));
        if let (0, Some((wanted, position))) = (number, position) {
            let node = hunt.node(position)?;
            let expected = lengths.as_ref().map(|lengths| lengths.at(node));
            let simulated = match &lengths {
                None => None,
                Some(lengths) => {
                    let simulator = || Ok(hunt.simulator(prey, resistance, lengths, node, memory)?);
                    exact::simulate(request, wanted, simulator, watch)?
                }
            };
            followed = Some(exact::Answer {
                expected_moves: expected.map(|expected| expected.value),
                bounds: expected.map(|expected| [expected.low, expected.high]),
                simulated,
                ..at_node(request, wanted, position, wins.as_ref(), &chances, node)
            });
        }
    }
    Ok((forecasts, followed))
}

/// A position against the infallible opponent, who breaks ties at random, with value at risk. A draw is final: that
/// opponent never gives it away.
pub(super) fn infallible(
    service: &Service,
    request: &Request,
    wanted: &exact::Request,
    oracle: &Oracle,
    position: &Chess,
    watch: &dyn Watch,
) -> Result<exact::Answer, Error> {
    let (scope, memory) = (Scope::WinsAtRisk, service.tables.memory()?);
    let hunt = Hunt::from_position(oracle, position, scope, memory, watch)?;
    let (prey, best) = (prey(request, request.skill), Resistance::Best);
    let node = hunt.node(position)?;
    let chances = hunt.chances(prey, Goal::Win, best, request.moves, watch)?;
    let wins = unless_too_long(hunt.win_chances(prey, best, watch), prey, watch)?;
    Ok(at_node(
        request,
        wanted,
        position,
        wins.as_ref(),
        &chances,
        node,
    ))
}

/// The chances at the node of a position.
fn at_node(
    request: &Request,
    wanted: &exact::Request,
    position: &Chess,
    wins: Option<&Solved>,
    chances: &Solved,
    node: usize,
) -> exact::Answer {
    exact::Answer {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        opponent: request.opponent,
        ties: wanted.ties,
        expected_moves: None,
        bounds: None,
        win_within: chances.at(node).value,
        win: wins.map(|wins| wins.at(node).value),
        simulated: None,
    }
}

fn prey(request: &Request, skill: Competence) -> Prey {
    Prey {
        competence: skill.get(),
        kappa: request.model.kappa,
    }
}

/// A solution; `None`, with a message to the watch, if play takes too long to be solved.
pub(crate) fn unless_too_long(
    solved: Result<Solved, HuntError>,
    prey: Prey,
    watch: &dyn Watch,
) -> Result<Option<Solved>, Error> {
    match solved {
        Ok(solved) => Ok(Some(solved)),
        Err(error @ (HuntError::TooLong { .. } | HuntError::NotSettled { .. })) => {
            watch.tell(&format!("c = {}: {error}", prey.competence));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Refuses a competence for which a hunter finds no solution.
pub(crate) fn must_be_huntable(skill: Competence) -> Result<(), Error> {
    match skill.get() {
        0.0.. => Ok(()),
        other => Err(HuntError::Competence(other).into()),
    }
}

/// Refuses a metric in which a hunter cannot follow play in an endgame, since it goes on in another.
pub(crate) fn must_be_followed(endgame: &Material, metric: Metric) -> Result<(), Error> {
    let goes_on = || {
        // Nobody wins these.
        let decided = ["KBK", "KNK"].map(|it| it.parse::<Material>().expect("an endgame"));
        let mut subgames = endgame.subgames().into_iter();
        subgames.any(|it| !decided.contains(&it))
    };
    match metric {
        Metric::Dtm | Metric::Dtr if goes_on() => Err(HuntError::LeavesEndgame { metric }.into()),
        _ => Ok(()),
    }
}

/// Rejects requests that are not supported against such an opponent.
pub(super) fn check(wanted: &exact::Request, value: ValueRule) -> Result<(), Error> {
    let refused = match () {
        () if wanted.simulate.is_some() && value == ValueRule::Risk => {
            "games are simulated here only with value kept; play a match instead"
        }
        () if wanted.ties != TieBreak::Uniform => {
            "ties are broken by name only against the infallible opponent, and with value kept"
        }
        () => return Ok(()),
    };
    Err(Error::bad_request(refused))
}

fn forecast(
    request: &Request,
    hunt: &Hunt<'_>,
    lengths: Option<&Solved>,
    wins: Option<&Solved>,
    chances: &Solved,
) -> Forecast {
    let by_depth = |solved: &Solved| -> BTreeMap<u16, f64> {
        let depths = hunt.by_depth(solved).into_iter();
        depths.map(|(depth, _, mean)| (depth, mean)).collect()
    };
    let lengths = lengths.map(by_depth).unwrap_or_default();
    let depths = hunt.by_depth(chances);
    Forecast {
        expected_moves: depths
            .iter()
            .map(|(depth, ..)| (*depth, lengths.get(depth).copied()))
            .collect(),
        deviation: BTreeMap::new(),
        win_within: Within {
            moves: request.moves,
            from: by_depth(chances),
        },
        win: wins.map(by_depth).unwrap_or_default(),
        results: None,
        positions: depths
            .iter()
            .map(|(depth, count, _)| (*depth, *count))
            .collect(),
    }
}

//! Answers as comma-separated values, for spreadsheets.

use std::io::{self, Write};

use csv::{Error, Writer};
use errare_core::Outcome;
use errare_players::MatchGame;
use errare_rating::{Estimator, Rating};
use errare_service::{
    fit, matches,
    rate::{self, RatingInterval},
    screen,
};
use errare_tables::Statistics;
use shakmaty::fen::Fen;

use crate::rating::groups;

/// A number, or an empty field.
fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// One row per position of a table.
#[derive(Debug)]
pub struct PositionRows<W: Write>(Writer<W>);

impl<W: Write> PositionRows<W> {
    /// Writes the header.
    pub fn new(out: W) -> io::Result<PositionRows<W>> {
        let mut out = Writer::from_writer(out);
        out.write_record(["fen", "outcome", "plies"])?;
        Ok(PositionRows(out))
    }

    /// Writes the row of a position.
    pub fn write(&mut self, fen: &Fen, outcome: Outcome) -> io::Result<()> {
        let word = match outcome {
            Outcome::Win(_) => "win",
            Outcome::Draw => "draw",
            Outcome::Loss(_) => "loss",
        };
        let plies = outcome.plies().map(|plies| plies.0);
        Ok(self.0.serialize((fen.to_string(), word, plies))?)
    }

    /// Writes what is left in memory.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// One row per side to move, outcome and depth of an endgame, with the number of positions on the full board.
pub fn depths(out: impl Write, statistics: &Statistics) -> Result<(), Error> {
    let mut out = Writer::from_writer(out);
    out.write_record(["side", "outcome", "moves", "positions"])?;
    for (name, side) in [("white", &statistics.white), ("black", &statistics.black)] {
        for (moves, positions) in &side.win_depths {
            out.serialize((name, "win", moves.0, positions))?;
        }
        out.serialize((name, "draw", "", side.draws))?;
        for (moves, positions) in &side.loss_depths {
            out.serialize((name, "loss", moves.0, positions))?;
        }
    }
    Ok(out.flush()?)
}

/// One row per game of a match.
pub fn games(out: impl Write, answer: &matches::Answer, played: &[MatchGame]) -> Result<(), Error> {
    let mut out = Writer::from_writer(out);
    out.write_record([
        "game",
        "finish",
        "moves",
        "plies",
        "apparent_white",
        "apparent_black",
        "white",
        "black",
    ])?;
    let [first, second] = &answer.players;
    for (game, number) in played.iter().zip(1_u64..) {
        let apparent = game
            .apparent
            .map(|apparent| self::number(apparent.map(|c| c.mean)));
        let names = match game.swapped {
            false => [first, second],
            true => [second, first],
        };
        out.serialize((number, game.finish, game.moves, game.plies, apparent, names))?;
    }
    Ok(out.flush()?)
}

/// One row per class and method.
pub fn fits(out: impl Write, answer: &fit::Answer) -> Result<(), Error> {
    let mut out = Writer::from_writer(out);
    out.write_record([
        "milepost",
        "turns",
        "method",
        "s",
        "s_se",
        "c",
        "c_se",
        "mm",
        "mm_projected",
        "mm_sd",
        "ad",
        "ad_projected",
        "ad_sd",
        "q_fit",
        "log_loss",
    ])?;
    for class in &answer.classes {
        let Some(known) = &class.known else { continue };
        let projected = [known.mm, known.ad]
            .into_iter()
            .flat_map(|it| [it.actual, it.projected, it.sd])
            .chain([known.q_fit, known.log_loss])
            .map(|value| value.to_string());
        let projected: Vec<String> = projected.collect();
        let head = [
            number(class.milepost.map(f64::from)),
            class.turns.to_string(),
        ];
        let Some(fits) = &known.fits else {
            let blank = std::iter::repeat_n(String::new(), 5);
            out.write_record(head.into_iter().chain(blank).chain(projected))?;
            continue;
        };
        for method in Estimator::ALL {
            let fit = fits.by(method);
            let fitted = [
                method.to_string(),
                fit.s.to_string(),
                number(fit.s_se),
                fit.c.to_string(),
                number(fit.c_se),
            ];
            // Projections belong to one method only.
            let shown = answer.method == Some(method);
            let tail = projected
                .iter()
                .map(|value| if shown { value.clone() } else { String::new() });
            out.write_record(head.clone().into_iter().chain(fitted).chain(tail))?;
        }
    }
    Ok(out.flush()?)
}

const RATED: [&str; 13] = [
    "by",
    "name",
    "turns",
    "rating",
    "low",
    "high",
    "mm",
    "ad",
    "open_below",
    "open_above",
    "quality",
    "quality_low",
    "quality_high",
];

/// The rating of some turns: Elo, and quality of play.
struct Said<'a>(Option<&'a Rating>, Option<&'a RatingInterval>);

fn rated(by: &str, name: &str, turns: usize, said: &Said, of: [f64; 2]) -> Vec<String> {
    let Said(rating, quality) = said;
    let part = |of: fn(&Rating) -> f64| number(rating.map(of));
    let open = |of: fn(&Rating) -> bool| rating.map_or(String::new(), |it| of(it).to_string());
    let play = |of: fn(&RatingInterval) -> f64| number(quality.map(of));
    vec![
        by.to_owned(),
        name.to_owned(),
        turns.to_string(),
        part(|it| it.mean),
        part(|it| it.low),
        part(|it| it.high),
        of[0].to_string(),
        of[1].to_string(),
        open(|it| it.open_below),
        open(|it| it.open_above),
        play(|it| it.mean),
        play(|it| it.low),
        play(|it| it.high),
    ]
}

/// One row per group of a player's turns, after one for all of them.
pub fn rating(out: impl Write, answer: &rate::Answer) -> Result<(), Error> {
    let mut out = Writer::from_writer(out);
    out.write_record(RATED)?;
    for row in rating_rows(answer) {
        out.write_record(row)?;
    }
    Ok(out.flush()?)
}

/// The same for all players, with the player's name in front.
pub fn ratings(out: impl Write, everyone: &rate::Everyone) -> Result<(), Error> {
    let mut out = Writer::from_writer(out);
    out.write_record(["player", "elo"].into_iter().chain(RATED))?;
    for answer in &everyone.players {
        for row in rating_rows(answer) {
            let head = [answer.player.clone(), number(answer.elo)];
            out.write_record(head.into_iter().chain(row))?;
        }
    }
    Ok(out.flush()?)
}

fn rating_rows(answer: &rate::Answer) -> Vec<Vec<String>> {
    let all = [answer.mm.actual, answer.ad.actual];
    let mut rows = vec![rated(
        "all",
        &answer.player,
        answer.turns,
        &Said(Some(&answer.rating), answer.quality.as_ref()),
        all,
    )];
    for (by, groups) in groups(answer) {
        rows.extend(groups.iter().map(|group| {
            let of = [group.mm, group.ad];
            let said = Said(group.rating.as_ref(), group.quality.as_ref());
            rated(by, &group.name, group.turns, &said, of)
        }));
    }
    rows
}

/// One row per player.
pub fn screening(out: impl Write, answer: &screen::Answer) -> Result<(), Error> {
    let mut out = Writer::from_writer(out);
    out.write_record([
        "player",
        "elo",
        "games",
        "turns",
        "mm",
        "mm_projected",
        "mm_sd",
        "equal",
        "equal_projected",
        "equal_sd",
        "ad",
        "ad_projected",
        "ad_sd",
        "z_mm",
        "z_equal",
        "z_ad",
        "adjusted_z_mm",
        "adjusted_z_equal",
        "adjusted_z_ad",
        "label",
        "chance",
        "smallest_engine_share",
        "smallest_elo",
    ])?;
    for one in answer.players.iter().map(|listed| &listed.one) {
        let compared = [one.mm, one.equal, one.ad];
        let compared = compared
            .into_iter()
            .flat_map(|it| [it.actual, it.projected, it.sd]);
        let adjusted = |of: fn(screen::Adjusted) -> f64| one.adjusted.map(of);
        let z = [
            one.z_mm,
            one.z_equal,
            one.z_ad,
            adjusted(|z| z.z_mm),
            adjusted(|z| z.z_equal),
            adjusted(|z| z.z_ad),
        ];
        let head = [
            one.player.clone(),
            one.elo.to_string(),
            one.games.to_string(),
            one.turns.to_string(),
        ];
        let compared = compared.map(|value| value.to_string());
        let z = z.map(|z| z.map_or(String::new(), |z| z.to_string()));
        let numbers = compared.chain(z);
        let label = [one.label.to_string()];
        let effect = one.smallest_effect;
        let known = [one.chance, effect.engine_share, effect.elo]
            .map(|value| value.map_or(String::new(), |value| value.to_string()));
        out.write_record(head.into_iter().chain(numbers).chain(label).chain(known))?;
    }
    Ok(out.flush()?)
}

//! Analysed games and players.

use std::io::{self, Write};

use anstyle::Style;
use errare_core::Metric;
use errare_endgame::{GameAnalysis, PlayerReport};
use errare_games::Game;
use errare_service::{
    analyse::{
        AnalyseSettings, AnalysisSession, Totals,
        rated::{EloBand, Population},
        stream::MILEPOSTS,
    },
    anchor,
    model::ValueRule,
};

use super::table;
use crate::{
    analysis::{coach, movetext},
    pgn::wrap,
};

/// Writes a game: the players, their competence in each phase, and the moves. The prior from earlier
/// games counts for the whole, not for phases.
pub fn game(
    out: &mut dyn Write,
    game: &Game,
    analysis: &GameAnalysis,
    settings: &AnalyseSettings,
) -> io::Result<()> {
    let (carried, model, value) = (settings.carry, &settings.model, settings.value);
    let bold = Style::new().bold();
    let name = |player: &PlayerReport| match player.name.as_str() {
        "" => "?".to_owned(),
        name => name.to_owned(),
    };
    writeln!(
        out,
        "{bold}Game {}: {} - {}  {}{bold:#}\n",
        analysis.number,
        name(&analysis.white),
        name(&analysis.black),
        analysis.result.as_deref().unwrap_or("*")
    )?;
    let mut sides = Vec::new();
    for phase in &analysis.phases {
        for (color, player) in [("White", &phase.white), ("Black", &phase.black)] {
            sides.push(row(&phase.endgame, color, player));
        }
    }
    if analysis.phases.len() > 1 || carried {
        let whole = if carried { "so far" } else { "all" };
        for (color, player) in [("White", &analysis.white), ("Black", &analysis.black)] {
            sides.push(row(whole, color, player));
        }
    }
    let head = [
        "endgame",
        "player",
        "moves",
        "ceded",
        "value lost",
        "competence",
        "95 %",
    ];
    table(out, head, 2, sides)?;
    let lost = analysis.white.value_losses + analysis.black.value_losses;
    if lost > 0 && value == ValueRule::Keep {
        writeln!(
            out,
            "\nThe competence leaves out moves that lost value; --value risk counts them."
        )?;
    }
    writeln!(out, "\n{}\n", wrap(&movetext(game, analysis)))?;
    for (color, player) in [("White", &analysis.white), ("Black", &analysis.black)] {
        if let Some(estimate) = player.competence
            && let Some(anchor) = anchor::of_estimate(&estimate, model, value)
        {
            let c = coach::competence_words(&estimate, player.value_losses, value);
            writeln!(out, "{color}, {c}: {}\n", anchor.text)?;
        }
    }
    out.flush()
}

fn row(endgame: &str, color: &str, player: &PlayerReport) -> Vec<String> {
    let [competence, interval] = match player.competence {
        Some(estimate) => [
            format!("{:.2} ± {:.2}", estimate.mean, estimate.sd),
            format!("{:.1} - {:.1}", estimate.low, estimate.high),
        ],
        None if player.moves == 0 => ["-".to_owned(), "-".to_owned()],
        None if player.faultless => ["no error seen".to_owned(), "-".to_owned()],
        None => ["no depth ceded".to_owned(), "-".to_owned()],
    };
    vec![
        endgame.to_owned(),
        color.to_owned(),
        player.moves.to_string(),
        player.ceded.to_string(),
        player.value_losses.to_string(),
        competence,
        interval,
    ]
}

/// Writes the results over all games: by rating if the session sums up so, otherwise by player if there is a sum.
pub fn summary(
    out: &mut dyn Write,
    session: &AnalysisSession<'_>,
    totals: &Totals,
    metric: Metric,
) -> io::Result<()> {
    match session.bands() {
        Some(bands) => self::bands(out, &bands, session.population(&MILEPOSTS).as_ref()),
        None if session.has_sum() => players(out, totals, metric),
        None => Ok(()),
    }
}

/// Writes each player's results over all games.
fn players(out: &mut dyn Write, totals: &Totals, metric: Metric) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(
        out,
        "{bold}{} read, {} analysed{bold:#}\n",
        coach::counted(totals.games_read, "game", "games"),
        totals.games_analysed
    )?;
    for player in &totals.players {
        writeln!(out, "{bold}{}{bold:#}", player.name)?;
        writeln!(out, "{}\n", coach::headline(player))?;
        table(out, coach::HEAD, 1, coach::rows(player))?;
        for incident in player.thrown.iter().chain(&player.slips) {
            writeln!(out, "{}", coach::incident(incident, metric))?;
        }
        if let Some(training) = coach::training(player) {
            writeln!(out, "{training}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the results of players of known rating.
fn bands(
    out: &mut dyn Write,
    bands: &[EloBand],
    population: Option<&Population>,
) -> io::Result<()> {
    let rows = bands.iter().map(|band| {
        let pooled = band.pooled.map_or(["-".to_owned(), "-".to_owned()], |c| {
            [
                format!("{:.1}", c.mean),
                format!("{:.1} - {:.1}", c.low, c.high),
            ]
        });
        let mut row = vec![
            format!("{}-{}", band.from, band.to - 1),
            band.players.to_string(),
            band.sides.to_string(),
            band.moves.to_string(),
            band.ceded.to_string(),
            band.value_losses.to_string(),
        ];
        row.extend(pooled);
        row
    });
    let head = [
        "Elo", "players", "sides", "moves", "ceded", "lost", "c", "95 %",
    ];
    table(out, head, 1, rows)?;
    let Some(population) = population else {
        return Ok(());
    };
    writeln!(out)?;
    let [low, high] = population.slope_interval;
    writeln!(
        out,
        "ln c has a deviation of {:.2} between players of one rating and grows by {:.3} ({low:.3} to {high:.3}) in 100 Elo\n",
        population.deviation, population.slope
    )?;
    let rows = population.typical.iter().map(|typical| {
        let [low, high] = typical.median_interval;
        let [least, most] = typical.usual;
        vec![
            format!("{:.0}", typical.elo),
            format!("{:.1}", typical.median),
            format!("{low:.1} - {high:.1}"),
            format!("{least:.1} - {most:.1}"),
        ]
    });
    table(out, ["Elo", "median c", "95 %", "two in three"], 0, rows)
}

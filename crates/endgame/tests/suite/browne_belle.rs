//! The two games between Browne and BELLE, annotated as in appendix B of Haworth (2002), pp. 8-9.
//!
//! The data differs from the paper only where the tables show a misprint: game 2 39b Kg4 is the only
//! legal move. Of the moves printed without optimal sets, game 2 49b has four equally good replies.

use std::ops::ControlFlow;

use errare_choice::{Estimate, Kappa, PriorShape};
use errare_core::Colour;
use errare_endgame::{
    Analyser, AnalyserSettings, GameAnalysis, MoveReport, Record, Values, analyse, analyse_after,
};
use errare_games::Game;
use pgn_reader::{RawComment, Reader, SanPlus, Visitor};
use shakmaty::{Color, Position};

use crate::oracle;

const PGN: &str = include_str!("data/browne-belle.pgn");

pub(crate) fn games() -> Vec<Game> {
    let games: Result<Vec<_>, _> = errare_games::games(PGN.as_bytes()).collect();
    games.unwrap()
}

fn analysed(kappa: &str, grid: &str) -> Vec<GameAnalysis> {
    let settings = AnalyserSettings {
        kappa: kappa.parse().unwrap(),
        values: Values::Kept,
        grid: grid.parse().unwrap(),
        prior: PriorShape::Uniform,
    };
    let games = games();
    let analysis = games
        .iter()
        .map(|game| analyse(oracle(), game, &settings).unwrap());
    analysis.collect()
}

/// What the paper says about a move.
#[derive(Debug, Default)]
pub(crate) struct Note {
    pub(crate) mark: Option<String>,
    /// Moves ceded, by this move and in total.
    pub(crate) ceded: Option<(u16, u32)>,
    pub(crate) optimal: Option<Vec<String>>,
    /// The model's preference.
    pub(crate) preferred: Option<String>,
}

/// The notes of both games, move by move.
pub(crate) fn notes() -> Vec<Vec<Note>> {
    struct Notes;
    impl Visitor for Notes {
        type Tags = ();
        type Movetext = Vec<Note>;
        type Output = Vec<Note>;
        fn begin_tags(&mut self) -> ControlFlow<Vec<Note>, ()> {
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, (): ()) -> ControlFlow<Vec<Note>, Vec<Note>> {
            ControlFlow::Continue(Vec::new())
        }
        fn san(&mut self, notes: &mut Vec<Note>, _: SanPlus) -> ControlFlow<Vec<Note>> {
            notes.push(Note::default());
            ControlFlow::Continue(())
        }
        fn comment(
            &mut self,
            notes: &mut Vec<Note>,
            comment: RawComment<'_>,
        ) -> ControlFlow<Vec<Note>> {
            let note = notes.last_mut().unwrap();
            let text = std::str::from_utf8(comment.as_bytes())
                .unwrap()
                .replace('\n', " ");
            for part in text.split("; ") {
                if let Some(ceded) = part.strip_prefix('+') {
                    let (now, total) = ceded.split_once("/+").unwrap();
                    note.ceded = Some((now.parse().unwrap(), total.parse().unwrap()));
                } else if let Some(moves) = part.strip_prefix("optimal ") {
                    note.optimal = Some(sorted(moves.split(' ').map(str::to_owned)));
                } else if let Some(preferred) = part.strip_prefix("preferred ") {
                    note.preferred = Some(preferred.to_owned());
                } else {
                    note.mark = Some(part.to_owned());
                }
            }
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, notes: Vec<Note>) -> Vec<Note> {
            notes
        }
    }
    let mut reader = Reader::new(PGN.as_bytes());
    let notes: Result<Vec<_>, _> = reader.read_games(&mut Notes).collect();
    notes.unwrap()
}

fn sorted(moves: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort();
    moves
}

/// Moves without check signs, which the paper sometimes omits.
fn plain(moves: &[String]) -> Vec<String> {
    sorted(moves.iter().map(|san| san.replace('+', "")))
}

#[test]
fn every_note_agrees_with_the_tables() {
    for (game, notes) in analysed("1", "0(1)50").iter().zip(notes()) {
        assert!(game.problems.is_empty());
        assert_eq!(game.moves.len(), notes.len());
        for (m, note) in game.moves.iter().zip(notes) {
            let what = format!("game {} ply {} {}", game.number, m.ply, m.san);
            let mark = m.mark.map(|mark| mark.to_string());
            assert_eq!(mark, note.mark, "{what}");
            let (ceded, total) = note.ceded.unwrap_or((0, m.total_ceded));
            assert_eq!((m.ceded, m.total_ceded), (Some(ceded), total), "{what}");
            match note.optimal {
                Some(optimal) => assert_eq!(plain(&m.optimal), plain(&optimal), "{what}"),
                None => assert!(m.optimal.contains(&m.san), "{what}"),
            }
        }
    }
}

#[test]
fn depths_fall_from_31_as_printed() {
    let games = analysed("1", "0(1)50");
    for (game, (ceded, last)) in games.iter().zip([(27, 13), (19, 0)]) {
        assert_eq!(game.moves[0].depth_before, Some(31));
        assert_eq!(game.moves.last().unwrap().depth_after, Some(last));
        assert_eq!((game.white.ceded, game.black.ceded), (ceded, 0));
        // What White's moves do not cede they gain; Black's keep the depth.
        for pair in game.moves.windows(2) {
            assert_eq!(
                pair[0].depth_after, pair[1].depth_before,
                "ply {}",
                pair[1].ply
            );
        }
        let errors = |m: &&MoveReport| m.color == Colour::White && m.ceded != Some(0);
        let errors = game.moves.iter().filter(errors).count();
        assert_eq!(errors, if game.number == 1 { 14 } else { 12 });
    }
    let replies = &games[1].moves[97];
    assert_eq!((replies.san.as_str(), replies.optimal.len()), ("Kh3", 4));
}

fn white(games: &[GameAnalysis]) -> Vec<(Estimate, Estimate)> {
    let both = |game: &GameAnalysis| {
        assert!(game.black.faultless && game.black.competence.is_none());
        (
            game.white.competence.unwrap(),
            game.white.continuous.unwrap(),
        )
    };
    games.iter().map(both).collect()
}

/// Table 2 of Haworth and Andrist (2004), p. 75, prints 19.5 and 18.4 for c = 0(0.01)50. The latter
/// follows from κ = 0+, not the κ = 1 of its text; we cannot reproduce the former.
#[test]
fn apparent_competence_of_white() {
    for (kappa, expected) in [("1", [19.17518, 19.84285]), ("0", [18.02142, 18.39017])] {
        let games = white(&analysed(kappa, "0(0.01)50"));
        for ((grid, continuous), expected) in games.into_iter().zip(expected) {
            assert!((grid.mean - expected).abs() < 5e-6, "{kappa}: {grid:?}");
            assert!((continuous.mean - grid.mean).abs() < 1e-4, "{continuous:?}");
            assert!((continuous.sd - grid.sd).abs() < 1e-4, "{continuous:?}");
            assert!((continuous.low - grid.low).abs() < 0.011, "{continuous:?}");
            assert!(
                (continuous.high - grid.high).abs() < 0.011,
                "{continuous:?}"
            );
        }
    }
}

/// Section 4.1 of the same paper: coarser grids against the step 0.01.
#[test]
fn errors_of_coarser_grids() {
    let mean = |grid: &str| white(&analysed("1", grid))[0].0.mean;
    let fine = mean("0(0.01)50");
    assert!((mean("0(1)50") - fine).abs() < 1e-12);
    assert!(((mean("0(5)50") - fine).abs() - 0.031).abs() < 5e-4);
    assert!(((mean("0(10)50") - fine).abs() - 0.84).abs() < 5e-3);
}

/// The prior matters (section 4.3 of the same paper).
#[test]
fn priors_matter() {
    let with = |prior| {
        let settings = AnalyserSettings {
            kappa: Kappa::ONE,
            values: Values::Kept,
            grid: "0(1)50".parse().unwrap(),
            prior,
        };
        let game = &games()[0];
        analyse(oracle(), game, &settings)
            .unwrap()
            .white
            .competence
            .unwrap()
    };
    let (uniform, normal) = (
        with(PriorShape::Uniform),
        with(PriorShape::Normal {
            mean: 30.0,
            sd: 3.0,
        }),
    );
    assert!(normal.mean > uniform.mean + 1.0 && normal.sd < uniform.sd);
}

/// The posterior of a game is the prior of the same player's next game, by name.
#[test]
fn what_a_game_shows_is_believed_before_the_next() {
    let settings = AnalyserSettings {
        kappa: Kappa::ONE,
        values: Values::Kept,
        grid: "0(1)50".parse().unwrap(),
        prior: PriorShape::Uniform,
    };
    let games = games();
    let mut record = Record::default();
    let carried: Vec<_> = games
        .iter()
        .map(|game| analyse_after(oracle(), game, &settings, &mut record).unwrap())
        .collect();
    let alone = analyse(oracle(), &games[1], &settings).unwrap();
    assert_eq!(
        carried[0].white.competence,
        analyse(oracle(), &games[0], &settings)
            .unwrap()
            .white
            .competence
    );

    let mut both = Analyser::new(settings.kappa, settings.grid, &settings.prior);
    for (position, m) in games.iter().flat_map(Game::plies) {
        if position.turn() == Color::White {
            let turn = oracle().turn(&position).unwrap();
            both.observe(&turn, &turn.choices()[turn.find(m).unwrap()]);
        }
    }
    let (expected, found) = (both.competence().unwrap(), carried[1].white.competence);
    let found = found.unwrap();
    assert!((found.mean - expected.mean).abs() < 1e-9);
    assert!((found.sd - expected.sd).abs() < 1e-9);
    let continuous = carried[1].white.continuous.unwrap();
    assert!((continuous.mean - expected.mean).abs() < 1e-4);
    assert!(found.sd < alone.white.competence.unwrap().sd);

    // Counts are by game, and other players are unaffected.
    assert_eq!(carried[1].white.ceded, alone.white.ceded);
    assert!(carried[1].black.competence.is_none());
    // A player who has erred before has a competence, even after a game without error.
    let mut first_moves = games[0].clone();
    first_moves.moves.truncate(2);
    let next = analyse_after(oracle(), &first_moves, &settings, &mut record).unwrap();
    assert!(next.white.faultless && next.white.competence.is_some());
}

/// A defender errs as well: here Black gives up depth on every move.
#[test]
fn the_losing_side_is_analysed_too() {
    let pgn = "[FEN \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"]\n\n1. Kb7 Re1 2. Kc6 Re2 3. Kd5 Re1 *\n";
    let game = errare_games::games(pgn.as_bytes()).next().unwrap().unwrap();
    let settings = AnalyserSettings {
        kappa: Kappa::ONE,
        values: Values::Kept,
        grid: "0(1)50".parse().unwrap(),
        prior: PriorShape::Uniform,
    };
    let black = analyse(oracle(), &game, &settings).unwrap().black;
    assert!(black.ceded > 0 && !black.faultless);
    assert!(black.competence.unwrap().mean < 25.0);
}

//! Verdicts on positions and their moves.

use std::collections::HashMap;

use errare_core::{Cancel, Mark, Metric, Outcome, Plies};
use errare_tables::{Category, Judge, MoveVerdict, Prober, Scan, Store, parse_position};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen};

use crate::{endgame, prober, store};

fn judge() -> Judge {
    Judge::new(
        Prober::new(Store::open(store().directory(), 64 << 20)),
        None,
    )
}

/// No move has a better DTR than the position, and one has the same: the table's DTR is found again by a
/// search over the moves, whichever metric compares them.
#[test]
fn the_best_move_has_the_dtr_of_the_position() {
    let judge = judge();
    let scan = Scan::new(store(), endgame("KBPK"), Metric::Dtr.into()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut searched, mut uncertain) = (0, 0);
    for _ in 0..80 {
        let decided = |_, outcome: Outcome| outcome.plies().is_some_and(|plies| plies.0 > 0);
        let position = scan.draw(decided, &mut rng).unwrap().unwrap();
        for metric in [Metric::Dtc, Metric::Dtr] {
            let verdict = judge.verdict(&position, metric, &()).unwrap();
            let own = verdict.position.depths.get(Metric::Dtr).unwrap();
            let moves = verdict.moves.iter();
            let best = moves
                .filter_map(|m| m.through.get(Metric::Dtr))
                .max_by_key(|outcome| outcome.preference())
                .unwrap();
            let in_moves = |outcome: Outcome| outcome.moves_in(Metric::Dtr);
            if metric == Metric::Dtc && verdict.moves.iter().any(|m| m.greatest_dtr.is_some()) {
                // Here too finding out takes too long.
                uncertain += 1;
                break;
            }
            assert_eq!(in_moves(best), in_moves(own), "{metric} {position:?}");
        }
        searched += u32::from(rule_matters(&judge, &position));
    }
    assert!(
        searched > 10 && 3 * uncertain < searched,
        "{searched} {uncertain}"
    );
}

/// The DTR of every move, with the clock counted, agrees with plain recursion, and so do the best move's
/// plies to the next zeroing move.
#[test]
fn moves_by_the_rule_are_those_of_plain_recursion() {
    let scan = Scan::new(store(), endgame("KPK"), Metric::Dtr.into()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (judge, mut plain) = (judge(), Plain::default());
    let mut compared = [0, 0];
    for clock in [0, 0, 0, 1, 4, 9] {
        for side in [1, -1] {
            let wanted = |_, outcome: Outcome| {
                outcome.sign() == side && outcome.plies().is_some_and(|plies| plies.0 > 8)
            };
            let position = scan.draw(wanted, &mut rng).unwrap().unwrap();
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let position = parse_position(&fen.replace("- - 0", &format!("- - {clock}"))).unwrap();
            let verdict = judge.verdict(&position, Metric::Dtr, &()).unwrap();
            let decisive = verdict.moves.iter().filter(|m| m.through.dtz().sign() != 0);
            let least = |m: &MoveVerdict| plain.least_rule(&position, m.r#move);
            let rules: Vec<u16> = decisive.clone().map(least).collect();
            for (m, &rule) in decisive.zip(&rules) {
                let found = m.through.get(Metric::Dtr).unwrap();
                let exact = found.plies() == Some(Plies(rule));
                let moves = match found {
                    Outcome::Win(_) => Outcome::Win(Plies(rule)),
                    _ => Outcome::Loss(Plies(rule)),
                }
                .moves_in(Metric::Dtr);
                let close = m.greatest_dtr.is_some() && found.moves_in(Metric::Dtr) < moves;
                let same = found.moves_in(Metric::Dtr) == moves;
                assert!(same || close, "{fen} {clock} {}: {found:?} {rule}", m.san);
                compared[usize::from(exact)] += 1;
            }
            let best = verdict.moves[0].through.get(Metric::Dtr).unwrap();
            let rule = match side {
                1 => rules.iter().min(),
                _ => rules.iter().max(),
            };
            assert_eq!(best.plies(), rule.map(|&rule| Plies(rule)), "{fen} {clock}");
            let depth = |m: &MoveVerdict| plain.depth(&position, m.r#move, *rule.unwrap());
            let ties = verdict
                .moves
                .iter()
                .filter(|m| m.through.get(Metric::Dtr) == Some(best));
            let depths: Vec<u16> = ties.map(depth).collect();
            let first = match side {
                1 => depths.iter().min(),
                _ => depths.iter().max(),
            };
            assert_eq!(depths.first(), first, "{fen} {clock}");
        }
    }
    assert!(compared[1] > 50, "{compared:?}");
}

/// DTR by plain recursion, from the DTR of positions after zeroing moves.
#[derive(Default)]
struct Plain(HashMap<(Chess, u16, u16), bool>);

impl Plain {
    /// The least rule under which the win stands after a move.
    fn least_rule(&mut self, position: &Chess, m: Move) -> u16 {
        let clock = position.halfmoves() as u16;
        let mut rules = 0..;
        rules
            .find(|&rule| self.stands_after(position, m, clock, rule))
            .unwrap()
    }

    /// The plies to the next zeroing move, this one included, under a rule: how much more than zero
    /// the clock may have shown.
    fn depth(&mut self, position: &Chess, m: Move, rule: u16) -> u16 {
        let mut clocks = (0..=rule).rev();
        let most = clocks.find(|&clock| self.stands_after(position, m, clock, rule));
        rule - most.unwrap()
    }

    fn stands_after(&mut self, position: &Chess, m: Move, clock: u16, rule: u16) -> bool {
        let after = position.clone().play(m).unwrap();
        if clock + 1 > rule {
            return false;
        }
        if m.is_zeroing() {
            let dtr = prober().outcome(&after, Metric::Dtr).unwrap();
            return dtr.plies().is_some_and(|dr| dr.0 <= rule);
        }
        self.stands(&after, clock + 1, rule)
    }

    /// Does the win stand with this many plies on the clock?
    fn stands(&mut self, position: &Chess, clock: u16, rule: u16) -> bool {
        let key = (position.clone(), clock, rule);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let outcome = prober().outcome(position, Metric::Dtz).unwrap();
        let mut moves = position.legal_moves().into_iter();
        let stands = match outcome {
            Outcome::Draw => false,
            Outcome::Win(_) => moves.any(|m| {
                let after = position.clone().play(m).unwrap();
                let wins = prober().outcome(&after, Metric::Dtz).unwrap().sign() < 0;
                wins && self.stands_after(position, m, clock, rule)
            }),
            Outcome::Loss(_) => moves.all(|m| self.stands_after(position, m, clock, rule)),
        };
        self.0.insert(key, stands);
        stands
    }
}

/// Does DTR differ from DTZ?
fn rule_matters(judge: &Judge, position: &shakmaty::Chess) -> bool {
    let verdict = judge.verdict(position, Metric::Dtz, &()).unwrap();
    let depths = verdict.position.depths;
    depths.get(Metric::Dtr) != depths.get(Metric::Dtz)
}

/// The value that a move keeps is the result under the 50-move rule.
#[test]
fn marks_and_ceded_depths_are_those_of_the_result() {
    // Mate in one, or in more moves.
    let fen = |clock: u32| format!("k7/8/1K6/8/8/8/8/7R w - - {clock} 80");
    let verdict = |clock| {
        let position = parse_position(&fen(clock)).unwrap();
        judge().verdict(&position, Metric::Dtc, &()).unwrap()
    };
    let free = verdict(0);
    let at_last = verdict(99);
    assert_eq!(free.position.category, Category::Win);
    assert_eq!(at_last.position.category, Category::Win);
    let preserving = |verdict: &errare_tables::Verdict| {
        let wins = |m: &&errare_tables::MoveVerdict| m.after.category == Category::Loss;
        verdict.moves.iter().filter(wins).count()
    };
    assert!(preserving(&free) > 1);
    assert_eq!(preserving(&at_last), 1);
    assert_eq!(free.moves[0].mark, Some(Mark::OnlyOptimal));
    assert_eq!(at_last.moves[0].mark, Some(Mark::OnlyPreserving));
    let ceded = |verdict: &errare_tables::Verdict| verdict.moves[1].ceded;
    assert!(ceded(&free).is_some() && ceded(&at_last).is_none());
    let too_late = verdict(100);
    assert_eq!(too_late.position.category, Category::CursedWin);
    assert_eq!(too_late.moves[0].after.category, Category::BlessedLoss);
    assert!(too_late.moves[0].after.checkmate);
}

/// A comparison in DTR that is stopped at once still answers, with bounds that contain the truth.
#[test]
fn without_time_there_are_bounds_that_hold_the_truth() {
    let scan = Scan::new(store(), endgame("KPK"), Metric::Dtr.into()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let judge = judge();
    let stopped = Cancel::default();
    stopped.cancel();
    let mut uncertain = 0;
    for _ in 0..60 {
        let deep = |_, outcome: Outcome| outcome.plies().is_some_and(|plies| plies.0 > 8);
        let position = scan.draw(deep, &mut rng).unwrap().unwrap();
        let whole = judge.verdict(&position, Metric::Dtr, &()).unwrap();
        assert!(whole.certain);
        let hasty = judge.verdict(&position, Metric::Dtr, &stopped).unwrap();
        uncertain += u32::from(!hasty.certain);
        let optimal = |m: &MoveVerdict| m.mark == Some(Mark::OnlyOptimal);
        assert!(hasty.certain || !hasty.moves.iter().any(optimal));
        let moves = |outcome: Option<Outcome>| outcome.and_then(|o| o.moves_in(Metric::Dtr));
        for found in &hasty.moves {
            let exact = whole
                .moves
                .iter()
                .find(|m| m.r#move == found.r#move)
                .unwrap();
            if exact.greatest_dtr.is_some() {
                continue;
            }
            let exact = moves(exact.through.get(Metric::Dtr));
            let least = moves(found.through.get(Metric::Dtr));
            let most = moves(found.greatest_dtr).or(least);
            assert!(
                least <= exact && exact <= most,
                "{position:?} {}",
                found.san
            );
        }
    }
    assert!(uncertain > 5, "{uncertain}");
}

#[test]
fn mate_on_the_board_stands_whatever_the_clock_shows() {
    for clock in ["0", "100", "101", "4294967295"] {
        let fen = format!("7k/6Q1/5K2/8/8/8/8/8 b - - {clock} 1");
        let verdict = judge().verdict(&parse_position(&fen).unwrap(), Metric::Dtr, &());
        assert_eq!(
            verdict.unwrap().position.category,
            Category::Loss,
            "{clock}"
        );
    }
    for clock in [65_500, 65_535, 70_000, u32::MAX] {
        let fen = format!("7k/8/5K2/8/8/8/8/R7 w - - {clock} 80");
        let verdict = judge().verdict(&parse_position(&fen).unwrap(), Metric::Dtr, &());
        assert_eq!(verdict.unwrap().position.category, Category::CursedWin);
    }
}

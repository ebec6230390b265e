//! Evaluating a study, with a scripted engine and with a real one.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use errare_core::Watch;
use errare_engine::{EngineSettings, Evaluation, Pool, find};
use errare_rating::{
    EvaluatedMove, EvaluatedTurn, GameRecord, Study, TurnEntry,
    study::{EvaluationCounts, FailedPosition},
};

use crate::{
    peer::{Peer, honest},
    study,
};

/// Two games with ten positions to evaluate, one of them in both.
const GAMES: &str = r#"[White "A"]
[Black "B"]
[FEN "8/8/4k3/8/8/8/1Q6/K7 w - - 0 20"]

20. Kb1 Ke7 21. Qb5 Kf6 22. Qe8 Kf5 *

[White "C"]
[Black "D"]
[FEN "8/8/4k3/8/8/8/1Q6/K7 w - - 0 30"]

30. Qb5 Kd6 31. Qb4+ Kd5 *
"#;

fn enter(study: &mut Study) -> Vec<String> {
    let games: Vec<_> = errare_games::games(GAMES.as_bytes())
        .map(|game| GameRecord::new(game.expect("a game")).expect("a good game"))
        .collect();
    study.add_games(&games).expect("entered");
    let turns = games.iter().flat_map(|game| &game.turns);
    let mut positions: Vec<String> = turns.map(|turn| turn.position.clone()).collect();
    positions.sort();
    positions.dedup();
    positions
}

fn pool(path: &Path, depth: u8, workers: usize) -> Pool {
    let settings = EngineSettings {
        path: path.to_owned(),
        depth,
        silence: Duration::from_secs(10),
    };
    Pool::start(settings, workers).expect("an engine")
}

fn evaluate(study: &mut Study, pool: Pool) -> EvaluationCounts {
    study.evaluate(pool, None, &()).expect("evaluated")
}

/// Stops the work after this many steps.
struct StopAfter {
    steps: u64,
    done: AtomicU64,
}

impl StopAfter {
    fn new(steps: u64) -> StopAfter {
        let done = AtomicU64::new(0);
        StopAfter { steps, done }
    }
}

impl Watch for StopAfter {
    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, SeqCst);
    }

    fn is_stopped(&self) -> bool {
        self.done.load(SeqCst) >= self.steps
    }
}

/// Collects messages.
#[derive(Default)]
struct Talk(Mutex<Vec<String>>);

impl Watch for Talk {
    fn tell(&self, message: &str) {
        self.0.lock().expect("no panic").push(message.to_owned());
    }
}

/// Everything in a study that matters.
fn dump(path: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).expect("a database");
    let queries = [
        "SELECT id || white || black || tags || record FROM games ORDER BY id",
        "SELECT id || fen || legal FROM positions ORDER BY id",
        "SELECT game || ' ' || ply || ' ' || position || played || ifnull(exclusion, '') FROM turns
         ORDER BY game, ply",
        "SELECT id || name || version || net || depth || multi_pv FROM engines ORDER BY id",
        "SELECT position || ' ' || engine || ' ' || hex(ranking) FROM evaluations
         ORDER BY position, engine",
        "SELECT position || owner FROM claims",
    ];
    let mut lines = Vec::new();
    for query in queries {
        let mut statement = connection.prepare(query).expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        lines.extend(rows.map(|row| row.expect("a row")));
    }
    lines
}

#[test]
fn every_position_is_evaluated_once() {
    let peer = Peer::new();
    let (_directory, mut study) = study();
    let positions = enter(&mut study);
    assert_eq!(positions.len(), 9);
    for fen in &positions {
        peer.answer(fen, &honest(fen, 4));
    }
    let report = evaluate(&mut study, pool(&peer.path(), 4, 2));
    assert_eq!((report.evaluated, report.left), (9, 0));
    assert_eq!(peer.log().matches("go depth").count(), 9);
    let mut turns = 0;
    let mut ask = |depth| {
        let view = study.view(None, depth).expect("a view");
        let mut options = Vec::new();
        study
            .visit(&view, |entry| match entry {
                TurnEntry::Used(EvaluatedTurn { options: all, .. }) => options.push(all),
                other => panic!("{other:?}"),
            })
            .expect("turns");
        turns = options.len();
        options
    };
    let (deep, shallow) = (ask(None), ask(Some(3)));
    assert_eq!(turns, 10);
    let order = |options: &[EvaluatedMove]| options.iter().map(|o| o.uci).collect::<Vec<_>>();
    assert_ne!(
        order(&deep[0]),
        order(&shallow[0]),
        "each depth has its own"
    );
    assert_eq!(deep[0][0].by_depth.len(), 4);

    // A shallower search exists already, a deeper one does not.
    let again = evaluate(&mut study, pool(&peer.path(), 3, 1));
    assert_eq!((again.known, again.evaluated), (9, 0));
    assert_eq!(peer.log().matches("go depth").count(), 9);
}

#[test]
fn games_may_be_chosen() {
    let peer = Peer::new();
    let (_directory, mut study) = study();
    for fen in enter(&mut study) {
        peer.answer(&fen, &honest(&fen, 2));
    }
    let first: BTreeSet<_> = study
        .games()
        .expect("games")
        .into_keys()
        .min()
        .into_iter()
        .collect();
    let report = study
        .evaluate(pool(&peer.path(), 2, 1), Some(&first), &())
        .expect("evaluated");
    assert_eq!(report.evaluated, 6);
}

#[test]
fn a_position_that_keeps_failing_is_left_and_tried_again_the_next_time() {
    let peer = Peer::new();
    let (_directory, mut study) = study();
    let positions = enter(&mut study);
    for fen in &positions {
        peer.answer(fen, &honest(fen, 2));
    }
    peer.answer(&positions[4], "@exit\n");
    let talk = Talk::default();
    let report = study
        .evaluate(pool(&peer.path(), 2, 1), None, &talk)
        .expect("evaluated");
    assert_eq!(
        (report.evaluated, report.failed, report.restarts),
        (8, 1, 2)
    );
    let told = talk.0.into_inner().expect("no panic");
    assert_eq!(told.len(), 3, "two restarts and the end: {told:?}");
    assert!(told[2].contains("the position is left out"), "{told:?}");
    let [FailedPosition { fen, reason }] = &report.failures[..] else {
        panic!("{report:?}");
    };
    assert_eq!(*fen, positions[4]);
    assert!(reason.contains("the engine ended"), "{reason}");
    peer.answer(&positions[4], &honest(&positions[4], 2));
    let report = evaluate(&mut study, pool(&peer.path(), 2, 1));
    assert_eq!((report.known, report.evaluated), (8, 1));
}

#[test]
fn an_engine_that_always_fails_is_given_up() {
    let peer = Peer::new();
    let (_directory, mut study) = study();
    for fen in enter(&mut study) {
        peer.answer(&fen, "bestmove a1a2\n");
    }
    let report = evaluate(&mut study, pool(&peer.path(), 2, 1));
    assert_eq!((report.evaluated, report.failed, report.left), (0, 5, 4));
}

#[test]
fn an_interrupted_run_leaves_no_claims_and_goes_on() {
    let peer = Peer::new();
    let (directory, mut study) = study();
    for fen in enter(&mut study) {
        peer.answer(&fen, &honest(&fen, 2));
    }
    let report = study
        .evaluate(pool(&peer.path(), 2, 1), None, &StopAfter::new(3))
        .expect("evaluated");
    assert!(report.interrupted);
    assert_eq!((report.evaluated, report.left), (3, 6));
    let report = evaluate(&mut study, pool(&peer.path(), 2, 2));
    assert_eq!((report.known, report.evaluated), (3, 6));
    drop(study);
    let files = fs::read_dir(directory.path()).expect("a directory").count();
    assert_eq!(files, 1, "only the study is left");
}

/// Claims of a dead process do not count.
#[test]
fn claims_of_the_dead_are_void() {
    let peer = Peer::new();
    let (_directory, mut study) = study();
    for fen in enter(&mut study) {
        peer.answer(&fen, &honest(&fen, 2));
    }
    let engine = pool(&peer.path(), 2, 1);
    let report = evaluate(&mut study, pool(&peer.path(), 1, 1));
    assert_eq!(report.failed, 0);
    let connection = rusqlite::Connection::open(study.path()).expect("a database");
    let claim = "INSERT INTO engines VALUES (9, 'Peer', '1.0', 'peer.nnue', 2, 'all');
                 INSERT INTO claims SELECT id, 9, 'worker-1-0' FROM positions";
    connection.execute_batch(claim).expect("claims");
    let report = evaluate(&mut study, engine);
    assert_eq!((report.evaluated, report.left), (9, 0));
}

#[test]
fn two_at_work_share_it() {
    let peer = Peer::new();
    let (_directory, mut study) = study();
    for fen in enter(&mut study) {
        peer.answer(&fen, &honest(&fen, 3));
    }
    let path = study.path().to_owned();
    let reports: Vec<EvaluationCounts> = thread::scope(|scope| {
        let work = || {
            let mut study = Study::open(&path).expect("a study");
            evaluate(&mut study, pool(&peer.path(), 3, 1))
        };
        let both = [scope.spawn(work), scope.spawn(work)];
        both.map(|one| one.join().expect("no panic")).into()
    });
    let done: usize = reports.iter().map(|report| report.evaluated).sum();
    assert_eq!(done, 9, "{reports:?}");
    assert_eq!(peer.log().matches("go depth").count(), 9);
    assert!(reports.iter().all(|report| report.left == 0));
}

/// One engine, two engines, and an interrupted and resumed run leave the same study.
#[test]
fn the_real_engine_leaves_the_same_study_however_it_is_run() {
    let path = find(None).unwrap_or_else(|error| panic!("these tests need an engine: {error}"));
    let dumps: Vec<Vec<String>> = [(1, 99), (2, 99), (2, 4)]
        .into_iter()
        .map(|(workers, stop)| {
            let (_directory, mut study) = study();
            enter(&mut study);
            study
                .evaluate(pool(&path, 6, workers), None, &StopAfter::new(stop))
                .expect("evaluated");
            evaluate(&mut study, pool(&path, 6, 1));
            dump(study.path())
        })
        .collect();
    assert_eq!(dumps[0], dumps[1]);
    assert_eq!(dumps[0], dumps[2]);
    assert_eq!(dumps[0].len(), 2 + 9 + 10 + 1 + 9);
}

/// The reference evaluations of Stockfish 15.1 at depth 10, if available.
#[test]
fn the_real_engine_says_what_it_said_elsewhere() {
    let Some(reference) = std::env::var_os("ERRARE_REFERENCE") else {
        errare_testing::skip("ERRARE_REFERENCE does not say where the reference data is");
        return;
    };
    let path = find(None).unwrap_or_else(|error| panic!("these tests need an engine: {error}"));
    let pool = pool(&path, 10, 2);
    if pool.key().version != "15.1" {
        errare_testing::skip(&format!(
            "the reference is of Stockfish 15.1, not of {}",
            pool.key()
        ));
        return;
    }
    let text =
        fs::read_to_string(Path::new(&reference).join("evals/depth10.jsonl")).expect("a file");
    let some: Vec<&str> = text.lines().step_by(100).collect();
    let (_directory, mut study) = study();
    study.import(some.join("\n").as_bytes()).expect("imported");
    let key = pool.key().clone();
    let report = evaluate(&mut study, pool);
    assert_eq!(report.evaluated, some.len());
    let mut imported = key.clone();
    imported.net = String::new();
    for turn in study
        .turns(&study.view(Some(&key.net), None).expect("a view"))
        .expect("turns")
        .used
    {
        let (fen, _) = turn.place.fen.rsplit_once(' ').expect("a FEN");
        let evaluation = |key| {
            study
                .evaluation(fen, key)
                .expect("an evaluation")
                .expect("one")
        };
        let (ours, theirs): (Evaluation, Evaluation) = (evaluation(&key), evaluation(&imported));
        assert_eq!(ours.moves(), theirs.moves(), "{fen}");
        for (a, b) in ours.iterations().iter().zip(theirs.iterations()) {
            let by_move = |iteration: &errare_engine::Iteration| {
                let mut lines = iteration.ranking.clone();
                lines.sort_by_key(|line| line.index);
                lines
            };
            assert_eq!(by_move(a), by_move(b), "{fen} at depth {}", a.depth);
        }
        assert_eq!(ours.deepest(), theirs.deepest(), "{fen}");
    }
}

/// A remote worker's evaluation is accepted only if it has all legal moves and no others.
#[test]
fn evaluations_from_elsewhere_are_checked_and_claims_are_respected() {
    let (_directory, mut study) = study();
    enter(&mut study);
    let key = errare_engine::EngineKey::new("Far 1", "", 3);
    let [one, other] = [(), ()].map(|()| study.worker(&key).expect("a worker"));
    let pending = study.pending(&key, None).expect("positions");
    assert_eq!(pending.len(), 9);
    assert_eq!(study.claim(&one, &pending[..2]).expect("claims").len(), 2);
    let left = study.claim(&other, &pending).expect("claims");
    assert_eq!(left, pending[2..], "two are taken");
    let legal = left[0].legal().expect("moves");
    let ranking = |moves: &[shakmaty::uci::UciMove]| {
        let scored = |&played| (played, errare_engine::Score::Centipawns(0));
        Evaluation::new(&[(3, moves.iter().map(scored).collect())]).expect("a ranking")
    };
    let refused = study.record(&other, &left[0], &ranking(&legal[1..]));
    assert!(matches!(
        refused,
        Err(errare_rating::StudyError::OtherMoves(_))
    ));
    assert!(
        study
            .record(&other, &left[0], &ranking(&legal))
            .expect("kept")
    );
    assert!(
        !study
            .record(&other, &left[0], &ranking(&legal))
            .expect("known")
    );
    study.release(&one, &pending[0]).expect("released");
    drop(one);
    let third = study.worker(&key).expect("a worker");
    let free = study.claim(&third, &pending).expect("claims");
    assert_eq!(free, pending[..2], "released, or left by one who is gone");
}

//! Solution files, memory limits and cancellation.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Sender},
    },
    thread,
    time::Duration,
};

use errare_choice::Kappa;
use errare_core::{Cancel, Deadline, Fault, FaultKind, Metric, Watch, parse_position};
use errare_endgame::{
    Aim, Goal, Hunt, HuntError, HuntTask, Hunter, Library, OpponentBelief, Oracle, PredatorDepth,
    Predictor, Prey, Resistance, Scope, TableView, Values, prospects,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Color, Position};

use super::MEMORY;
use crate::tables::{endgame, oracle};

fn task(aim: Aim, competence: f64) -> HuntTask {
    HuntTask {
        material: endgame("KRK"),
        metric: Metric::Dtc,
        side: Color::White,
        scope: Scope::Wins,
        aim,
        prey: Prey {
            competence,
            kappa: Kappa::ONE,
        },
    }
}

/// Counts the stages of work: none if there is nothing to solve.
#[derive(Default)]
struct Stages(AtomicUsize);

impl Watch for Stages {
    fn begin(&self, _stage: &str, _steps: Option<u64>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Stages {
    fn of(library: &Library, oracle: &Oracle, task: &HuntTask) -> (usize, Option<HuntError>) {
        let stages = Stages::default();
        let error = library.solution(oracle, task, &stages).err();
        (stages.0.into_inner(), error)
    }
}

/// A solution is written once and read from then on; a damaged file and one of another version are
/// replaced.
#[test]
fn solutions_are_kept_in_files() {
    let oracle = oracle("KRK", Metric::Dtc);
    let task = task(Aim::Within(Goal::Win, 5), 7.0);
    let path = oracle
        .prober()
        .store()
        .directory()
        .join(format!("{}.hunt", task.name()));
    let _ = std::fs::remove_file(&path);
    let start = parse_position("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
    let worth = |library: &Library| {
        let solution = library.solution(&oracle, &task, &())?;
        Ok::<_, HuntError>(solution.worth(start.board(), false, 5).unwrap())
    };
    let solved = worth(&Library::with_memory(MEMORY)).unwrap();
    assert!(path.is_file());
    // Reading it takes far less memory than solving it, but some.
    assert_eq!(worth(&Library::with_memory(1 << 20)).unwrap(), solved);
    let refused = worth(&Library::with_memory(0)).unwrap_err();
    assert!(matches!(refused, HuntError::Memory { .. }), "{refused}");
    let bytes = std::fs::read(&path).unwrap();
    let read_changed = |at: usize| {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&path, changed).unwrap();
        worth(&Library::with_memory(MEMORY))
    };
    // The checksum and the version.
    for at in [bytes.len() - 1, 12] {
        assert_eq!(read_changed(at).unwrap(), solved);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    std::fs::remove_file(&path).unwrap();
}

/// An unsolvable task is not tried again: without a known c a hunter asks for the same solutions in every game.
#[test]
fn hopeless_tasks_are_remembered() {
    let oracle = oracle("KRK", Metric::Dtc);
    let library = Library::with_memory(MEMORY);
    let task = task(Aim::Length, 0.0);
    let (stages, error) = Stages::of(&library, &oracle, &task);
    let error = error.unwrap();
    assert!(stages > 0);
    let HuntError::TooLong { about } = error else {
        panic!("{error}")
    };
    // That is how long it takes against the infallible opponent.
    let predictor = Predictor::new(&oracle, endgame("KRK"), Kappa::ONE, Values::Kept).unwrap();
    let chains = predictor.chains(Color::White, &[0.0], f64::INFINITY, &());
    let chain = &chains.unwrap()[0];
    let lengths = chain.expected_moves();
    let length = |depth| lengths[chain.states().number(chain.win(depth))];
    assert_eq!(about, chain.depths().map(length).fold(0.0, f64::max));
    let (stages, again) = Stages::of(&library, &oracle, &task);
    assert_eq!(again.unwrap().to_string(), error.to_string());
    assert_eq!(stages, 0);
    // A memory limit may be raised, and stopped work may be resumed.
    let library = Library::with_memory(1 << 10);
    for _ in 0..2 {
        let (stages, refused) = Stages::of(&library, &oracle, &task);
        assert!(matches!(refused, Some(HuntError::Memory { .. })));
        assert!(stages > 0);
    }
}

/// Does something once, when the positions of a hunt have been counted.
struct Once<F>(Mutex<Option<F>>);

impl<F: FnOnce() + Send> Watch for Once<F> {
    fn begin(&self, stage: &str, _steps: Option<u64>) {
        if stage == "numbering positions"
            && let Some(act) = self.0.lock().unwrap().take()
        {
            act();
        }
    }
}

/// A full disk, or a directory that cannot be written, does not cost the solution.
#[test]
fn what_cannot_be_written_is_used() {
    let oracle = oracle("KRK", Metric::Dtc);
    let library = Library::with_memory(MEMORY);
    let task = task(Aim::Length, 8.5);
    let path = oracle
        .prober()
        .store()
        .directory()
        .join(format!("{}.hunt", task.name()));
    let _ = std::fs::remove_file(&path);
    let in_the_way = Once(Mutex::new(Some(|| std::fs::create_dir(&path).unwrap())));
    library.solution(&oracle, &task, &in_the_way).unwrap();
    std::fs::remove_dir(&path).unwrap();
    assert_eq!(Stages::of(&library, &oracle, &task).0, 0);
}

/// Hunts that do not fit beside each other are solved one after the other.
#[test]
fn the_limit_holds_for_all_hunts_together() {
    /// Tells that it waits for memory, and looks what is solved when it goes on.
    struct Second<F>(Sender<()>, F);
    impl<F: Fn() + Sync> Watch for Second<F> {
        fn begin(&self, stage: &str, _steps: Option<u64>) {
            if stage == "numbering positions" {
                (self.1)();
            }
        }
        fn tell(&self, message: &str) {
            if message.contains("MiB") {
                self.0.send(()).unwrap();
            }
        }
    }
    let oracle = oracle("KRK", Metric::Dtc);
    let [first, second] = [8.25, 8.75].map(|c| task(Aim::Length, c));
    let directory = oracle.prober().store().directory();
    let files = [first, second].map(|task| directory.join(format!("{}.hunt", task.name())));
    for file in &files {
        let _ = std::fs::remove_file(file);
    }
    let refused = Library::with_memory(0).solution(&oracle, &first, &());
    let Err(HuntError::Memory { needed, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert!(needed > 2);
    let library = &Library::with_memory((needed + 2) << 20);
    let (oracle, stopped) = (&oracle, &Cancel::default());
    stopped.cancel();
    thread::scope(|scope| {
        let (waiting, told) = mpsc::channel();
        let begin = move || {
            scope.spawn(move || {
                let alone = || {
                    library.solution(oracle, &first, stopped).unwrap();
                };
                let watch = Second(waiting, alone);
                library.solution(oracle, &second, &watch).unwrap();
            });
            told.recv().unwrap();
        };
        let watch = Once(Mutex::new(Some(begin)));
        library.solution(oracle, &first, &watch).unwrap();
    });
    for file in &files {
        std::fs::remove_file(file).unwrap();
    }
}

/// Solutions stay in memory while they fit; the least recently used goes first, but none that is in use.
#[test]
fn a_library_keeps_what_fits() {
    let oracle = oracle("KRK", Metric::Dtc);
    let tasks = [11.0, 12.0, 13.0].map(|c| task(Aim::Within(Goal::Win, 50), c));
    let solver = Library::with_memory(MEMORY);
    let solved = tasks.map(|task| solver.solution(&oracle, &task, &()).unwrap());
    let bytes = solved[0].bytes();
    assert!(bytes > 50 * 4 * 1000);
    let narrow = Library::with_memory(bytes * 3 / 2);
    let in_use = narrow.solution(&oracle, &tasks[0], &()).unwrap();
    let refused = narrow.solution(&oracle, &tasks[1], &()).unwrap_err();
    assert!(matches!(refused, HuntError::Memory { .. }), "{refused}");
    drop(in_use);
    narrow.solution(&oracle, &tasks[1], &()).unwrap();

    let [wide, used] = [(); 2].map(|()| Library::with_memory(bytes * 5 / 2));
    let in_use = used.solution(&oracle, &tasks[0], &()).unwrap();
    for task in &tasks {
        wide.solution(&oracle, task, &()).unwrap();
        used.solution(&oracle, task, &()).unwrap();
    }
    drop(in_use);
    let directory = oracle.prober().store().directory();
    for task in &tasks {
        std::fs::remove_file(directory.join(format!("{}.hunt", task.name()))).unwrap();
    }
    // A solution not in memory must be solved again, which is stopped at once.
    let stopped = Cancel::default();
    stopped.cancel();
    for (library, kept) in [
        (solver, [true, true, true]),
        (wide, [false, true, true]),
        (used, [true, false, true]),
        (narrow, [false, true, false]),
    ] {
        let found = tasks.map(|task| library.solution(&oracle, &task, &stopped).is_ok());
        assert_eq!(found, kept);
    }
}

#[test]
fn what_does_not_fit_is_refused_and_what_is_stopped_ends() {
    let oracle = oracle("KRK", Metric::Dtc);
    let hunt = |memory| {
        Hunt::new(
            &oracle,
            endgame("KRK"),
            Color::White,
            Scope::Wins,
            memory,
            &(),
        )
    };
    assert!(matches!(hunt(1 << 10), Err(HuntError::Memory { .. })));
    let hunt = hunt(MEMORY).unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let prey = Prey {
        competence: 10.0,
        kappa: Kappa::ONE,
    };
    let stopped = hunt.lengths(prey, Resistance::Hunter, &cancel).unwrap_err();
    assert_eq!(stopped.kind(), FaultKind::Stopped);
    let lost = parse_position("8/8/8/3k4/8/8/8/KR6 b - - 0 1").unwrap();
    assert!(matches!(
        hunt.node(&lost),
        Err(HuntError::OtherEndgame { .. })
    ));
    let negative = Prey {
        competence: -1.0,
        ..prey
    };
    assert!(matches!(
        hunt.lengths(negative, Resistance::Hunter, &()),
        Err(HuntError::Competence(_))
    ));
    assert!(matches!(
        hunt.chances(negative, Goal::Win, Resistance::Hunter, 9, &()),
        Err(HuntError::Competence(_))
    ));
}

/// With limited time the hunter plays as the Predator does until its solution is ready.
#[test]
fn without_time_the_predator_stands_in() {
    let oracle = oracle("KRK", Metric::Dtc);
    let position = parse_position("8/8/8/3k4/8/8/1R6/K7 b - - 0 1").unwrap();
    let turn = oracle.turn(&position).unwrap();
    let view = TableView {
        oracle: &oracle,
        position: &position,
        turn: &turn,
    };
    let competence = 6.5;
    let hunter = Hunter {
        library: Library::with_memory(MEMORY),
        ..Hunter::of(competence)
    };
    let file = "KRK.dtc.white.wins.length.kappa1.c6.5.hunt";
    let file = oracle.prober().store().directory().join(file);
    let _ = std::fs::remove_file(&file);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut choose = |time: Duration| {
        let mut agent = hunter.sit();
        let deadline = Deadline::after(time, &());
        agent.prepare(view, Color::Black, &deadline).unwrap();
        let chosen = agent.choose(view, &mut rng).unwrap();
        (chosen, agent.remark())
    };
    let belief = OpponentBelief::certain(competence);
    let ranked = prospects(view, &belief, Kappa::ONE, PredatorDepth::TWO, &()).unwrap();
    let remark = "the hunt in KRK is not solved yet after 0 s: the Predator's move";
    let stood_in = (ranked[0].number, Some(remark.to_owned()));
    assert_eq!(choose(Duration::ZERO), stood_in);
    // It never waits without having been told to prepare.
    let chosen = hunter.sit().choose(view, &mut ChaCha8Rng::seed_from_u64(0));
    assert_eq!(chosen.unwrap(), ranked[0].number);
    // Solving goes on in the background; where there is time, the hunter waits for it.
    let best = hunter.worths(view, 0, &()).unwrap()[0].number;
    assert_eq!(choose(Duration::from_secs(3600)), (best, None));
    std::fs::remove_file(&file).unwrap();
}

//! Files of solutions, the memory they need, and whoever stops.

use std::time::Duration;

use errare_choice::Kappa;
use errare_core::{Cancel, Deadline, Fault, FaultKind, Metric, parse_position};
use errare_endgame::{
    Aim, Belief, Goal, Hunt, HuntError, HuntTask, Hunter, Library, Lookahead, Prey, Resistance,
    Scope, TableView, prospects,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Color, Position};

use super::MEMORY;
use crate::tables::{endgame, oracle};

/// A solution is written once and read from then on; what is damaged is refused.
#[test]
fn solutions_are_kept_in_files() {
    let oracle = oracle("KRK", Metric::Dtc);
    let task = HuntTask {
        material: endgame("KRK"),
        metric: Metric::Dtc,
        side: Color::White,
        scope: Scope::Wins,
        aim: Aim::Within(Goal::Win, 5),
        prey: Prey {
            competence: 7.0,
            kappa: Kappa::ONE,
        },
    };
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
    // No memory is needed to read it.
    assert_eq!(worth(&Library::with_memory(0)).unwrap(), solved);
    let bytes = std::fs::read(&path).unwrap();
    for (at, what) in [
        (0, "not a file"),
        (12, "version"),
        (17, "checksum"),
        (bytes.len() - 1, "checksum"),
    ] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        let error = worth(&Library::with_memory(MEMORY)).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Damaged);
        assert!(error.to_string().contains(what), "{error}");
    }
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(
        worth(&Library::with_memory(MEMORY))
            .unwrap_err()
            .to_string()
            .contains("length")
    );
    std::fs::remove_file(&path).unwrap();
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
}

/// Where time is bounded the hunter plays as the Predator does until its solution is there.
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
        agent.choose(view, &mut rng).unwrap()
    };
    let belief = Belief::certain(competence);
    let ranked = prospects(view, &belief, Kappa::ONE, Lookahead::TWO).unwrap();
    assert_eq!(choose(Duration::ZERO), ranked[0].number);
    // The solution comes in the background, and is waited for where there is time.
    let best = hunter.worths(view, 0, None, &()).unwrap()[0].number;
    assert_eq!(choose(Duration::from_secs(3600)), best);
    std::fs::remove_file(&file).unwrap();
}

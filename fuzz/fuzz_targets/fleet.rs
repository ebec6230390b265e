//! Messages of a fleet are rejected, or are work and answers that round-trip.

#![no_main]

use errare_rating::Replicates;
use errare_service::fleet::{
    Work,
    answers::{Evaluated, Games},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Ok(work) = Work::read(input) {
        let job = work.job().expect("what was read can be written");
        assert_eq!(Work::of(&job).expect("the same work"), work);
    }
    if let Some(evaluated) = Evaluated::read(input) {
        assert_eq!(evaluated.write(), input);
    }
    if let Some(games) = Games::read(input) {
        assert_eq!(
            Games::read(&games.write()).map(|again| again.played.len()),
            Some(games.played.len())
        );
    }
    if let Some(replicates) = Replicates::read(input) {
        assert!(Replicates::read(&replicates.write()).is_some());
    }
});

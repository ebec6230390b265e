//! No bytes make the reader of solved hunts panic or exceed its memory limit.
//!
//! The checksum would reject almost every input. So the input is read once as a file, and once as the stream after the
//! hunt's name, in a file with a correct checksum.

#![no_main]

use std::path::Path;

use errare_choice::Kappa;
use errare_core::{Metric, parse_position};
use errare_endgame::{Aim, Goal, HuntTask, Prey, Scope, Solution};
use libfuzzer_sys::fuzz_target;
use shakmaty::{Color, Position};

const MEMORY: u64 = 1 << 20;

fuzz_target!(|input: &[u8]| {
    for aim in [Aim::Length, Aim::Within(Goal::Win, 3)] {
        let task = HuntTask {
            material: "KRK".parse().expect("an endgame"),
            metric: Metric::Dtc,
            side: Color::White,
            scope: Scope::Wins,
            aim,
            prey: Prey {
                competence: 20.0,
                kappa: Kappa::ONE,
            },
        };
        read(input, &task);
        read(&sealed(input, &task), &task);
    }
});

/// The file of a task with this after the name.
fn sealed(rest: &[u8], task: &HuntTask) -> Vec<u8> {
    let name = task.name();
    let len = (name.len() as u32).to_le_bytes();
    let content = [&len[..], name.as_bytes(), rest].concat();
    let body = zstd::encode_all(&content[..], 1).expect("it is in memory");
    let mut bytes = b"ERRARE HUNT\n\x01\0\0\0".to_vec();
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Reads a file and the values of a position.
fn read(bytes: &[u8], task: &HuntTask) {
    let Ok(Some(solution)) = Solution::from_bytes(Path::new("KRK.hunt"), bytes, task, MEMORY)
    else {
        return;
    };
    assert!(solution.bytes() <= MEMORY);
    let position = parse_position("8/8/8/3k4/8/8/8/KR6 w - - 0 1").expect("a position");
    for moves_left in 0..5 {
        let _ = solution.worth(position.board(), false, moves_left);
    }
}

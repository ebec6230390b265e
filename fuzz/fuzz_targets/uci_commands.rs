//! No input makes the UCI front or its player panic, and it ends when the input does. A panic of any thread stops the fuzzer.

#![no_main]

use std::{io::Cursor, path::PathBuf, sync::LazyLock};

use errare_service::{Service, Supply};
use errare_tables::Store;
use errare_uci::Options;
use libfuzzer_sys::fuzz_target;

/// A directory without tables.
static TABLES: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("errare-fuzz-{}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
});

fuzz_target!(|input: &[u8]| {
    let service = Service {
        tables: Supply::new(Store::open(&*TABLES, 1 << 20)),
    };
    // Do not let the fuzzer run a program, build a table or spend time on purpose.
    let harmless = |line: &&[u8]| {
        let line = line.to_ascii_lowercase();
        let has = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
        let costly: [&[u8]; 6] = [
            b"engine",
            b"buildmen",
            b"path",
            b"uci:",
            b"minimaxdepth",
            b"human",
        ];
        !costly.into_iter().any(has)
    };
    let lines: Vec<&[u8]> = input
        .split(|byte| *byte == b'\n')
        .filter(harmless)
        .collect();
    let mut commands =
        b"setoption name Engine value <empty>\nsetoption name BuildMen value 0\n".to_vec();
    commands.extend(lines.join(&b'\n'));
    let options = Options::new(&"rep:c=3".parse().expect("a player"), "", None);
    errare_uci::speak(service, options, Cursor::new(commands), Vec::new())
        .expect("memory can be written");
});

//! Any bytes as a file of games, plain or compressed: it is read to its end without a panic, and every game in
//! it can be played through.

#![no_main]

use std::io::Cursor;

use errare_games::{decompressed, games};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = decompressed(Cursor::new(data.to_vec())) else {
        return;
    };
    for game in games(text).map_while(Result::ok) {
        assert_eq!(game.plies().count(), game.clocks.len());
    }
});

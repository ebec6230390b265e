//! Bytes are rejected, or are an evaluation that encodes to the same bytes.

#![no_main]

use errare_engine::Evaluation;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Ok(evaluation) = Evaluation::decode(input) {
        assert_eq!(evaluation.encode(), input);
    }
});

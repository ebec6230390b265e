//! A file that differs from what was written gives an error, never a wrong answer and never a
//! panic.

use std::sync::LazyLock;

use errare_tables::{FileError, Part};
use proptest::{prelude::*, sample::Index};
use shakmaty::Color;

use super::sample::{Values, bytes, open, outcomes, values};

static VALUES: LazyLock<Values> = LazyLock::new(|| values(2000));
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| bytes(&VALUES));

/// The error of reading every position.
fn error(bytes: Vec<u8>) -> FileError {
    open(bytes)
        .and_then(|table| outcomes(&table))
        .expect_err("a damaged file was read")
}

#[test]
fn truncation_is_noticed_at_every_length() {
    for len in 0..WHOLE.len() {
        let error = error(WHOLE[..len].to_vec());
        assert!(
            matches!(error, FileError::Truncated { .. }),
            "{len}: {error}"
        );
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    for at in 0..WHOLE.len() {
        for bit in 0..8 {
            let mut bytes = WHOLE.clone();
            bytes[at] ^= 1 << bit;
            error(bytes);
        }
    }
}

#[test]
fn a_message_names_file_and_part() {
    let mut damaged_block = WHOLE.clone();
    damaged_block[PRELUDE_LEN + 10] ^= 1;
    assert_eq!(
        error(damaged_block).to_string(),
        "KQKR.dtc.errare is damaged in its block 0 of white to move"
    );
    let mut longer = WHOLE.clone();
    longer.push(0);
    let error = error(longer);
    assert!(matches!(
        error,
        FileError::Damaged {
            part: Part::Directory,
            ..
        }
    ));
}

#[test]
fn other_files_are_foreign() {
    for text in [
        "%PDF-1.7 and more of it, longer than any prelude is",
        "KQKR",
        "\n",
    ] {
        let error = error(text.as_bytes().to_vec());
        assert!(
            matches!(error, FileError::Foreign { .. }),
            "{text}: {error}"
        );
    }
}

const PRELUDE_LEN: usize = 40;

/// Where the directory is.
fn directory(bytes: &[u8]) -> std::ops::Range<usize> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    number(12)..number(12) + number(20)
}

/// Corrects every checksum except those of blocks, as a forger would.
fn seal(bytes: &mut [u8], directory: std::ops::Range<usize>) {
    bytes[12..20].copy_from_slice(&(directory.start as u64).to_le_bytes());
    bytes[20..28].copy_from_slice(&(directory.len() as u64).to_le_bytes());
    let crc = crc32fast::hash(&bytes[directory]);
    bytes[28..32].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..36]);
    bytes[36..40].copy_from_slice(&crc.to_le_bytes());
}

#[derive(Debug, Clone)]
enum Edit {
    Overwrite(Index, u8),
    Insert(Index, u8),
    Remove(Index),
}

fn any_edits() -> impl Strategy<Value = Vec<Edit>> {
    // Bytes that overflow, and small counts.
    let byte = || prop_oneof![any::<u8>(), Just(0), Just(1), Just(0xff)];
    let edit = prop_oneof![
        4 => (any::<Index>(), byte()).prop_map(|(at, byte)| Edit::Overwrite(at, byte)),
        1 => (any::<Index>(), byte()).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        1 => any::<Index>().prop_map(Edit::Remove),
    ];
    prop::collection::vec(edit, 1..6)
}

fn apply(edits: &[Edit], bytes: &mut Vec<u8>) {
    for edit in edits {
        match edit {
            Edit::Overwrite(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Edit::Insert(at, byte) => bytes.insert(at.index(bytes.len()), *byte),
            Edit::Remove(at) => {
                bytes.remove(at.index(bytes.len()));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn edits_are_noticed(edits in any_edits()) {
        let mut bytes = WHOLE.clone();
        apply(&edits, &mut bytes);
        prop_assume!(bytes != *WHOLE);
        error(bytes);
    }

    /// A forger of checksums can make a file lie, but cannot make its reader panic, hang or take
    /// much memory.
    #[test]
    fn forged_directories_are_survived(edits in any_edits()) {
        let start = directory(&WHOLE).start;
        let mut forged = WHOLE[start..].to_vec();
        apply(&edits, &mut forged);
        let mut bytes = [&WHOLE[..start], &forged].concat();
        let end = bytes.len();
        seal(&mut bytes, start..end);
        if let Ok(table) = open(bytes) {
            let positions = table.description().positions;
            let block_len = u64::from(table.description().block_len);
            for turn in Color::ALL {
                for index in (0..positions).step_by(block_len as usize) {
                    let _ = table.outcome(turn, index);
                }
                let _ = table.outcome(turn, positions - 1);
                let _ = table.outcome(turn, positions);
            }
        }
    }
}

/// The forgery of the test above gets past the checksums.
#[test]
fn a_sealed_file_is_a_file() {
    let mut bytes = WHOLE.clone();
    let directory = directory(&bytes);
    // The producer's name comes after those of the endgame and the layer.
    bytes[directory.start + 5 + 4 + 1] = b'E';
    seal(&mut bytes, directory);
    assert!(
        open(bytes)
            .unwrap()
            .description()
            .producer
            .starts_with("Errare ")
    );
}

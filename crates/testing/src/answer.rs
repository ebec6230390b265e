//! JSON answers.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Asserts that a JSON answer round-trips through its type, and returns it.
///
/// # Panics
///
/// Panics if it does not.
#[track_caller]
pub fn assert_round_trip<T: Serialize + DeserializeOwned>(json: &str) -> T {
    let written: Value = serde_json::from_str(json).expect("the answer is JSON");
    let answer: T = serde_json::from_str(json).expect("the answer is of its type");
    let again = serde_json::to_value(&answer).expect("the type can be written");
    assert_eq!(again, written, "the answer is not what it was");
    answer
}

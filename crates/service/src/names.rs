//! Finds players of games by name.

use std::collections::BTreeMap;

use errare_core::{Fault, FaultKind};
use errare_games::{listed_names, name_key, names_somebody};

/// Why a name selects no single player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No player has this name.
    #[error("nobody in these games is called {0:?} or similar")]
    Unknown(String),
    /// Several players have it.
    #[error("several players match {wanted:?}: {}", listed_names(.names))]
    Several {
        /// The name asked for.
        wanted: String,
        /// The players that match.
        names: Vec<String>,
    },
}

impl Fault for NameError {
    fn kind(&self) -> FaultKind {
        match self {
            NameError::Unknown(_) => FaultKind::Missing,
            NameError::Several { .. } => FaultKind::BadRequest,
        }
    }
}

/// The player with this name: a part of it is enough if only one player matches. Case and spaces are ignored, in the
/// question and between the spellings of one player.
pub fn find<'a>(
    names: impl IntoIterator<Item = &'a str>,
    wanted: &str,
) -> Result<&'a str, NameError> {
    let key = name_key(wanted);
    let mut like: BTreeMap<String, &str> = BTreeMap::new();
    for name in names.into_iter().filter(|name| names_somebody(name)) {
        let own = name_key(name);
        if own.contains(&key) {
            let spelt = like.entry(own).or_insert(name);
            *spelt = more_legible(spelt, name);
        }
    }
    if let Some(exact) = like.get(&key) {
        return Ok(exact);
    }
    let names: Vec<&str> = like.into_values().collect();
    match names[..] {
        [] => Err(NameError::Unknown(wanted.to_owned())),
        [one] => Ok(one),
        _ => Err(NameError::Several {
            wanted: wanted.to_owned(),
            names: names.into_iter().map(str::to_owned).collect(),
        }),
    }
}

/// Of two spellings of a name the one that is not all capitals, or else the first.
pub(crate) fn more_legible<'a>(one: &'a str, other: &'a str) -> &'a str {
    let shouted = |name: &str| !name.chars().any(char::is_lowercase);
    match shouted(one) && !shouted(other) {
        true => other,
        false => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_selects_one_player_or_none() {
        let names = ["Browne, Walter", "BELLE", "Brown, Ann", "?", "NN", ""];
        let find = |wanted| find(names, wanted);
        assert_eq!(find("walter"), Ok("Browne, Walter"));
        assert_eq!(find("belle"), Ok("BELLE"));
        assert_eq!(find("brown, ann"), Ok("Brown, Ann"));
        let Err(NameError::Several { names, .. }) = find("brown") else {
            panic!("two are called so");
        };
        assert_eq!(names, ["Brown, Ann", "Browne, Walter"]);
        assert_eq!(find("Nobody"), Err(NameError::Unknown("Nobody".to_owned())));
        let spelt = ["BROWNE,WALTER", "Browne, Walter", "Browne, Ann"];
        assert_eq!(super::find(spelt, "walter"), Ok("Browne, Walter"));
        assert_eq!(find("?"), Err(NameError::Unknown("?".to_owned())));
    }
}

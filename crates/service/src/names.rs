//! Finds players of games by name.

use errare_core::{Fault, FaultKind};
use errare_games::names_somebody;

/// Why a name selects no single player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No player has this name.
    #[error("nobody in these games is called {0:?} or similar")]
    Unknown(String),
    /// Several players have it.
    #[error("several players match {wanted:?}: {}", .names.join("; "))]
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

/// The player with this name: a part of it is enough if only one player matches; case is ignored.
pub fn find<'a>(
    names: impl IntoIterator<Item = &'a str>,
    wanted: &str,
) -> Result<&'a str, NameError> {
    let lower = wanted.trim().to_lowercase();
    let mut like: Vec<&str> = names
        .into_iter()
        .filter(|name| names_somebody(name) && name.to_lowercase().contains(&lower))
        .collect();
    like.sort_unstable();
    like.dedup();
    let mut same = like.iter().filter(|name| name.to_lowercase() == lower);
    if let (Some(&exact), None) = (same.next(), same.next()) {
        return Ok(exact);
    }
    match like[..] {
        [] => Err(NameError::Unknown(wanted.to_owned())),
        [one] => Ok(one),
        _ => Err(NameError::Several {
            wanted: wanted.to_owned(),
            names: like.into_iter().map(str::to_owned).collect(),
        }),
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
        assert_eq!(find("?"), Err(NameError::Unknown("?".to_owned())));
    }
}

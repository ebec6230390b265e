//! Games that were sent for analysis, kept so that the address of an analysis can be opened again.
//!
//! A collection is named by a hash of its text: the same games have the same address, whenever and wherever they are sent
//! again. The last ones are kept, up to a number and a size.

use errare_games::{games, names_somebody};
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shakmaty::Color;

use super::{History, HistoryError};
use crate::analyse::is_blank;

/// The number of collections kept.
pub const MOST_COLLECTIONS: usize = 50;
/// The bytes of PGN kept in all collections together; the last one is kept whatever its size.
const MOST_BYTES: usize = 128 << 20;
/// The bytes of the hash in a name.
const NAME_BYTES: usize = 10;

pub(super) const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS collection (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    file TEXT,
    kept INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    pgn TEXT NOT NULL
) STRICT;
";

/// Games that were sent for analysis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Collection {
    /// Everything but the games.
    #[serde(flatten)]
    pub summary: CollectionSummary,
    /// The games, in PGN.
    pub pgn: String,
}

/// A line about games that were sent for analysis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CollectionSummary {
    /// Its id, a hash of the text.
    pub id: String,
    /// The players of the first game.
    pub title: String,
    /// The name of the file.
    pub file: Option<String>,
    /// When it was last sent, in seconds since 1970.
    pub kept: i64,
    /// The length of the text.
    pub bytes: u32,
}

impl History {
    /// Keeps games, and forgets those sent longest ago if there are too many. Returns their id; `None` if there is no game in
    /// the text.
    pub fn keep_collection(
        &self,
        pgn: &str,
        file: Option<&str>,
        now: i64,
    ) -> Result<Option<String>, HistoryError> {
        let Some(title) = title(pgn) else {
            return Ok(None);
        };
        let digest = Sha256::digest(pgn);
        let hexadecimal = digest.iter().take(NAME_BYTES);
        let id: String = hexadecimal.map(|byte| format!("{byte:02x}")).collect();
        let mut connection = self.connection();
        let kept = (|| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            change.execute(
                "INSERT INTO collection VALUES (?, ?, ?, ?, ?, ?) \
                 ON CONFLICT (id) DO UPDATE SET file = coalesce(excluded.file, file), kept = excluded.kept",
                params![id, title, file, now, pgn.len() as i64, pgn],
            )?;
            change.execute(
                "DELETE FROM collection WHERE id IN ( \
                   SELECT id FROM ( \
                     SELECT id, sum(bytes) OVER latest AS bytes, row_number() OVER latest AS place FROM collection \
                     WINDOW latest AS (ORDER BY kept DESC, rowid DESC)) \
                   WHERE place > ? OR place > 1 AND bytes > ?)",
                params![MOST_COLLECTIONS as i64, MOST_BYTES as i64],
            )?;
            change.commit()
        })();
        kept.map_err(self.database())?;
        Ok(Some(id))
    }

    /// The collection with this id.
    pub fn collection(&self, id: &str) -> Result<Option<Collection>, HistoryError> {
        let connection = self.connection();
        let found = connection
            .query_row("SELECT * FROM collection WHERE id = ?", [id], |row| {
                Ok(Collection {
                    summary: summary(row)?,
                    pgn: row.get("pgn")?,
                })
            })
            .optional();
        found.map_err(self.database())
    }

    /// All collections, the last sent first.
    pub fn collections(&self) -> Result<Vec<CollectionSummary>, HistoryError> {
        let connection = self.connection();
        let all = |connection: &Connection| -> rusqlite::Result<Vec<CollectionSummary>> {
            let mut query = connection.prepare(
                "SELECT id, title, file, kept, bytes FROM collection ORDER BY kept DESC, rowid DESC",
            )?;
            query.query_map([], summary)?.collect()
        };
        all(&connection).map_err(self.database())
    }

    /// Deletes a collection, if it exists.
    pub fn erase_collection(&self, id: &str) -> Result<bool, HistoryError> {
        let connection = self.connection();
        let erased = connection.execute("DELETE FROM collection WHERE id = ?", [id]);
        let erased = erased.map_err(self.database())? > 0;
        connection
            .execute_batch("VACUUM")
            .map_err(self.database())?;
        Ok(erased)
    }
}

fn summary(row: &Row<'_>) -> rusqlite::Result<CollectionSummary> {
    Ok(CollectionSummary {
        id: row.get("id")?,
        title: row.get("title")?,
        file: row.get("file")?,
        kept: row.get("kept")?,
        bytes: row.get("bytes")?,
    })
}

/// "Réti – Alekhine and others": the players of the first game.
fn title(pgn: &str) -> Option<String> {
    let games = games(pgn.as_bytes()).map_while(Result::ok);
    let mut games = games.filter(|game| !is_blank(game));
    let first = games.next()?;
    let [white, black] = [Color::White, Color::Black].map(|color| first.name(color).to_owned());
    let others = match games.next() {
        Some(_) => " and others",
        None => "",
    };
    let named = [&white, &black].iter().any(|name| names_somebody(name));
    Some(match named {
        true => format!("{white} – {black}{others}"),
        false => format!("unnamed players{others}"),
    })
}

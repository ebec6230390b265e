//! Reports whether everything that other verbs need is available.

use std::io::{self, Write};

use errare_engine::EngineKey;
use errare_service::doctor::{Answer, DEPTH};

use super::Text;
use crate::words;

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "errare   {}", self.version)?;
        match &self.engine {
            None => writeln!(out, "engine   none that works")?,
            Some(engine) => {
                let EngineKey {
                    name, version, net, ..
                } = &engine.key;
                writeln!(out, "engine   {name} {version}, {}", engine.path.display())?;
                if !net.is_empty() {
                    writeln!(out, "         net {net}")?;
                }
                let seconds = engine.seconds;
                writeln!(
                    out,
                    "         evaluates the initial position to depth {DEPTH} in {seconds:.2} s"
                )?;
            }
        }
        if let Some(tables) = &self.tables {
            writeln!(
                out,
                "tables   {} for {}, {}, in {}",
                words::counted(tables.files as u64, "table", "tables"),
                words::counted(tables.endgames as u64, "endgame", "endgames"),
                words::bytes(tables.bytes),
                tables.directory.display(),
            )?;
        }
        Ok(())
    }

    fn remarks(&self) -> Vec<String> {
        self.problems.clone()
    }
}

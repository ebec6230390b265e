//! Judges a position: `cargo run -p errare-tables --example probe -- "8/8/8/4k3/8/8/8/KQ6 w - - 0 1" [DIRECTORY]`.

use std::{
    env,
    error::Error,
    io::{self, Write},
    path::Path,
};

use errare_tables::Tables;

/// Writes every move of a position with what it leads to.
pub(crate) fn judge(
    fen: &str,
    directory: &Path,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let verdict = Tables::open(directory)?.probe(fen)?;
    writeln!(out, "{:?}", verdict.position.category)?;
    for m in &verdict.moves {
        writeln!(
            out,
            "{:6} {:?}",
            m.san.to_string(),
            m.after.category.reversed()
        )?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let fen = arguments.next().ok_or("name a position")?;
    let directory = arguments.next().unwrap_or_else(|| "tables".to_owned());
    judge(&fen, Path::new(&directory), &mut io::stdout().lock())
}

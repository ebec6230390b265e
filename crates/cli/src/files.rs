//! Files that are written for people: whole, or not at all.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Result};

/// Writes a file, which takes the place of what was there only when it is complete; `-` is standard
/// output.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let written = match path.to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => replace(path, text.as_bytes()),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link; what it leads to is written.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Devices and pipes cannot be replaced.
    if target.metadata().is_ok_and(|found| !found.is_file()) {
        return fs::write(&target, bytes);
    }
    let directory = match target.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.suffix(".partial").tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("page.html");
        for text in ["one", "another"] {
            write(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        let nowhere = directory.path().join("no/such/page.html");
        let error = format!("{:#}", write(&nowhere, "text").unwrap_err());
        assert!(error.contains("cannot write") && error.contains("page.html"));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_stay_what_they_are() {
        use std::{
            os::unix::fs::{FileTypeExt, symlink},
            process::Command,
        };

        let directory = tempfile::tempdir().unwrap();
        let [file, link, usual, pipe] =
            ["file", "link", "usual", "pipe"].map(|name| directory.path().join(name));
        write(&file, "one").unwrap();
        fs::write(&usual, "one").unwrap();
        let permissions = |path: &Path| path.metadata().unwrap().permissions();
        assert_eq!(
            permissions(&file),
            permissions(&usual),
            "as the umask has it"
        );
        symlink(&file, &link).unwrap();
        write(&link, "two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let mut reader = fs::File::options()
            .read(true)
            .write(true)
            .open(&pipe)
            .unwrap();
        write(&pipe, "three").unwrap();
        let mut text = [0; 5];
        io::Read::read_exact(&mut reader, &mut text).unwrap();
        assert_eq!(&text, b"three");
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
    }
}

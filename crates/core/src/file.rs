//! Atomic file writing: a file is replaced completely or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// A file being written. It replaces the old one only when it is [finished](NewFile::finish), so readers never see half of
/// it, and a crash or a full disk leaves the old file in place. If dropped before that, it leaves nothing behind. Symbolic
/// links are followed and kept; devices and pipes, which cannot be replaced, are written to directly.
///
/// ```
/// use std::io::Write;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("games.pgn");
/// let mut file = errare_core::NewFile::create(&path)?;
/// writeln!(file, "1. e4 *")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"1. e4 *\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile(BufWriter<Target>);

/// Where the bytes go until the file is complete.
#[derive(Debug)]
enum Target {
    /// A temporary file in the same directory, and the path it will replace.
    Beside(NamedTempFile, PathBuf),
    /// A device or pipe.
    Device(File),
}

impl NewFile {
    /// Starts a new file for `path`.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.metadata().is_ok_and(|found| !found.is_file()) {
            let device = File::options().write(true).truncate(true).open(&target)?;
            return Ok(NewFile(BufWriter::new(Target::Device(device))));
        }
        let directory = directory_of(&target)?;
        // Not `.partial`: the table store removes unlocked files with that suffix. The file is opened here because an error of
        // `tempfile_in` would name the temporary file.
        let file = tempfile::Builder::new()
            .suffix(".new")
            .make_in(directory, |path| File::create_new(path))?;
        Ok(NewFile(BufWriter::new(Target::Beside(file, target))))
    }

    /// Moves the finished file into place.
    pub fn finish(self) -> io::Result<()> {
        let target = self
            .0
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        if let Target::Beside(file, target) = target {
            file.as_file().sync_all()?;
            file.persist(&target)?;
        }
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Target {
    fn file(&mut self) -> &mut File {
        match self {
            Target::Beside(file, _) => file.as_file_mut(),
            Target::Device(file) => file,
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// The directory of a file, which must exist.
///
/// ```
/// let error = errare_core::directory_of("nowhere/games.pgn".as_ref()).unwrap_err();
/// assert_eq!(error.to_string(), "there is no directory nowhere");
/// ```
pub fn directory_of(path: &Path) -> io::Result<&Path> {
    match path.parent() {
        Some(directory) if directory.as_os_str().is_empty() => Ok(Path::new(".")),
        Some(directory) if !directory.is_dir() => Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("there is no directory {}", directory.display()),
        )),
        directory => Ok(directory.unwrap_or(path)),
    }
}

/// Writes a whole [file](NewFile) in one call.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// let path = directory.path().join("report.html");
/// errare_core::write_file(&path, b"<p>done</p>")?;
/// assert_eq!(std::fs::read(&path)?, b"<p>done</p>");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("page.html");
        for text in ["one", "another"] {
            write_file(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        let nowhere = directory.path().join("no/such/page.html");
        assert!(write_file(&nowhere, b"text").is_err());
    }

    /// Even root cannot create files in `/sys`.
    #[cfg(target_os = "linux")]
    #[test]
    fn errors_do_not_name_the_temporary_file() {
        let error = write_file(Path::new("/sys/page.html"), b"text").unwrap_err();
        assert!(error.raw_os_error().is_some(), "{error}");
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
        write_file(&file, b"one").unwrap();
        fs::write(&usual, "one").unwrap();
        let permissions = |path: &Path| path.metadata().unwrap().permissions();
        assert_eq!(
            permissions(&file),
            permissions(&usual),
            "as the umask has it"
        );
        symlink(&file, &link).unwrap();
        write_file(&link, b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let mut reader = fs::File::options()
            .read(true)
            .write(true)
            .open(&pipe)
            .unwrap();
        write_file(&pipe, b"three").unwrap();
        let mut text = [0; 5];
        io::Read::read_exact(&mut reader, &mut text).unwrap();
        assert_eq!(&text, b"three");
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
    }
}

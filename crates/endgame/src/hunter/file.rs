//! Files of solved hunts, stored beside the tables.
//!
//! A file consists of `ERRARE HUNT` with a version, the checksum and length of what follows, and a zstd stream: the
//! name of the task, a bit for each stored position that is included, and the values of these, 8 bytes each, or 4
//! bytes each for every number of moves left. All numbers are little-endian. A file appears under its name only when
//! it is complete.
//!
//! Files are encoded and decoded as streams, so a solution is in memory only once: the stream is produced twice, the
//! first time for the checksum.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use errare_core::{NewFile, Stopped};
use errare_tables::{Layout, ScanError};

use super::{
    HuntError,
    graph::Budget,
    solution::{HuntTask, Members, Solution, Worths},
};

const MAGIC: &[u8; 12] = b"ERRARE HUNT\n";
/// Incremented whenever older files can no longer be read.
const VERSION: u32 = 1;
/// Fast: most of the data are digits that no level compresses.
const LEVEL: i32 = 1;
/// The number of values written at once.
const CHUNK: usize = 1 << 14;

/// The path of a task's file, which need not exist.
pub(super) fn path(directory: &Path, task: &HuntTask) -> PathBuf {
    directory.join(format!("{}.hunt", task.name()))
}

/// Writes a solution.
pub(super) fn write(directory: &Path, solution: &Solution) -> Result<(), HuntError> {
    let path = path(directory, &solution.task);
    let write = || {
        fs::create_dir_all(directory)?;
        let mut body = Digest::default();
        encode(solution, &mut body)?;
        let mut file = NewFile::create(&path)?;
        file.write_all(MAGIC)?;
        file.write_all(&VERSION.to_le_bytes())?;
        file.write_all(&body.checksum.finalize().to_le_bytes())?;
        file.write_all(&body.len.to_le_bytes())?;
        encode(solution, &mut file)?;
        file.finish()
    };
    write().map_err(|source| HuntError::File {
        path: path.clone(),
        source,
    })
}

/// Reads the solution of a task; `None` if there is no file, or one of another version.
pub(super) fn read(
    directory: &Path,
    task: &HuntTask,
    memory: Budget<'_>,
) -> Result<Option<Solution>, HuntError> {
    let path = path(directory, task);
    match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(HuntError::File { path, source }),
        Ok(file) => read_from(&path, file, task, memory),
    }
}

impl Solution {
    /// The solution of a task in a file of this name with these bytes, if it takes at most this many bytes of memory;
    /// `None` if the file is of another version.
    pub fn from_bytes(
        path: &Path,
        bytes: &[u8],
        task: &HuntTask,
        memory: u64,
    ) -> Result<Option<Solution>, HuntError> {
        read_from(path, io::Cursor::new(bytes), task, &|_| Ok(memory))
    }
}

fn read_from(
    path: &Path,
    file: impl Read + Seek,
    task: &HuntTask,
    memory: Budget<'_>,
) -> Result<Option<Solution>, HuntError> {
    let layout = Layout::new(task.material).map_err(ScanError::from)?;
    let path = || path.to_owned();
    decode(file, task, layout, memory).map_err(|flaw| match flaw {
        Flaw::Damage(what) => HuntError::Damaged { path: path(), what },
        Flaw::Read(source) => HuntError::File {
            path: path(),
            source,
        },
        Flaw::Memory { needed, limit } => HuntError::Memory {
            material: task.material,
            needed: needed >> 20,
            limit: limit >> 20,
        },
        Flaw::Stopped(stopped) => stopped.into(),
    })
}

/// The checksum and length of what is written.
#[derive(Default)]
struct Digest {
    checksum: crc32fast::Hasher,
    len: u64,
}

impl Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.checksum.update(bytes);
        self.len += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the stream of a solution.
fn encode(solution: &Solution, out: impl Write) -> io::Result<()> {
    let mut out = zstd::Encoder::new(out, LEVEL)?;
    let name = solution.task.name();
    out.write_all(&(name.len() as u32).to_le_bytes())?;
    out.write_all(name.as_bytes())?;
    write_values(&mut out, &solution.members.words, u64::to_le_bytes)?;
    out.write_all(&solution.task.aim.layers().to_le_bytes())?;
    match &solution.worths {
        Worths::Lasting(values) => write_values(&mut out, values, f64::to_le_bytes)?,
        Worths::ByMovesLeft(layers) => {
            for layer in layers {
                write_values(&mut out, layer, f32::to_le_bytes)?;
            }
        }
    }
    out.finish().map(drop)
}

fn write_values<T: Copy, const N: usize>(
    out: &mut impl Write,
    values: &[T],
    bytes_of: fn(T) -> [u8; N],
) -> io::Result<()> {
    for chunk in values.chunks(CHUNK) {
        let bytes: Vec<u8> = chunk.iter().copied().flat_map(bytes_of).collect();
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Why a file is not used.
enum Flaw {
    /// What is wrong with it.
    Damage(&'static str),
    /// The operating system cannot read it.
    Read(io::Error),
    /// The solution takes too much memory.
    Memory { needed: u64, limit: u64 },
    /// The watcher stopped it while it waited for memory.
    Stopped(Stopped),
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Flaw {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Flaw::Damage("it ends too early"),
            _ if error.raw_os_error().is_some() => Flaw::Read(error),
            _ => Flaw::Damage("it cannot be decompressed"),
        }
    }
}

/// Decodes the file of a task; `None` if it is of another version.
fn decode(
    mut file: impl Read + Seek,
    task: &HuntTask,
    layout: Layout,
    memory: Budget<'_>,
) -> Result<Option<Solution>, Flaw> {
    if read_array(&mut file)? != *MAGIC {
        return Err(Flaw::Damage("it is not a file of a solved hunt"));
    }
    if u32::from_le_bytes(read_array(&mut file)?) != VERSION {
        return Ok(None);
    }
    let checksum = u32::from_le_bytes(read_array(&mut file)?);
    let len = u64::from_le_bytes(read_array(&mut file)?);
    let start = file.stream_position()?;
    let mut body = Digest::default();
    io::copy(&mut file, &mut body)?;
    if len != body.len {
        return Err(Flaw::Damage("its length is wrong"));
    }
    if checksum != body.checksum.finalize() {
        return Err(Flaw::Damage("its checksum is wrong"));
    }
    file.seek(SeekFrom::Start(start))?;
    let mut stream = BufReader::new(zstd::Decoder::new(file)?);
    let name = task.name();
    let is_name = u32::from_le_bytes(read_array(&mut stream)?) as usize == name.len();
    if !is_name || read_values(&mut stream, name.len(), u8::from_le_bytes)? != name.as_bytes() {
        return Err(Flaw::Damage("it holds another hunt"));
    }
    let words = layout.len().div_ceil(64) as usize;
    let members = Members::of(read_values(&mut stream, words, u64::from_le_bytes)?);
    let layers = u32::from_le_bytes(read_array(&mut stream)?);
    if layers != task.aim.layers() {
        return Err(Flaw::Damage("it holds other layers"));
    }
    let count = members.len();
    let needed = Members::bytes(layout.len()) + count as u64 * task.aim.bytes_a_position();
    let limit = memory(needed).map_err(Flaw::Stopped)?;
    if needed > limit {
        return Err(Flaw::Memory { needed, limit });
    }
    let worths = match layers {
        0 => Worths::Lasting(read_values(&mut stream, count, f64::from_le_bytes)?),
        layers => {
            let layer = |_| read_values(&mut stream, count, f32::from_le_bytes);
            Worths::ByMovesLeft((0..layers).map(layer).collect::<Result<_, _>>()?)
        }
    };
    if stream.read(&mut [0])? != 0 {
        return Err(Flaw::Damage("it is too long"));
    }
    Ok(Some(Solution {
        task: *task,
        members,
        worths,
        layout,
    }))
}

fn read_array<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_values<T, const N: usize>(
    stream: &mut impl Read,
    count: usize,
    value_of: fn([u8; N]) -> T,
) -> io::Result<Vec<T>> {
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        values.push(value_of(read_array(stream)?));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use errare_choice::Kappa;
    use errare_core::Metric;
    use shakmaty::Color;

    use super::*;
    use crate::{Aim, Goal, Prey, Scope};

    const MEMORY: u64 = 1 << 20;

    fn task() -> HuntTask {
        HuntTask {
            material: "KRK".parse().expect("an endgame"),
            metric: Metric::Dtc,
            side: Color::White,
            scope: Scope::Wins,
            aim: Aim::Within(Goal::Win, 3),
            prey: Prey {
                competence: 7.0,
                kappa: Kappa::ONE,
            },
        }
    }

    /// A solution of three positions.
    fn solution() -> Solution {
        let layout = Layout::new(task().material).expect("it is small");
        let mut words = vec![0; layout.len().div_ceil(64) as usize];
        (words[0], words[2]) = (0b101, 0b10);
        Solution {
            task: task(),
            members: Members::of(words),
            worths: Worths::ByMovesLeft((0..3_u8).map(|n| vec![f32::from(n); 3]).collect()),
            layout,
        }
    }

    /// A file with this stream.
    fn sealed(content: &[u8]) -> Vec<u8> {
        with_body(&zstd::encode_all(content, LEVEL).expect("it is in memory"))
    }

    fn with_body(body: &[u8]) -> Vec<u8> {
        let checksum = crc32fast::hash(body).to_le_bytes();
        let len = (body.len() as u64).to_le_bytes();
        [MAGIC, &VERSION.to_le_bytes()[..], &checksum, &len, body].concat()
    }

    fn content() -> Vec<u8> {
        let mut body = Vec::new();
        encode(&solution(), &mut body).expect("it is in memory");
        zstd::decode_all(&body[..]).expect("it was encoded")
    }

    fn read(bytes: &[u8]) -> Result<Option<Solution>, HuntError> {
        Solution::from_bytes(Path::new("KRK.hunt"), bytes, &task(), MEMORY)
    }

    #[test]
    fn solutions_are_read_as_they_were_written() {
        let directory = tempfile::tempdir().expect("a directory");
        write(directory.path(), &solution()).expect("it can be written");
        let bytes = fs::read(path(directory.path(), &task())).expect("it was written");
        assert_eq!(bytes, sealed(&content()));
        let found = read(&bytes).expect("it is sound").expect("of this version");
        assert_eq!(found.members, solution().members);
        assert_eq!(found.worths, solution().worths);
    }

    #[test]
    fn what_is_damaged_is_refused_and_another_version_passed_over() {
        let (content, sound) = (content(), sealed(&content()));
        let layers = content.len() - 3 * 3 * 4 - 4;
        let changed = |mut bytes: Vec<u8>, at: usize| {
            bytes[at] ^= 1;
            bytes
        };
        for (bytes, what) in [
            (Vec::new(), "ends too early"),
            (sound[..20].to_vec(), "ends too early"),
            (changed(sound.clone(), 0), "not a file"),
            (changed(sound.clone(), 17), "checksum"),
            (changed(sound.clone(), 20), "length"),
            (changed(sound.clone(), sound.len() - 1), "checksum"),
            (sound[..sound.len() - 1].to_vec(), "length"),
            ([&sound[..], b"!"].concat(), "length"),
            (with_body(b"no stream"), "decompressed"),
            (sealed(&changed(content.clone(), 0)), "another hunt"),
            (sealed(&changed(content.clone(), 5)), "another hunt"),
            (sealed(&changed(content.clone(), layers)), "other layers"),
            // One more position than there are values.
            (sealed(&changed(content.clone(), layers - 1)), "too early"),
            (sealed(&content[..content.len() - 1]), "too early"),
            (sealed(&[&content[..], b"!"].concat()), "too long"),
        ] {
            let error = read(&bytes).expect_err(what);
            assert!(matches!(error, HuntError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains(what), "{error}");
        }
        let other = read(&changed(sound, MAGIC.len()));
        assert!(other.expect("it is no fault").is_none());
    }

    #[test]
    fn what_does_not_fit_is_not_read() {
        let bytes = sealed(&content());
        let needed = solution().bytes();
        let within = |memory| Solution::from_bytes(Path::new("KRK.hunt"), &bytes, &task(), memory);
        assert!(within(needed).is_ok());
        let refused = within(needed - 1).expect_err("it is too large");
        assert!(matches!(refused, HuntError::Memory { .. }), "{refused}");
    }
}

//! Files of solved hunts, stored beside the tables.
//!
//! A file consists of `ERRARE HUNT` with a version, the checksum and length of what follows, and a zstd stream: the
//! name of the task, a bit for each stored position that is included, and the values of these, 8 bytes each, or 4
//! bytes each for every number of moves left. All numbers are little-endian. A file appears under its name only when
//! it is complete.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use errare_core::NewFile;
use errare_tables::{Layout, ScanError};

use super::{
    HuntError,
    solution::{HuntTask, Members, Solution, Worths},
};

const MAGIC: &[u8; 12] = b"ERRARE HUNT\n";
/// Incremented whenever older files can no longer be read.
const VERSION: u32 = 1;
/// Fast: most of the data are digits that no level compresses.
const LEVEL: i32 = 1;

/// The path of a task's file, which need not exist.
pub(super) fn path(directory: &Path, task: &HuntTask) -> PathBuf {
    directory.join(format!("{}.hunt", task.name()))
}

/// Writes a solution.
pub(super) fn write(directory: &Path, solution: &Solution) -> Result<(), HuntError> {
    let path = path(directory, &solution.task);
    let failed = |source| HuntError::File {
        path: path.clone(),
        source,
    };
    let body = encode(solution).map_err(failed)?;
    fs::create_dir_all(directory).map_err(failed)?;
    let write = || {
        let mut file = NewFile::create(&path)?;
        file.write_all(MAGIC)?;
        file.write_all(&VERSION.to_le_bytes())?;
        file.write_all(&crc32fast::hash(&body).to_le_bytes())?;
        file.write_all(&(body.len() as u64).to_le_bytes())?;
        file.write_all(&body)?;
        file.finish()
    };
    write().map_err(failed)
}

/// Reads the solution of a task; `None` if there is no file.
pub(super) fn read(directory: &Path, task: &HuntTask) -> Result<Option<Solution>, HuntError> {
    let path = path(directory, task);
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        result => result.map_err(|source| HuntError::File {
            path: path.clone(),
            source,
        })?,
    };
    let layout = Layout::new(task.material).map_err(ScanError::from)?;
    match decode(&bytes, task, layout) {
        Ok(solution) => Ok(Some(solution)),
        Err(what) => Err(HuntError::Damaged { path, what }),
    }
}

fn encode(solution: &Solution) -> io::Result<Vec<u8>> {
    let mut out = zstd::Encoder::new(Vec::new(), LEVEL)?;
    let name = solution.task.name();
    out.write_all(&(name.len() as u32).to_le_bytes())?;
    out.write_all(name.as_bytes())?;
    let words = solution.members.words.iter();
    out.write_all(
        &words
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<u8>>(),
    )?;
    match &solution.worths {
        Worths::Lasting(values) => {
            out.write_all(&0_u32.to_le_bytes())?;
            let bytes = values.iter().flat_map(|value| value.to_le_bytes());
            out.write_all(&bytes.collect::<Vec<u8>>())?;
        }
        Worths::ByMovesLeft(layers) => {
            out.write_all(&(layers.len() as u32).to_le_bytes())?;
            for layer in layers {
                let bytes = layer.iter().flat_map(|value| value.to_le_bytes());
                out.write_all(&bytes.collect::<Vec<u8>>())?;
            }
        }
    }
    out.finish()
}

/// Decodes the file of a task; the error says what is wrong with it.
fn decode(bytes: &[u8], task: &HuntTask, layout: Layout) -> Result<Solution, &'static str> {
    let (magic, rest) = bytes.split_first_chunk().ok_or("it is too short")?;
    if magic != MAGIC {
        return Err("it is not a file of a solved hunt");
    }
    let (version, rest) = rest.split_first_chunk().ok_or("it is too short")?;
    if u32::from_le_bytes(*version) != VERSION {
        return Err("it is of another version");
    }
    let (checksum, rest) = rest.split_first_chunk().ok_or("it is too short")?;
    let (len, body) = rest.split_first_chunk().ok_or("it is too short")?;
    if u64::from_le_bytes(*len) != body.len() as u64 {
        return Err("its length is wrong");
    }
    if u32::from_le_bytes(*checksum) != crc32fast::hash(body) {
        return Err("its checksum is wrong");
    }
    let decoder = zstd::Decoder::new(body).map_err(|_| "it cannot be decompressed")?;
    let mut stream = Stream(decoder);
    let len = u32::from_le_bytes(stream.array()?) as usize;
    if stream.bytes(len)? != task.name().as_bytes() {
        return Err("it holds another hunt");
    }
    let words = stream.bytes((layout.len() as usize).div_ceil(64) * 8)?;
    let words = words
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("8")));
    let members = Members::of(words.collect());
    let layers = u32::from_le_bytes(stream.array()?);
    if layers != task.aim.layers() {
        return Err("it holds other layers");
    }
    let worths = match layers {
        0 => {
            let values = stream.bytes(members.len() * 8)?;
            let value = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("8"));
            Worths::Lasting(values.chunks_exact(8).map(value).collect())
        }
        layers => {
            let mut all = Vec::new();
            for _ in 0..layers {
                let values = stream.bytes(members.len() * 4)?;
                let value = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("4"));
                all.push(values.chunks_exact(4).map(value).collect());
            }
            Worths::ByMovesLeft(all)
        }
    };
    if !stream.is_at_end() {
        return Err("it is too long");
    }
    Ok(Solution {
        task: *task,
        members,
        worths,
        layout,
    })
}

/// The rest of a file.
struct Stream<R>(R);

impl<R: Read> Stream<R> {
    fn is_at_end(&mut self) -> bool {
        matches!(self.0.read(&mut [0]), Ok(0))
    }

    fn bytes(&mut self, len: usize) -> Result<Vec<u8>, &'static str> {
        let mut bytes = Vec::new();
        let mut part = self.0.by_ref().take(len as u64);
        part.read_to_end(&mut bytes)
            .map_err(|_| "it cannot be decompressed")?;
        match bytes.len() == len {
            true => Ok(bytes),
            false => Err("it ends too early"),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], &'static str> {
        let bytes = self.bytes(N)?;
        Ok(bytes.try_into().expect("so many were read"))
    }
}

//! A job: a payload, and what a worker needs to run it.

use std::{fmt, str::FromStr};

use errare_core::{Fault, FaultKind};
use sha2::{Digest, Sha256};

/// Maximum size of a job's payload and of its result: half of NATS's default message limit.
pub const MOST_BYTES: usize = 512 << 10;

/// Maximum length of a job's `needs`.
const MOST_LETTERS: usize = 64;

/// A unit of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    id: JobId,
    needs: String,
    payload: Vec<u8>,
}

/// The identity of a job: a hash of its needs and its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId([u8; 32]);

/// Returned when something is not a valid job.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The payload or result is larger than a message may be.
    #[error("{0} bytes are more than the {MOST_BYTES} that a job or its result may have")]
    TooLarge(usize),
    /// `needs` is not a plain word.
    #[error("{0:?} is not a word of at most 64 letters, digits and hyphens")]
    Needs(String),
    /// The payload does not match the identity.
    #[error("a job's content does not match its identity; it was changed on the way")]
    Changed,
    /// The text is not an identity.
    #[error("{0:?} is not the identity of a job")]
    Id(String),
}

impl Fault for JobError {
    fn kind(&self) -> FaultKind {
        match self {
            JobError::Changed => FaultKind::Damaged,
            _ => FaultKind::BadRequest,
        }
    }
}

impl Job {
    /// A job with this payload, for workers that have what it `needs`, such as an engine of a certain version. `needs`
    /// is a word of letters, digits and hyphens.
    pub fn new(needs: &str, payload: Vec<u8>) -> Result<Job, JobError> {
        check_word(needs)?;
        check_size(payload.len())?;
        let mut hash = Sha256::new();
        hash.update((needs.len() as u64).to_le_bytes());
        hash.update(needs.as_bytes());
        hash.update(&payload);
        Ok(Job {
            id: JobId(hash.finalize().into()),
            needs: needs.to_owned(),
            payload,
        })
    }

    /// A job received from elsewhere, checked against the identity it claims.
    pub fn claimed(id: JobId, needs: &str, payload: Vec<u8>) -> Result<Job, JobError> {
        let job = Job::new(needs, payload)?;
        match job.id == id {
            true => Ok(job),
            false => Err(JobError::Changed),
        }
    }

    /// Its identity.
    pub fn id(&self) -> JobId {
        self.id
    }

    /// What a worker must have to run it.
    pub fn needs(&self) -> &str {
        &self.needs
    }

    /// The work to do.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }
}

/// Accepts only letters, digits and hyphens, since the word becomes part of a NATS subject.
pub(crate) fn check_word(word: &str) -> Result<(), JobError> {
    let plain = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
    match (1..=MOST_LETTERS).contains(&word.len()) && word.bytes().all(plain) {
        true => Ok(()),
        false => Err(JobError::Needs(word.to_owned())),
    }
}

pub(crate) fn check_size(bytes: usize) -> Result<(), JobError> {
    match bytes <= MOST_BYTES {
        true => Ok(()),
        false => Err(JobError::TooLarge(bytes)),
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for JobId {
    type Err = JobError;

    fn from_str(text: &str) -> Result<JobId, JobError> {
        let wrong = || JobError::Id(text.chars().take(MOST_LETTERS).collect());
        // Digits alone: a number may also have a sign.
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut id = [0; 32];
        for (byte, digits) in id.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(JobId(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_is_content() {
        let job = Job::new("stockfish", b"8/8".to_vec()).unwrap();
        assert_eq!(job, Job::new("stockfish", b"8/8".to_vec()).unwrap());
        assert_ne!(
            job.id(),
            Job::new("stockfish", b"8/9".to_vec()).unwrap().id()
        );
        assert_ne!(
            job.id(),
            Job::new("stockfish8", b"/8".to_vec()).unwrap().id()
        );
        let id: JobId = job.id().to_string().parse().unwrap();
        assert_eq!(id, job.id());
        assert_eq!(
            Job::claimed(id, "stockfish", b"8/9".to_vec()),
            Err(JobError::Changed)
        );
    }

    #[test]
    fn what_is_no_job_is_refused() {
        assert!(Job::new("a.b", Vec::new()).is_err());
        assert!(Job::new("", Vec::new()).is_err());
        assert!(Job::new("a", vec![0; MOST_BYTES + 1]).is_err());
        assert!("zz".parse::<JobId>().is_err());
        assert!("00".repeat(32).parse::<JobId>().is_ok());
        assert!("+0".repeat(32).parse::<JobId>().is_err());
    }
}

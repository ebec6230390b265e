//! Converts text of unknown encoding to UTF-8.
//!
//! PGN does not declare its encoding. Older databases write Windows-1252 (or Latin-1, a subset of it as far as
//! printable characters go), newer programs UTF-8. A line that is valid UTF-8 is taken as such, any other as
//! Windows-1252: a name with an umlaut in Windows-1252 is almost never valid UTF-8.

use std::io::{self, BufRead, Read};

use encoding_rs::WINDOWS_1252;

/// Maximum number of bytes of a line converted at once.
const CHUNK: u64 = 1 << 16;

/// A reader that returns UTF-8.
pub(crate) struct Utf8<R> {
    input: R,
    /// Converted text that has not been read yet.
    ready: Vec<u8>,
    given: usize,
    /// The first bytes of a character whose remaining bytes have not been read yet.
    begun: Vec<u8>,
}

impl<R: BufRead> Utf8<R> {
    /// Wraps `input`.
    pub(crate) fn new(input: R) -> Utf8<R> {
        Utf8 {
            input,
            ready: Vec::new(),
            given: 0,
            begun: Vec::new(),
        }
    }

    /// Reads the next line, or a part of a long one.
    fn refill(&mut self) -> io::Result<()> {
        let mut line = std::mem::take(&mut self.begun);
        let mut part = self.input.by_ref().take(CHUNK);
        let read = part.read_until(b'\n', &mut line)?;
        if read as u64 == CHUNK
            && let Err(error) = std::str::from_utf8(&line)
            && error.error_len().is_none()
        {
            self.begun = line.split_off(error.valid_up_to());
        }
        self.ready = match std::str::from_utf8(&line) {
            Ok(_) => line,
            Err(_) => WINDOWS_1252
                .decode_without_bom_handling(&line)
                .0
                .into_owned()
                .into_bytes(),
        };
        self.given = 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.refill()?;
        }
        let read = (&self.ready[self.given..]).read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8]) -> String {
        io::read_to_string(Utf8::new(bytes)).unwrap()
    }

    #[test]
    fn windows_1252_and_utf8_may_alternate() {
        let bytes = b"[White \"M\xfcller\"]\n[Black \"M\xc3\xbcller\"]\n{ \x80 \x96 }\n";
        let text = "[White \"Müller\"]\n[Black \"Müller\"]\n{ € – }\n";
        assert_eq!(read(bytes), text);
    }

    #[test]
    fn a_character_may_stand_astride_two_parts_of_a_long_line() {
        let text = format!(
            "{}é{}",
            "x".repeat(CHUNK as usize - 1),
            "y".repeat(CHUNK as usize)
        );
        assert_eq!(read(text.as_bytes()), text);
    }

    proptest! {
        #[test]
        fn utf8_stays_what_it_is(text in "(?s).{0,300}") {
            prop_assert_eq!(read(text.as_bytes()), text);
        }

        #[test]
        fn whatever_it_is_becomes_utf8(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            read(&bytes);
        }
    }
}

//! Rewrites PGN so that the parser skips nothing.
//!
//! The parser skips rest-of-line comments (`; ...`), words that are neither moves nor assessments (`+-`, `Diagram`),
//! assessments above `$255`, and moves that it cannot read (`Kd9`, `Sf3`): a game would then seem to go on with the next move.
//! Here each of them becomes a comment in braces. An unreadable move gets a [marker](UNREADABLE) in front, so that it counts as
//! an illegal move. An unclosed comment ends with the text, or where a blank line and a tag begin the next game. Quotation
//! marks within the value of a tag, which should have been escaped, are.

use std::{
    io::{self, BufRead, BufReader, Read},
    str,
};

use pgn_reader::SanPlus;

/// Marks an unreadable move within the comment it was turned into.
pub(crate) const UNREADABLE: char = '\u{1}';

/// Longer words are passed on in parts.
const LONGEST_WORD: usize = 255;

/// Longer lines of tags are passed on unchanged.
const LONGEST_TAG: usize = 4096;

/// Results, and castling written with zeros.
const WORDS: [&str; 11] = [
    "1-0", "0-1", "1/2-1/2", "1–0", "0–1", "½-½", "0-0", "0-0-0", "0-0+", "0-0-0+", "--",
];

/// The part of the text being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The moves.
    Movetext,
    /// A comment in braces.
    Comment,
    /// A comment to the end of the line.
    LineComment,
    /// A line of tags.
    Tag,
    /// A line that is passed on unchanged: one that starts with `%`, or one of tags that is too long.
    Verbatim,
}

/// A reader that turns PGN into PGN in which nothing is skipped.
pub(crate) struct Legible<R> {
    input: BufReader<R>,
    place: Place,
    /// Line breaks directly before the current byte.
    breaks: usize,
    /// Is this a bracket within a comment that may begin the tags of the next game?
    bracket: bool,
    /// The word or the line of tags that is being read.
    word: Vec<u8>,
    /// Rewritten text that has not been read yet.
    ready: Vec<u8>,
    given: usize,
}

impl<R: Read> Legible<R> {
    pub(crate) fn new(input: R) -> Legible<R> {
        Legible {
            input: BufReader::new(input),
            place: Place::Movetext,
            breaks: 1,
            bracket: false,
            word: Vec::new(),
            ready: Vec::new(),
            given: 0,
        }
    }

    /// Rewrites the next part of the text.
    fn refill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        while self.ready.is_empty() {
            let part = self.input.fill_buf()?.to_vec();
            if part.is_empty() {
                self.end();
                return Ok(());
            }
            for &byte in &part {
                self.take(byte);
                self.breaks = match byte {
                    b'\n' => self.breaks + 1,
                    b'\r' => self.breaks,
                    _ => 0,
                };
            }
            self.input.consume(part.len());
        }
        Ok(())
    }

    fn take(&mut self, byte: u8) {
        if std::mem::take(&mut self.bracket) {
            match byte.is_ascii_uppercase() {
                true => {
                    self.turn_to(Place::Tag, b"}\n\n");
                    self.word.push(b'[');
                }
                false => self.ready.push(b'['),
            }
        }
        match (self.place, byte) {
            (Place::Comment, b'}') => self.turn_to(Place::Movetext, b"}"),
            (Place::Comment, b'[') if self.breaks > 1 => self.bracket = true,
            (Place::LineComment, b'\n') => self.turn_to(Place::Movetext, b"}\n"),
            (Place::Verbatim, b'\n') => self.turn_to(Place::Movetext, b"\n"),
            (Place::Tag, b'\n') => {
                self.end_tag();
                self.turn_to(Place::Movetext, b"\n");
            }
            (Place::Tag, byte) => {
                self.word.push(byte);
                if self.word.len() == LONGEST_TAG {
                    let line = std::mem::take(&mut self.word);
                    self.turn_to(Place::Verbatim, &line);
                }
            }
            (Place::LineComment, b'{') => self.ready.push(b'('),
            (Place::LineComment, b'}') => self.ready.push(b')'),
            // Only this module writes the mark.
            (Place::Comment | Place::LineComment, 1) => {}
            (Place::Comment | Place::LineComment | Place::Verbatim, byte) => self.ready.push(byte),
            (Place::Movetext, b'%') if self.breaks > 0 => {
                self.end_word();
                self.turn_to(Place::Verbatim, b"%");
            }
            (Place::Movetext, b'[') if self.breaks > 0 => {
                self.end_word();
                self.turn_to(Place::Tag, b"");
                self.word.push(byte);
            }
            (Place::Movetext, b'{') => {
                self.end_word();
                self.turn_to(Place::Comment, b"{");
            }
            (Place::Movetext, b';') => {
                self.end_word();
                self.turn_to(Place::LineComment, b"{");
            }
            (Place::Movetext, b'$') => {
                self.end_word();
                self.word.push(byte);
            }
            (Place::Movetext, byte) if b" \t\r\n()!?.*}".contains(&byte) => {
                self.end_word();
                self.ready.push(byte);
            }
            (Place::Movetext, byte) => {
                if self.word.len() == LONGEST_WORD {
                    self.end_word();
                }
                self.word.push(byte);
            }
        }
    }

    fn turn_to(&mut self, place: Place, text: &[u8]) {
        self.place = place;
        self.ready.extend(text);
    }

    /// Closes comments and variations left open at the end of the text.
    fn end(&mut self) {
        match self.place {
            Place::Tag => self.end_tag(),
            _ => self.end_word(),
        }
        if matches!(self.place, Place::Comment | Place::LineComment) {
            self.turn_to(Place::Movetext, b"}\n");
        }
    }

    /// Passes a line of tags on, with marks escaped.
    fn end_tag(&mut self) {
        let line = std::mem::take(&mut self.word);
        self.ready.extend(escaped(&line).unwrap_or(line));
    }

    /// Passes the word on, unchanged or in braces.
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        let (readable, rest) = word.split_at(readable(&word));
        self.ready.extend(readable);
        if !rest.is_empty() {
            self.ready.extend(b"{");
            if looks_like_a_move(rest) {
                self.ready.extend(UNREADABLE.to_string().into_bytes());
            }
            self.ready.extend(rest.iter().filter(|&&byte| byte != 1));
            self.ready.extend(b"}");
        }
    }
}

/// A line of tags in which each quotation mark within a value is escaped; `None` if a value does not end.
fn escaped(line: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(line.len());
    let (mut in_value, mut after_backslash) = (false, false);
    for (at, &byte) in line.iter().enumerate() {
        match byte {
            b'"' if after_backslash => {}
            b'"' if in_value && !ends_a_value(&line[at + 1..]) => text.push(b'\\'),
            b'"' => in_value = !in_value,
            _ => {}
        }
        after_backslash = in_value && byte == b'\\' && !after_backslash;
        text.push(byte);
    }
    (!in_value).then_some(text)
}

/// Does the tag end here, and does nothing or another tag follow?
fn ends_a_value(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start().strip_prefix(b"]");
    rest.is_some_and(|rest| matches!(rest.trim_ascii_start(), [] | [b'[', ..]))
}

/// The length of the prefix of a word that the parser understands.
fn readable(word: &[u8]) -> usize {
    let is_known = |word: &[u8]| str::from_utf8(word).is_ok_and(|word| WORDS.contains(&word));
    if is_known(word) || is_assessment(word) || en_passant(word) {
        return word.len();
    }
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let signs = word.len() - signs(word);
    match SanPlus::from_ascii_prefix(&word[digits..signs.max(digits)]) {
        Ok((_, length)) if digits + length == signs => signs,
        Ok((_, length)) if en_passant(&word[digits + length..signs]) => digits + length,
        _ => digits,
    }
}

/// Number of bytes at the end of a word that form an assessment: "Qd5+-" has two, "Qd5+" none.
fn signs(word: &[u8]) -> usize {
    let is_sign = |byte: &&u8| b"+-/=#".contains(byte) || !byte.is_ascii();
    let signs = word.iter().rev().take_while(is_sign).count();
    match &word[word.len() - signs..] {
        b"+" | b"#" => 0,
        _ => signs,
    }
}

fn is_assessment(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"$").map(str::from_utf8);
    matches!(digits, Some(Ok(digits)) if digits.parse::<u8>().is_ok())
}

/// Is this the "e.p." that some people write after an en-passant capture? It arrives as two words.
fn en_passant(word: &[u8]) -> bool {
    [&b"e"[..], b"p", b"ep"].contains(&word)
}

/// Does a word contain something like the name of a square?
fn looks_like_a_move(word: &[u8]) -> bool {
    word.windows(2)
        .any(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
}

impl<R: Read> Read for Legible<R> {
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

    fn read(text: &str) -> String {
        io::read_to_string(Legible::new(text.as_bytes())).unwrap()
    }

    #[test]
    fn what_the_reader_knows_stays_as_it_is() {
        for text in [
            "[Event \"; {no} comment\"]\n% kept; by a program\n\n1. e4 $1 {[%clk 0:01:02]; a comment} e5!? (1... c5 2.Nf3) 2.Nf3 0-0-0+ *\n",
            "[White \"\\\"J.\\\" \\\\\"] [Black \"B\" ]\n[Site \"never\n[Round \"ended]\n\n*",
            "1.e4 e5 2.O-O-O e8=Q+ Nbd2 R1e2 bxc3# exd6 e.p. -- 1/2-1/2\n\n1-0",
        ] {
            assert_eq!(read(text), text);
        }
    }

    #[test]
    fn what_it_would_skip_becomes_a_comment() {
        for (text, legible) in [
            (
                "1. e4 ; best {by} test\n1... e5",
                "1. e4 { best (by) test}\n1... e5",
            ),
            ("3. Kd9 Ke7", "3. {\u{1}Kd9} Ke7"),
            ("1.Sf3 Sf6", "1.{\u{1}Sf3} {\u{1}Sf6}"),
            (
                "1. e4+- Qd5+= $300 Diagram",
                "1. e4{+-} Qd5{+=} {$300} {Diagram}",
            ),
            ("5. exd6ep", "5. exd6{ep}"),
            ("1. e4 {never closed", "1. e4 {never closed}\n"),
            (
                "1. e4 {never closed\n\n[%csl Ge4]\n\n[White \"B\"]\n\n*",
                "1. e4 {never closed\n\n[%csl Ge4]\n\n}\n\n[White \"B\"]\n\n*",
            ),
            ("1. e4 ; never ended", "1. e4 { never ended}\n"),
            (
                "[White \"Der \"Große\" Müller\"]\r\n[Black \"B\"]",
                "[White \"Der \\\"Große\\\" Müller\"]\r\n[Black \"B\"]",
            ),
        ] {
            assert_eq!(read(text), legible);
        }
    }

    proptest! {
        /// The result does not depend on how the text is split into reads, and rewriting is idempotent.
        #[test]
        fn a_text_is_rewritten_once(text in "[a-hKQ1-8 \n;{}()$!.x+\u{1}\\[%\"-]{0,200}") {
            let once = read(&text);
            let mut parts = Legible::new(text.as_bytes());
            let mut bytes = Vec::new();
            let mut byte = [0];
            while parts.read(&mut byte).unwrap() > 0 {
                bytes.push(byte[0]);
            }
            prop_assert_eq!(String::from_utf8(bytes).unwrap(), once.clone());
            prop_assert_eq!(read(&once.replace('\u{1}', "")), once.replace('\u{1}', ""));
        }
    }
}

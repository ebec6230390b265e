//! Frames several byte strings into one message, each with its length in front.

/// Packs byte strings into a message.
pub(crate) fn pack<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut packed = Vec::new();
    for piece in pieces {
        let piece = piece.as_ref();
        packed.extend((piece.len() as u32).to_le_bytes());
        packed.extend(piece);
    }
    packed
}

/// Unpacks a message; `None` if the lengths do not match.
pub(crate) fn unpack(mut packed: &[u8]) -> Option<Vec<&[u8]>> {
    let mut pieces = Vec::new();
    while !packed.is_empty() {
        let (length, rest) = packed.split_first_chunk()?;
        let (piece, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        pieces.push(piece);
        packed = rest;
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back() {
        let pieces: [&[u8]; 3] = [b"a", b"", b"long"];
        let packed = pack(pieces);
        assert_eq!(unpack(&packed).unwrap(), pieces);
        for end in 1..packed.len() {
            let cut = unpack(&packed[..end]);
            assert!(cut.is_none_or(|cut| cut.len() < 3), "cut at {end}");
        }
    }
}

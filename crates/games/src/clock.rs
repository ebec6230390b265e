//! Clocks in comments: `[%clk 1:30:05]`, as Lichess and chess.com write them.

/// The clock time in a comment, in seconds.
pub(super) fn seconds(comment: &str) -> Option<f64> {
    // A program that wraps lines may have put the time on the next one.
    let (_, rest) = comment.split_once("[%clk")?;
    let rest = rest.strip_prefix(char::is_whitespace)?;
    let (time, _) = rest.split_once(']')?;
    let mut total = 0.0;
    let mut parts = 0;
    for part in time.trim().split(':') {
        let value: f64 = part.parse().ok()?;
        if !value.is_finite() || value < 0.0 {
            return None;
        }
        total = total * 60.0 + value;
        parts += 1;
    }
    (2..=3).contains(&parts).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn clocks() {
        assert_eq!(seconds("[%eval 0.3] [%clk 1:30:05]"), Some(5405.0));
        assert_eq!(seconds(" [%clk 0:00:09.4] "), Some(9.4));
        assert_eq!(seconds("[%clk 59:58]"), Some(3598.0));
        assert_eq!(seconds("[%clk\n0:00:40]"), Some(40.0));
        for none in ["", "[%clk ]", "[%clk 7]", "[%clk 1:-2]", "[%clk 0:01"] {
            assert_eq!(seconds(none), None, "{none}");
        }
    }
}

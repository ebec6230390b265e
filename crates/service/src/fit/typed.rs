//! Parses parameters and years as people type them.

use std::str::FromStr;

use super::At;

/// A range of years, inclusive: `2006-2009`, or `2008` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Years(pub [u16; 2]);

impl FromStr for Years {
    type Err = String;

    fn from_str(text: &str) -> Result<Years, String> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) if from <= to => Ok(Years([from, to])),
            _ => Err("years are given as 2006-2009 or as 2008".to_owned()),
        }
    }
}

impl FromStr for At {
    type Err = String;

    /// Parameters by name, as `s=0.08,c=0.513`.
    fn from_str(text: &str) -> Result<At, String> {
        let (mut s, mut c, mut lambda) = (None, None, None);
        for part in text.split(',') {
            let number = |value: &str| value.trim().parse::<f64>().ok();
            match part.split_once('=') {
                Some((name, value)) if number(value).is_some() => match name.trim() {
                    "s" => s = number(value),
                    "c" => c = number(value),
                    "lambda" => lambda = number(value),
                    other => {
                        return Err(format!(
                            "there is no parameter '{other}'; the parameters are s, c and lambda"
                        ));
                    }
                },
                _ => return Err(format!("'{part}' is not name=value, as in s=0.08")),
            }
        }
        match (s, c) {
            (Some(s), Some(c)) => Ok(At { s, c, lambda }),
            _ => Err("both s and c are needed, as in s=0.08,c=0.513".to_owned()),
        }
    }
}

//! The options that say to which games a model is fitted, and with which parameters.

use std::str::FromStr;

use clap::Args;
use errare_service::fit::{At, Classes};

/// Games in classes by rating.
#[derive(Debug, Args)]
pub(crate) struct ClassOptions {
    /// Ratings to look at, as 2700,2400,2100 [default: every hundred that has games]
    #[arg(long, value_name = "ELO,...", value_delimiter = ',')]
    milepost: Vec<u16>,

    /// How far both players' ratings may be from the milepost
    #[arg(long, default_value = "20", value_name = "ELO")]
    width: u16,

    /// Only games of these years, as 2006-2009
    #[arg(long, value_name = "FROM-TO")]
    years: Option<Years>,
}

impl ClassOptions {
    /// How turns are put into classes by rating.
    pub(crate) fn classes(&self) -> Classes {
        Classes {
            all: false,
            mileposts: self.milepost.clone(),
            width: self.width,
            years: self.years.map(|years| years.0),
        }
    }
}

/// Years from one to another, both included.
#[derive(Clone, Copy, Debug)]
struct Years([u16; 2]);

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

/// Parameters by name, as `s=0.08,c=0.513`.
pub(crate) fn parameters(text: &str) -> Result<At, String> {
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

//! The options that say which model is fitted, and to which games.

use std::{ops::RangeInclusive, str::FromStr};

use anyhow::{Result, bail};
use clap::Args;
use errare_choice::Link;
use errare_rating::{By, Classing};

/// Games in classes by rating.
#[derive(Debug, Args)]
pub(crate) struct Mileposts {
    /// Ratings to look at, as 2700,2400,2100 [default: every hundred that has games]
    #[arg(long, value_name = "ELO,...", value_delimiter = ',')]
    pub(crate) milepost: Vec<u16>,

    /// How far both players' ratings may be from the milepost
    #[arg(long, default_value = "20", value_name = "ELO")]
    pub(crate) width: u16,

    /// Only games of these years, as 2006-2009
    #[arg(long, value_name = "FROM-TO")]
    pub(crate) years: Option<Years>,
}

impl Mileposts {
    /// How turns are put into classes by rating.
    pub(crate) fn classing(&self, shallow: &[u8]) -> Classing {
        Classing {
            by: By::Elo {
                mileposts: self.milepost.clone(),
                width: self.width,
            },
            years: self.years.clone().map(|years| years.0),
            shallow: shallow.to_vec(),
        }
    }
}

/// Years from one to another, both included.
#[derive(Clone, Debug)]
pub(crate) struct Years(pub(crate) RangeInclusive<u16>);

impl FromStr for Years {
    type Err = String;

    fn from_str(text: &str) -> Result<Years, String> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) if from <= to => Ok(Years(from..=to)),
            _ => Err("years are given as 2006-2009 or as 2008".to_owned()),
        }
    }
}

/// Values by name, as `s=0.08,c=0.513`.
#[derive(Clone, Debug)]
pub(crate) struct At {
    pub(crate) s: f64,
    pub(crate) c: f64,
    pub(crate) lambda: Option<f64>,
}

impl FromStr for At {
    type Err = String;

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
                            "there is no parameter '{other}'; s, c and lambda are"
                        ));
                    }
                },
                _ => return Err(format!("'{part}' is not as s=0.08 is")),
            }
        }
        match (s, c) {
            (Some(s), Some(c)) => Ok(At { s, c, lambda }),
            _ => Err("both s and c are needed, as in s=0.08,c=0.513".to_owned()),
        }
    }
}

/// The link with the share of `norm` that was given.
pub(crate) fn linked(link: Link, lambda: Option<f64>) -> Result<Link> {
    match (link, lambda) {
        (Link::Blend { .. }, Some(lambda)) => Ok(Link::Blend { lambda }),
        (_, Some(_)) => bail!("lambda belongs to the link blend; add --link blend"),
        (link, None) => Ok(link),
    }
}

//! `errare calibrate`: which agent plays like players of which rating.

use std::fs;

use errare_choice::{Curve, Link};
use errare_rating::Estimator;
use errare_service::{
    AnyCalibration,
    calibrate::{self, Agents},
};

use crate::{calibration, prelude::*};

/// Makes a calibration from the games of players of known ratings
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    study: StudyOptions,

    #[command(flatten)]
    classes: ClassOptions,

    /// Where to write the calibration; an older one there is replaced, any other file refused
    #[arg(short, long, value_name = "CALIBRATION.json")]
    output: PathBuf,

    /// Calibrate the paper's agents: inverse exponential, loglog, percentiles
    #[arg(long, conflicts_with_all = ["link", "curve", "method", "html"])]
    paper: bool,

    /// Fit agents by milepost, with this link: loglog, norm or blend [default: blend]
    #[arg(long, conflicts_with = "html")]
    link: Option<Link>,

    /// Fit agents by milepost, with this curve: inverse-exponential, ipa, ipb, secha or sechb
    #[arg(long, conflicts_with = "html")]
    curve: Option<Curve>,

    /// Fit agents by milepost, by percentile, likelihood or mm_ad [default: likelihood]
    #[arg(long, conflicts_with = "html")]
    method: Option<Estimator>,

    /// Features of moves, as cost,first,ranks:1-1,ranks:2-8 [default: those that predict best]
    ///
    /// cost: what a move gives away; cost-ahead and cost-early: how that changes for the side that is ahead, and up to
    /// move 12; first: the engine's first move; ranks:A-B: the rank of the move at depths A to B.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with_all = ["paper", "link", "curve", "method"])]
    features: Vec<String>,

    /// Write a report on the quality of the calibration as a page
    #[arg(long, value_name = "REPORT.html")]
    html: Option<PathBuf>,

    #[command(flatten)]
    format: Json,
}

impl Arguments {
    fn request(&self) -> Result<calibrate::Request> {
        let classes = self.classes.classes();
        let years = classes.years;
        let agents = match self.paper {
            true => Some(Agents::of_paper(classes)),
            false => Agents::chosen(classes, self.link, self.curve, self.method),
        };
        if agents.is_none() && self.classes.has_mileposts() {
            bail!(
                "--milepost and --width are for agents by milepost: add --paper, --link, --curve or --method"
            );
        }
        Ok(calibrate::Request {
            view: self.study.view(),
            years,
            agents,
            features: self.features.clone(),
        })
    }
}

/// Whether a calibration would be replaced; rejects any other file, so as not to overwrite a study.
fn replaces(output: &Path) -> Result<bool> {
    files::must_be_writable(output)?;
    match fs::read_to_string(output) {
        Ok(text) if AnyCalibration::from_json(&text).is_ok() => Ok(true),
        _ if !output.is_file() => Ok(false),
        _ => {
            let output = output.display();
            bail!("{output} is there already, and is no calibration")
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service()?;
    let (request, output) = (arguments.request()?, &arguments.output);
    let replaces = output != "-" && replaces(output)?;
    let calibration = watched(|watch| calibrate::answer(&service, &request, watch))?;
    let text = serde_json::to_string_pretty(&calibration)? + "\n";
    if replaces {
        talk!("the calibration in {} is replaced", output.display());
    }
    files::write(output, &text)?;
    calibration::write_page(&calibration, arguments.html.as_ref())?;
    arguments.format.show(&calibration)
}

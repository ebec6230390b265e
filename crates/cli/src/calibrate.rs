//! `errare calibrate`: which agent plays like people of which rating.

use errare_choice::{Curve, Link};
use errare_rating::Estimator;
use errare_service::calibrate::{self, Agents};

use crate::{calibration, prelude::*};

/// Makes a calibration from the games of players of known ratings
///
/// All turns of all rated players are fitted at once: the chance of a move depends on what it costs and on its
/// ranks at several depths, with weights that are lines over Elo. How much players and games differ from their
/// ratings is estimated as well, and so is the scatter of honest players' z; --html reports how good the
/// calibration is, in games and for players that were left out.
///
/// With --paper, agents are fitted to mileposts as Regan and Haworth do: s and c to each, c made a line over the
/// rating, and ratings read from what the agents are projected to give away on one set of positions.
///
/// A calibration holds for one engine, version, net and depth; it carries them and refuses others.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    study: StudyOptions,

    #[command(flatten)]
    classes: ClassOptions,

    /// Where to write the calibration
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

const EXAMPLES: &str = "\
Examples:
  errare calibrate study.db -o calibration.json --html quality.html
  errare calibrate study.db --depth 8 --years 2006-2009 -o depth8.json
  errare calibrate study.db --features cost,first,ranks:1-4,ranks:5-8 -o two-groups.json
  errare calibrate study.db --paper --milepost 2700,2600,2500,2400,2300 -o paper.json";

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

/// Calibrates and writes.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service()?;
    let request = arguments.request()?;
    let calibration = watched(|watch| calibrate::answer(&service, &request, watch))?;
    let text = serde_json::to_string_pretty(&calibration)? + "\n";
    files::write(&arguments.output, &text)?;
    calibration::write_page(&calibration, arguments.html.as_ref())?;
    arguments.format.show(&calibration)
}

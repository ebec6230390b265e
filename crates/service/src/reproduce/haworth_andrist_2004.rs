//! Haworth and Andrist (2004), *Model endgame analysis*.

mod experiment;
mod markov;
mod players;
mod robustness;

use super::{Computed, Experiment, Figure, FigureCurve, Finding, games, lab::Lab};
use crate::Error;

pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "haworth-andrist-2004/section-2",
        short: true,
        run: markov::section_2,
    },
    Experiment {
        id: "haworth-andrist-2004/figure-1",
        short: true,
        run: robustness::figure_1,
    },
    Experiment {
        id: "haworth-andrist-2004/figure-2",
        short: true,
        run: robustness::figure_2,
    },
    Experiment {
        id: "haworth-andrist-2004/section-4.2",
        short: true,
        run: robustness::section_4_2,
    },
    Experiment {
        id: "haworth-andrist-2004/section-4.3",
        short: true,
        run: robustness::section_4_3,
    },
    Experiment {
        id: "haworth-andrist-2004/section-4.4",
        short: true,
        run: robustness::section_4_4,
    },
    Experiment {
        id: "haworth-andrist-2004/appendix-b",
        short: true,
        run: robustness::appendix_b,
    },
    Experiment {
        id: "haworth-andrist-2004/section-5",
        short: true,
        run: markov::section_5,
    },
    Experiment {
        id: "haworth-andrist-2004/section-6.2",
        short: false,
        run: markov::section_6_2,
    },
    Experiment {
        id: "haworth-andrist-2004/figure-5",
        short: true,
        run: markov::figure_5,
    },
    Experiment {
        id: "haworth-andrist-2004/figure-6",
        short: true,
        run: markov::figure_6,
    },
    Experiment {
        id: "haworth-andrist-2004/table-1",
        short: false,
        run: experiment::table_1,
    },
    Experiment {
        id: "haworth-andrist-2004/figure-3",
        short: false,
        run: experiment::figure_3,
    },
    Experiment {
        id: "haworth-andrist-2004/figure-4",
        short: false,
        run: experiment::figure_4,
    },
    Experiment {
        id: "haworth-andrist-2004/figure-7",
        short: false,
        run: experiment::figure_7,
    },
    Experiment {
        id: "haworth-andrist-2004/table-2",
        short: true,
        run: players::table_2,
    },
];

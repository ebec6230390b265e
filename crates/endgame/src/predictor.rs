//! The Predictor: expected play averaged over a whole endgame (Haworth 2002, section 6.5; Haworth and
//! Andrist 2004, sections 3.5, 5 and 6).
//!
//! The endgame is a Markov chain whose [states](States) are values and depths. In the [matrix](Matrix)
//! of a side, m_ij is the probability that R_c, to move in a position of state i, moves to state j,
//! averaged over all positions of state i on the full board. Two matrices, the player's and the
//! opponent's, form a [chain](Chain), which yields the expected number of moves, the probability of
//! winning within a number of moves and, where value may be lost, the probability of each result.

mod average;
mod chain;
mod elimination;
mod matrix;
mod states;

use errare_choice::{Kappa, Preference};
use errare_core::{Material, Metric, Watch};
use errare_tables::ProbeError;
use errare_tables::{Census, ScanError};
use shakmaty::Color;

pub(crate) use self::average::ratio;
use self::{average::Average, elimination::Elimination};
pub use self::{
    chain::{Chain, ResultChances},
    matrix::Matrix,
    states::{ChainState, States},
};
use crate::Oracle;

/// May players lose value?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Values {
    /// No: v_m = 0 for moves that lose value, as in the papers' experiments.
    #[default]
    Kept,
    /// Yes: every move counts.
    Risked,
}

/// Averages over an endgame, in the metric of an oracle.
///
/// ```
/// use errare_choice::Kappa;
/// use errare_core::Metric;
/// use errare_endgame::{Oracle, Predictor, Values};
/// use shakmaty::Color;
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let predictor = Predictor::new(&oracle, "KQK".parse()?, Kappa::ONE, Values::Kept)?;
/// let chains = predictor.chains(Color::White, &[5.0, 20.0], f64::INFINITY, &())?;
/// let deepest = predictor.states().number(chains[0].win(predictor.states().deepest(Color::White)));
/// let [weak, strong] = [0, 1].map(|player| chains[player].expected_moves()[deepest]);
/// assert!(weak > strong && strong > 10.0, "the queen mates in ten moves at best");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Predictor<'a> {
    oracle: &'a Oracle,
    material: Material,
    kappa: Kappa,
    values: Values,
    states: States,
}

impl<'a> Predictor<'a> {
    /// A predictor for an endgame whose tables exist.
    pub fn new(
        oracle: &'a Oracle,
        material: Material,
        kappa: Kappa,
        values: Values,
    ) -> Result<Predictor<'a>, ProbeError> {
        let [white, black] = oracle.deepest_wins(material)?;
        Ok(Predictor {
            oracle,
            material,
            kappa,
            values,
            states: States { white, black },
        })
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The states of its chains.
    pub fn states(&self) -> States {
        self.states
    }

    /// The preference function of one side.
    pub(crate) fn preference(&self, side: Color) -> Preference {
        let [win, loss] = [side, !side].map(|winner| self.states.deepest(winner));
        Preference::for_depths(self.kappa, win, loss)
    }

    /// The matrices of one side, one for each competence, computed in one pass over the table.
    pub fn matrices(
        &self,
        mover: Color,
        competences: &[f64],
        watch: &dyn Watch,
    ) -> Result<Vec<Matrix>, ScanError> {
        let metric = self.oracle.metric();
        let preference = self.preference(mover);
        let average = Average::new(self.states, mover, preference, self.values, competences);
        let census = Census::new(
            self.oracle.prober().store(),
            self.material,
            metric,
            mover,
            |to| average.kind(to, metric),
        )?;
        let (endgame, positions) = (self.material, census.stored());
        tracing::debug!(%endgame, ?mover, positions, "averaging over positions");
        watch.begin("averaging over positions", Some(positions));
        let sums = census
            .only(|outcome| average.counts(outcome, metric))
            .fold(
                watch,
                || average.empty(),
                |sums, entry| average.add(sums, entry, metric),
                |sums, part| sums.merge(&part),
            )?;
        Ok(average.matrices(&sums))
    }

    /// The matrix of an infallible side. If value is kept it is known in advance: wins come a move
    /// nearer, and losses stay as deep. DTR is the exception, since its best move need not come nearer.
    fn infallible(&self, mover: Color, watch: &dyn Watch) -> Result<Matrix, ScanError> {
        if self.values == Values::Kept && self.oracle.metric() != Metric::Dtr {
            return Ok(Matrix::of_infallible(self.states, mover));
        }
        Ok(self.matrices(mover, &[f64::INFINITY], watch)?.remove(0))
    }

    /// The chains of a player against an opponent, one for each competence of the player.
    pub fn chains(
        &self,
        player: Color,
        competences: &[f64],
        opponent: f64,
        watch: &dyn Watch,
    ) -> Result<Vec<Chain>, ScanError> {
        let both = self.matrices_and_chains(player, competences, opponent, watch)?;
        Ok(both.into_iter().map(|(_, chain)| chain).collect())
    }

    /// The matrices of a player and its chains against an opponent, one for each competence of the
    /// player.
    pub fn matrices_and_chains(
        &self,
        player: Color,
        competences: &[f64],
        opponent: f64,
        watch: &dyn Watch,
    ) -> Result<Vec<(Matrix, Chain)>, ScanError> {
        let answers = if opponent == f64::INFINITY {
            self.infallible(!player, watch)?
        } else {
            self.matrices(!player, &[opponent], watch)?.remove(0)
        };
        let matrices = self.matrices(player, competences, watch)?.into_iter();
        let with_chain = |matrix: Matrix| {
            let chain = Chain::new(player, &matrix, &answers);
            (matrix, chain)
        };
        Ok(matrices.map(with_chain).collect())
    }
}

//! Models of fallible choice as pure mathematics, without chess.
//!
//! On each *turn* an agent of some *skill* chooses one of several *options* whose true worth is known. A model gives the
//! probability of each option; from observed choices follows a *posterior* over the skill.
//!
//! The key decision is that options are known by numbers alone: how much each is disliked (its *aversion*), or what it
//! costs. Tables, engines and simulations can all supply those, and every probability, slope and posterior can be tested
//! against plain enumeration without a board. A turn then takes a few additions and exponentials and no allocation.
//!
//! The reference players R_c of Haworth (2002) and Haworth and Andrist (2004) choose by a
//! [`Preference`] among the [`State`]s that their moves lead to. Their skill is the *competence* c,
//! any real number or an infinity: 0 is a random player, +∞ an infallible one.
//!
//! ```
//! use errare_choice::{Grid, Kappa, Posterior, Preference, PriorShape, Profile, State};
//!
//! let preference = Preference::new(Kappa::ONE, 32, 4);
//! let options = [State::Win(30), State::Win(31), State::Win(31)];
//! let profile = Profile::new(options.map(|state| (preference.aversion(state), 1.0)));
//!
//! let mut posterior = Posterior::new("0(1)50".parse()?, &PriorShape::Uniform);
//! posterior.observe(&profile, preference.aversion(State::Win(30)));
//! assert!(posterior.summary().unwrap().mean > 25.0, "a good move was seen");
//! # Ok::<(), errare_choice::ParseGridError>(())
//! ```
//!
//! The agents A_(s,c) of Regan and Haworth (2011) choose by cost: a [`Curve`] turns costs into proxies, a [`Link`] turns
//! proxies into probabilities, and an [`Agent`] combines the two. A [`Softmax`] chooses by any features of the options.

mod agent;
mod curve;
mod estimate;
mod grid;
mod likelihood;
mod link;
mod posterior;
mod preference;
mod profile;
mod softmax;

pub use agent::{Agent, AgentError, ChoiceProbabilities, Parameter};
pub use curve::{Curve, CurveError, Reluctance};
pub use estimate::Estimate;
pub use grid::{Grid, ParseGridError};
pub use likelihood::{Bounds, Likelihood};
pub use link::{Link, LinkError};
pub use posterior::{Posterior, PriorShape};
pub use preference::{Kappa, ParseKappaError, Preference, State};
pub use profile::{Profile, probabilities};
pub use softmax::Softmax;

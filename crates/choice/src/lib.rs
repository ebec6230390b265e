//! Models of fallible choice, as mathematics: no chess here.
//!
//! An agent of some *skill* has a *turn*: it chooses one of several *options* whose true worth is
//! known. A model says how likely each option is; from the choices observed, a *posterior* over the
//! skill follows.

mod agent;
mod curve;
mod link;

pub use agent::{Agent, AgentError, Choice, Parameter};
pub use curve::{Curve, CurveError, MAX_RELUCTANCE, Reluctance};
pub use link::{Link, LinkError};

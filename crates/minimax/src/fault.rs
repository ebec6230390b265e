//! The kinds of this crate's errors: all of them are malformed texts.

use errare_core::{Fault, FaultKind};

use crate::{
    ParseAlphaError, ParseMinimaxPlayerError, ParseTerminalsError, ParseTiesError, ParseTreeError,
};

macro_rules! bad_requests {
    ($($error:ty),*) => {$(
        impl Fault for $error {
            fn kind(&self) -> FaultKind {
                FaultKind::BadRequest
            }
        }
    )*};
}

bad_requests!(
    ParseAlphaError,
    ParseMinimaxPlayerError,
    ParseTerminalsError,
    ParseTiesError,
    ParseTreeError
);

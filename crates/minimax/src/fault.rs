//! What kind of fault each error of this crate is: all of them are texts that make no sense.

use errare_core::{Fault, FaultKind};

use crate::{
    ParseAlphaError, ParsePlayerError, ParseTerminalsError, ParseTiesError, ParseTreeError,
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
    ParsePlayerError,
    ParseTerminalsError,
    ParseTiesError,
    ParseTreeError
);

//! The address of the workbench, access to it, and how it is run.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket},
    sync::Arc,
};

use errare_core::Watch;
use errare_service::{Service, practice::history::History};
use tokio::{net::TcpListener, runtime::Runtime};

use crate::{Access, App, EvaluationChoice, Guard, serve};

/// Minimum length of a token.
const SHORTEST_TOKEN: usize = 8;

/// Why an address cannot be served safely.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// Others could do anything there.
    #[error("others can reach {0}: visitors need a token, unless they may only look things up")]
    Open(IpAddr),
    /// The token can be guessed, or does not fit into an address.
    #[error("a token has at least eight letters and digits")]
    Token,
}

impl Access {
    /// The access rule for an address: with a token anybody who has it, without one only this machine.
    pub fn at(address: IpAddr, token: Option<String>) -> Result<Access, AccessError> {
        let plain = |token: &String| token.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match token {
            Some(token) if token.len() >= SHORTEST_TOKEN && plain(&token) => {
                Ok(Access::Token(token))
            }
            Some(_) => Err(AccessError::Token),
            None if address.is_loopback() => Ok(Access::ThisMachine),
            None => Err(AccessError::Open(address)),
        }
    }
}

/// The address of the workbench, and access to it.
#[derive(Debug, Clone)]
pub struct Site {
    /// The address; port 0 is any free port.
    pub address: SocketAddr,
    /// The access rule.
    pub access: Access,
    /// Further names of the server, used by proxies and name servers.
    pub hosts: Vec<String>,
}

/// The server's resources besides tables.
#[derive(Debug, Default)]
pub struct Furniture {
    /// The history of practice, if one is kept.
    pub history: Option<History>,
    /// How games are evaluated, if at all.
    pub evaluation: Option<EvaluationChoice>,
}

/// The address of the first page, with the token if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstPage {
    /// On this machine.
    pub here: String,
    /// On other machines of the network, such as a phone, if the server listens on all addresses.
    pub elsewhere: Option<String>,
}

impl Site {
    /// Serves the workbench until the watch stops it. `ready` is called with the address of the first page as soon as it
    /// can be opened.
    pub fn run(
        self,
        service: Service,
        furniture: Furniture,
        watch: &dyn Watch,
        ready: impl FnOnce(&FirstPage),
    ) -> io::Result<()> {
        Runtime::new()?.block_on(async {
            let listener = TcpListener::bind(self.address).await.map_err(|error| {
                let address = self.address;
                io::Error::new(error.kind(), format!("cannot listen at {address}: {error}"))
            })?;
            let address = listener.local_addr()?;
            let page = FirstPage::at(address, &self.access);
            let guard = Guard::new(self.access, address, self.hosts);
            let mut app = App::new(service, guard);
            if let Some(history) = furniture.history {
                app = app.with_history(history);
            }
            if let Some(evaluation) = furniture.evaluation {
                app = app.with_evaluation(evaluation);
            }
            ready(&page);
            serve(Arc::new(app), listener, watch).await
        })
    }
}

impl FirstPage {
    fn at(address: SocketAddr, access: &Access) -> FirstPage {
        if !address.ip().is_unspecified() {
            return FirstPage {
                here: with_token(&address.to_string(), access),
                elsewhere: None,
            };
        }
        let port = address.port();
        FirstPage {
            here: with_token(&format!("localhost:{port}"), access),
            elsewhere: own_address()
                .map(|own| with_token(&SocketAddr::new(own, port).to_string(), access)),
        }
    }
}

/// The address by which other machines reach this one. Connecting sends nothing: the system only selects a route to an
/// address that is reserved for documentation (RFC 5737).
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified()).then_some(own)
}

fn with_token(host: &str, access: &Access) -> String {
    match access {
        Access::Token(token) => format!("http://{host}/?token={token}"),
        _ => format!("http://{host}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_can_reach_the_server_is_asked_for_a_token() {
        let here = IpAddr::from([127, 0, 0, 1]);
        let everywhere = IpAddr::from([0, 0, 0, 0]);
        let token = || Some("abcd1234".to_owned());
        assert_eq!(Access::at(here, None), Ok(Access::ThisMachine));
        assert_eq!(
            Access::at(everywhere, None),
            Err(AccessError::Open(everywhere))
        );
        assert!(matches!(
            Access::at(everywhere, token()),
            Ok(Access::Token(_))
        ));
        for bad in ["abcd123", "abcd 1234", "abcd123ü"] {
            assert_eq!(
                Access::at(here, Some(bad.to_owned())),
                Err(AccessError::Token)
            );
        }
    }

    #[test]
    fn the_first_page_has_the_token() {
        let address = SocketAddr::from(([0, 0, 0, 0], 8651));
        let access = Access::Token("abcd1234".to_owned());
        let page = FirstPage::at(address, &access);
        assert_eq!(page.here, "http://localhost:8651/?token=abcd1234");
        // A machine without a network has no other address.
        if let Some(elsewhere) = page.elsewhere {
            assert!(elsewhere.ends_with(":8651/?token=abcd1234"), "{elsewhere}");
        }
        let here = SocketAddr::from(([127, 0, 0, 1], 1));
        let page = FirstPage::at(here, &Access::ThisMachine);
        assert_eq!(page.here, "http://127.0.0.1:1/");
        assert_eq!(page.elsewhere, None);
    }
}

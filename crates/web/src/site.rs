//! Where the workbench is, who may visit it, and how it is run there.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use errare_core::Watch;
use errare_service::{Service, practice::history::History};
use tokio::{net::TcpListener, runtime::Runtime};

use crate::{Access, App, Guard, serve};

/// The fewest letters of a token.
const SHORTEST_TOKEN: usize = 8;

/// Why nobody can be told apart at an address.
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
    /// Who may visit a server at this address: with a token whoever knows it, without one this machine alone.
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

/// Where the workbench is, and who may visit it.
#[derive(Debug, Clone)]
pub struct Site {
    /// The address; port 0 is any that is free.
    pub address: SocketAddr,
    /// Who may visit it.
    pub access: Access,
    /// Further names of the server, as proxies and name servers have it.
    pub hosts: Vec<String>,
}

impl Site {
    /// Serves the workbench until the watch says stop. `ready` is told the address of the first page as soon as it can be
    /// opened.
    pub fn run(
        self,
        service: Service,
        history: Option<History>,
        watch: &dyn Watch,
        ready: impl FnOnce(&str),
    ) -> io::Result<()> {
        Runtime::new()?.block_on(async {
            let listener = TcpListener::bind(self.address).await.map_err(|error| {
                let address = self.address;
                io::Error::new(error.kind(), format!("cannot listen at {address}: {error}"))
            })?;
            let address = listener.local_addr()?;
            let page = page(address, &self.access);
            let guard = Guard::new(self.access, address, self.hosts);
            let mut app = App::new(service, guard);
            if let Some(history) = history {
                app = app.with_history(history);
            }
            ready(&page);
            serve(Arc::new(app), listener, watch).await
        })
    }
}

/// The address of the first page, with the token if there is one.
fn page(address: SocketAddr, access: &Access) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => format!("localhost:{}", address.port()),
        _ => address.to_string(),
    };
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
        assert_eq!(
            page(address, &access),
            "http://localhost:8651/?token=abcd1234"
        );
        let here = SocketAddr::from(([127, 0, 0, 1], 1));
        assert_eq!(page(here, &Access::ThisMachine), "http://127.0.0.1:1/");
    }
}

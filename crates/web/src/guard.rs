//! Who may ask: the checks before every request, and the headers on every answer.
//!
//! A page of another site that a visitor has open must not reach a server on the visitor's own machine. Its requests
//! carry its own `Origin`; and if it got here by a name that it had pointed to this machine (DNS rebinding), they
//! carry that name as `Host`. Both are refused. An address that others can reach needs a token, or offers look-ups
//! alone.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri,
        header::{
            ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION,
            ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
        },
    },
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{error::Failure, pages, state::App};

/// What the pages may load: what this server serves, and pictures that the style sheet holds.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'",
);
/// The cookie that holds the token.
const TOKEN: &str = "errare_token";

/// Who may ask for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Whoever is on this machine.
    ThisMachine,
    /// Whoever knows the token.
    Token(String),
    /// Anybody, for look-ups alone.
    PublicReadOnly,
}

impl Access {
    pub(crate) fn is_read_only(&self) -> bool {
        *self == Access::PublicReadOnly
    }
}

/// Decides which requests are let in.
#[derive(Debug, Clone)]
pub struct Guard {
    access: Access,
    address: SocketAddr,
    names: Vec<String>,
}

impl Guard {
    /// For a server at this address, which is also known by these names.
    pub fn new(access: Access, address: SocketAddr, names: Vec<String>) -> Guard {
        Guard {
            access,
            address,
            names,
        }
    }

    /// Who may ask for what.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Whether the server is known by this `Host`. Addresses cannot be rebound, so a server that others can reach
    /// accepts any; a server on loopback accepts loopback.
    fn knows(&self, host: &str) -> bool {
        let (name, port) = split_port(host);
        if port.is_some_and(|port| port != self.address.port()) && !self.is_behind_proxy() {
            return false;
        }
        let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
        match address {
            Ok(address) => address.is_loopback() || !self.address.ip().is_loopback(),
            Err(_) => {
                name.eq_ignore_ascii_case("localhost")
                    || self
                        .names
                        .iter()
                        .any(|known| known.eq_ignore_ascii_case(name))
            }
        }
    }

    /// With names given, a proxy may be in front, which has a port of its own.
    fn is_behind_proxy(&self) -> bool {
        !self.names.is_empty()
    }

    fn examine(&self, request: &Request) -> Result<(), Failure> {
        let headers = request.headers();
        let host = text(headers, HOST)
            .or_else(|| {
                request
                    .uri()
                    .authority()
                    .map(|authority| authority.as_str())
            })
            .filter(|host| self.knows(host));
        let Some(host) = host else {
            return Err(Failure::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this server is not known by that name; use its address, or start it with the name",
            ));
        };
        if let Some(origin) = text(headers, ORIGIN)
            && origin.split_once("://").map(|(_, rest)| rest) != Some(host)
        {
            return Err(other_site());
        }
        // A link on another site may lead to a page here; nothing else there may reach us. Other ports of this
        // machine are the same site.
        let site = text(headers, HeaderName::from_static("sec-fetch-site"));
        let elsewhere = site.is_some_and(|site| site == "cross-site" || site == "same-site");
        let mode = text(headers, HeaderName::from_static("sec-fetch-mode"));
        let is_link = *request.method() == Method::GET && mode == Some("navigate");
        if elsewhere && !is_link {
            return Err(other_site());
        }
        match &self.access {
            // The bundle is no secret: browsers ask for the manifest without the cookie, and whoever has no token yet
            // should see a page.
            Access::Token(_) if pages::is_asset(request.uri().path()) => Ok(()),
            Access::Token(token) if !bears(headers, token) => Err(Failure::new(
                StatusCode::UNAUTHORIZED,
                "this server wants its token: open the address that it printed, or send the token as a bearer token",
            )),
            _ => Ok(()),
        }
    }

    /// The address without the token, if the query has the right one: the cookie will bring it from now on.
    fn welcome(&self, uri: &Uri) -> Option<String> {
        let Access::Token(token) = &self.access else {
            return None;
        };
        let query = uri.query()?;
        let (given, others): (Vec<&str>, Vec<&str>) = query
            .split('&')
            .partition(|pair| pair.starts_with("token="));
        let given = given.first()?.strip_prefix("token=")?;
        // Two slashes at the start would name another machine.
        let path = format!("/{}", uri.path().trim_start_matches('/'));
        equal(given, token).then(|| match others.is_empty() {
            true => path,
            false => format!("{path}?{}", others.join("&")),
        })
    }
}

fn other_site() -> Failure {
    Failure::new(
        StatusCode::FORBIDDEN,
        "requests from other sites are refused",
    )
}

fn split_port(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port))
            if !name.ends_with(':') && (!name.contains(':') || name.ends_with(']')) =>
        {
            // A port that is no number matches none.
            (name, Some(port.parse().unwrap_or(0)))
        }
        _ => (host, None),
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn bears(headers: &HeaderMap, token: &str) -> bool {
    let bearer = text(headers, AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter();
    let mut cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split("; "));
    let cookie = cookies.find_map(|cookie| cookie.strip_prefix(TOKEN)?.strip_prefix('='));
    [bearer, cookie]
        .into_iter()
        .flatten()
        .any(|given| equal(given, token))
}

/// In a time that does not depend on where they differ.
fn equal(given: &str, token: &str) -> bool {
    let pairs = given.bytes().zip(token.bytes());
    given.len() == token.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Lets a request pass or refuses it, and protects the answer.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let guard = app.guard();
    let welcome = match *request.method() == Method::GET {
        true => guard.welcome(request.uri()),
        false => None,
    };
    let mut response = match (welcome, guard.examine(&request)) {
        (Some(target), _) => sign_in(&target, guard),
        (None, Ok(())) => next.run(request).await,
        (None, Err(failure)) if failure.wants_token() && !is_for_programs(&request) => {
            pages::sign_in()
        }
        (None, Err(failure)) => failure.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Whether a program asked, which reads JSON.
fn is_for_programs(request: &Request) -> bool {
    let accepts = text(request.headers(), ACCEPT).unwrap_or_default();
    !accepts.contains("text/html")
}

fn sign_in(target: &str, guard: &Guard) -> Response {
    let Access::Token(token) = &guard.access else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // Lax, so that a link in a message leads to the page; what other sites send is refused by its origin.
    let cookie = format!("{TOKEN}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000");
    let (Ok(cookie), Ok(location)) = (cookie.parse(), target.parse()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let headers: [(HeaderName, HeaderValue); 2] = [(SET_COOKIE, cookie), (LOCATION, location)];
    (StatusCode::SEE_OTHER, headers).into_response()
}

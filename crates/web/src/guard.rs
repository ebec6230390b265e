//! Access control: checks on every request, and security headers on every response.
//!
//! A page of another site open in the visitor's browser must not reach a server on the visitor's machine. Its
//! requests carry its own `Origin`; and if it used a name that it had pointed at this machine (DNS rebinding), they
//! carry that name as `Host`. Both are refused. An address reachable by others needs a token, or offers only lookups.

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

/// The content security policy: pages may load what this server serves, and images embedded in the style sheet.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'",
);
/// The cookie that holds the token.
const TOKEN: &str = "errare_token";
/// How the token begins in a query.
const TOKEN_PAIR: &str = "token=";

/// Who may use what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Anybody on this machine.
    ThisMachine,
    /// Anybody with the token.
    Token(String),
    /// Anybody, but only for lookups.
    PublicReadOnly,
}

impl Access {
    pub(crate) fn is_read_only(&self) -> bool {
        *self == Access::PublicReadOnly
    }
}

/// Decides which requests are allowed.
#[derive(Debug, Clone)]
pub struct Guard {
    access: Access,
    address: SocketAddr,
    names: Vec<String>,
}

impl Guard {
    /// A guard for a server at this address, which is also known by these names.
    pub fn new(access: Access, address: SocketAddr, names: Vec<String>) -> Guard {
        Guard {
            access,
            address,
            names,
        }
    }

    /// The access rule.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Is the server known by this `Host`? Addresses cannot be rebound, so a server reachable by others accepts any;
    /// a server on loopback accepts loopback.
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

    /// If names are given, there may be a proxy in front, with another port.
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
        // Links on other sites may lead to pages here; any other cross-site request is refused. Other ports of this
        // machine are the same site.
        let site = text(headers, HeaderName::from_static("sec-fetch-site"));
        let elsewhere = site.is_some_and(|site| site == "cross-site" || site == "same-site");
        let mode = text(headers, HeaderName::from_static("sec-fetch-mode"));
        let is_link = *request.method() == Method::GET && mode == Some("navigate");
        if elsewhere && !is_link {
            return Err(other_site());
        }
        match &self.access {
            // The bundle is no secret: browsers request the manifest without the cookie, and visitors without a token
            // should see a page.
            Access::Token(_) if pages::is_asset(request.uri().path()) => Ok(()),
            Access::Token(token) if !bears(headers, token) => Err(Failure::new(
                StatusCode::UNAUTHORIZED,
                "this server needs its token: open the address that it printed, or send the token as a bearer token",
            )),
            _ => Ok(()),
        }
    }

    /// The address without the token, if the query has the right one: from now on the cookie carries it.
    fn welcome(&self, uri: &Uri) -> Option<String> {
        let Access::Token(token) = &self.access else {
            return None;
        };
        let given = given_token(uri)?;
        let others: Vec<&str> = pairs(uri)
            .filter(|pair| !pair.starts_with(TOKEN_PAIR))
            .collect();
        // Two leading slashes would name another host.
        let path = format!("/{}", uri.path().trim_start_matches('/'));
        equal(given, token).then(|| match others.is_empty() {
            true => path,
            false => format!("{path}?{}", others.join("&")),
        })
    }
}

/// The parts of a query.
fn pairs(uri: &Uri) -> impl Iterator<Item = &str> {
    uri.query().unwrap_or_default().split('&')
}

/// The token in a query, right or wrong.
fn given_token(uri: &Uri) -> Option<&str> {
    pairs(uri).find_map(|pair| pair.strip_prefix(TOKEN_PAIR))
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
            // A port that is not a number matches none.
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

/// Compares in constant time.
fn equal(given: &str, token: &str) -> bool {
    let pairs = given.bytes().zip(token.bytes());
    given.len() == token.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Allows or refuses a request, and adds headers to the response.
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
            pages::sign_in(given_token(request.uri()).is_some())
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

/// Does the request come from a program, which expects JSON?
fn is_for_programs(request: &Request) -> bool {
    let accepts = text(request.headers(), ACCEPT).unwrap_or_default();
    !accepts.contains("text/html")
}

fn sign_in(target: &str, guard: &Guard) -> Response {
    let Access::Token(token) = &guard.access else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // Lax, so that a link in a message leads to the page; other sites' requests are refused because of their
    // origin.
    let cookie = format!("{TOKEN}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000");
    let (Ok(cookie), Ok(location)) = (cookie.parse(), target.parse()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let headers: [(HeaderName, HeaderValue); 2] = [(SET_COOKIE, cookie), (LOCATION, location)];
    (StatusCode::SEE_OTHER, headers).into_response()
}

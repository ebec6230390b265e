//! `errare serve`: the workbench in the browser.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use errare_core::Watch;
use errare_service::practice::history::History;
use errare_web::{Access, App, Guard};

use crate::{
    interrupt,
    options::{environment, supply::Supply},
};

/// Serves the workbench: practise, explore and analyse in the browser, and an HTTP API
///
/// Only this machine can reach it unless another address is given, which asks for a token (it is then part of the
/// printed address) or for --public-read-only, which offers look-ups alone. The API answers at /standard as
/// lila-tablebase does; /api/v1/openapi.json describes the whole API.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 8651)]
    port: u16,

    /// The address to listen at
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// The token that visitors must know; needed for addresses that others can reach [default: $ERRARE_TOKEN]
    #[arg(long)]
    token: Option<String>,

    /// Let anybody look up positions, and do nothing else
    #[arg(long, conflicts_with = "token")]
    public_read_only: bool,

    /// Another name of this server, as proxies and name servers have it
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// The file of the history of practice [default: practice.sqlite in errare's directory of the user's data]
    #[arg(long, value_name = "FILE", conflicts_with = "no_history")]
    history: Option<PathBuf>,

    /// Keep no history of practice
    #[arg(long)]
    no_history: bool,

    #[command(flatten)]
    supply: Supply,
}

const EXAMPLES: &str = "\
Examples:
  errare serve --open
  errare serve --address 0.0.0.0 --token \"$(openssl rand -hex 16)\"
  errare serve --address 0.0.0.0 --public-read-only";

/// Serves until interrupted.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let access = arguments.access()?;
    let service = arguments.supply.service()?;
    let history = match arguments.no_history || arguments.public_read_only {
        true => None,
        false => Some(arguments.history()?),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    interrupt::defer();
    runtime.block_on(async {
        let wanted = SocketAddr::new(arguments.address, arguments.port);
        let listener = tokio::net::TcpListener::bind(wanted)
            .await
            .with_context(|| format!("cannot listen at {wanted}; choose another --port"))?;
        let address = listener.local_addr()?;
        let url = page(address, &access);
        let guard = Guard::new(access, address, arguments.hosts.clone());
        let mut app = App::new(service, guard);
        if let Some(history) = history {
            app = app.with_history(history);
        }
        let app = Arc::new(app);
        talk!("Errare is at {url}\nctrl-C ends it");
        if arguments.open {
            open(&url);
        }
        errare_web::serve(app, listener, &Interrupt).await?;
        talk!("ended");
        Ok(ExitCode::SUCCESS)
    })
}

impl Arguments {
    fn history(&self) -> Result<History> {
        let path = match &self.history {
            Some(path) => path.clone(),
            None => {
                History::usual_path().context("name a file with --history, or use --no-history")?
            }
        };
        Ok(History::open(path)?)
    }

    fn access(&self) -> Result<Access> {
        let token = self.token.clone().or_else(|| {
            environment("ERRARE_TOKEN").map(|token| token.to_string_lossy().into_owned())
        });
        match token {
            _ if self.public_read_only => Ok(Access::PublicReadOnly),
            Some(token)
                if token.len() < 8 || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
            {
                bail!("a token has at least eight letters and digits")
            }
            Some(token) => Ok(Access::Token(token)),
            None if self.address.is_loopback() => Ok(Access::ThisMachine),
            None => bail!(
                "others can reach {}: give a --token that visitors must know, or --public-read-only for look-ups alone",
                self.address
            ),
        }
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

/// Opens an address where there is a desktop; elsewhere nothing happens, as the address was printed.
fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if started.is_err() {
        talk!("no browser was found to open it with");
    }
}

/// Ctrl-C.
struct Interrupt;

impl Watch for Interrupt {
    fn is_stopped(&self) -> bool {
        interrupt::requested()
    }
}

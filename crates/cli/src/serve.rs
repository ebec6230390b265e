//! `errare serve`: the workbench in the browser.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::anyhow;
use errare_web::{Access, AccessError, EvaluationChoice, FirstPage, Furniture, Site};

use crate::prelude::*;

/// Serves the workbench: practise, explore and analyse in the browser, and an HTTP API
#[derive(Debug, Args)]
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

    /// Let anybody look up positions, but nothing else
    #[arg(long, conflicts_with = "token")]
    public_read_only: bool,

    /// Another name of this server, as proxies and name servers have it
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    history: HistoryOptions,

    /// The study that keeps the evaluations of rated games [default: evaluations.db beside the history]
    #[arg(long, value_name = "STUDY.db")]
    store: Option<PathBuf>,

    #[command(flatten)]
    engine: EngineOptions,

    #[command(flatten)]
    tables: TableOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let site = Site {
        address: SocketAddr::new(arguments.address, arguments.port),
        access: arguments.access()?,
        hosts: arguments.hosts.clone(),
    };
    let service = arguments.tables.service()?;
    let furniture = match arguments.public_read_only {
        true => Furniture::default(),
        false => Furniture {
            history: arguments.history.open()?,
            evaluation: Some(arguments.evaluation()?),
        },
    };
    interrupt::defer();
    let ready = |page: &FirstPage| {
        talk!("Errare is at {}", page.here);
        if let Some(elsewhere) = &page.elsewhere {
            talk!("on other machines of the network: {elsewhere}");
        }
        talk!("ctrl-C ends it");
        if arguments.open && page.open().is_err() {
            talk!("no browser was found to open it with");
        }
    };
    let served = site.run(service, furniture, &Terminal::new(), ready);
    served.map_err(|error| anyhow!("{error}; choose another --port"))?;
    talk!("ended");
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn evaluation(&self) -> Result<EvaluationChoice> {
        let study = match &self.store {
            Some(study) => study.clone(),
            None => EvaluationChoice::usual_study().context("name a file with --store")?,
        };
        let engine = self.engine.choice();
        Ok(EvaluationChoice { engine, study })
    }

    fn access(&self) -> Result<Access> {
        if self.public_read_only {
            return Ok(Access::PublicReadOnly);
        }
        let environment = || environment("ERRARE_TOKEN")?.into_string().ok();
        let token = self.token.clone().or_else(environment);
        Access::at(self.address, token).map_err(|error| match error {
            AccessError::Open(_) => anyhow!("{error}; give a --token, or --public-read-only"),
            AccessError::Token => error.into(),
        })
    }
}

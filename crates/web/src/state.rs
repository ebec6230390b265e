//! The state shared by all handlers.

use std::sync::Arc;

use errare_core::{Material, Watch};
use errare_service::{Error, Service, practice::history::History};

use crate::{
    error::Failure, evaluation::EvaluationChoice, games::Games, gate::Gate, guard::Guard,
    jobs::Jobs,
};

/// The maximum number of men for which tables are built within a request; larger ones take minutes and are jobs.
const BUILT_AT_ONCE: usize = 4;

/// The application's state.
#[derive(Debug)]
pub struct App {
    service: Service,
    guard: Guard,
    gate: Gate,
    jobs: Jobs,
    games: Arc<Games>,
    evaluation: Option<Arc<EvaluationChoice>>,
}

impl App {
    /// An application with this service and this access control.
    pub fn new(service: Service, guard: Guard) -> App {
        let service = match guard.access().is_read_only() {
            true => Service {
                tables: service.tables.without_building(),
            },
            false => service,
        };
        App {
            service,
            guard,
            gate: Gate::new(),
            jobs: Jobs::default(),
            games: Arc::default(),
            evaluation: None,
        }
    }

    /// Keeps practice games in this history, so that they survive a restart and slips can be reviewed.
    pub fn with_history(self, history: History) -> App {
        App {
            games: Arc::new(Games::with_history(history)),
            ..self
        }
    }

    /// Evaluates games sent by visitors.
    pub fn with_evaluation(self, evaluation: EvaluationChoice) -> App {
        App {
            evaluation: Some(Arc::new(evaluation)),
            ..self
        }
    }

    /// How games are evaluated here.
    pub(crate) fn evaluation(&self) -> Result<&Arc<EvaluationChoice>, Failure> {
        let evaluation = self.evaluation.as_ref();
        evaluation.ok_or_else(|| Failure::not_found("this server evaluates no games"))
    }

    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    pub(crate) fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    pub(crate) fn games(&self) -> &Arc<Games> {
        &self.games
    }

    /// Runs work on a blocking thread.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Service, &dyn Watch) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let service = self.service.clone();
        self.gate.run(move |watch| work(&service, watch)).await
    }

    /// Runs work on an endgame. Its tables are built if that takes a few seconds at most; otherwise the failure
    /// says that they are missing.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        endgame: Material,
        work: impl FnOnce(&Service, &dyn Watch) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let mut service = self.service.clone();
        if endgame.men() > BUILT_AT_ONCE {
            service.tables = service.tables.without_building();
        }
        let result = self.gate.run(move |watch| work(&service, watch)).await;
        result.map_err(|failure| match failure.is_missing() {
            true => failure.without_tables(endgame.to_string()),
            false => failure,
        })
    }

    /// Stops all work before the server ends.
    pub(crate) fn stop(&self) {
        self.jobs.stop();
    }
}

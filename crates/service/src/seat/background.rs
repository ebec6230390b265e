//! Builds tables in the background while a game goes on.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use errare_core::{Cancel, Material, Metric};
use errare_endgame::Oracle;
use errare_players::Means;
use shakmaty::{Chess, Position};

use super::{Said, SeatSettings};
use crate::Service;

/// Builds one table after another, each requested once.
#[derive(Debug, Default)]
pub(super) struct Background {
    asked: HashSet<(Material, Metric)>,
    cancel: Cancel,
    /// Outcomes of builds, to be reported with the next move.
    news: Arc<Mutex<Vec<String>>>,
}

impl Background {
    /// Starts building the table of a position if it is missing and small enough.
    pub(super) fn build_missing(
        &mut self,
        service: &Service,
        means: &Means,
        position: &Chess,
        settings: &SeatSettings,
        say: &mut dyn FnMut(Said),
    ) {
        let news = std::mem::take(&mut *self.news.lock().unwrap_or_else(PoisonError::into_inner));
        for words in news {
            say(Said::Words(words));
        }
        let men = position.board().occupied().count();
        let sight = means.without_engine();
        let missing = Oracle::covers(position) && matches!(sight.own_tables(position), Ok(None));
        let (endgame, _) = Material::of(position.board());
        let metric = settings.metric;
        if !missing || men > settings.build_men || !self.asked.insert((endgame, metric)) {
            return;
        }
        say(Said::Words(format!(
            "there is no {metric} table of {endgame} yet; it is built in the background"
        )));
        let (tables, cancel) = (service.tables.clone(), self.cancel.clone());
        let news = Arc::clone(&self.news);
        thread::spawn(move || {
            // The metric first: the agent needs it, while the distance to mate is only shown.
            let built = tables
                .provide(&[endgame], &[metric], &cancel)
                .and_then(|()| tables.provide(&[endgame], &[Metric::Dtm], &cancel));
            let words = match built {
                Ok(()) => format!("{endgame} is built"),
                Err(error) => format!("{endgame} could not be built: {error}"),
            };
            news.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(words);
        });
    }

    /// Stops all builds.
    pub(super) fn stop(&self) {
        self.cancel.cancel();
    }
}

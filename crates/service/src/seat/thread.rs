//! A seat on its own thread, so that nothing slow blocks the caller.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use errare_core::{Cancel, Watch};
use shakmaty::{Chess, Move, Position};

use super::{Decision, Limits, Said, Search, Seat, SeatSettings};
use crate::Service;

/// An event from the player.
#[derive(Debug)]
pub enum Event {
    /// It is ready to play.
    Ready,
    /// A report about the search with this number.
    Said(u64, Said),
    /// The chosen move of the search with this number.
    Decided(u64, Decision),
}

/// A task for the thread.
#[derive(Debug)]
enum Task {
    Change(Box<SeatSettings>),
    Prepare,
    NewGame,
    Think(Box<Thought>),
}

#[derive(Debug)]
struct Thought {
    search: u64,
    start: Chess,
    moves: Vec<Move>,
    limits: Limits,
    cancel: Cancel,
}

/// A handle to the thread. Tasks are run in order once their [`Errand`] is run; the thread ends when this is dropped.
#[derive(Debug)]
pub struct SeatThread {
    tasks: Sender<Task>,
    waiting: Waiting,
    searches: u64,
    /// Tasks not yet sent to the thread.
    given: Vec<Task>,
}

/// Tasks to be sent to the thread. The caller usually holds a lock that the thread needs for its answer: run the errand after
/// releasing it, or the thread would be woken only to wait.
#[derive(Debug)]
#[must_use = "the thread knows nothing of its tasks before"]
pub struct Errand {
    tasks: Sender<Task>,
    waiting: Waiting,
    given: Vec<Task>,
}

impl Errand {
    /// Sends the tasks. If the thread has died nothing happens, but [`Search::due`] still expires.
    pub fn run(self) {
        for task in self.given {
            self.waiting.0.fetch_add(1, SeqCst);
            let _ = self.tasks.send(task);
        }
    }
}

/// The number of waiting tasks: idle work ends when there are any.
#[derive(Debug, Clone, Default)]
struct Waiting(Arc<AtomicUsize>);

impl Watch for Waiting {
    fn is_stopped(&self) -> bool {
        self.0.load(SeqCst) > 0
    }
}

impl SeatThread {
    /// Starts the thread, which passes its events to `tell`.
    pub fn start(
        service: Service,
        settings: SeatSettings,
        tell: impl Fn(Event) + Send + 'static,
    ) -> SeatThread {
        let (tasks, given) = mpsc::channel();
        let waiting = Waiting::default();
        let idle = waiting.clone();
        thread::spawn(move || serve(Seat::new(&service, settings), &given, &idle, &tell));
        SeatThread {
            tasks,
            waiting,
            searches: 0,
            given: Vec::new(),
        }
    }

    /// Changes how it plays, from the next move on.
    pub fn change(&mut self, settings: SeatSettings) {
        self.give(Task::Change(Box::new(settings)));
    }

    /// Makes the player ready; [`Event::Ready`] follows.
    pub fn prepare(&mut self) {
        self.give(Task::Prepare);
    }

    /// A new game begins.
    pub fn new_game(&mut self) {
        self.give(Task::NewGame);
    }

    /// Requests a move in the position after these moves; `None` if the game is over.
    pub fn think(&mut self, start: Chess, moves: Vec<Move>, limits: Limits) -> Option<Search> {
        let mut position = start.clone();
        for m in &moves {
            position.play_unchecked(*m);
        }
        if position.legal_moves().is_empty() {
            return None;
        }
        self.searches += 1;
        let search = Search::new(self.searches, position, limits.clone());
        self.give(Task::Think(Box::new(Thought {
            search: search.number,
            start,
            moves,
            limits,
            cancel: search.cancel.clone(),
        })));
        Some(search)
    }

    fn give(&mut self, task: Task) {
        self.given.push(task);
    }

    /// The tasks given since the last call.
    pub fn errand(&mut self) -> Option<Errand> {
        let given = std::mem::take(&mut self.given);
        (!given.is_empty()).then(|| Errand {
            tasks: self.tasks.clone(),
            waiting: self.waiting.clone(),
            given,
        })
    }
}

fn serve(mut seat: Seat, tasks: &Receiver<Task>, waiting: &Waiting, tell: &dyn Fn(Event)) {
    while let Ok(task) = tasks.recv() {
        waiting.0.fetch_sub(1, SeqCst);
        match task {
            Task::Change(settings) => seat.change(*settings),
            Task::NewGame => seat.new_game(),
            Task::Prepare => {
                seat.prepare();
                tell(Event::Ready);
            }
            Task::Think(thought) => {
                let Thought {
                    search,
                    start,
                    moves,
                    limits,
                    cancel,
                } = *thought;
                let mut say = |said| tell(Event::Said(search, said));
                let decision = seat.think(&start, &moves, &limits, &cancel, &mut say);
                tell(Event::Decided(search, decision));
            }
        }
        seat.study(waiting);
    }
    seat.leave();
}

//! A seat on its own thread, so that nothing slow blocks the caller.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use errare_core::Watch;
use shakmaty::{Chess, Move, Position};

use super::{Decision, Limits, Said, Search, Seat, SeatSettings, timer::Timer};
use crate::Service;

/// An event from the player.
#[derive(Debug)]
pub enum SeatEvent {
    /// It is ready to play.
    Ready,
    /// A report about the search with this number.
    Said(u64, Said),
    /// The chosen move of the search with this number.
    Decided(u64, Decision),
    /// The player failed because of a bug, and the search with this number, if any, has no move. A new player has its
    /// seat.
    Failed(Option<u64>),
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
    timer: Timer,
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
    /// Sends the tasks.
    pub fn run(self) {
        for task in self.given {
            self.waiting.0.fetch_add(1, SeqCst);
            self.tasks.send(task).expect("the thread survives panics");
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
        tell: impl Fn(SeatEvent) + Send + 'static,
    ) -> SeatThread {
        let (tasks, given) = mpsc::channel();
        let waiting = Waiting::default();
        let idle = waiting.clone();
        thread::spawn(move || serve(&service, settings, &given, &idle, &tell));
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

    /// Makes the player ready; [`SeatEvent::Ready`] follows.
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
            timer: search.timer.clone(),
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

fn serve(
    service: &Service,
    mut settings: SeatSettings,
    tasks: &Receiver<Task>,
    waiting: &Waiting,
    tell: &dyn Fn(SeatEvent),
) {
    let mut seat = Seat::new(service, settings.clone());
    while let Ok(task) = tasks.recv() {
        waiting.0.fetch_sub(1, SeqCst);
        let search = match &task {
            Task::Think(thought) => Some(thought.search),
            _ => None,
        };
        if let Task::Change(new) = &task {
            settings.clone_from(new);
        }
        let work = || {
            perform(&mut seat, task, tell);
            seat.study(waiting);
        };
        // The seat may be in any state, but is not used again.
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            seat.leave();
            seat = Seat::new(service, settings.clone());
            tell(SeatEvent::Failed(search));
        }
    }
    seat.leave();
}

fn perform(seat: &mut Seat, task: Task, tell: &dyn Fn(SeatEvent)) {
    match task {
        Task::Change(settings) => seat.change(*settings),
        Task::NewGame => seat.new_game(),
        Task::Prepare => {
            seat.hire();
            tell(SeatEvent::Ready);
        }
        Task::Think(thought) => {
            let Thought {
                search,
                start,
                moves,
                limits,
                timer,
            } = *thought;
            let mut say = |said| tell(SeatEvent::Said(search, said));
            let decision = seat.think(&start, &moves, &limits, &timer, &mut say);
            tell(SeatEvent::Decided(search, decision));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use errare_core::Metric;
    use errare_tables::Store;
    use errare_testing::scratch_directory;

    use super::*;
    use crate::Supply;

    /// A bug in the player costs one move, not the game: the panic is reported, and the next move is
    /// made.
    #[test]
    fn a_panic_is_told_and_survived() {
        let tables = Supply::new(Store::open(scratch_directory(), 1 << 20));
        let player: errare_players::PlayerName = "minimax:depth=1".parse().expect("a player");
        let settings = SeatSettings {
            by_tables: player.clone(),
            player,
            engine: None,
            calibration: None,
            tables: None,
            metric: Metric::Dtc,
            syzygy: Vec::new(),
            seed: None,
            build_men: 0,
            human_time: false,
            lines: 1,
            analyses: false,
        };
        let (events, heard) = mpsc::channel();
        let harmless = AtomicBool::new(false);
        let mut seat = SeatThread::start(Service { tables }, settings, move |event| {
            if matches!(event, SeatEvent::Said(..)) && !harmless.swap(true, SeqCst) {
                panic!("a bug, on purpose");
            }
            let _ = events.send(event);
        });
        let mut ask = || {
            let search = seat.think(Chess::default(), Vec::new(), Limits::default());
            let number = search.expect("the game is not over").number;
            seat.errand().expect("a task").run();
            let told = heard
                .iter()
                .find(|event| !matches!(event, SeatEvent::Said(..)));
            (number, told.expect("the thread lives"))
        };
        let (number, told) = ask();
        assert!(
            matches!(told, SeatEvent::Failed(Some(failed)) if failed == number),
            "{told:?}"
        );
        let (number, told) = ask();
        assert!(
            matches!(told, SeatEvent::Decided(decided, _) if decided == number),
            "{told:?}"
        );
    }
}

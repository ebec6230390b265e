//! The verbs, each with a cheap request.

use errare_service::{
    AnyCalibration, advise, analyse, compare, difficulty, doctor, evaluate, export, fit,
    fleet::{status, worker},
    line, markov, matches,
    minimax::{self, bench},
    practice::{self, history},
    predict, probe, rate, reproduce, screen, tables,
};
use errare_testing::assert_round_trip;
use serde::{Serialize, de::DeserializeOwned};

/// A question.
pub(crate) struct Row {
    /// What is typed after `errare`; `_` is a space within a word.
    pub(crate) line: &'static str,
    /// The name of its snapshot, if the verb alone is not enough.
    pub(crate) name: &'static str,
    /// What is typed at its prompt.
    pub(crate) typed: &'static str,
    /// The exit code.
    pub(crate) code: i32,
    /// The number of lines of its text that are the same on every machine.
    pub(crate) lines: usize,
    /// Does it print times, speeds or names of machines?
    pub(crate) varies: bool,
    /// Asserts that the answer in JSON is of its type, if the verb answers in JSON.
    pub(crate) reads_back: Option<fn(&str)>,
}

const fn row(line: &'static str, reads_back: Option<fn(&str)>) -> Row {
    Row {
        line,
        name: "",
        typed: "",
        code: 0,
        lines: usize::MAX,
        varies: false,
        reads_back,
    }
}

impl Row {
    const fn named(self, name: &'static str) -> Row {
        Row { name, ..self }
    }

    const fn typed(self, typed: &'static str) -> Row {
        Row { typed, ..self }
    }

    const fn code(self, code: i32) -> Row {
        Row { code, ..self }
    }

    const fn lines(self, lines: usize) -> Row {
        Row { lines, ..self }
    }

    const fn varies(self) -> Row {
        Row {
            varies: true,
            ..self
        }
    }
}

/// An answer.
#[expect(clippy::unnecessary_wraps, reason = "the table reads better")]
const fn one<T: Serialize + DeserializeOwned>() -> Option<fn(&str)> {
    Some(|json| {
        assert_round_trip::<T>(json);
    })
}

/// One answer per line.
#[expect(clippy::unnecessary_wraps, reason = "the table reads better")]
const fn lines<T: Serialize + DeserializeOwned>() -> Option<fn(&str)> {
    Some(|json| {
        assert!(!json.is_empty());
        for line in json.lines() {
            assert_round_trip::<T>(line);
        }
    })
}

/// A line of practice is an event of the game or another message.
fn practice_reads_back(json: &str) {
    for line in json.lines() {
        match serde_json::from_str::<practice::Event>(line) {
            Ok(_) => drop(assert_round_trip::<practice::Event>(line)),
            Err(_) => drop(assert_round_trip::<practice::Told>(line)),
        }
    }
}

/// Two short games that reach endgames of three men.
pub(crate) const GAMES: &str = r#"[Event "?"]
[White "Ann"]
[Black "Bob"]
[WhiteElo "1800"]
[BlackElo "1750"]
[FEN "8/8/8/4k3/8/8/Q7/K7 w - - 0 1"]
[SetUp "1"]
[Result "*"]

1. Qc4 Kf5 2. Kb2 Ke5 3. Kc3 Kf5 4. Kd4 Kf6 *
"#;

/// The files that exist before the verbs are tried.
pub(crate) const PREPARATION: &[&str] = &[
    "evaluate --store study.db --import turns.jsonl",
    "calibrate study.db -o calibration.json --link loglog",
    "match rep:c=20 best --from 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1 --games 20 --seed 7 --shard 1/1",
];

/// Every verb that answers, or writes a report for people.
pub(crate) const VERBS: &[Row] = &[
    row(
        "probe 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1",
        one::<probe::Answer>(),
    ),
    row("line 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1", one::<line::Answer>()),
    row(
        "tables build KRK --tables some",
        lines::<tables::build::Built>(),
    )
    .varies()
    .named("tables build"),
    row("tables list --tables some", one::<tables::list::Answer>())
        .named("tables list")
        .varies(),
    row("tables stats KQK", one::<tables::stats::Answer>()).named("tables stats"),
    row(
        "tables verify KQK --metric dtm",
        one::<tables::verify::Answer>(),
    )
    .named("tables verify"),
    row("tables dump KQK --metric dtm", None).named("tables dump"),
    row("tables remove KRK --tables some", None)
        .named("tables remove")
        .varies(),
    row("analyse games.pgn", one::<analyse::Answer>()),
    row(
        "advise 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1 --skill 20",
        one::<advise::Answer>(),
    ),
    row(
        "match rep:c=20 best --from 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1 --games 20 --seed 7",
        one::<matches::Answer>(),
    )
    .named("match"),
    row(
        "practice --from 8/4k3/8/8/8/3K4/4P3/8_w_-_-_0_1 --opponent best --seed 1 --no-history",
        Some(practice_reads_back),
    )
    .typed("e4\nhint\nquit\n"),
    row("practice --list", one::<Vec<practice::Drill>>()).named("practice list"),
    row(
        "practice --progress --history none.sqlite",
        one::<history::Progress>(),
    )
    .named("practice progress"),
    row("practice KQK --rush --seed 1", one::<practice::Rush>())
        .typed("\nquit\n")
        .named("practice rush")
        .varies(),
    row("predict KQK --skill 5", one::<predict::Answer>()),
    row("difficulty KQK", one::<Vec<difficulty::Endgame>>()),
    row("markov KQK --skill 3", one::<markov::Answer>()),
    row(
        "evaluate --store other.db --import turns.jsonl",
        one::<evaluate::ImportAnswer>(),
    )
    .named("evaluate import"),
    row("export study.db --csv out", one::<export::Answer>()),
    row("fit study.db", one::<fit::Answer>()),
    row(
        "calibrate study.db -o other.json --link loglog",
        one::<AnyCalibration>(),
    )
    .named("calibrate"),
    row("calibration list", one::<compare::Shipped>()).named("calibration list"),
    row(
        "calibration show stockfish-15.1-depth-8",
        one::<AnyCalibration>(),
    )
    .named("calibration show"),
    row(
        "calibration compare stockfish-15.1-depth-8 stockfish-15.1-depth-10",
        one::<compare::Answer>(),
    )
    .named("calibration compare"),
    row(
        "rate study.db --calibration calibration.json",
        one::<rate::Everyone>(),
    )
    .named("rate"),
    row(
        "rate study.db --calibration calibration.json --player White_2400",
        one::<rate::Answer>(),
    )
    .named("rate one"),
    row(
        "screen study.db --calibration calibration.json",
        one::<Vec<screen::ListedPlayer>>(),
    )
    .named("screen"),
    row("doctor --engine ./none", one::<doctor::Answer>())
        .code(1)
        .varies(),
    row(
        "worker --queue shard-1-of-1.jobs --idle 0",
        one::<worker::Answer>(),
    )
    .varies(),
    row(
        "jobs status --queue shard-1-of-1.jobs",
        one::<status::Status>(),
    )
    .named("jobs status")
    .lines(1),
    row("jobs collect shard-1-of-1.jobs", one::<matches::Answer>()).named("jobs collect"),
    row("jobs cancel nothing --queue shard-1-of-1.jobs", None)
        .named("jobs cancel")
        .code(2),
    row(
        "reproduce levene-fenner/example-1",
        one::<reproduce::Answer>(),
    )
    .named("reproduce"),
    row(
        "minimax tree ((3_3)(2_2_2)) --alpha 2",
        one::<minimax::tree::Answer>(),
    )
    .named("minimax tree"),
    row(
        "minimax dominate [2_3] [3_2]",
        one::<minimax::dominate::Answer>(),
    )
    .named("minimax dominate"),
    row(
        "minimax prob 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1 --depth 2",
        one::<minimax::prob::Answer>(),
    )
    .named("minimax prob"),
    row(
        "minimax sweep 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1 --depths 1..2",
        one::<minimax::sweep::Answer>(),
    )
    .named("minimax sweep"),
    row(
        "minimax play 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1 --depth 2 --seed 1",
        one::<minimax::play::Answer>(),
    )
    .named("minimax play"),
    row(
        "minimax match minimax:depth=1 random --games 2 --seed 1",
        one::<minimax::matches::Answer>(),
    )
    .named("minimax match"),
    row(
        "minimax rate games.pgn --depths 1..2",
        one::<minimax::rate::Answer>(),
    )
    .named("minimax rate"),
    row(
        "minimax mobility 8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1 --depth 2",
        one::<minimax::mobility::Answer>(),
    )
    .named("minimax mobility"),
    row(
        "minimax bench --repeat 1 --tol 0.01",
        one::<Vec<bench::Timing>>(),
    )
    .named("minimax bench")
    .varies()
    .lines(1),
];

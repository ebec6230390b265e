//! `errare calibration`.

use std::{fs, sync::LazyLock};

use serde_json::Value;

use crate::{DESK, errare, json, output, refusal, variants, world, written};

const SHIPPED: [&str; 2] = ["stockfish-15.1-depth-8", "stockfish-15.1-depth-10"];

#[test]
fn calibrations_that_come_with_the_program_are_listed_and_shown() {
    let list = json(&["calibration", "list", "--json"]);
    let names = list["calibrations"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|it| it["name"].as_str().unwrap()).collect();
    for name in SHIPPED {
        assert!(names.contains(&name), "{names:?}");
        assert!(output(&["calibration", "list"]).contains(name));
    }
    let shown = output(&["calibration", "show", SHIPPED[0], "--html", "quality.html"]);
    assert!(
        shown.contains("log-loss") && shown.contains("869 games"),
        "{shown}"
    );
    let page = written("quality.html");
    assert!(page.contains("<svg") && page.contains("prefers-color-scheme"));
}

/// The JSON output is itself a calibration.
#[test]
fn a_calibration_is_a_file_for_others() {
    let text = output(&["calibration", "show", SHIPPED[1], "--json"]);
    fs::write(DESK.join("theirs.json"), &text).unwrap();
    let answer = json(&[
        "calibration",
        "compare",
        "theirs.json",
        SHIPPED[1],
        "--json",
    ]);
    let both = answer["calibrations"].as_array().unwrap();
    assert_eq!(both[0]["weights"], both[1]["weights"]);
    for difference in answer["differences"].as_array().unwrap() {
        assert_eq!(difference["z_at_origin"].as_f64(), Some(0.0));
    }
}

#[test]
fn calibrations_are_compared() {
    let text = output(&["calibration", "compare", SHIPPED[0], SHIPPED[1]]);
    for part in ["1.5023", "1.4574", "cost-early", "ranks:8-10", "z [1]-[2]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let mut rows = text.lines().filter(|line| !line.starts_with('['));
    assert!(rows.all(|line| line.chars().count() <= 80), "{text}");
}

/// A calibration of the continuous family for the made-up engine: that of Stockfish at depth 8, reduced to depth 2.
static MADE_UP: LazyLock<()> = LazyLock::new(|| {
    let text = output(&["calibration", "show", SHIPPED[0], "--json"]);
    let mut calibration: Value = serde_json::from_str(&text).unwrap();
    calibration["engine"] =
        serde_json::from_str::<Value>(&written("calibration.json")).unwrap()["engine"].clone();
    let rows = |value: &Value, which: &[usize]| -> Value {
        which.iter().map(|&place| value[place].clone()).collect()
    };
    // Features 2 to 5 are ranks; of those, only depth 1 stays. Each line has two coefficients.
    calibration["lines"] = rows(&calibration["lines"], &[0, 1, 2, 6, 7]);
    let coefficients = [0, 1, 2, 3, 4, 5, 12, 13];
    let all = calibration["covariance"].clone();
    calibration["covariance"] = coefficients
        .iter()
        .map(|&row| rows(&all[row], &coefficients))
        .collect();
    fs::write(DESK.join("made-up.json"), calibration.to_string()).unwrap();
});

/// A calibration made from games of the same made-up engine, with clocks: each move takes 40 seconds, and 40 are
/// left after move 25.
static MANY: LazyLock<()> = LazyLock::new(|| {
    let turns = world::games(&[2600, 2400, 2200, 2000, 1800], 12);
    let turns = variants::with(&turns, |turn, _, move_number| {
        turn["clock"] = (40 * (26 - move_number)).into();
    });
    fs::write(DESK.join("many.jsonl"), turns).unwrap();
    let import = ["evaluate", "--store", "many.db", "--import", "many.jsonl"];
    errare(&import).assert().success();
    let calibrate = ["calibrate", "many.db", "-o", "many.json"];
    let text = output(&[&calibrate[..], &["--html", "many.html"]].concat());
    assert!(
        text.contains("log-loss") && text.contains("60 games"),
        "{text}"
    );
});

#[test]
fn other_games_are_held_against_a_calibration() {
    LazyLock::force(&MANY);
    let check = [
        "calibration",
        "check",
        "study.db",
        "--calibration",
        "many.json",
    ];
    let answer = json(&[&check[..], &["--years", "2000-2004,2005-2030", "--json"]].concat());
    let periods = answer["periods"].as_array().unwrap();
    assert_eq!(periods.len(), 2);
    let games = |period: &Value| period["games"].as_u64().unwrap();
    let all = json(&[&check[..], &["--json"]].concat());
    assert_eq!(
        games(&periods[0]) + games(&periods[1]),
        games(&all["periods"][0])
    );
    for period in periods {
        let offset = &period["offsets"][0];
        let part = |name: &str| offset[name].as_f64().unwrap();
        assert!(part("low") < part("offset") && part("offset") < part("high"));
        assert_eq!(offset["turns"], period["turns"]);
    }
    let text = output(&check);
    assert!(
        text.contains("cover") && text.contains("95 % interval"),
        "{text}"
    );
    let said = refusal(&[&check[..], &["--years", "1900"]].concat(), 2);
    assert!(said.contains("1900"), "{said}");
    // A game has too few turns for an offset.
    let turns = world::games(&[2200], 1);
    fs::write(DESK.join("one.jsonl"), turns).unwrap();
    let import = ["evaluate", "--store", "one.db", "--import", "one.jsonl"];
    errare(&import).assert().success();
    let few = [
        "calibration",
        "check",
        "one.db",
        "--calibration",
        "many.json",
    ];
    let text = output(&few);
    assert!(text.contains("there are fewer than 100 turns"), "{text}");
    // By Stockfish's calibration these players are better than anybody.
    LazyLock::force(&MADE_UP);
    let check = ["calibration", "check", "study.db", "--calibration"];
    let check = [&check[..], &["made-up.json"]].concat();
    let offsets = &json(&[&check[..], &["--json"]].concat())["periods"][0]["offsets"];
    assert_eq!(offsets.as_array().unwrap().len(), 0, "{offsets}");
    let text = output(&check);
    assert!(text.contains("no offset"), "{text}");
}

/// Two statements with their intervals, beside and together with the known Elo; events screened one by one.
#[test]
fn the_continuous_family_rates_and_screens() {
    LazyLock::force(&MADE_UP);
    let with = |verb| vec![verb, "study.db", "--calibration", "made-up.json"];
    let answer = json(&[with("rate"), vec!["--player", "White 2200", "--json"]].concat());
    for statement in ["quality", "rating", "combined"] {
        assert!(answer[statement]["low"].is_f64(), "{statement}: {answer}");
    }
    let width = |name: &str| {
        let end = |end: &str| answer[name][end].as_f64().unwrap();
        end("high") - end("low")
    };
    assert!(width("quality") <= width("rating") && width("combined") < width("rating"));
    let text = output(&[with("rate"), vec!["--player", "White 2200"]].concat());
    assert!(
        text.contains("quality of play") && text.contains("known Elo"),
        "{text}"
    );
    let listed = json(&[with("screen"), vec!["--json"]].concat());
    assert!(listed.as_array().unwrap().len() >= 6);
    for player in listed.as_array().unwrap() {
        let chance = |i: usize| player["threshold_chances"][i].as_f64().unwrap();
        assert!(chance(1) < chance(0) && chance(0) <= 0.051, "{player}");
    }
}

/// A player's events are screened one by one, each by the rating there, and together.
#[test]
fn several_events_of_a_player_combine() {
    LazyLock::force(&MADE_UP);
    fs::write(DESK.join("events.jsonl"), variants::turns_of_two_events()).unwrap();
    let import = [
        "evaluate",
        "--store",
        "events.db",
        "--import",
        "events.jsonl",
    ];
    errare(&import).assert().success();
    let screen = ["screen", "events.db", "--calibration", "made-up.json"];
    let answer = json(&[&screen[..], &["--json"]].concat());
    for player in answer.as_array().unwrap() {
        let events = player["events"].as_array().unwrap();
        let names: Vec<&str> = events
            .iter()
            .map(|it| it["event"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["First Open", "Second Open"]);
        let number = |value: &Value| value.as_f64().unwrap();
        let [first, second] = [0, 1].map(|event| number(&events[event]["elo"]));
        assert_eq!(first + 100.0, second, "{player}");
        assert!(
            (first..second).contains(&number(&player["elo"])),
            "{player}"
        );
        let sum = |field: &str| events.iter().map(|it| number(&it[field])).sum::<f64>();
        assert_eq!(sum("turns"), number(&player["turns"]), "{player}");
        assert_eq!(sum("games"), number(&player["games"]), "{player}");
        // Two events say more than one, and the combined z lies between theirs or beyond both in their
        // direction.
        let z = |value: &Value| number(&value["adjusted"]["z_mm"]);
        let (first, second, together) = (z(&events[0]), z(&events[1]), z(player));
        assert!(
            together.abs() <= (first.abs() + second.abs()) + 1e-9,
            "{player}"
        );
        let sd = |value: &Value| number(&value["mm"]["sd"]);
        assert!(sd(player) < sd(&events[0]) && sd(player) < sd(&events[1]));
    }
    let page = [&screen[..], &["--html", "events.html"]].concat();
    output(&page);
    let page = written("events.html");
    assert!(page.contains("First Open") && page.contains("Second Open"));
}

/// From evaluated games to a calibration that others can use, with a report of its quality.
#[test]
fn a_continuous_calibration_is_made_and_described() {
    LazyLock::force(&MANY);
    let page = written("many.html");
    for part in [
        "<svg",
        "log-loss",
        "cover",
        "blend",
        "less than a minute on the clock",
        "prefers-color-scheme",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let made = json(&["calibration", "show", "many.json", "--json"]);
    let origin = &made["origin"];
    assert_eq!(
        (&origin["games"], &origin["players"]),
        (&60.into(), &10.into())
    );
    // The agents of this world get better with their rating and choose by cost alone: the weight of cost rises with
    // the rating, and the calibration predicts about as well as the paper's model, by which they choose.
    let cost = &made["lines"][0];
    assert_eq!(cost["feature"], "cost");
    assert!(
        cost["at_origin"].as_f64() > Some(0.0) && cost["slope"].as_f64() > Some(0.0),
        "{cost}"
    );
    let loss = |model: &str| made["quality"]["log_loss"][model].as_f64().unwrap();
    assert!(
        (loss("lines") - loss("paper")).abs() < 0.1,
        "{}",
        made["quality"]["log_loss"]
    );
    // Every turn has a clock, and every turn is in one of the ranges of time.
    let situations = made["quality"]["situations"].as_array().unwrap().iter();
    let turns = |it: &Value| it["turns"].as_u64().unwrap();
    let by_clock = situations.filter(|it| {
        let name = it["name"].as_str().unwrap();
        name.contains("clock") || name.contains("minutes")
    });
    let by_clock: Vec<u64> = by_clock.map(turns).collect();
    assert_eq!(by_clock.len(), 3);
    assert_eq!(by_clock.iter().sum::<u64>(), turns(origin));
    let two = ["--features", "cost,ranks:1-2", "-o", "two.json", "--json"];
    let two = json(&[&["calibrate", "many.db"], &two[..]].concat());
    assert_eq!(two["lines"].as_array().unwrap().len(), 2);
    assert!(two["quality"]["log_loss"]["lines"].as_f64() > Some(0.0));
    let rated = |player: &str| {
        let calibration = ["--calibration", "many.json", "--json"];
        let ask = [&["rate", "many.db", "--player", player], &calibration[..]].concat();
        json(&ask)
    };
    let level = |player: &str| rated(player)["quality"]["mean"].as_f64().unwrap();
    assert!(level("White 2600") > level("White 1800"));
    let rated = rated("White 2600");
    let by_clock = rated["by_clock"].as_array().unwrap();
    assert_eq!(by_clock.iter().map(turns).sum::<u64>(), turns(&rated));
    let names: Vec<&str> = by_clock
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "less than a minute",
            "one to five minutes",
            "more than five minutes"
        ]
    );
    assert!(by_clock[2]["quality"]["low"].is_f64(), "{}", by_clock[2]);
}

#[test]
fn wrong_calibrations_are_refused() {
    let said = refusal(&["calibration", "show", "nowhere.json"], 2);
    assert!(said.contains("stockfish-15.1-depth-8"), "{said}");
    let said = refusal(&["calibration", "compare", "calibration.json"], 2);
    assert!(said.contains("continuous"), "{said}");
    let check = [
        "calibration",
        "check",
        "study.db",
        "--calibration",
        "calibration.json",
    ];
    let said = refusal(&check, 2);
    assert!(said.contains("continuous"), "{said}");
    let said = refusal(
        &[
            "calibration",
            "show",
            "calibration.json",
            "--html",
            "no.html",
        ],
        2,
    );
    assert!(said.contains("no quality report"), "{said}");
    let calibrate = ["calibrate", "study.db", "-o", "none.json"];
    for options in [["--milepost", "2200"], ["--width", "30"]] {
        let said = refusal(&[&calibrate[..], &options].concat(), 2);
        assert!(said.contains("--paper"), "{said}");
    }
    let said = refusal(&[&calibrate[..], &["--features", "beauty"]].concat(), 2);
    assert!(said.contains("ranks:A-B"), "{said}");
    // Games are no study.
    fs::write(DESK.join("two.pgn"), "[Event \"One\"]\n\n1. e4 e5 *\n").unwrap();
    for arguments in [
        &["calibrate", "two.pgn", "-o", "two.json"][..],
        &["calibration", "check", "two.pgn"],
    ] {
        let said = refusal(arguments, 2);
        let expected = "two.pgn holds games, and is no study; \
            make a study of them: `errare evaluate two.pgn --store two.pgn.db`";
        assert!(said.contains(expected), "{said}");
    }
    errare(&["calibration", "check", "study.db", "--years", "2009-1999"])
        .assert()
        .code(2);
}

/// A file that is not a calibration is never overwritten, and a calibration not silently.
#[test]
fn a_calibration_takes_the_place_of_a_calibration_alone() {
    let calibrate = ["calibrate", "study.db", "--link", "loglog", "-o"];
    let to = |file| [&calibrate[..], &[file]].concat();
    let study = fs::read(DESK.join("study.db")).unwrap();
    let said = refusal(&to("study.db"), 2);
    assert!(said.contains("study.db is there already"), "{said}");
    assert!(study == fs::read(DESK.join("study.db")).unwrap());
    for replaced in [false, true] {
        let assert = errare(&to("again.json")).assert().success();
        let said = String::from_utf8_lossy(&assert.get_output().stderr);
        let told = said.contains("the calibration in again.json is replaced");
        assert_eq!(told, replaced, "{said}");
    }
}

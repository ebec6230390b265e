//! `errare rate`.

use std::fs;

use serde_json::Value;

use crate::{DESK, command, errare, json, output, refusal, variants, world, written};

const PLAYER: [&str; 6] = [
    "rate",
    "study.db",
    "--player",
    "white 2200",
    "--calibration",
    "calibration.json",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    PLAYER.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn a_rating_has_an_interval() {
    let answer = json(&with(&["--json"]));
    assert_eq!(
        (&answer["player"], &answer["elo"]),
        (&"White 2200".into(), &2200.0.into())
    );
    assert_eq!(answer["games"], 14);
    let part = |name: &str| answer["rating"][name].as_f64().unwrap();
    assert_eq!(part("level"), 0.95);
    assert!(part("low") < part("mean") && part("mean") < part("high"));
    assert!(
        part("low") < 2200.0 && 2200.0 < part("high"),
        "{}",
        answer["rating"]
    );
    assert!(answer["mm"]["actual"].is_f64() && answer["ad"]["projected"].is_f64());
    assert_eq!(answer["calibration"]["engine"]["name"], "Made up");
    assert!(answer["warnings"].is_array());
    assert_eq!(answer["by_colour"].as_array().unwrap().len(), 1);
    assert_eq!(answer["by_game"].as_array().unwrap().len(), 14);
    let costs: Vec<f64> = answer["costliest"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["cost"].as_f64().unwrap())
        .collect();
    assert!(costs.len() == 10 && costs.is_sorted_by(|a, b| a >= b));
    let narrow = json(&with(&["--json", "--level", "0.5"]));
    let width = |answer: &Value| {
        answer["rating"]["high"].as_f64().unwrap() - answer["rating"]["low"].as_f64().unwrap()
    };
    assert!(width(&narrow) < 0.6 * width(&answer));
}

/// A calibration that is named says how deep to look.
#[test]
fn a_study_is_seen_at_the_depth_of_the_calibration() {
    let calibrate = ["calibrate", "study.db", "--depth", "1", "--link", "loglog"];
    let calibrate = [&calibrate[..], &["-o", "shallow.json"]].concat();
    errare(&calibrate).assert().success();
    let rate = |calibration, more: &[&'static str]| {
        let rate = ["rate", "study.db", "--player", "white 2200", "--json"];
        [&rate[..], &["--calibration", calibration], more].concat()
    };
    for (calibration, depth) in [("calibration.json", 2), ("shallow.json", 1)] {
        let answer = json(&rate(calibration, &[]));
        assert_eq!(answer["evidence"]["engine"]["depth"], depth);
    }
    let refused = refusal(&rate("shallow.json", &["--depth", "2"]), 2);
    assert!(refused.contains("depth"), "{refused}");
}

/// Games and events are in order of time.
#[test]
fn groups_are_in_order_of_time() {
    let turns = variants::with(&world::turns(), |turn, game, _| {
        turn["event"] = ["Zurich", "Amsterdam"][usize::from(game % 10 > 4)].into();
        turn["date"] = format!("20{:02}.01.01", 10 + game % 10).into();
    });
    fs::write(DESK.join("dated.jsonl"), turns).unwrap();
    let import = ["evaluate", "--store", "dated.db", "--import", "dated.jsonl"];
    errare(&import).assert().success();
    let mut rate = with(&["--json"]);
    rate[1] = "dated.db";
    let answer = json(&rate);
    let names = |groups: &str| -> Vec<String> {
        let groups = answer[groups].as_array().unwrap().iter();
        groups
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("by_event"), ["Zurich", "Amsterdam"]);
    let dates = names("by_game");
    let dates = dates.iter().map(|it| it.rsplit(' ').next().unwrap());
    assert!(dates.is_sorted(), "{answer}");
}

#[test]
fn reports_are_written() {
    let text = output(&with(&["--html", "rate.html", "--pgn", "rate.pgn"]));
    assert!(
        text.contains("player's Elo") && text.contains("95 % interval"),
        "{text}"
    );
    let page = written("rate.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg"));
    assert!(page.contains("Nothing on this page is a finding about a person."));
    assert!(
        !page.contains("src=") && !page.contains("href="),
        "a page needs no network"
    );
    let games = written("rate.pgn");
    assert!(
        games.contains("[White \"White 2200\"]") && games.contains("[%eval "),
        "{games}"
    );
    assert!(games.contains(" p 0."));
    // The output is read back to its end.
    for game in errare_games::games(games.as_bytes()) {
        let game = game.unwrap();
        assert!(
            game.problems.is_empty() && !game.moves.is_empty(),
            "{game:?}"
        );
    }
    let narrow = |text: &str| text.lines().all(|line| line.chars().count() <= 80);
    assert!(text.lines().all(narrow), "tables fit 80 columns: {text}");
    let rows = output(&with(&["--csv"]));
    assert!(
        rows.starts_with("by,name,turns,rating,low,high,mm,ad,open_below,")
            && rows
                .lines()
                .nth(1)
                .is_some_and(|it| it.starts_with("all,White 2200,")),
        "{rows}"
    );
}

#[test]
fn several_spellings_are_one_player_on_demand() {
    let ask = [
        "rate",
        "study.db",
        "--player",
        "2200",
        "--calibration",
        "calibration.json",
    ];
    let said = refusal(&ask, 2);
    assert!(
        said.contains("Black 2200; White 2200") && said.contains("--merge"),
        "{said}"
    );
    let merged = json(&[&ask[..], &["--merge", "--json"]].concat());
    assert_eq!(merged["by_colour"].as_array().unwrap().len(), 2);
    assert_eq!(merged["games"], 14);
}

#[test]
fn wrong_questions_are_refused() {
    let said = refusal(
        &[
            "rate",
            "study.db",
            "--player",
            "Nobody",
            "--calibration",
            "calibration.json",
        ],
        2,
    );
    assert!(said.contains("Nobody"), "{said}");
    let said = refusal(&["rate", "study.db", "--player", "White 2200"], 2);
    assert!(said.contains("errare calibrate"), "{said}");
    let said = refusal(&with(&["--depth", "1"]), 2);
    assert!(
        said.contains("depth 2") && said.contains("depth 1"),
        "{said}"
    );
    let said = refusal(
        &[
            "rate",
            "study.db",
            "--player",
            "White 2200",
            "--calibration",
            "turns.jsonl",
        ],
        2,
    );
    assert!(said.contains("turns.jsonl"), "{said}");
    let said = refusal(&with(&["--level", "95"]), 2);
    assert!(said.contains("between 0 and 1"), "{said}");
}

/// If evaluations at another depth exist, the message says how many.
#[test]
fn what_is_not_evaluated_is_told() {
    let turns = written("turns.jsonl");
    let all = turns.lines().count();
    let deeper = turns
        .lines()
        .next()
        .unwrap()
        .replacen("\"depth\":2", "\"depth\":3", 1);
    fs::write(DESK.join("depths.jsonl"), turns + &deeper).unwrap();
    let import = [
        "evaluate",
        "--store",
        "depths.db",
        "--import",
        "depths.jsonl",
    ];
    errare(&import).assert().success();
    let ask = ["rate", "depths.db", "--calibration", "calibration.json"];
    let said = refusal(&[&ask[..], &["--depth", "3"]].concat(), 2);
    let told = format!("evaluated to depth 3: 1 of {all} positions; to depth 2: {all}");
    assert!(said.contains(&told), "{said}");
    let assert = errare(&[&ask[..], &["--depth", "2"]].concat()).assert();
    let said = String::from_utf8(assert.success().get_output().stderr.clone()).unwrap();
    assert!(!said.contains("evaluated to depth"), "{said}");
}

/// From a PGN file to ratings and a screening in one step each, with the real engine and a shipped calibration.
#[test]
fn games_are_evaluated_and_rated() {
    let directory = tempfile::tempdir().unwrap();
    let desk = directory.path().to_owned();
    fs::write(desk.join("game.pgn"), include_str!("game.pgn")).unwrap();
    let ask = |arguments: &[&str]| {
        let depth = ["game.pgn", "--depth", "8", "--json"];
        let assert = command(&desk, &[arguments, &depth[..]].concat()).assert();
        let output = assert.success().get_output().clone();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (answer, String::from_utf8(output.stderr).unwrap())
    };
    let (answer, talk) = ask(&["rate", "--html", "rated.html"]);
    let told = talk.starts_with("evaluating into game.pgn.db with ");
    assert!(told && talk.contains("which has a calibration"), "{talk}");
    let players = answer["players"].as_array().unwrap();
    assert_eq!(players.len(), 2);
    for (player, (name, elo)) in players
        .iter()
        .zip([("Attacker, A", 2400.0), ("Defender, D", 2350.0)])
    {
        assert_eq!(
            (&player["player"], &player["elo"]),
            (&name.into(), &elo.into())
        );
        assert_eq!(
            (&player["turns"], &player["excluded"]["opening"]),
            (&14.into(), &8.into())
        );
        let part = |kind: &str, name: &str| player[kind][name].as_f64().unwrap();
        assert!(part("rating", "low") < part("rating", "high"));
        // So few moves say less than the known Elo.
        assert!((part("combined", "mean") - elo).abs() < 100.0, "{player}");
    }
    // White's clock is in the file, Black's is not.
    let by_clock = |player: &Value| -> Vec<(String, u64)> {
        let groups = player["by_clock"].as_array().into_iter().flatten();
        let group = |it: &Value| {
            let name = it["name"].as_str().unwrap().to_owned();
            (name, it["turns"].as_u64().unwrap())
        };
        groups.map(group).collect()
    };
    assert_eq!(
        by_clock(&players[0]),
        [
            ("less than a minute".to_owned(), 6),
            ("more than five minutes".to_owned(), 8)
        ]
    );
    assert_eq!(by_clock(&players[1]), []);
    let page = fs::read_to_string(desk.join("rated.html")).unwrap();
    assert!(page.contains("SHA-256") && page.contains("Defender, D"));
    // Evaluations are kept beside the games.
    assert!(desk.join("game.pgn.db").exists());
    let (again, talk) = ask(&["rate"]);
    assert_eq!(again["players"], answer["players"]);
    assert!(!talk.contains("evaluating positions"), "{talk}");
    assert!(!talk.contains("evaluating into"), "nothing is left: {talk}");
    let (screened, _) = ask(&["screen"]);
    for player in screened.as_array().unwrap() {
        assert_eq!(player["label"], "too few turns", "{player}");
    }
}

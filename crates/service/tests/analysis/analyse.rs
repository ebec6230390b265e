use std::cell::Cell;

use errare_games::games;
use errare_service::{
    Service, Supply,
    analyse::{self, AnalyseSettings, AnalysisSession, Build, Request},
    model::ValueRule,
};
use errare_tables::Store;

use crate::{BROWNE_BELLE, round_trip, service};

/// One of KPK, one of KRK.
const TWO_ENDGAMES: &str = "\
[White \"Pupil A\"]\n[Black \"Pupil B\"]\n[FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"]\n\n1. Kd3 Kd5 2. e4+ Ke5 *\n
[White \"Pupil B\"]\n[Black \"Pupil A\"]\n[FEN \"8/8/8/4k3/8/4K3/8/7R w - - 0 1\"]\n\n1. Rh5+ Kd6 2. Kd4 Kc6 *\n";

fn request(pgn: &str, settings: AnalyseSettings) -> Request {
    Request {
        pgn: pgn.to_owned(),
        player: None,
        settings,
    }
}

#[test]
fn answers_survive_json() {
    let request = Request {
        pgn: BROWNE_BELLE.to_owned(),
        player: None,
        settings: AnalyseSettings::default(),
    };
    round_trip(&request);
    let answer = analyse::answer(&service(), &request, &()).unwrap();
    let json = round_trip(&answer);
    assert_eq!(json["games"][0]["moves"][0]["color"], "white");
    assert_eq!(json["games_analysed"], 2);
    let players = json["players"].as_array().unwrap();
    let browne = players
        .iter()
        .find(|player| player["name"] == "Browne, Walter");
    let browne = browne.unwrap();
    assert_eq!(
        (&browne["games"], &browne["train"]),
        (&2.into(), &"KQKR".into())
    );
    assert_eq!(browne["ceded"], 27 + 19);
    assert_eq!(browne["slips"][0]["move"]["color"], "white");
}

/// A pupil who throws a win away: the papers' c of the game ignores it, the summary does not, nor does the game if
/// value is at risk.
#[test]
fn results_thrown_away_count_in_the_summary() {
    let pgn = "[White \"Pupil\"]\n[FEN \"8/4k3/8/8/8/3K4/4P3/8 w - - 0 1\"]\n\n1. Ke4 Ke6 2. Kd4 Kd6 3. e4 *\n";
    let answer = |value: ValueRule| {
        let settings = AnalyseSettings {
            value,
            ..AnalyseSettings::default()
        };
        analyse::answer(&service(), &request(pgn, settings), &()).unwrap()
    };
    let (kept, risked) = (answer(ValueRule::Keep), answer(ValueRule::Risk));
    let [game, at_risk] = [&kept, &risked].map(|answer| &answer.games[0].white);
    assert_eq!((game.value_losses, at_risk.value_losses), (1, 1));
    assert!(at_risk.competence.unwrap().mean < 10.0, "{at_risk:?}");
    let continuous = at_risk.continuous.unwrap().mean;
    assert!((continuous - at_risk.competence.unwrap().mean).abs() < 0.05);
    for totals in [&kept.totals, &risked.totals] {
        let pupil = &totals.players[0];
        assert_eq!(
            (pupil.name.as_str(), pupil.value),
            ("Pupil", ValueRule::Risk)
        );
        let c = pupil.total.competence.unwrap();
        // On a coarser grid.
        assert!((c.mean - at_risk.competence.unwrap().mean).abs() < 0.5);
        assert!(game.competence.unwrap().mean > 1.2 * c.mean);
    }
}

/// Everything that can be analysed is, whatever is missing.
#[test]
fn a_missing_table_stops_no_other_game() {
    let directory = tempfile::tempdir().unwrap();
    let supply = Supply::new(Store::open(directory.path(), 1 << 20));
    supply
        .provide(&["KRK".parse().unwrap()], &[errare_core::Metric::Dtc], &())
        .unwrap();
    let answer = |service: &Service, settings: AnalyseSettings| {
        analyse::answer(service, &request(TWO_ENDGAMES, settings), &()).unwrap()
    };
    let unbuilt = Service {
        tables: supply.clone().without_building(),
    };
    let missing = answer(&unbuilt, AnalyseSettings::default());
    assert_eq!((missing.games.len(), missing.games[0].number), (1, 2));
    assert_eq!(missing.totals.missing[0].endgame.to_string(), "KPK");
    assert_eq!(missing.totals.missing[0].games, [1]);
    let needs = &missing.totals.missing[0].needs;
    assert_eq!(needs.last(), Some(&"KPK".parse().unwrap()));
    assert!(needs.contains(&"KQK".parse().unwrap()) && !needs.contains(&"KRK".parse().unwrap()));
    // No table of three men is built if two is the maximum.
    let service = Service { tables: supply };
    let few = AnalyseSettings {
        men: 2,
        ..AnalyseSettings::default()
    };
    assert_eq!(answer(&service, few).games.len(), 1);
    let all = answer(&service, AnalyseSettings::default());
    assert_eq!(all.games.len(), 2);
    assert!(all.totals.missing.is_empty());
    assert_eq!(all.totals.players.len(), 2);
}

/// An endgame whose own table is there is named all the same if one that it leads to is not, and what it needs is said.
#[test]
fn a_missing_subgame_is_no_endgame_of_the_games() {
    let directory = tempfile::tempdir().unwrap();
    let supply = Supply::new(Store::open(directory.path(), 1 << 20));
    let metric = errare_core::Metric::Dtc;
    let [kpk, kqk] = ["KPK", "KQK"].map(|name| name.parse().unwrap());
    supply.provide(&[kpk], &[metric], &()).unwrap();
    supply.store().remove(kqk, &[metric]).unwrap();
    let service = Service {
        tables: Supply::new(Store::open(directory.path(), 1 << 20)).without_building(),
    };
    let pgn = "[FEN \"7k/4P3/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. e8=Q+ *\n";
    let answer = analyse::answer(&service, &request(pgn, AnalyseSettings::default()), &());
    let [missing] = &answer.unwrap().totals.missing[..] else {
        panic!("one endgame");
    };
    assert_eq!((missing.endgame, &missing.needs[..]), (kpk, &[kqk][..]));
}

/// One pupil in capitals and small letters, with and without a space, who is asked for by a part of the name.
#[test]
fn a_pupil_is_one_however_the_name_is_spelt() {
    let slip = "[FEN \"8/8/8/4k3/8/8/Q7/K7 w - - 0 1\"]\n\n1. Kb2 Kd4 2. Ka3 *\n\n";
    let pgn: String = [
        ("LEE,ANN", "Smith"),
        ("Lee, Ann", "Leeson"),
        ("Leeson", "Smith"),
    ]
    .map(|(white, black)| format!("[White \"{white}\"]\n[Black \"{black}\"]\n{slip}"))
    .concat();
    let of = |player: Option<&str>| {
        let request = Request {
            player: player.map(str::to_owned),
            ..request(&pgn, AnalyseSettings::default())
        };
        analyse::answer(&service(), &request, &())
    };
    let all = of(None).unwrap();
    let names: Vec<_> = all.totals.players.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["Lee, Ann", "Leeson", "Smith"]);
    assert_eq!(all.totals.players[0].total.games, 2);
    let ann = of(Some("ann")).unwrap();
    assert_eq!(ann.totals.players, all.totals.players[..1]);
    assert_eq!((ann.games.len(), ann.totals.games_read), (2, 3));
    let error = of(Some("lee")).unwrap_err().to_string();
    assert!(error.contains("Lee, Ann; Leeson"), "{error}");
}

/// One move ceded is no reason to train; a result thrown away is, and so are as many moves as make a mistake.
#[test]
fn training_needs_evidence() {
    let train = |fen: &str, moves: &str| {
        let pgn = format!("[White \"Pupil\"]\n[FEN \"{fen}\"]\n\n{moves} *\n");
        let answer = analyse::answer(&service(), &request(&pgn, AnalyseSettings::default()), &());
        let pupil = answer.unwrap().totals.players.remove(0);
        (pupil.total.ceded, pupil.train.map(|it| it.to_string()))
    };
    let queen = "8/8/8/8/5k2/8/8/KQ6 w - - 0 1";
    let (ceded, none) = train(queen, "1. Qd3 Kg4");
    assert_eq!((ceded, none), (1, None));
    let (ceded, some) = train(
        queen,
        "1. Qa2 Kf3 2. Qb1 Kf4 3. Qa2 Kf3 4. Qb1 Kf4 5. Qa2 Kf3",
    );
    assert!(ceded >= 5, "{ceded}");
    assert_eq!(some.as_deref(), Some("KQK"));
    let thrown = train(
        "8/4k3/8/8/8/3K4/4P3/8 w - - 0 1",
        "1. Ke4 Ke6 2. Kd4 Kd6 3. e4",
    );
    assert_eq!(thrown.1.as_deref(), Some("KPK"));
}

#[test]
fn whoever_builds_is_asked_first() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service {
        tables: Supply::new(Store::open(directory.path(), 1 << 20)),
    };
    let settings = AnalyseSettings::default();
    let asked = Cell::new(0);
    let refuses = |build: &Build| {
        asked.set(asked.get() + 1);
        assert!(build.tables > 0 && !build.endgames.is_empty());
        false
    };
    let mut session = AnalysisSession::new(&service, &settings, &refuses);
    for game in games(TWO_ENDGAMES.as_bytes()).map(Result::unwrap) {
        assert!(session.analyse(&game, &()).unwrap().is_none());
    }
    assert_eq!(asked.get(), 2);
    assert_eq!(session.totals().missing.len(), 2);
}

//! Tables for other programs.

use std::fs;

use errare_rating::export::{ExportError, Format};

use crate::{import::line, study};

fn two_turns() -> String {
    let opening = line().replace("0 9\"", "1 3\"").replace("p16", "p4");
    format!("{}\n{opening}", line())
}

#[test]
fn csv() {
    let (directory, mut study) = study();
    study.import(two_turns().as_bytes()).expect("imported");
    let view = study.view(None, None).expect("a view");
    let out = directory.path().join("out");
    let exported = study.export(&view, &out, Format::Csv).expect("exported");
    assert_eq!((exported.turns, exported.moves), (2, 8));
    let turns = fs::read_to_string(out.join("turns.csv")).expect("a file");
    let expected = "\
game,ply,move_number,colour,player,elo,opponent,opponent_elo,event,date,time_control,result,fen,played,\
clock,exclusion,legal,played_rank,best_cp,played_cp
1,4,3,white,A,2700,B,,Cup,2015.09.15,,,6k1/8/8/8/8/8/q7/R5K1 w - - 1 3,a1a2,,opening,,,,
1,16,9,white,A,2700,B,,Cup,2015.09.15,,,6k1/8/8/8/8/8/q7/R5K1 w - - 0 9,a1a2,,decided,8,1,550,550
";
    assert_eq!(turns, expected);
    let moves = fs::read_to_string(out.join("moves.csv")).expect("a file");
    let lines: Vec<&str> = moves.lines().collect();
    assert_eq!(lines[0], "game,ply,rank,uci,played,cp,mate,cp_1,cp_2");
    assert_eq!(lines[1], "1,16,1,a1a2,true,550,,500,550");
    assert_eq!(lines[3], "1,16,3,a1c1,false,-400,,,-400");
    assert_eq!(lines[7], "1,16,7,g1f1,false,-10000,-3,-10000,-10000");
    assert_eq!(fs::read_dir(out).expect("a directory").count(), 2);
}

#[test]
fn a_directory_that_cannot_be_is_told() {
    let (directory, mut study) = study();
    study.import(line().as_bytes()).expect("imported");
    let file = directory.path().join("file");
    fs::write(&file, "").expect("a file");
    let view = study.view(None, None).expect("a view");
    let error = study.export(&view, &file, Format::Csv).expect_err("a file");
    assert!(matches!(error, ExportError::Write { .. }));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_the_remedy_is_told() {
    let (directory, mut study) = study();
    study.import(line().as_bytes()).expect("imported");
    let view = study.view(None, None).expect("a view");
    let error = study.export(&view, directory.path(), Format::Parquet);
    let error = error.expect_err("no Parquet").to_string();
    assert!(error.contains("--features parquet"), "{error}");
}

/// What is written is read again by the library.
#[cfg(feature = "parquet")]
#[test]
fn parquet() {
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::RowAccessor,
    };
    let (directory, mut study) = study();
    study.import(two_turns().as_bytes()).expect("imported");
    let view = study.view(None, None).expect("a view");
    let exported = study
        .export(&view, directory.path(), Format::Parquet)
        .expect("exported");
    let open = |index: usize| {
        let file = fs::File::open(&exported.files[index]).expect("a file");
        SerializedFileReader::new(file).expect("Parquet")
    };
    let turns: Vec<_> = open(0)
        .get_row_iter(None)
        .expect("rows")
        .flatten()
        .collect();
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[1].get_string(4).expect("a player"), "A");
    assert!(turns[1].get_int(7).is_err(), "no rating");
    assert_eq!(turns[0].get_string(15).expect("a reason"), "opening");
    let moves: Vec<_> = open(1)
        .get_row_iter(None)
        .expect("rows")
        .flatten()
        .collect();
    assert_eq!(moves.len(), 8);
    assert_eq!(moves[6].get_int(6).expect("a mate"), -3);
    assert!(moves[0].get_bool(4).expect("whether it was played"));
    assert!(moves[2].get_int(7).is_err(), "no score at depth 1");
}

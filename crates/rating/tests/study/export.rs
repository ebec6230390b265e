//! Tables for other programs.

use std::fs;

use errare_core::Cancel;
use errare_rating::export::{ExportError, ExportFormat};

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
    let exported = study
        .export(&view, &out, ExportFormat::Csv, &())
        .expect("exported");
    assert_eq!((exported.turns, exported.moves), (2, 8));
    let turns = fs::read_to_string(out.join("turns.csv")).expect("a file");
    let expected = "\
game,ply,move_number,colour,player,elo,opponent,opponent_elo,event,site,round,date,time_control,result,fen,\
played,san,clock,exclusion,legal,played_rank,best_cp,played_cp,cost,engine,net,depth
1,4,3,white,A,2700,B,,Cup,,,2015.09.15,,,6k1/8/8/8/8/8/q7/R5K1 w - - 1 3,a1a2,Rxa2,61.5,opening,,,,,,Stockfish 15.1,,2
1,16,9,white,A,2700,B,,Cup,,,2015.09.15,,,6k1/8/8/8/8/8/q7/R5K1 w - - 0 9,a1a2,Rxa2,61.5,decided,8,1,550,550,0,Stockfish 15.1,,2
";
    assert_eq!(turns, expected);
    let moves = fs::read_to_string(out.join("moves.csv")).expect("a file");
    let lines: Vec<&str> = moves.lines().collect();
    assert_eq!(
        lines[0],
        "game,ply,rank,uci,san,played,cp,mate,cost,cp_1,cp_2"
    );
    assert_eq!(lines[1], "1,16,1,a1a2,Rxa2,true,550,,0,500,550");

    let costs = errare_rating::costs(&[5.5, -4.0, -4.0, -4.1, -4.2, -4.3, -100.0, -100.0]);
    let third = format!("1,16,3,a1c1,Rc1,false,-400,,{},,-400", costs[2]);
    assert_eq!(lines[3], third);
    let seventh = format!("1,16,7,g1f1,Kf1,false,-10000,-3,{},-10000,-10000", costs[6]);
    assert_eq!(lines[7], seventh);
    assert_eq!(fs::read_dir(out).expect("a directory").count(), 2);
}

#[test]
fn a_directory_that_cannot_be_is_told() {
    let (directory, mut study) = study();
    study.import(line().as_bytes()).expect("imported");
    let file = directory.path().join("file");
    fs::write(&file, "").expect("a file");
    let view = study.view(None, None).expect("a view");
    let error = study
        .export(&view, &file, ExportFormat::Csv, &())
        .expect_err("a file");
    assert!(matches!(error, ExportError::Write { .. }));
}

#[test]
fn a_stopped_export_leaves_the_old_files() {
    let (directory, mut study) = study();
    study.import(line().as_bytes()).expect("imported");
    let view = study.view(None, None).expect("a view");
    let out = directory.path().join("out");
    fs::create_dir(&out).expect("a directory");
    fs::write(out.join("turns.csv"), "old").expect("a file");
    let cancel = Cancel::default();
    cancel.cancel();
    let error = study.export(&view, &out, ExportFormat::Csv, &cancel);
    assert!(matches!(error, Err(ExportError::Stopped(_))), "{error:?}");
    let left: Vec<_> = fs::read_dir(&out).expect("a directory").collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(fs::read(out.join("turns.csv")).expect("a file"), b"old");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_it_is_said() {
    let (directory, mut study) = study();
    study.import(line().as_bytes()).expect("imported");
    let view = study.view(None, None).expect("a view");
    let error = study.export(&view, directory.path(), ExportFormat::Parquet, &());
    let error = error.expect_err("no Parquet").to_string();
    assert!(error.contains("feature `parquet`"), "{error}");
}

/// The library reads back what was written.
#[cfg(feature = "parquet")]
#[test]
fn parquet() {
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::{Field, Row},
    };
    let field = |row: &Row, name: &str| {
        let mut columns = row.get_column_iter();
        let found = columns.find(|(column, _)| *column == name);
        found.expect("a column").1.clone()
    };
    let text = |text: &str| Field::Str(text.to_owned());
    let (directory, mut study) = study();
    study.import(two_turns().as_bytes()).expect("imported");
    let view = study.view(None, None).expect("a view");
    let exported = study
        .export(&view, directory.path(), ExportFormat::Parquet, &())
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
    assert_eq!(field(&turns[1], "player"), text("A"));
    assert_eq!(field(&turns[1], "opponent_elo"), Field::Null);
    assert_eq!(field(&turns[0], "exclusion"), text("opening"));
    let moves: Vec<_> = open(1)
        .get_row_iter(None)
        .expect("rows")
        .flatten()
        .collect();
    assert_eq!(moves.len(), 8);
    assert_eq!(field(&moves[6], "mate"), Field::Int(-3));
    assert_eq!(field(&moves[0], "played"), Field::Bool(true));
    assert_eq!(field(&moves[2], "cp_1"), Field::Null);
}

//! Games as they come: with comments, variations, mistakes.

use errare_endgame::{PlayerSpec, Problem, read_games};
use proptest::prelude::*;

#[test]
fn odd_games_do_not_stop_the_others() {
    let pgn = "\
[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 {a comment} (1. d4 d5) e5 $1 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 0-1\n
[FEN \"not a position\"]\n\n1. e4 *\n
[White \"B\"]\n\n1. e4 e5 2. Ke3 d6 *\n
[FEN \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"]\n[Result \"*\"]\n\n1. Kb7 Re7+ *\n";
    let games: Vec<_> = read_games(pgn.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(
        games.iter().map(|game| game.number).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert_eq!(games[0].moves.len(), 7);
    assert!(
        matches!(&games[0].problems[..], [Problem::Result { tag, movetext }] if tag == "1-0" && movetext == "0-1")
    );
    assert!(matches!(games[1].problems[..], [Problem::Start(_)]) && games[1].moves.is_empty());
    assert!(matches!(&games[2].problems[..], [Problem::Illegal { ply: 3, san }] if san == "Ke3"));
    assert_eq!(games[2].moves.len(), 2);
    assert!(games[3].problems.is_empty() && games[3].moves.len() == 2);
}

#[test]
fn an_empty_file_has_no_games() {
    assert_eq!(read_games("".as_bytes()).count(), 0);
    assert_eq!(read_games("\n\n".as_bytes()).count(), 0);
}

proptest! {
    /// No text makes the readers of names panic, and what they print they read again.
    #[test]
    fn names_of_players(text in "(best|random|rep|predator|emulator|[a-z]{0,4})(:[a-z=,.:()0-9-]{0,30})?") {
        if let Ok(player) = text.parse::<PlayerSpec>() {
            prop_assert_eq!(player.to_string().parse::<PlayerSpec>().unwrap(), player);
        }
    }

    #[test]
    fn options_of_players(c in -50.0..50.0, kappa in 0.0..9.0, horizon in prop::option::of(0u16..99), risk: bool) {
        let mut name = format!("rep:c={c},kappa={kappa}");
        name.extend(horizon.map(|horizon| format!(",horizon={horizon}")));
        if risk {
            name += ",value=risk";
        }
        let player: PlayerSpec = name.parse().unwrap();
        prop_assert_eq!(player.to_string().parse::<PlayerSpec>().unwrap(), player);
    }

    #[test]
    fn any_bytes_as_games(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for game in read_games(&bytes[..]) {
            let _ = game.map(|game| game.plies().count());
        }
    }
}

//! Parsing and printing names of players.

use errare_players::PlayerName;
use proptest::prelude::*;

fn refusal(name: &str) -> String {
    name.parse::<PlayerName>().unwrap_err().to_string()
}

proptest! {
    /// No text makes the parser of names panic, and it parses what it prints.
    #[test]
    fn any_text(
        text in "(best|random|rep|predator|emulator|human|uci|minimax|zero|[a-z]{0,4})(:[a-z=,.:()/0-9-]{0,30})?"
    ) {
        if let Ok(player) = text.parse::<PlayerName>() {
            prop_assert_eq!(player.to_string().parse::<PlayerName>().unwrap(), player);
        }
    }

    #[test]
    fn names_with_options(
        name in "best|random|rep:c=[1-9]{1,2}|predator:plies=4|emulator:c=1?[0-9]|human:elo=[12][0-9]{3}",
        engine in prop::option::of("[a-z/=.-]{1,12}"),
        depth in prop::option::of(1u8..=100),
    ) {
        let mut options = Vec::new();
        options.extend(engine.as_ref().map(|engine| format!("engine={engine}")));
        options.extend(depth.filter(|_| engine.is_some()).map(|depth| format!("depth={depth}")));
        let separator = if name.contains(':') { "," } else { ":" };
        let text = match options.is_empty() {
            true => name,
            false => format!("{name}{separator}{}", options.join(",")),
        };
        let player: PlayerName = text.parse().unwrap();
        prop_assert_eq!(&player.to_string().parse::<PlayerName>().unwrap(), &player);
        let json = serde_json::to_string(&player).unwrap();
        prop_assert_eq!(serde_json::from_str::<PlayerName>(&json).unwrap(), player);
    }
}

#[test]
fn names_are_written_in_one_way() {
    for (text, written) in [
        ("human:elo=1800", "human:elo=1800,depth=8"),
        ("human:depth=10,elo=1800", "human:elo=1800,depth=10"),
        ("uci", "uci:depth=8"),
        ("uci:stockfish", "uci:stockfish,depth=8"),
        ("uci:depth=3", "uci:depth=3"),
        ("best:engine=stockfish", "best:engine=stockfish,depth=8"),
        ("rep:engine=x,c=20", "rep:c=20,engine=x,depth=8"),
        ("zero:depth=2", "zero:depth=2"),
    ] {
        let player: PlayerName = text.parse().unwrap();
        assert_eq!(player.to_string(), written);
    }
}

#[test]
fn refusals_help() {
    for (name, why) in [
        ("nobody", "there is no player \"nobody\""),
        ("nobody:c=3", "minimax:depth=3"),
        ("human", "needs a rating"),
        ("human:elo=50", "from 100 to 5000"),
        ("human:elo=2000,style=wild", "it has elo, engine and depth"),
        ("uci:stockfish,depth=0", "from 1 to 100"),
        ("uci:stockfish,time=3", "has no option"),
        ("rep", "needs an option c"),
        ("rep:c=20,depth=8", "name an engine as well"),
        ("rep:c=20,wild", "has no option \"wild\""),
        ("minimax", "needs a depth"),
    ] {
        assert!(refusal(name).contains(why), "{}", refusal(name));
    }
}

//! Parsing and printing names of players.

use errare_endgame::PlayerSpec;
use proptest::prelude::*;

proptest! {
    /// No text makes the parsers of names panic, and they parse what they print.
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
}

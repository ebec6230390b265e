//! Names an endgame and converts its depths: `cargo run -p errare-core --example depths`.

use std::error::Error;

use errare_core::{Material, Metric, Outcome, Plies, parse_position};
use shakmaty::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let position = parse_position("8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1")?;
    let (endgame, _) = Material::of(position.board());
    assert_eq!(endgame, "KRvKQ".parse()?, "one table serves both colours");

    let outcome = Outcome::Win(Plies(61));
    let moves = outcome.moves_in(Metric::Dtc).ok_or("a win has a depth")?;
    assert_eq!(moves.0, 31);
    println!("{endgame}: a win in 61 plies takes the winner {moves} moves");
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}

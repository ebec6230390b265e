//! Ten short games between two players by name: `cargo run -p errare-players --example duel`.

use std::error::Error;

use errare_players::{Match, Means, PlayerName};
use shakmaty::Chess;

fn main() -> Result<(), Box<dyn Error>> {
    let hire = |name: &str| -> Result<_, Box<dyn Error>> {
        Ok(name.parse::<PlayerName>()?.hire(&Means::default())?)
    };
    let (white, black) = (hire("minimax:depth=1")?, hire("random")?);
    let games = Match {
        players: [&white, &black],
        starts: &[Chess::default()],
        games: 10,
        swap: true,
        seed: 1,
        most_moves: 30,
    };
    for played in games.play(2, &())? {
        println!("{:?} after {} plies", played.finish, played.plies);
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}

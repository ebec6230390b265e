//! The first moves that random minimaxing prefers: `cargo run -p errare-minimax --example opening`.

use std::error::Error;

use errare_minimax::{Alpha, Shape, Terminals, Ties, probabilities};
use shakmaty::Chess;

fn main() -> Result<(), Box<dyn Error>> {
    let position = Chess::default();
    let shape = Shape::of(&position, 3.try_into()?, Terminals::Recognised);
    let moves = probabilities(&shape, Alpha::CONTINUOUS, Ties::Uniform, 1e-6);
    println!(
        "{} leaves, probabilities that sum to {:.6}",
        shape.leaves(),
        moves.certificate()
    );
    assert!((moves.certificate() - 1.0).abs() < 1e-6);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}

//! Infers a competence from three choices: `cargo run -p errare-choice --example posterior`.

use std::error::Error;

use errare_choice::{Kappa, Posterior, Preference, PriorShape, Profile, State};

fn main() -> Result<(), Box<dyn Error>> {
    let preference = Preference::new(Kappa::ONE, 32, 4);
    let mut posterior = Posterior::new("0(1)50".parse()?, &PriorShape::Uniform);
    // Each turn has a best move, a move that cedes one, and two that cede five.
    for (depth, ceded) in [(30, 0), (29, 1), (29, 0)] {
        let options = [depth, depth + 1, depth + 5, depth + 5].map(State::Win);
        let profile = Profile::new(options.map(|state| (preference.aversion(state), 1.0)));
        posterior.observe(&profile, preference.aversion(State::Win(depth + ceded)));
        let c = posterior.summary().ok_or("no competence explains this")?;
        println!("c = {:.1} ± {:.1}", c.mean, c.sd);
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}

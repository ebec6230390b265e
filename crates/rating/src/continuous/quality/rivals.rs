//! How well the paper's model and the blend predict the same turns.

use std::collections::BTreeMap;

use errare_choice::{Agent, ChoiceProbabilities, Curve, Link};
use errare_core::Watch;

use super::{
    super::{
        choices::{Choices, Stretch},
        fit::FitError,
    },
    folds::{FOLDS, part_of_game},
    hundred,
};
use crate::{
    AgentModel, Estimator, Sample,
    fit::search,
    model::{Family, Free},
};

/// The mean -ln p, in held-out games, of agents with these links, fitted by likelihood to each class of a hundred Elo.
pub(in super::super) fn agents_losses<const LINKS: usize>(
    choices: &Choices,
    links: [Link; LINKS],
    watch: &dyn Watch,
) -> Result<[f64; LINKS], FitError> {
    let mut groups: BTreeMap<u16, Vec<&Stretch>> = BTreeMap::new();
    for stretch in choices.stretches() {
        if let Some(elo) = stretch.elo {
            groups.entry(hundred(elo)).or_default().push(stretch);
        }
    }
    watch.begin("fitting other models", Some((LINKS * groups.len()) as u64));
    let mut losses = [0.0; LINKS];
    for (loss, link) in losses.iter_mut().zip(links) {
        *loss = agents_loss(choices, &groups, link, watch)?;
    }
    Ok(losses)
}

fn agents_loss(
    choices: &Choices,
    groups: &BTreeMap<u16, Vec<&Stretch>>,
    link: Link,
    watch: &dyn Watch,
) -> Result<f64, FitError> {
    let model = AgentModel::new(Curve::InverseExponential, link);
    let (mut loss, mut turns) = (0.0, 0);
    for group in groups.values() {
        for fold in 0..FOLDS {
            watch.check()?;
            let mut sample = Sample::default();
            let others = group.iter().filter(|it| part_of_game(it) != fold);
            for turn in others.flat_map(|it| it.turns.clone()) {
                let turn = choices.turn(turn);
                sample.push_costs(turn.costs, &[], turn.played);
            }
            let agent = if sample.is_empty() {
                // A class with a single game leaves nothing to fit to, so take the middle of the
                // paper's values.
                Agent::of_paper(0.11, 0.5)
            } else {
                let family = Free::new(&model);
                family.agent(&search(&sample, &family, Estimator::Likelihood, watch)?.at)
            };
            let mut choice = ChoiceProbabilities::default();
            let mine = group.iter().filter(|it| part_of_game(it) == fold);
            for turn in mine.flat_map(|it| it.turns.clone()) {
                let turn = choices.turn(turn);
                let logs: Vec<f64> = turn.costs.iter().map(|cost| cost.ln()).collect();
                choice.make(&agent, &[&logs], &[]);
                loss -= choice.log_probability(turn.played);
                turns += 1;
            }
        }
        watch.advance(1);
    }
    Ok(loss / turns.max(1) as f64)
}

//! Games of the prey against a player that resists, to be simulated.

use super::{Aim, Hunt, HuntError, Prey, Resistance, Scope, Solved, nodes::Nodes, policy::Replies};
use crate::{Simulator, exact::ACHIEVED};

impl Hunt<'_> {
    /// A simulator of games from a node, for hunts that include the prey's wins, which it keeps. The hunter plays by
    /// the given expected lengths, which it has maximised; others ignore them.
    pub fn simulator(
        &self,
        prey: Prey,
        resistance: Resistance,
        lengths: &Solved,
        node: usize,
        memory: u64,
    ) -> Result<Simulator, HuntError> {
        if self.quarry.scope != Scope::Wins {
            return Err(HuntError::NotFollowed);
        }
        let model = self.model(prey)?;
        let replies = self.replies(&model, Aim::Length, resistance);
        let (prey, hunter) = (&self.graph.prey, &self.graph.hunter);
        let answers = match &replies {
            Replies::Fixed(chosen) => chosen.iter().filter(|chosen| **chosen).count(),
            Replies::Greatest | Replies::Least => hunter.len(),
        };
        let nodes = prey.len() + hunter.len();
        // Lengths and chances are in memory already.
        let solved = 3 * prey.len() as u64 * size_of::<f64>() as u64;
        let games = Simulator::bytes(nodes, prey.targets.len(), answers);
        let needed = prey.bytes() + hunter.bytes() + solved + games;
        HuntError::refuse_beyond(memory, needed, self.quarry.material)?;
        let mut values = prey.values();
        values[..prey.len()].copy_from_slice(lengths.values());
        let node_of = |nodes: &Nodes, target: u32| match (target as usize) < nodes.len() {
            true => target,
            false => ACHIEVED,
        };
        let moves = |node| {
            let (targets, states) = prey.moves(node);
            let weights = model.weights(states);
            let weights = states.iter().map(|&state| weights[usize::from(state)]);
            let targets = targets.iter().map(|&target| node_of(hunter, target));
            weights.zip(targets).collect()
        };
        let replies = |node| {
            let chosen = replies.chosen(hunter, node, &values).into_iter();
            chosen.map(|target| node_of(prey, target)).collect()
        };
        Ok(Simulator::new(
            node,
            [prey.len(), prey.targets.len()],
            moves,
            [hunter.len(), answers],
            replies,
        ))
    }
}

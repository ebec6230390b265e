//! Tables kept in memory, for tests.

use std::{collections::HashMap, convert::Infallible, ops::ControlFlow, sync::Arc};

use errare_core::Material;
use shakmaty::Color;

use super::{Family, LoadedSlice, Sink, SubgameSlice, Subgames, Watch, generate};
use crate::{
    Layer, Layout, Value,
    geometry::{Sq, Symmetry},
    layout::side,
};

/// The values of a layer for both sides to move.
pub(crate) type Values = [Vec<Value>; 2];

/// Solved endgames of one family.
pub(crate) struct Memory {
    family: Family,
    pub(crate) tables: HashMap<(Material, Layer), Values>,
    pub(crate) layouts: HashMap<Material, Arc<Layout>>,
}

impl Memory {
    /// Solves an endgame and all its subgames.
    pub(crate) fn solve(material: Material, family: Family) -> Memory {
        let mut memory = Memory {
            family,
            tables: HashMap::new(),
            layouts: HashMap::new(),
        };
        for material in Material::closure([material]) {
            let layout = Arc::new(Layout::new(material).unwrap());
            let mut taken = Taken::default();
            generate(&layout, family, &memory, &NoWatch, &mut taken)
                .unwrap_or_else(|_| panic!("cannot generate {material}"));
            memory.layouts.insert(material, layout);
            for (layer, values) in taken.0 {
                memory.tables.insert((material, layer), values);
            }
        }
        memory
    }
}

#[derive(Default)]
struct Taken(HashMap<Layer, Values>);

impl Sink for Taken {
    type Error = Infallible;

    fn take(&mut self, layer: Layer, turn: Color, values: &[Value]) -> Result<(), Infallible> {
        self.0.entry(layer).or_default()[side(turn)].extend(values);
        Ok(())
    }
}

struct NoWatch;

impl Watch for NoWatch {
    fn ply(&self, _: usize, _: Layer, _: u16) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Subgames for Memory {
    type Error = Infallible;

    fn load(
        &self,
        material: Material,
        turn: Color,
        pawns: &[Sq],
    ) -> Result<LoadedSlice, Infallible> {
        let layout = &self.layouts[&material];
        let (slice, symmetry) = match layout.pawns.find(pawns) {
            Some(stored) => (stored.slice, stored.symmetry),
            None => (0, Symmetry::IDENTITY),
        };
        let values = &self.tables[&(material, self.family.layer())][side(turn)];
        let values = &values[slice * layout.slice_len()..][..layout.slice_len()];
        let mut palette: Vec<Value> = values.to_vec();
        palette.sort_unstable();
        palette.dedup();
        let codes = values
            .iter()
            .map(|value| palette.binary_search(value).unwrap() as u8)
            .collect();
        let slice = SubgameSlice::new(layout.clone(), slice, turn, codes, &palette);
        Ok(LoadedSlice {
            slice: Arc::new(slice),
            symmetry,
        })
    }
}

#[cfg(test)]
mod tests {
    use errare_core::Metric;

    use super::*;

    #[test]
    fn maxima() {
        for (name, family) in std::env::var("EG").unwrap().split(',').flat_map(|n| {
            [Family::Mate, Family::Conversion, Family::Rule].map(|f| (n.to_string(), f))
        }) {
            let material: Material = name.parse().unwrap();
            let t = std::time::Instant::now();
            let memory = Memory::solve(material, family);
            for layer in [Metric::Dtm, Metric::Dtc, Metric::Dtz, Metric::Dtr]
                .map(Layer::Metric)
                .into_iter()
                .chain([Layer::Dtz50])
            {
                if let Some(values) = memory.tables.get(&(material, layer)) {
                    for turn in Color::ALL {
                        let values = &values[side(turn)];
                        let win = values
                            .iter()
                            .filter_map(|v| v.outcome())
                            .filter(|o| o.sign() > 0)
                            .filter_map(|o| o.plies())
                            .max();
                        let loss = values
                            .iter()
                            .filter_map(|v| v.outcome())
                            .filter(|o| o.sign() < 0)
                            .filter_map(|o| o.plies())
                            .max();
                        println!("{name} {layer} {turn} win {win:?} loss {loss:?}");
                    }
                }
            }
            println!("{:?}", t.elapsed());
        }
    }
}

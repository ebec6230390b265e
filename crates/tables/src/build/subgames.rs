//! Reads subgames from the store for a solution and caches the most recent ones.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use errare_core::{Material, Outcome};
use shakmaty::Color;

use crate::{
    FileError, Layer, Layout, Store, Value,
    generate::{LoadedSlice, SubgameSlice, Subgames},
    geometry::{Sq, Symmetry},
};

/// Size of the cache of subgames, in bytes.
pub(crate) const SUBGAME_CACHE: u64 = 640 << 20;

type Key = (Material, Color, usize);

/// The subgames of one layer in a store.
pub(crate) struct StoredSubgames<'a> {
    store: &'a Store,
    layer: Layer,
    layouts: Mutex<HashMap<Material, Arc<Layout>>>,
    /// The most recently used last.
    loaded: Mutex<Vec<(Key, Arc<SubgameSlice>)>>,
}

impl<'a> StoredSubgames<'a> {
    pub(crate) fn new(store: &'a Store, layer: Layer) -> StoredSubgames<'a> {
        StoredSubgames {
            store,
            layer,
            layouts: Mutex::default(),
            loaded: Mutex::default(),
        }
    }

    fn layout(&self, material: Material) -> Arc<Layout> {
        let mut layouts = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(Layout::new(material).expect("subgames are smaller than tables"));
        Arc::clone(layouts.entry(material).or_insert_with(make))
    }

    /// A slice from the cache, now the most recently used.
    fn recall(&self, key: Key) -> Option<Arc<SubgameSlice>> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let position = loaded.iter().position(|(other, _)| *other == key)?;
        let entry = loaded.remove(position);
        let slice = Arc::clone(&entry.1);
        loaded.push(entry);
        Some(slice)
    }

    /// Caches a slice and evicts the least recently used ones.
    fn keep(&self, key: Key, slice: Arc<SubgameSlice>) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.push((key, slice));
        let mut total: u64 = loaded.iter().map(|(_, slice)| slice.len() as u64).sum();
        while total > SUBGAME_CACHE && loaded.len() > 1 {
            total -= loaded.remove(0).1.len() as u64;
        }
    }

    fn read(
        &self,
        layout: Arc<Layout>,
        turn: Color,
        number: usize,
    ) -> Result<SubgameSlice, FileError> {
        let material = layout.material();
        let table = self
            .store
            .table(material, self.layer)?
            .ok_or_else(|| FileError::Read {
                path: self.store.path(material, self.layer),
                source: std::io::ErrorKind::NotFound.into(),
            })?;
        table.check_layout(&layout)?;
        table.check_codes()?;
        let len = layout.slice_len();
        let codes = table.codes(turn, (number * len) as u64, len)?;
        let palette: Vec<Value> = table
            .palette(turn)
            .iter()
            .map(|&o: &Outcome| o.into())
            .collect();
        Ok(SubgameSlice::new(layout, number, turn, codes, &palette))
    }
}

impl Subgames for StoredSubgames<'_> {
    type Error = FileError;

    fn load(
        &self,
        material: Material,
        turn: Color,
        pawns: &[Sq],
    ) -> Result<LoadedSlice, FileError> {
        let layout = self.layout(material);
        let (number, symmetry) = match layout.pawns.find(pawns) {
            Some(stored) => (stored.slice, stored.symmetry),
            None => (0, Symmetry::IDENTITY),
        };
        let key = (material, turn, number);
        let slice = match self.recall(key) {
            Some(slice) => slice,
            None => {
                let slice = Arc::new(self.read(layout, turn, number)?);
                self.keep(key, Arc::clone(&slice));
                slice
            }
        };
        Ok(LoadedSlice { slice, symmetry })
    }
}

use std::collections::HashMap;

use super::Slot;

#[derive(Debug, Clone, Default)]
pub struct LayerIds {
    /// The ids in use, and how often each was requested.
    used: HashMap<String, usize>,
}

impl LayerIds {
    pub fn next(&mut self, slot: Slot, name: &str) -> String {
        let plain = format!("{}/{name}", slot.into_str());
        let mut id = plain.clone();
        while self.used.contains_key(&id) {
            let count = self.used.entry(plain.clone()).or_default();
            *count += 1;
            id = format!("{plain}#{}", *count + 1);
        }
        self.used.insert(id.clone(), 0);
        id
    }
}

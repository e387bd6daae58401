//! `[[skills.config]]`, which switches skills on and off.

use std::collections::HashMap;

use crate::agents::codex::folders::{Folders, joined_or_home};
use crate::agents::codex::settings::Settings;
use crate::agents::visit::Visit;
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::Span;

/// The switches of the user's settings. The last one that fits a skill counts.
pub(super) struct Switches<'s> {
    list: &'s [YamlNode],
    /// The index of the last one with a name.
    by_name: HashMap<String, usize>,
    /// The index of the last one with a real path.
    by_path: HashMap<String, usize>,
}

impl<'s> Switches<'s> {
    pub fn new(visit: &Visit<'_>, folders: &Folders, settings: &'s Settings) -> Self {
        let list = settings.user.at("skills.config").and_then(YamlNode::as_list).unwrap_or_default();
        let mut switches = Self { list, by_name: HashMap::new(), by_path: HashMap::new() };
        for (index, switch) in list.iter().enumerate() {
            let text = |key: &str| switch.get(key)?.as_str();
            match (text("name"), text("path")) {
                (Some(name), None) => drop(switches.by_name.insert(name.trim().to_string(), index)),
                (None, Some(path)) => {
                    let real = visit.files.real(&joined_or_home(visit, &folders.home, path));
                    switches.by_path.insert(real, index);
                }
                _ => {}
            }
        }
        switches
    }

    /// The place of the switch that turns a skill off, if the last one that fits does so.
    pub fn off(&self, name: &str, real: &str) -> Option<Option<Span>> {
        let last = self.by_name.get(name).max(self.by_path.get(real))?;
        let last = self.list.get(*last)?;
        let is_on = matches!(last.get("enabled").map(|it| &it.data), Some(YamlData::Scalar(Value::Bool(true))));
        (!is_on).then(|| last.span.clone())
    }
}

//! `[[skills.config]]`, which switches skills on and off.

use crate::agents::codex::folders::{Folders, joined_or_home};
use crate::agents::visit::Visit;
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::Span;

/// The place of the switch that turns a skill off, if the last one that fits does so.
pub(super) fn switched_off(
    visit: &Visit<'_>,
    folders: &Folders,
    switches: &[YamlNode],
    name: &str,
    real: &str,
) -> Option<Option<Span>> {
    let text = |switch: &YamlNode, key: &str| Some(switch.get(key)?.as_str()?.to_string());
    let fits = |switch: &&YamlNode| match (text(switch, "name"), text(switch, "path")) {
        (Some(named), None) => named.trim() == name,
        (None, Some(path)) => visit.files.real(&joined_or_home(visit, &folders.home, &path)) == real,
        _ => false,
    };
    let last = switches.iter().rfind(fits)?;
    let is_on = matches!(last.get("enabled").map(|it| &it.data), Some(YamlData::Scalar(Value::Bool(true))));
    (!is_on).then(|| last.span.clone())
}

//! `agents/openai.yaml` beside a skill, which may hide it from the model.

use serde::Deserialize;

use super::SLOT;
use crate::agents::files::{below, parent};
use crate::agents::visit::Visit;
use crate::prompt::FileReason;
use crate::read::store::PathKind;
use crate::read::yaml::read_lenient;

#[derive(Deserialize, Default)]
struct Metadata {
    #[serde(rename = "interface")]
    _interface: Option<Interface>,
    policy: Option<Policy>,
}

#[derive(Deserialize)]
struct Interface {
    #[serde(rename = "display_name")]
    _display_name: Option<String>,
    #[serde(rename = "short_description")]
    _short_description: Option<String>,
}

#[derive(Deserialize)]
struct Policy {
    allow_implicit_invocation: Option<bool>,
    #[serde(default)]
    products: Vec<Product>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Product {
    Chatgpt,
    Codex,
    Atlas,
}

/// Whether the file beside a skill hides it. A file that is not valid hides nothing.
pub(super) fn hides(visit: &mut Visit<'_>, skill: &str) -> bool {
    let path = below(parent(skill).unwrap_or("/"), "agents/openai.yaml");
    if visit.kind(&path) != Some(PathKind::File) {
        return false;
    }
    let text = visit.bytes(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(metadata) = text.and_then(|text| read_lenient::<Metadata>(&text).ok()) else {
        visit.left_out(SLOT, &path, FileReason::Invalid, None);
        return false;
    };
    visit.applied(&path);
    metadata.policy.is_some_and(|Policy { allow_implicit_invocation, products }| {
        allow_implicit_invocation == Some(false) || !(products.is_empty() || products.contains(&Product::Codex))
    })
}

use crate::lint::rules::{Findings, Project};
use crate::read::store::TierKind;
use crate::read::trust::{KEY_FOLDER, SignatureVerdict, Trust};

use super::signature::by_key;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let is_own = |trust: &Trust| matches!(&trust.verdict, SignatureVerdict::Valid(by) if by.tier == TierKind::Project);
    for (key, files) in by_key(project, is_own) {
        let Some(first) = files.first() else { continue };
        let path = format!("{KEY_FOLDER}/{key}.toml");
        let file = project.linted().find(|file| file.path == path);
        let items = if files.len() == 1 { "an item" } else { "its items" };
        let message = format!("only the project trusts the key `{key}`, which signed {items}");
        let finding = found.at(project.location(file.unwrap_or(first)), message);
        finding.related_if(file.map(|_| project.location(first)), "signed with this key");
    }
}

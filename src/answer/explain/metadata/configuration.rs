//! What configuration files declare.

use std::sync::Arc;

use super::Metadata;
use crate::prompt::ConfigurationSection;
use crate::read::yaml::{self, DocumentKey, YamlData, YamlNode};
use crate::text::Span;

/// Each file is parsed once.
pub(super) fn of_configuration(sections: &[ConfigurationSection]) -> Vec<Metadata> {
    let mut all = Vec::new();
    for sections in sections.chunk_by(|left, right| Arc::ptr_eq(left.span.source(), right.span.source())) {
        let source = sections[0].span.source();
        // It was parsed before, so parsing cannot fail.
        let Ok(file) = yaml::load(&source.whole()) else { continue };
        let mut aliased = Vec::new();
        for (index, ConfigurationSection { key, span }) in sections.iter().enumerate() {
            // The last value of a repeated key wins.
            let again = sections[index + 1..].iter().any(|later| later.key == *key);
            let Some(node) = file.node.get(key).filter(|_| !again) else { continue };
            all.push(Metadata::line(*key, node.value(), span));
            elsewhere(node, span, &mut aliased);
        }
        // A key whose value a section uses through an alias is a declaration, too.
        for DocumentKey { name, span } in &file.keys {
            let holds = aliased.iter().any(|&at| span.range().contains(&at));
            if let Some(key) = name.as_str().filter(|_| holds && sections.iter().all(|section| section.span != *span)) {
                let value = file.node.get(key).map(YamlNode::value).unwrap_or_default();
                all.push(Metadata::line(key, value, span));
            }
        }
    }
    all
}

/// The places of values that come from elsewhere in the file through an alias or a merge.
fn elsewhere(node: &YamlNode, place: &Span, found: &mut Vec<usize>) {
    if let Some(start) = node.span.as_ref().map(|span| span.range().start).filter(|at| !place.range().contains(at)) {
        found.push(start);
        return;
    }
    match &node.data {
        YamlData::Scalar(_) => {}
        YamlData::List(list) => list.iter().for_each(|node| elsewhere(node, place, found)),
        YamlData::Map(map) => map.values().for_each(|node| elsewhere(node, place, found)),
    }
}

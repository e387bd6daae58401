//! Positions of texts in files named on the command line: the origins of the prompt's text.

use crate::read::yaml::YamlNode;
use crate::text::Traced;

pub(super) fn place(text: &mut Traced, node: Option<&YamlNode>) {
    let same = node.filter(|node| node.span.is_some() && node.as_str() == Some(text.text()));
    if let Some(node) = same {
        *text = node.traced();
    }
}

pub(super) fn entries(node: Option<&YamlNode>) -> &[YamlNode] {
    node.and_then(YamlNode::as_list).unwrap_or_default()
}

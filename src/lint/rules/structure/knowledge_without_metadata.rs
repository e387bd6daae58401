use crate::diagnostic::NoXmlBlock;
use crate::lint::rules::{Findings, LintFile, Project};
use crate::read::item::{self, Knowledge, NoText, TextPlace};

use super::front;

pub fn check(file: &LintFile, knowledge: &Knowledge, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_without = match knowledge.place {
        TextPlace::Nowhere(NoText::NoBlock) => true,
        // Dashes without metadata are text.
        TextPlace::Nowhere(NoText::FrontMatter) => {
            file.path.ends_with(".md") && front::dashes(knowledge.source.text()).is_none()
        }
        _ => false,
    };
    // A README describes a folder to people.
    if !is_without || file.stem().eq_ignore_ascii_case("readme") {
        return;
    }
    let message = format!("`{}` has no ```yaml block", file.id);
    let Some((reason, at)) = item::unusable(&knowledge.source, "yaml") else {
        found.at(project.location(file), message);
        return;
    };
    let why = match reason {
        NoXmlBlock::Almost { line, fault } => format!("the fence on line {line} is invalid, because {fault}"),
        NoXmlBlock::NeverClosed { line } => format!("the one on line {line} is never closed"),
        NoXmlBlock::Hidden { line, by } => format!("the one on line {line} is inside the longer fence on line {by}"),
        NoXmlBlock::ByteOrderMark => "a byte order mark precedes it".to_string(),
        NoXmlBlock::Absent | NoXmlBlock::ForPeople => return,
    };
    found.at(&at, format!("{message}: {why}")).help("open the block with a ```yaml line and close it with a ``` line");
}

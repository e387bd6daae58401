use crate::lint::project::FileKind;
use crate::lint::rules::{Edit, Findings, ItemKind, LintFile, Project};
use crate::read::item::{NoText, TextPlace};
use crate::read::protocol::HookText;
use crate::read::yaml;

use super::front;

pub fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let (FileKind::Item(ItemKind::Directive | ItemKind::Knowledge), Some(source)) = (file.kind, &file.source) else {
        return;
    };
    let is_all = file.knowledge().is_some_and(|item| matches!(item.place, TextPlace::Nowhere(NoText::FrontMatter)));
    let is_left_out = project.protocol.hook_text == HookText::TextOrFile;
    let Some((first, last)) = front::dashes(source.text()) else {
        let dashes = file.knowledge().filter(|_| is_all).and_then(|item| item.declarations.first());
        let message = match (is_left_out, file.path.ends_with(".md")) {
            (true, _) => "a knowledge item that begins with `---` is left out of every prompt",
            // The rest of a YAML file that begins with dashes is not read.
            (false, false) => "a YAML file that begins with `---` has neither name nor `body`",
            (false, true) => return,
        };
        if let Some(dashes) = dashes {
            found.at(&dashes.span, message);
        }
        return;
    };
    let metadata = first.end + 1..last.start;
    let (first, last) = (source.span(first), source.span(last));
    let message = match file.kind {
        FileKind::Item(ItemKind::Directive) => "metadata between `---` lines is not read in a directive",
        _ if is_all && is_left_out => {
            "metadata between `---` lines leaves the item out of every prompt; metadata belongs in a ```yaml block"
        }
        _ => "metadata between `---` lines is text; metadata belongs in a ```yaml block",
    };
    let is_fence_free = !source.text()[metadata.clone()].contains("```");
    let finding = found.at(&first, message);
    if is_all && file.path.ends_with(".md") && is_fence_free && yaml::load(&source.span(metadata)).is_ok() {
        let edits = [Edit::replace(&first, "```yaml"), Edit::replace(&last, "```")];
        finding.fix("convert it to a yaml block", edits);
    }
}

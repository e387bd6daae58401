//! No byte of a configuration file affects a prompt, or a value in it, unless the prompt names the file.

use std::time::Instant;

use rayon::prelude::*;

use crate::announce;
use crate::cases::{Case, Cases};

use super::facts::{self, Facts};
use super::project::{File, Project, Way};
use super::{Class, Counts, classify, replacements, shown, thorough};

/// The characters tried per file and case, evenly spaced; cases that share a file try different ones. All of them take
/// minutes, so `.ci/run` tries them in a separate step.
const SAMPLE: usize = 32;

#[test]
fn configuration_that_changes_a_prompt_is_named() {
    let begun = Instant::now();
    let own = Cases::own();
    let conformance = Cases::conformance();
    let cases: Vec<&Case> = own.list.iter().chain(conformance.iter().flat_map(|cases| &cases.list)).collect();
    let results: Vec<Result<Changes, String>> =
        cases.par_iter().enumerate().filter_map(|(number, case)| changes(number, case)).collect();
    let failures: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(failures.is_empty(), "{} cases:\n\n{}", failures.len(), failures[0]);

    let mut all = Changes::default();
    for changes in results.iter().flatten() {
        changes.classes.iter().for_each(|(&class, count)| *all.classes.entry(class).or_default() += count);
        all.values += changes.values;
    }
    announce(&format!(
        "mutation: configuration of {} cases, {}: {}; values: {} (in {:.0?})",
        results.len(),
        if thorough() { "every character" } else { "a sample" },
        shown(&all.classes),
        all.values,
        begun.elapsed()
    ));
    assert!(all.classes.contains_key(&Class::Entries), "no replacement changes a prompt");
    assert!(conformance.is_none() || all.values > 0, "no replacement changes a value");
}

/// The effects of the replacements in one case.
#[derive(Default)]
struct Changes {
    classes: Counts,
    /// How many change a value in a message.
    values: usize,
}

/// `None` for a case without configuration, and one that is refused.
fn changes(number: usize, case: &Case) -> Option<Result<Changes, String>> {
    let request = case.request().filter(|_| !case.is_refused())?;
    let project = Project::of(case.tiers());
    let way = Way::of_case(case.name(), case.protocol(), request);
    let (prompt, read) = project.render_recorded(&way);
    let before = Facts::of(&prompt);
    let is_configuration = |file: &&File| file.path.starts_with(".ai/config/") && read.contains(&file.to_string());
    let files: Vec<&File> = project.files.iter().filter(is_configuration).collect();
    if files.is_empty() {
        return None;
    }
    let mut changes = Changes::default();
    for file in files {
        let text = std::str::from_utf8(&file.bytes).expect("the files are UTF-8");
        let step = if thorough() { 1 } else { text.chars().count().div_ceil(SAMPLE).max(1) };
        for (at, c) in text.char_indices().skip(number % step).step_by(step) {
            if let Some(with) = replacements(at, c).into_iter().nth(number % 2) {
                let mut bytes = file.bytes.clone();
                with.encode_utf8(&mut bytes[at..at + c.len_utf8()]);
                let changed = File { bytes, ..file.clone() };
                let class = match class_of(&project, &way, &changed, at, &before) {
                    Ok((class, values)) => {
                        changes.values += usize::from(values);
                        class
                    }
                    Err(why) => {
                        return Some(Err(format!("{}: {file}: byte {at}, {c:?} became {with:?}\n{why}", way.name)));
                    }
                };
                *changes.classes.entry(class).or_default() += 1;
            }
        }
    }
    Some(Ok(changes))
}

/// The class of a change, and whether a value in a message changes. The error describes what no range explains.
fn class_of(project: &Project, way: &Way, changed: &File, at: usize, before: &Facts) -> Result<(Class, bool), String> {
    let after = project.render(way, Some(changed)).filter(|after| !facts::is_unusable(after, changed));
    let Some(after) = after.as_ref().map(Facts::of) else { return Ok((Class::Unreadable, false)) };
    let byte = changed.at(at);
    let class = classify(before, &after, &byte)?;
    let values = before.changed_values(&after);
    for places in &values {
        let mut named = places.iter().filter(|place| place.file == byte.file).peekable();
        if named.peek().is_none() {
            return Err(format!("a value changes whose file is not named:\n{}", before.difference(&after)));
        }
        // Outside the value itself, such as in its key, the section that holds it changes.
        if !named.any(|place| place.holds(&byte)) && !before.entry_changes(&after, &byte) {
            return Err(format!("a value changes whose range is not named:\n{}", before.difference(&after)));
        }
    }
    Ok((class, !values.is_empty()))
}

//! No byte of a file affects a prompt unless the prompt names its range.
//!
//! Every byte of every file of a project is replaced, one at a time, and the prompt is rendered again. If the file can
//! still be read, one of these holds:
//!
//! 1. layers and decisions stay the same, and only the segments whose range contains the byte change;
//! 2. the byte lies in the range of an entry that the prompt names (the source of a layer or a decision, or a
//!    declaration), and that entry changes;
//! 3. at most the diagnostics change.

mod configuration;
mod facts;
mod project;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rayon::prelude::*;
use rye_render::internals::answer::explain::metadata::metadata;

use crate::announce;

use facts::{Facts, Place};
use project::{File, Project, Way, ways};

/// The effect of a replaced byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The prompt does not use the file.
    NotRead,
    /// The file can no longer be read.
    Unreadable,
    /// Nothing changes at all.
    Nothing,
    /// Only diagnostics change.
    Diagnostics,
    /// The segments that contain the byte change.
    Segments,
    /// A declaration that contains the byte changes, but nothing that is sent does.
    Declarations,
    /// An entry that contains the byte changes, and the prompt changes with it.
    Entries,
}

/// Replacements for ASCII characters: a letter, and one of the marks in turn, each with a meaning in some format.
const LETTERS: [char; 2] = ['x', 'y'];
const MARKS: [char; 9] = ['7', '"', ' ', '>', '\n', '-', '#', '{', '`'];

/// Two replacements for each length of non-ASCII characters, so that at least one differs from the original.
const LONGER: [[char; 2]; 3] = [['ø', 'ß'], ['→', '☃'], ['🚂', '🦀']];

/// Replacements for the character at an offset, with the same number of bytes.
fn replacements(at: usize, c: char) -> Vec<char> {
    let other = |choice: &[char]| choice.iter().copied().find(|&other| other != c);
    match c.len_utf8() {
        1 if thorough() => LETTERS.into_iter().chain(MARKS).filter(|&other| other != c).collect(),
        1 => {
            let turn = at % MARKS.len();
            let marks = [&MARKS[turn..], &MARKS[..turn]].concat();
            other(&LETTERS).into_iter().chain(other(&marks)).collect()
        }
        length => LONGER[length - 2].into_iter().filter(|&other| other != c).collect(),
    }
}

/// Whether to try every replacement, which takes minutes.
pub(super) fn thorough() -> bool {
    std::env::var_os("RYE_RENDER_EVERY_MUTATION").is_some()
}

/// The number of changes per class.
type Counts = BTreeMap<Class, usize>;

#[test]
fn every_byte_that_changes_a_prompt_is_named() {
    let begun = Instant::now();
    let project = Project::read();
    let mut files: BTreeMap<String, Counts> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut declared = BTreeSet::new();
    for way in ways() {
        let (prompt, read) = project.render_recorded(&way);
        declared.extend(metadata(&prompt).into_iter().map(|declared| declared.name));
        let before = Facts::of(&prompt);
        for file in project.files.iter().filter(|file| way.covers(file)) {
            let counts = files.entry(file.to_string()).or_default();
            if !read.contains(&file.to_string()) {
                *counts.entry(Class::NotRead).or_default() += file.bytes.len();
                continue;
            }
            let text = std::str::from_utf8(&file.bytes).expect("the files are UTF-8");
            let characters: Vec<(usize, char)> = text.char_indices().collect();
            let changes = characters.into_par_iter().flat_map_iter(|(at, c)| {
                let with = replacements(at, c).into_iter().take(way.replacements);
                with.map(move |with| Change { at, c, with })
            });
            let classes: Vec<Result<Class, String>> =
                changes.map(|change| class_of(&change, &way, &project, file, &before)).collect();
            for class in classes {
                match class {
                    Ok(class) => *counts.entry(class).or_default() += 1,
                    Err(unexplained) => failures.push(unexplained),
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} bytes change a prompt without being named:\n\n{}",
        failures.len(),
        failures[..failures.len().min(10)].join("\n\n")
    );
    report(&files, begun);
    for name in DECLARED {
        assert!(declared.contains(name), "no prompt has a {name}");
    }
}

/// What the project must declare for the test to be meaningful.
const DECLARED: [&str; 29] = [
    "after",
    "before",
    "body",
    "builtin_hooks",
    "category",
    "comment",
    "context_hooks",
    "description",
    "directive",
    "extends",
    "front matter",
    "hook",
    "hooks",
    "infra_hooks",
    "input",
    "limits",
    "model",
    "name",
    "output",
    "permission",
    "placeholder",
    "schema",
    "suppress",
    "system",
    "tool_preload",
    "version",
    "yaml block",
    // In a knowledge item that is a YAML file.
    "kind",
    "more",
];

/// A replaced character.
struct Change {
    at: usize,
    c: char,
    with: char,
}

/// The class of a change. The error describes an effect on the prompt that no range explains.
fn class_of(change: &Change, way: &Way, project: &Project, file: &File, before: &Facts) -> Result<Class, String> {
    let &Change { at, c, with } = change;
    let mut bytes = file.bytes.clone();
    with.encode_utf8(&mut bytes[at..at + c.len_utf8()]);
    let changed = File { bytes, ..file.clone() };
    let Some(after) = project.render(way, Some(&changed)).filter(|after| !facts::is_unusable(after, file)) else {
        return Ok(Class::Unreadable);
    };
    classify(before, &Facts::of(&after), &file.at(at)).map_err(|unexplained| {
        let text = String::from_utf8_lossy(&changed.bytes);
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let (line, column) = (text[..start].matches('\n').count() + 1, text[start..at].chars().count() + 1);
        let written = text[start..].lines().next().unwrap_or_default();
        format!("{}: {file}:{line}:{column}: {c:?} became {with:?}: {written}\n{unexplained}", way.name)
    })
}

/// Prints the effects per file, and checks that the test is meaningful.
fn report(files: &BTreeMap<String, Counts>, begun: Instant) {
    let mut all = Counts::new();
    for (file, counts) in files {
        announce(&format!("mutation: {file}: {}", shown(counts)));
        for (&class, count) in counts {
            *all.entry(class).or_default() += count;
        }
    }
    announce(&format!("mutation: all: {} (in {:.0?})", shown(&all), begun.elapsed()));
    let of = |class: Class| all.get(&class).copied().unwrap_or_default();
    let readable = [Class::Nothing, Class::Diagnostics, Class::Segments, Class::Declarations, Class::Entries];
    for class in readable {
        assert!(of(class) > 0, "no replacement is {class:?}");
    }
    assert!(
        readable.into_iter().map(of).sum::<usize>() > of(Class::Unreadable),
        "most replacements make the file unreadable"
    );
}

fn shown(counts: &Counts) -> String {
    counts.iter().map(|(class, count)| format!("{class:?} {count}")).collect::<Vec<_>>().join(", ")
}

/// The class of a change. The error is the part of the change that nothing explains.
fn classify(before: &Facts, after: &Facts, byte: &Place) -> Result<Class, String> {
    let same_structure = before.structure == after.structure;
    let same_text = before.same_text(after, &[]);
    if same_structure && before.says_the_same(after) {
        if same_text {
            let same = before.diagnostics == after.diagnostics;
            return Ok(if same { Class::Nothing } else { Class::Diagnostics });
        }
        let holding: Vec<Place> = before.holding(byte).chain(after.holding(byte)).collect();
        if before.same_text(after, &holding) {
            return Ok(Class::Segments);
        }
    }
    match before.entry_changes(after, byte) {
        true if same_structure && same_text => Ok(Class::Declarations),
        true => Ok(Class::Entries),
        false => Err(before.difference(after)),
    }
}

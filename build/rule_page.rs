//! Parses a page of `docs/rules/`, which defines everything about a lint rule except its check; CONTRIBUTING.md
//! describes the format. The build script turns the pages into constants; the tests parse invalid pages.

use std::fmt::Write as _;
use std::iter::Peekable;

const TABLE: &str = "| group | level | since | `--fix` |\n| --- | --- | --- | --- |\n| ";
const HELP: &str = "**What to do**: ";
/// The words of the table, with the enum variants in `src/lint/rule.rs`.
const GROUPS: [(&str, &str); 9] = [
    ("structure", "Structure"),
    ("references", "References"),
    ("inputs", "Inputs"),
    ("hooks", "Hooks"),
    ("tools", "Tools"),
    ("cost", "Cost"),
    ("trust", "Trust"),
    ("folders", "Folders"),
    ("lint", "Lint"),
];
const LEVELS: [(&str, &str); 4] =
    [("off unless selected", "Off"), ("note", "Note"), ("warning", "Warning"), ("error", "Error")];
const FIXES: [(&str, &str); 3] = [
    ("no", "None"),
    ("yes, without changing the prompt", "SamePrompt"),
    ("yes, but it changes the prompt", "ChangesPrompt"),
];

/// A line number and an error.
type Fault = (usize, String);

/// A heading or paragraph, or the content of a fenced block, with the number of its first line.
enum Block {
    Text(usize, String),
    Fence(usize, String),
}

/// The `Rule` constant that a page describes, as Rust source.
pub fn constant(code: &str, page: &str) -> Result<String, Fault> {
    let mut blocks = blocks(page)?.into_iter().peekable();
    let (at, title) = text(&mut blocks, "the title")?;
    let name = title.strip_prefix(&format!("# {code} ")).ok_or((at, format!("expected `# {code} NAME`")))?;
    let (_, message) = text(&mut blocks, "a sentence that says what the rule finds")?;
    let (at, table) = text(&mut blocks, "the table")?;
    let row = table.strip_prefix(TABLE).and_then(|row| row.strip_suffix(" |")).unwrap_or_default();
    let [group, level, since, fix] = row.split(" | ").collect::<Vec<_>>()[..] else {
        let header = TABLE.lines().next().unwrap_or_default();
        return Err((at, format!("expected a table of one row below `{header}`")));
    };
    let variant = |words: &[(&str, &'static str)], word: &str| match words.iter().find(|known| known.0 == word) {
        Some((_, variant)) => Ok(*variant),
        None => {
            let known: Vec<_> = words.iter().map(|known| known.0).collect();
            Err((at + 2, format!("unknown word `{word}`; use one of: {}", known.join(", "))))
        }
    };
    let (group, level, fix) = (variant(&GROUPS, group)?, variant(&LEVELS, level)?, variant(&FIXES, fix)?);
    let mut rationale = Vec::new();
    let help = loop {
        let (_, paragraph) = text(&mut blocks, "a paragraph that begins with `**What to do**: `")?;
        match paragraph.strip_prefix(HELP) {
            Some(help) => break plain(help),
            None => rationale.push(plain(&paragraph)),
        }
    };
    let [bad, good] = ["## Bad", "## Good"].map(|heading| example(heading, &mut blocks));
    let (bad, good) = (bad?, good?);
    compare(&bad, &good)?;
    let mut out = format!("pub(crate) const {code}: Rule = Rule {{ code: {code:?}, name: {name:?}, since: {since:?}, ");
    let (message, rationale) = (uncapitalised(&without_full_stop(plain(&message))), rationale.join("\n\n"));
    let _ = write!(out, "group: Group::{group}, level: Level::{level}, fix: FixKind::{fix}, message: {message:?}, ");
    let _ = write!(out, "help: {:?}, rationale: {rationale:?}, ", without_full_stop(help));
    for (field, Example { files, unchanged, removed, .. }) in [("bad", bad), ("good", good)] {
        let files = files.iter().map(|(name, text)| format!("ExampleFile {{ name: {name:?}, text: {text:?} }}"));
        let files = files.collect::<Vec<_>>().join(", ");
        let _ = write!(
            out,
            "{field}: RuleExample {{ files: &[{files}], unchanged: &{unchanged:?}, removed: &{removed:?} }}, "
        );
    }
    Ok(out + "};\n")
}

fn blocks(page: &str) -> Result<Vec<Block>, Fault> {
    let mut lines = page.lines().enumerate().map(|(index, line)| (index + 1, line));
    let mut blocks = Vec::new();
    let mut is_open = false;
    while let Some((at, line)) = lines.next() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        if ticks.len() >= 3 {
            let mut content = String::new();
            loop {
                let (_, line) = lines.next().ok_or((at, "this fence is never closed".to_string()))?;
                if line == ticks {
                    break;
                }
                content += line;
                content.push('\n');
            }
            blocks.push(Block::Fence(at, with_characters(&content)));
        } else if let Some(Block::Text(_, text)) = blocks.last_mut().filter(|_| is_open && !line.is_empty()) {
            text.push('\n');
            text.push_str(line);
            continue;
        } else if !line.is_empty() {
            blocks.push(Block::Text(at, line.to_string()));
            is_open = true;
            continue;
        }
        is_open = false;
    }
    Ok(blocks)
}

/// The next block, which must be a paragraph.
fn text(blocks: &mut impl Iterator<Item = Block>, expected: &str) -> Result<(usize, String), Fault> {
    match blocks.next() {
        Some(Block::Text(at, text)) => Ok((at, text)),
        Some(Block::Fence(at, _)) => Err((at, format!("expected {expected}"))),
        None => Err((1, format!("the page ends before {expected}"))),
    }
}

/// The files under a heading. A good example may refer to files of the bad one as `unchanged` or `removed`.
struct Example {
    at: usize,
    files: Vec<(String, String)>,
    unchanged: Vec<String>,
    removed: Vec<String>,
}

fn example(heading: &str, blocks: &mut Peekable<impl Iterator<Item = Block>>) -> Result<Example, Fault> {
    let (at, found) = text(blocks, heading)?;
    if found != heading {
        return Err((at, format!("expected `{heading}`")));
    }
    let mut example = Example { at, files: Vec::new(), unchanged: Vec::new(), removed: Vec::new() };
    while blocks.peek().is_some_and(|block| !matches!(block, Block::Text(_, text) if text.starts_with("## "))) {
        let (at, line) = text(blocks, "a file's name")?;
        match line.split('`').collect::<Vec<_>>()[..] {
            ["", name, ":"] => match blocks.next() {
                Some(Block::Fence(_, content)) => example.files.push((name.to_string(), content)),
                _ => return Err((at, format!("expected the content of `{name}` in a fenced block"))),
            },
            ["", name, " is a link to ", target, "."] => {
                example.files.push((format!("{name} -> {target}"), String::new()))
            }
            ["", name, " as above."] => example.unchanged.push(name.to_string()),
            ["", name, " is removed."] => example.removed.push(name.to_string()),
            _ => {
                return Err((
                    at,
                    "expected `` `PATH`: ``, a link, `` `PATH` as above. `` or `` `PATH` is removed. ``".into(),
                ));
            }
        }
    }
    Ok(example)
}

/// Checks that the good example accounts for each file of the bad one and differs from it.
fn compare(bad: &Example, good: &Example) -> Result<(), Fault> {
    let path = |name: &str| name.split(" -> ").next().unwrap_or_default().trim_end_matches(" (Latin-1)").to_string();
    let names = |example: &Example| example.files.iter().map(|(name, _)| path(name)).collect::<Vec<_>>();
    let (in_bad, in_good) = (names(bad), names(good));
    let fault = |what: String| Err((good.at, what));
    if in_bad.is_empty() || !bad.unchanged.is_empty() || !bad.removed.is_empty() {
        return Err((bad.at, "the bad example must list its files, without `as above` or `is removed`".to_string()));
    }
    let referred: Vec<String> = good.unchanged.iter().chain(&good.removed).map(|name| path(name)).collect();
    if let Some(name) = referred.iter().find(|name| !in_bad.contains(name) || in_good.contains(name)) {
        return fault(format!("`{name}` must be in the bad example, and not also in the good one"));
    }
    if let Some(name) = in_bad.iter().find(|name| !in_good.contains(name) && !referred.contains(name)) {
        return fault(format!("`{name}` of the bad example is missing; write `as above` or `is removed`"));
    }
    if let Some((name, _)) = good.files.iter().find(|file| bad.files.contains(file)) {
        return fault(format!("`{name}` does not differ; write `as above`"));
    }
    if good.files.is_empty() && good.removed.is_empty() {
        fault("the good example does not differ from the bad one".to_string())
    } else {
        Ok(())
    }
}

/// A paragraph on one line, without the backslashes that Markdown needs outside code spans.
fn plain(text: &str) -> String {
    let text = text.replace('\n', " ");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['`', '\\']) {
        let (before, special) = rest.split_at(at);
        out += before;
        let ticks = &special[..special.len() - special.trim_start_matches('`').len()];
        let taken = match special[ticks.len()..].find(ticks) {
            _ if ticks.is_empty() => {
                out.extend(special.chars().nth(1));
                1 + special.chars().nth(1).map_or(0, char::len_utf8)
            }
            Some(end) => {
                let span = end + 2 * ticks.len();
                out += &special[..span];
                span
            }
            None => {
                out += ticks;
                ticks.len()
            }
        };
        rest = &special[taken..];
    }
    out + rest
}

/// Replaces notations such as `<U+202E>` with the invisible characters that they stand for.
fn with_characters(text: &str) -> String {
    let mut parts = text.split("<U+");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, part| {
        let character = part.split_once('>').and_then(|(hex, rest)| {
            let character = char::from_u32(u32::from_str_radix(hex, 16).ok()?)?;
            Some(format!("{character}{rest}"))
        });
        out + &character.unwrap_or_else(|| format!("<U+{part}"))
    })
}

fn without_full_stop(text: String) -> String {
    text.strip_suffix('.').map(str::to_string).unwrap_or(text)
}

/// Lower-cases the first letter for use within a sentence; `YAML` stays as it is.
fn uncapitalised(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => first.to_lowercase().to_string() + chars.as_str(),
        _ => text.to_string(),
    }
}

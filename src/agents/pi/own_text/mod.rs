//! The agent's own text, read from its installed package as data: the literals of a few JavaScript files.

mod script;

use super::tools::KNOWN;
use crate::agents::files::{below, resolved};
use crate::agents::visit::Visit;
use crate::text::BaseFrom;

use script::{Piece, after, enclosed, literals};

/// In bytes.
const MOST: u64 = 1_000_000;

/// An id and the text that it stands for.
type OwnText = (String, String);

/// Reads what can be read if the package is of the release whose rules apply.
pub(super) fn learn(visit: &mut Visit<'_>) {
    let chosen = &visit.request.chosen;
    let Some(installed) = chosen.installed.as_ref().filter(|it| it.version == chosen.version) else { return };
    let root = match visit.variable("PI_PACKAGE_DIR") {
        Some(folder) => resolved(folder, &visit.request.cwd, &visit.request.home),
        None => visit.files.real(&installed.path),
    };
    let package = Package { visit, code: below(&visit.files.real(&installed.path), "dist"), root };
    let texts: Vec<OwnText> =
        [package.prompt(), package.skills(), package.tools()].into_iter().flatten().flatten().collect();
    for (id, text) in texts {
        visit.learn(&id, text, BaseFrom::Installed);
    }
}

struct Package<'v, 'a> {
    visit: &'v Visit<'a>,
    /// The folder of its code.
    code: String,
    /// The folder that its documentation is in.
    root: String,
}

impl Package<'_, '_> {
    fn file(&self, name: &str) -> Option<String> {
        let bytes = self.visit.files.read(&below(&self.code, name), MOST).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// The texts of the prompt itself.
    fn prompt(&self) -> Option<Vec<OwnText>> {
        let code = self.file("core/system-prompt.js")?;
        let mut texts = match self.visit.since("0.86.0") {
            true => self.sections(&code),
            false => self.template(&code),
        };
        texts.extend(self.rules(&code).unwrap_or_default());
        Some(texts)
    }

    /// The texts of a prompt in sections, each in an assignment.
    fn sections(&self, code: &str) -> Vec<OwnText> {
        const PREAMBLE: &str = "promptSections.preamble =";
        // The first assignment takes a custom prompt.
        let second = code.match_indices(PREAMBLE).nth(1).map(|(at, _)| &code[at..]);
        let identity = second.and_then(|code| after(code, PREAMBLE)?.text().map(str::to_string));
        let note = after(code, "promptSections.tools =").and_then(|literal| match literal.pieces.as_slice() {
            [Piece::Hole(_), Piece::Text(note)] => Some(note.strip_prefix("\n\n")?.to_string()),
            _ => None,
        });
        let docs = after(code, "promptSections.docs =").and_then(|literal| self.filled(&literal.pieces));
        let intro = enclosed(code, "function renderProjectContext", '{')
            .and_then(|body| literals(body).first()?.text().map(str::to_string));
        known([("identity", identity), ("tools_note", note), ("docs", docs), ("context_intro", intro)])
    }

    /// The texts of a prompt that is one template.
    fn template(&self, code: &str) -> Vec<OwnText> {
        let literal = after(code, "let prompt =");
        let pieces = literal.as_ref().map(|literal| literal.pieces.as_slice()).unwrap_or_default();
        let intro = context_intro(code);
        let [Piece::Text(identity), Piece::Hole(_), Piece::Text(note), Piece::Hole(_), docs @ ..] = pieces else {
            return known([("context_intro", intro)]);
        };
        let identity = identity.strip_suffix("\n\nAvailable tools:\n").map(str::to_string);
        let note = note.strip_prefix("\n\n").and_then(|note| note.strip_suffix("\n\nGuidelines:\n"));
        let docs = self.filled(docs).and_then(|docs| docs.strip_prefix("\n\n").map(str::to_string));
        let note = note.map(str::to_string);
        known([("identity", identity), ("tools_note", note), ("docs", docs), ("context_intro", intro)])
    }

    /// A text with the paths of the documentation in its holes.
    fn filled(&self, pieces: &[Piece]) -> Option<String> {
        let path =
            |hole: &str| match hole.trim_start_matches("get").trim_end_matches("()").to_ascii_lowercase().as_str() {
                "readmepath" => Some("README.md"),
                "docspath" => Some("docs"),
                "examplespath" => Some("examples"),
                _ => None,
            };
        pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => Some(text.clone()),
                Piece::Hole(hole) => Some(below(&self.root, path(hole)?)),
            })
            .collect()
    }

    /// The rules that belong to no tool, in the order in which the code adds them.
    fn rules(&self, code: &str) -> Option<Vec<OwnText>> {
        let (add, ids): (_, &[&str]) = match () {
            () if self.visit.since("0.86.0") => {
                ("addRule(", &["shell_both", "shell_powershell", "shell_bash", "concise", "paths"])
            }
            () if self.visit.since("0.84.0") => {
                ("addGuideline(", &["shell_both", "shell_powershell", "shell_bash", "concise", "paths"])
            }
            () if self.visit.since("0.73.1") => ("addGuideline(", &["shell_bash", "shell_prefer", "concise", "paths"]),
            () => (
                "addGuideline(",
                &["shell_bash", "shell_prefer", "read_before_edit", "edit", "write", "summary", "concise", "paths"],
            ),
        };
        let added = literals(code).into_iter().filter(|literal| code[..literal.start].ends_with(add));
        let texts: Vec<String> = added.map(|literal| literal.text().map(str::to_string)).collect::<Option<_>>()?;
        (texts.len() == ids.len()).then(|| ids.iter().map(|id| format!("rule_{id}")).zip(texts).collect())
    }

    /// The sentences before the list of skills, for each way to read them.
    fn skills(&self) -> Option<Vec<OwnText>> {
        let code = self.file("core/skills.js")?;
        let body = enclosed(&code, "function formatSkillsForPrompt", '{')?;
        let lines = enclosed(body, "const lines =", '[')?;
        let found = literals(lines).into_iter().filter(|literal| !lines[..literal.start].trim_end().ends_with("==="));
        let texts: Vec<String> = found.map(|literal| literal.text().map(str::to_string)).collect::<Option<_>>()?;
        let end = texts.iter().position(String::is_empty)?;
        let [first, by_reader @ .., last] = &texts[..end] else { return None };
        let first = first.strip_prefix("\n\n")?;
        let readers = ["read", "bash", "indirect"].into_iter().zip(by_reader);
        Some(readers.map(|(reader, line)| (format!("skills_intro_{reader}"), [first, line, last].join("\n"))).collect())
    }

    /// What the tools say about themselves.
    fn tools(&self) -> Option<Vec<OwnText>> {
        if !self.visit.since("0.73.1") {
            let code = self.file("core/system-prompt.js")?;
            let table = enclosed(&code, "const toolDescriptions =", '{')?;
            let text = |name: &str| after(table, &format!("{name}:"))?.text().map(str::to_string);
            return Some(KNOWN.iter().filter_map(|(name, _)| Some((format!("tool_{name}"), text(name)?))).collect());
        }
        Some(KNOWN.iter().filter_map(|(name, _)| self.tool(name)).flatten().collect())
    }

    fn tool(&self, name: &str) -> Option<Vec<OwnText>> {
        let code = self.file(&match name {
            "codemode" => "extensions/codemode/tool.js".to_string(),
            "tool_search" => "extensions/tool-search/tool.js".to_string(),
            name => format!("core/tools/{name}.js"),
        })?;
        let own = enclosed(&code, &format!("const {name}ToolSystemPromptContribution ="), '{');
        let (code, snippet, guidelines) = match own {
            Some(own) => (own, "snippet:", "guidelines:"),
            None => (code.as_str(), "promptSnippet:", "promptGuidelines:"),
        };
        let mut texts = vec![(format!("tool_{name}"), after(code, snippet)?.text()?.to_string())];
        let is_list = |at: usize| code[at + guidelines.len()..].trim_start().starts_with('[');
        let list = code.match_indices(guidelines).find(|(at, _)| is_list(*at));
        let list = list.and_then(|(at, _)| enclosed(&code[at..], guidelines, '[')).map(literals).unwrap_or_default();
        for (number, rule) in (1..).zip(list) {
            texts.push((format!("rule_{name}_{number}"), rule.text()?.trim().to_string()));
        }
        Some(texts)
    }
}

/// The sentence before the context files: what is added after their heading.
fn context_intro(code: &str) -> Option<String> {
    let literals = literals(code);
    let heading = ["<project_context>", "# Project Context"];
    let is_heading = |text: &str| heading.contains(&text.trim());
    let at = literals.iter().position(|literal| literal.text().is_some_and(is_heading))?;
    Some(literals.get(at + 1)?.text()?.strip_suffix("\n\n")?.to_string())
}

/// The texts that could be read.
fn known<const N: usize>(texts: [(&str, Option<String>); N]) -> Vec<OwnText> {
    texts.into_iter().filter_map(|(id, text)| Some((id.to_string(), text?))).collect()
}

//! What people do not expect of instruction files.

use super::NAME;
use super::clean::{CleanText, Import, is_text};
use super::front_matter::BRACES;
use super::policy::Kind;
use super::texts::{LARGEST, Reader};
use crate::agents::files::location;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::limits;
use crate::text::Traced;

/// Keys of other agents.
const UNKNOWN_KEYS: [&str; 5] = ["globs", "applyTo", "Paths", "path", "alwaysApply"];

impl Reader<'_, '_> {
    fn warn(&mut self, does: &str, help: &'static str, at: impl Into<Location>) {
        let problem = Problem::AgentPitfall { agent: NAME, does: does.to_string(), help };
        self.found.diagnostics.push(Diagnostic::at(problem, at));
    }

    /// Adds a note on what most projects intend.
    pub fn note(&mut self, what: &str, at: impl Into<Location>) {
        self.found.diagnostics.push(Diagnostic::at(Problem::AgentDiffers { what: format!("{NAME} {what}") }, at));
    }

    pub fn warn_of_loss(&mut self, path: &str, kind: Kind, reason: String, help: &'static str) {
        let at = location(path, kind.tier(), self.visit.files.revision(path));
        self.found.diagnostics.push(Diagnostic::at(Problem::AgentLeavesOut { agent: NAME, reason, help }, at));
    }

    pub fn warn_of_size(&mut self, path: &str, kind: Kind) {
        if self.left_bytes >= LARGEST {
            return self.warn_of_loss(path, kind, format!("it has more than {LARGEST} bytes"), "split the file");
        }
        let problem = Problem::OverLimit { limit: limits::PROMPT_BYTES, unit: "bytes in all instruction files" };
        let at = location(path, kind.tier(), self.visit.files.revision(path));
        self.found.diagnostics.push(Diagnostic::at(problem, at));
    }

    pub fn warn_of_import(&mut self, import: &Import, reason: &'static str, help: &'static str) {
        let problem = Problem::AgentImportLost { agent: NAME, named: import.path.clone(), reason, help };
        self.found.diagnostics.push(Diagnostic::at(problem, &import.place));
    }

    /// Warns of what looks like an import, but is none.
    pub fn warn_of_lost(&mut self, import: &Import, path: &str, is_file: bool) {
        let is_punctuation = |c: char| c.is_ascii_punctuation() && c != '/';
        let bare = path.trim_end_matches(is_punctuation);
        let has_ending = import.path.trim_end_matches(is_punctuation).contains('.');
        let (reason, help) = match () {
            () if is_file => ("its ending is not that of a text", "import a text"),
            () if bare != path && self.visit.files.is_file(bare) => {
                ("the punctuation behind it belongs to the path", "put a space behind the path")
            }
            () if !has_ending || !is_text(bare) => return,
            () if self.visit.files.is_outside(path) => ("it is outside of the repository", "look there yourself"),
            () => ("the file does not exist", "correct the path, or put it in backticks"),
        };
        self.warn_of_import(import, reason, help);
    }

    pub fn warn_of_text(&mut self, clean: &CleanText) {
        if !self.warn_of_front_matter(clean) && clean.front.get("paths").is_some() {
            let help = "move the text to a file in .claude/rules, or delete `paths`";
            self.warn("sends this text always: `paths` counts in rules only", help, &clean.front.block);
        }
        self.warn_of_line_ends(&clean.text);
    }

    /// Warns of text that is taken for front matter. Returns whether there is any.
    pub fn warn_of_front_matter(&mut self, clean: &CleanText) -> bool {
        let is_prose = clean.front.is_prose();
        if is_prose {
            let problem = Problem::FrontMatterLost { agent: NAME };
            self.found.diagnostics.push(Diagnostic::at(problem, &clean.front.block));
        }
        is_prose
    }

    pub fn warn_of_rule(&mut self, clean: &CleanText, is_waiting: bool, has_sent_imports: bool) {
        self.warn_of_line_ends(&clean.text);
        let key = UNKNOWN_KEYS.into_iter().find(|key| clean.front.get(key).is_some());
        let is_meant = clean.front.scalar("alwaysApply").is_some_and(|value| value.text() == "true");
        if let Some(key) = key.filter(|_| !is_waiting && !is_meant) {
            let problem = Problem::RuleUnscoped { agent: NAME, key };
            self.found.diagnostics.push(Diagnostic::at(problem, &clean.front.block));
        }
        if !is_waiting {
            return;
        }
        if let Some(import) = clean.imports.first().filter(|_| has_sent_imports) {
            let does = "sends what this rule imports from the start, though the rule waits for a file";
            self.warn(does, "write the path without `@` if its text may wait, too", &import.place);
        }
        for pattern in clean.front.texts("paths", BRACES).unwrap_or_default() {
            let text = pattern.text().to_string();
            let at = pattern.span().unwrap_or_else(|| clean.front.block.clone());
            if text.starts_with("./") {
                let problem = Problem::RuleNeverApplies { agent: NAME, pattern: text };
                self.found.diagnostics.push(Diagnostic::at(problem, &at));
            } else if text.strip_suffix("/**").is_some_and(|folder| !folder.contains(['/', ','])) {
                self.note(&format!("takes `{text}` for folders at any depth: begin it with `/` to mean one"), &at);
            }
        }
    }

    fn warn_of_line_ends(&mut self, text: &Traced) {
        if let Some(at) = text.text().find('\r')
            && let Some(span) = text.slice(at..at + 1).span()
        {
            self.note("sends carriage returns as they are", &span);
        }
    }
}

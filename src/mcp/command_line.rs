use std::collections::BTreeMap;

use serde_json::Value;

use super::roots::Roots;
use super::run::Run;

/// The arguments of a run. A parameter stands behind `=`, or is checked: it never becomes another flag.
pub struct CommandLine<'a> {
    run: Run,
    roots: &'a Roots,
}

impl<'a> CommandLine<'a> {
    pub fn new(command: &str, folder: Option<&str>, roots: &'a Roots) -> Result<Self, String> {
        let folder = roots.folder(folder)?;
        Ok(Self { run: Run { folder, arguments: vec![command.to_string()], start: 0 }, roots })
    }

    pub fn word(&mut self, word: &str) {
        self.run.arguments.push(word.to_string());
    }

    pub fn flag(&mut self, name: &str, value: &str) {
        self.run.arguments.push(format!("{name}={value}"));
    }

    pub fn flags<'v>(&mut self, flags: impl IntoIterator<Item = (&'v str, &'v Option<String>)>) {
        for (name, value) in flags {
            value.iter().for_each(|value| self.flag(name, value));
        }
    }

    /// A path as an argument.
    pub fn path(&mut self, path: &str) -> Result<(), String> {
        self.checked(path)?;
        self.word(path);
        Ok(())
    }

    pub fn path_flag(&mut self, name: &str, path: &str) -> Result<(), String> {
        self.checked(path)?;
        self.flag(name, path);
        Ok(())
    }

    /// A path inside of the roots. Lines may follow it, and a revision may stand before it, so each part counts.
    fn checked(&self, path: &str) -> Result<(), String> {
        if path.starts_with('-') {
            return Err(format!("`{path}` is a flag; begin a path with `./`"));
        }
        self.roots.inside(&self.run.folder, path)?;
        for (at, colon) in path.match_indices(':') {
            self.roots.inside(&self.run.folder, &path[..at])?;
            self.roots.inside(&self.run.folder, &path[at + colon.len()..])?;
        }
        Ok(())
    }

    pub fn directive(
        &mut self,
        directive: &str,
        inputs: &BTreeMap<String, Value>,
        show_values: bool,
    ) -> Result<(), String> {
        // An id may also name a file, with or without its ending.
        for path in [directive.to_string(), format!("{directive}.md")] {
            self.checked(&path)?;
        }
        self.word(directive);
        for (name, value) in inputs {
            self.flag("--input-json", &format!("{name}={value}"));
        }
        self.word("--placeholders");
        if !show_values {
            self.hide_values();
        }
        Ok(())
    }

    pub fn hide_values(&mut self) {
        ["env", "inputs"].into_iter().for_each(|what| self.flag("--redact", what));
    }

    pub fn run(self) -> Run {
        self.run
    }
}

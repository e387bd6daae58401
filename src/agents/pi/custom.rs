//! The texts that replace the agent's own and add to it: `SYSTEM.md`, `APPEND_SYSTEM.md` and their flags.

use super::{Arguments, Places, decoding};
use crate::agents::draft::Text;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{Declared, FileReason, Slot};
use crate::read::store::PathKind;
use crate::text::{Origin, Traced};

pub(super) struct Customs {
    /// Replaces the agent's own text.
    pub base: Option<Text>,
    pub addenda: Vec<Text>,
}

/// A kind of text that a file or a flag gives.
struct Kind {
    name: &'static str,
    flag: &'static str,
    slot: Slot,
}

const BASE: Kind = Kind { name: "SYSTEM.md", flag: "system-prompt", slot: Slot::SystemBase };

const ADDENDUM: Kind = Kind { name: "APPEND_SYSTEM.md", flag: "append-system-prompt", slot: Slot::SystemAppend };

impl Customs {
    pub fn find(visit: &mut Visit<'_>, places: &Places, arguments: &Arguments, is_trusted: bool) -> Self {
        let mut find = |kind: Kind, given: &[String]| {
            if given.is_empty() {
                return kind.file(visit, places, is_trusted).into_iter().collect();
            }
            kind.overridden(visit, places, is_trusted);
            given.iter().filter(|typed| !typed.is_empty()).map(|typed| kind.given(visit, places, typed)).collect()
        };
        let base: Vec<Text> = find(BASE, arguments.system_prompt.as_slice());
        let addenda: Vec<Text> = find(ADDENDUM, &arguments.append);
        let is_empty = addenda.len() < 2 && addenda.iter().all(|text| text.text.is_empty());
        Self {
            base: base.into_iter().find(|text| !text.text.is_empty()),
            addenda: if is_empty { Vec::new() } else { addenda },
        }
    }
}

impl Kind {
    fn paths(&self, places: &Places) -> [String; 2] {
        [&places.project, &places.agent].map(|folder| below(folder, self.name))
    }

    /// The text of the project's file, else of the user's. A file that exists hides the other one, even if it is empty.
    fn file(&self, visit: &mut Visit<'_>, places: &Places, is_trusted: bool) -> Option<Text> {
        let [project, global] = self.paths(places);
        if !is_trusted {
            self.leave_out(visit, &project, FileReason::Untrusted, None);
        } else if self.exists(visit, &project) {
            if self.leave_out(visit, &global, FileReason::Shadowed, Some(&project)) {
                self.warn_if_empty(visit, &project, &global);
            }
            return Some(self.text(visit, &project, "cwd"));
        }
        self.exists(visit, &global).then(|| self.text(visit, &global, "agent"))
    }

    fn exists(&self, visit: &mut Visit<'_>, path: &str) -> bool {
        visit.is_file(self.slot, path) || visit.kind(path).is_some()
    }

    /// The text of something that exists. What cannot be read gives its path.
    fn text(&self, visit: &mut Visit<'_>, path: &str, tier: &str) -> Text {
        match visit.text(path, tier, decoding(visit)) {
            Ok(span) => {
                if span.text().is_empty() {
                    visit.left_out(self.slot, path, FileReason::Empty, None);
                }
                Text::named(path, Traced::raw(&span))
            }
            Err(_) => {
                visit.report_file(Problem::PathSent, path, tier);
                Text::named(path, Traced::protocol(path))
            }
        }
    }

    /// The text of a flag: a file's if it names one.
    fn given(&self, visit: &Visit<'_>, places: &Places, typed: &str) -> Text {
        let path = if typed.starts_with('/') { typed.to_string() } else { below(&places.cwd, typed) };
        match visit.text(&path, "argument", decoding(visit)) {
            Ok(span) => Text::named(&path, Traced::raw(&span)),
            Err(_) => Text::named(&format!("--{}", self.flag), Traced::of(typed, Origin::Argument(self.flag.into()))),
        }
    }

    /// Records the files that a flag replaces.
    fn overridden(&self, visit: &mut Visit<'_>, places: &Places, is_trusted: bool) {
        let flag = format!("--{}", self.flag);
        let [project, global] = self.paths(places);
        let of_project = if is_trusted { FileReason::Shadowed } else { FileReason::Untrusted };
        for (path, why) in [(project, of_project), (global, FileReason::Shadowed)] {
            let by = Some(flag.as_str()).filter(|_| why == FileReason::Shadowed);
            if self.leave_out(visit, &path, why, by) && why == FileReason::Shadowed {
                visit.report_file(Problem::FlagReplaces { flag: flag.clone() }, &path, "agent");
            }
        }
    }

    /// Records why a file does not count, and returns whether there is one.
    fn leave_out(&self, visit: &mut Visit<'_>, path: &str, why: FileReason, by: Option<&str>) -> bool {
        let is_file = visit.is_file(self.slot, path);
        if is_file {
            let by = by.map(|by| Declared { by: by.to_string(), span: None });
            visit.left_out(self.slot, path, why, by);
        }
        is_file
    }

    fn warn_if_empty(&self, visit: &mut Visit<'_>, path: &str, hidden: &str) {
        if visit.kind(path) == Some(PathKind::File) && visit.bytes(path).is_ok_and(|bytes| bytes.is_empty()) {
            visit.report_file(Problem::ShadowedByEmpty { by: path.to_string() }, hidden, "agent");
        }
    }
}

//! How each format names a file and a range.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use crate::diagnostic::Location;
use crate::read::settings;
use crate::text::visible::visible_line;
use crate::text::{Position, Source};
use crate::write::notice::file_name;

/// The names of a project's files.
///
/// Findings have paths relative to the folder that holds `.ai/`. People and editors need them relative to the working
/// folder, services relative to the root of the repository, or to the working folder if there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths {
    /// From the working folder to the project: empty, or `services/shop/`.
    to_project: String,
    /// From the project to a working folder inside it: `.ai`, `directives`. Only paths for people start there.
    below_project: Vec<String>,
    project: Option<String>,
    /// From the root of the repository to the project: empty, or `services/shop/`.
    from_root: Option<String>,
    of_agents: Option<String>,
}

impl Paths {
    /// Both paths must have their links resolved.
    pub fn new(project: &Path, working: &Path) -> Self {
        let to_project = project.strip_prefix(working).map(names).unwrap_or_default();
        let below_project = working.strip_prefix(project).map(names).unwrap_or_default();
        Self { to_project: prefix(&to_project), below_project, ..Self::default() }
    }

    /// For one of several projects; both paths must have their links resolved. Names all files
    /// relative to the working folder, so that no two have the same name.
    pub fn among(project: &Path, working: &Path) -> Self {
        let shared = project.components().zip(working.components()).take_while(|(one, other)| one == other).count();
        let rest = |path: &Path| names(&path.components().skip(shared).collect::<PathBuf>());
        let names = [vec!["..".to_string(); rest(working).len()], rest(project)].concat();
        let name = if names.is_empty() { ".".to_string() } else { names.join("/") };
        Self { to_project: prefix(&names), project: Some(name), ..Self::default() }
    }

    pub fn in_repository(self, project: &Path, root: &Path) -> Self {
        let from_root = project.strip_prefix(root).ok().map(|below| prefix(&names(below)));
        Self { from_root, ..self }
    }

    pub fn of_agents(self, settings: String) -> Self {
        Self { of_agents: Some(settings), ..self }
    }

    pub fn is_of_agents(&self) -> bool {
        self.of_agents.is_some()
    }

    /// The settings, relative to the working folder.
    pub fn settings(&self) -> String {
        format!("{}{}", self.to_project, self.of_agents.as_deref().unwrap_or(settings::PATH))
    }

    /// The name of the project; `prefix` is empty or ends in a slash.
    fn named(&self, prefix: &str) -> String {
        match prefix.strip_suffix('/') {
            _ if !self.is_of_agents() => format!("{prefix}.ai"),
            Some(prefix) => prefix.to_string(),
            None => ".".to_string(),
        }
    }

    pub fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }

    pub fn prefix(&self) -> &str {
        &self.to_project
    }

    pub(super) fn root(&self) -> String {
        visible_line(&self.named(&format!("{}{}", self.to_project, "../".repeat(self.below_project.len()))))
            .into_owned()
    }

    /// A file for people: `.ai/directives/deploy.md`, or `user .ai/knowledge/rules.md` in a
    /// different tier; for a location without a file, the project.
    pub(super) fn shown(&self, at: &Location) -> String {
        match at.tier() {
            _ if at.path().is_empty() => self.root(),
            "project" => visible_line(&format!("{}{}", self.to_project, self.path_from_below(at.path()))).into_owned(),
            _ => file_name(at),
        }
    }

    /// A path of the project, relative to the working folder inside it.
    fn path_from_below(&self, path: &str) -> String {
        let mut rest = path;
        let mut shared = 0;
        for name in &self.below_project {
            let Some(below) = rest.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('/')) else { break };
            rest = below;
            shared += 1;
        }
        "../".repeat(self.below_project.len() - shared) + rest
    }

    /// The path to the project for programs: empty, or ending in a slash.
    pub(super) fn prefix_for_programs(&self) -> &str {
        self.from_root.as_deref().unwrap_or(&self.to_project)
    }

    pub(super) fn whole(&self) -> String {
        self.named(self.prefix_for_programs())
    }

    /// A file for programs, unless it is in another tier.
    pub(super) fn exact(&self, at: &Location) -> Option<String> {
        match at.tier() {
            _ if at.path().is_empty() => Some(self.whole()),
            "project" => Some(format!("{}{}", self.prefix_for_programs(), at.path())),
            "" => Some(at.path().to_string()),
            _ => None,
        }
    }

    /// Falls back to the name for people.
    pub(super) fn for_programs(&self, at: &Location) -> String {
        self.exact(at).unwrap_or_else(|| self.shown(at))
    }
}

fn prefix(names: &[String]) -> String {
    names.iter().map(|name| format!("{name}/")).collect()
}

fn names(path: &Path) -> Vec<String> {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    names.collect()
}

/// Drops the empty span that represents a whole file.
pub(super) fn without_whole_file(at: &Location) -> Location {
    match at {
        Location::Span(span) if span.range() == (0..0) => Location::without_text(span.source(), None),
        other => other.clone(),
    }
}

pub(super) fn positions(at: &Location) -> (Position, Position) {
    match at {
        Location::Span(span) => {
            let Range { start, end } = span.range();
            (span.source().position(start), span.source().position(end))
        }
        Location::File { position, .. } => {
            let at = position.unwrap_or(Position { line: 1, column: 1 });
            (at, at)
        }
    }
}

/// The last line of a range; a newline at its end does not count as the start of another line.
pub(super) fn last_line(at: &Location) -> usize {
    let (start, end) = positions(at);
    if end.column == 1 && end.line > start.line { end.line - 1 } else { end.line }
}

/// The column counts UTF-8 bytes.
pub(super) fn in_bytes(source: &Source, offset: usize) -> Position {
    Position { line: source.position(offset).line, column: offset - source.line_start(offset) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::testing::{find, source};

    fn paths(project: &str, working: &str) -> Paths {
        Paths::new(Path::new(project), Path::new(working))
    }

    fn file(tier: &str) -> Location {
        Location::File { tier: tier.into(), path: ".ai/a b.md".to_string(), revision: None, position: None }
    }

    #[test]
    fn files_are_named_from_the_working_folder() {
        for (project, working, shown, exact) in [
            ("/srv/shop", "/srv/shop", ".ai/a b.md", ".ai/a b.md"),
            ("/srv/shop", "/srv", "shop/.ai/a b.md", "shop/.ai/a b.md"),
            ("/srv/shop/web", "/srv", "shop/web/.ai/a b.md", "shop/web/.ai/a b.md"),
            ("/srv/shop", "/srv/shop/src/x", "../../.ai/a b.md", ".ai/a b.md"),
            ("/srv/shop", "/home/ada", ".ai/a b.md", ".ai/a b.md"),
            ("/srv/shop", "/srv/shopping", ".ai/a b.md", ".ai/a b.md"),
        ] {
            let paths = paths(project, working);
            assert_eq!(paths.shown(&file("project")), shown, "{project} from {working}");
            assert_eq!(paths.exact(&file("project")).as_deref(), Some(exact), "{project} from {working}");
        }
        let paths = paths("/srv/shop", "/srv");
        assert_eq!(paths.shown(&file("user")), "user .ai/a b.md");
        assert_eq!((paths.exact(&file("user")), paths.exact(&file(""))), (None, Some(".ai/a b.md".to_string())));
        assert_eq!(paths.root(), "shop/.ai");
    }

    #[test]
    fn programs_get_paths_from_the_root_of_the_repository() {
        for (working, shown) in [("/srv/shop", ".ai/a b.md"), ("/srv", "shop/.ai/a b.md"), ("/", "srv/shop/.ai/a b.md")]
        {
            let paths = paths("/srv/shop", working).in_repository("/srv/shop".as_ref(), "/srv".as_ref());
            assert_eq!(paths.shown(&file("project")), shown, "from {working}");
            assert_eq!(paths.exact(&file("project")).as_deref(), Some("shop/.ai/a b.md"), "from {working}");
            assert_eq!(paths.whole(), "shop/.ai");
        }
        let itself = paths("/srv/shop", "/srv").in_repository("/srv/shop".as_ref(), "/srv/shop".as_ref());
        assert_eq!(itself.whole(), ".ai");
    }

    #[test]
    fn files_beside_the_working_folder_are_named_from_there() {
        for (working, shown, root) in [
            ("/srv/shop/.ai", "directives/b2.md", "../.ai"),
            ("/srv/shop/.ai/directives", "b2.md", "../../.ai"),
            ("/srv/shop/.ai/directives/web", "../b2.md", "../../../.ai"),
            ("/srv/shop/.ai/knowledge", "../directives/b2.md", "../../.ai"),
            ("/srv/shop/.ai/direct", "../directives/b2.md", "../../.ai"),
            ("/srv/shop/.ai/directives/b2.md", "../b2.md", "../../../.ai"),
        ] {
            let paths = paths("/srv/shop", working);
            let at = Location::File {
                tier: "project".into(),
                path: ".ai/directives/b2.md".to_string(),
                revision: None,
                position: None,
            };
            assert_eq!((&*paths.shown(&at), &*paths.root()), (shown, root), "{working}");
            assert_eq!(paths.for_programs(&at), ".ai/directives/b2.md", "{working}");
        }
    }

    #[test]
    fn a_trailing_line_feed_adds_no_line() {
        let file = source("project", "x.md", "é\nb\nc");
        let at = |range: Range<usize>| Location::Span(file.span(range));
        assert_eq!((last_line(&at(0..3)), last_line(&at(0..4)), last_line(&at(3..3))), (1, 2, 2));
        assert_eq!(in_bytes(&file, 2), Position { line: 1, column: 3 });
        assert_eq!(positions(&at(2..5)), (Position { line: 1, column: 2 }, Position { line: 3, column: 1 }));
    }

    #[test]
    fn an_empty_span_at_the_start_is_the_whole_file() {
        let file = source("project", "x.md", "abc");
        assert!(matches!(without_whole_file(&file.span(0..0).into()), Location::File { position: None, .. }));
        assert!(matches!(without_whole_file(&find(&file, "a").into()), Location::Span(_)));
    }
}

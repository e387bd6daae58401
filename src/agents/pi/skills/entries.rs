//! What a settings file says about skills: which files it names, and which of them it leaves out.

use crate::agents::files::resolved;
use crate::agents::glob::Glob;

#[derive(Debug, Default)]
pub(super) struct Entries {
    /// Files and folders, as written.
    pub plain: Vec<String>,
    /// With `*` or `?`: of what the plain entries give, only what one of these matches stays.
    kept: Vec<Pattern>,
    /// `!GLOB`
    excluded: Vec<Pattern>,
    /// `+PATH`
    added: Vec<Pattern>,
    /// `-PATH`
    removed: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    /// As written.
    entry: String,
    /// The path after `+` or `-`.
    path: String,
    glob: Glob,
}

impl Entries {
    pub fn new(entries: &[&str], home: &str) -> Self {
        let mut read = Self::default();
        for &entry in entries {
            let after = |start: char| entry.strip_prefix(start);
            let (list, pattern) = match (after('!'), after('+'), after('-')) {
                (Some(glob), ..) => (&mut read.excluded, glob),
                (_, Some(path), _) => (&mut read.added, path),
                (.., Some(path)) => (&mut read.removed, path),
                _ if entry.contains(['*', '?']) => (&mut read.kept, entry),
                _ => {
                    read.plain.push(entry.to_string());
                    continue;
                }
            };
            let expanded = |path: &str| if is_of_home(path) { resolved(path, "/", home) } else { path.to_string() };
            let path = expanded(pattern.strip_prefix("./").unwrap_or(pattern));
            list.push(Pattern { entry: entry.to_string(), path, glob: Glob::new(&expanded(pattern)) });
        }
        read
    }

    /// The globs that keep files of the plain entries, which themselves name nothing.
    pub fn filters(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().map(|pattern| pattern.entry.as_str())
    }

    /// The entry that leaves out a file; `is_plain` for a file that a plain entry gives. Paths are relative to `base`.
    pub fn leaves_out(&self, path: &str, base: &str, is_plain: bool) -> Option<String> {
        // The folder of a skill stands for it.
        let paths: Vec<&str> = [path].into_iter().chain(path.strip_suffix("/SKILL.md")).collect();
        let exact: Vec<String> = paths.iter().flat_map(|path| [relative(base, path), path.to_string()]).collect();
        let names = paths.iter().filter_map(|path| path.rsplit('/').next());
        let globbed: Vec<&str> = exact.iter().map(String::as_str).chain(names).collect();
        let by_glob = |list: &[Pattern]| {
            let matches = |it: &&Pattern| globbed.iter().any(|name| it.glob.matches(name));
            list.iter().find(matches).map(|it| it.entry.clone())
        };
        let by_path = |list: &[Pattern]| list.iter().find(|it| exact.contains(&it.path)).map(|it| it.entry.clone());
        let is_kept = !is_plain || self.kept.is_empty() || by_glob(&self.kept).is_some();
        let not_kept = (!is_kept).then(|| self.filters().collect::<Vec<_>>().join(", "));
        let excluded = not_kept.or_else(|| by_glob(&self.excluded));
        let after_added = excluded.filter(|_| by_path(&self.added).is_none());
        by_path(&self.removed).or(after_added)
    }
}

fn is_of_home(path: &str) -> bool {
    path == "~" || path.starts_with("~/")
}

/// A path from a folder, with `..` for each step up.
fn relative(base: &str, path: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_string).collect::<Vec<_>>();
    let (base, path) = (parts(base), parts(path));
    let shared = base.iter().zip(&path).take_while(|(a, b)| a == b).count();
    let ups = std::iter::repeat_n("..".to_string(), base.len() - shared);
    ups.chain(path[shared..].iter().cloned()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_add_and_take_away_in_a_fixed_order() {
        let entries = Entries::new(&["-skills/c", "!skills/*", "+./skills/b", "+skills/c", "lib"], "/home");
        let left_out = |name: &str| entries.leaves_out(&format!("/a/skills/{name}/SKILL.md"), "/a", false);
        assert_eq!(left_out("a").as_deref(), Some("!skills/*"));
        assert_eq!(left_out("b"), None);
        assert_eq!(left_out("c").as_deref(), Some("-skills/c"));
        assert_eq!(entries.plain, ["lib"]);
    }

    #[test]
    fn a_star_keeps_files_of_plain_entries_only() {
        let entries = Entries::new(&["lib", "lib/a*"], "/home");
        let left_out = |is_plain| entries.leaves_out("/a/lib/b/SKILL.md", "/a", is_plain);
        assert_eq!((left_out(true).as_deref(), left_out(false)), (Some("lib/a*"), None));
        assert_eq!(entries.leaves_out("/a/lib/ab/SKILL.md", "/a", true), None);
    }

    #[test]
    fn paths_may_lead_up() {
        assert_eq!((relative("/a/b", "/a/c/d"), relative("/a", "/a")), ("../c/d".to_string(), String::new()));
    }
}

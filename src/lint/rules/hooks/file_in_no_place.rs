use crate::lint::rules::{Findings, LintFile, Project, has_context};
use crate::read::settings;
use crate::read::store::TierKind;

use super::words::{is_slip, surely_meant};

const FOLDERS: [&str; 4] = ["config", "directives", "knowledge", "tools"];

/// Every protocol reads the hooks of a project from here.
const AGENT: &str = "config/agent";

/// File names without extension; the merged files are read from the folders of the protocol.
const HOOKS: &str = "hooks";
const MERGED: [&str; 2] = ["hook_conditions", "resilience"];

/// The name of this program's settings file, without extension.
const SETTINGS: &str = "rye-render";

pub fn file_in_no_place(project: &Project<'_>, found: &mut Findings<'_>) {
    let tiers = project.tiers.list();
    let Some(tier) = tiers.iter().position(|tier| tier.kind == TierKind::Project) else { return };
    let exists = |path: &str| tiers[tier].store.exists(path);
    for folder in ["", "config", AGENT] {
        let root = if folder.is_empty() { ".ai".to_string() } else { format!(".ai/{folder}") };
        // A folder that cannot be listed is reported elsewhere.
        for entry in project.tiers.entries(tier, &root).unwrap_or_default() {
            let path = format!("{root}/{}", entry.name);
            let right = match entry.is_folder {
                true if !folder.is_empty() || FOLDERS.contains(&entry.name.as_str()) => None,
                true => surely_meant(&entry.name, FOLDERS.into_iter()).map(|meant| format!(".ai/{meant}")),
                false => place_of(&entry.name, folder, project),
            };
            let Some(right) = right.filter(|_| !project.options.exclude.matches(&path)) else { continue };
            let file = project.files.iter().find(|file| file.path == path && project.is_of_project(file));
            let is_there = exists(&right);
            // On a case-insensitive disk both names mean the same file, and a file may be kept for another protocol.
            let is_same =
                right.eq_ignore_ascii_case(&path) || !folder.is_empty() && !is_surely_meant(&path, &right, file);
            if is_same && is_there {
                continue;
            }
            let at = file.map_or_else(|| project.tiers.place(tier, path.clone()), |file| project.location(file));
            let finding = found.at(at, format!("nothing reads `{path}`"));
            finding.help(match is_there {
                true => format!("`{right}` is read instead: move the missing entries there"),
                false => format!("did you mean `{right}`?"),
            });
        }
    }
    for path in project.listing.unread_markdown.iter().filter(|path| !project.options.exclude.matches(path)) {
        if let Some((stem, _)) = path.rsplit_once('.') {
            let at = project.tiers.place(tier, path.clone());
            found.at(at, format!("nothing reads `{path}`")).suggest(Some(format!("{stem}.md")));
        }
    }
}

/// Whether a file can have no other purpose, even if the right one exists: it is its `.yml` twin, or contains hooks.
fn is_surely_meant(path: &str, right: &str, file: Option<&LintFile>) -> bool {
    let is_twin = path.strip_suffix(".yml").is_some_and(|stem| right.strip_suffix(".yaml") == Some(stem));
    let text = file.and_then(|file| file.source.as_ref()).map_or("", |source| source.text());
    let has_hooks = ["hooks:", "event:", "action"].iter().all(|key| text.contains(key));
    is_twin || right.ends_with("/hooks.yaml") && path.ends_with("/hooks.yaml") && has_hooks
}

/// The path from which a misplaced file would be read.
fn place_of(name: &str, folder: &str, project: &Project<'_>) -> Option<String> {
    if let Some((SETTINGS, "yaml" | "yml")) = name.rsplit_once('.') {
        let path = format!(".ai/{folder}/{name}").replace("//", "/");
        return (path != settings::PATH).then(|| settings::PATH.to_string());
    }
    // Protocols without hooks never read the file.
    if !has_context(project) {
        return None;
    }
    let (stem, extension) = name.rsplit_once('.').filter(|(_, extension)| ["yaml", "yml"].contains(extension))?;
    // In the folder for these files a similar name is a misspelling; elsewhere it proves little.
    let is_meant = |known: &&str| stem == *known || folder == AGENT && is_slip(stem, known);
    let meant = [HOOKS].into_iter().chain(MERGED).find(is_meant)?;
    let of_hooks = [AGENT.to_string()];
    let folders = if meant == HOOKS { &of_hooks[..] } else { &project.protocol.hook_conditions.project };
    if !folders.iter().any(|known| known == folder) {
        return folders.last().map(|right| format!(".ai/{right}/{meant}.yaml"));
    }
    ((stem, extension) != (meant, "yaml")).then(|| format!(".ai/{folder}/{meant}.yaml"))
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR322 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found as all;
    use crate::lint::testing::messages_of;

    const DIRECTIVE: &str = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                             <description>D</description></metadata></directive>\n```\n\nGo.\n";

    /// The paths that nothing reads.
    fn unread(paths: &[&str], protocol: &str) -> Vec<String> {
        let files: String = paths.iter().map(|path| format!("=== {path}\n{{}}\n")).collect();
        let found = messages_of(&RULE, &(files + DIRECTIVE), protocol);
        let path = |line: &String| line.split('`').nth(1).map(str::to_string);
        found.iter().filter_map(path).collect()
    }

    #[test]
    fn files_are_expected_where_the_protocol_reads_them() {
        for path in
            [".ai/hooks.yaml", ".ai/config/hooks.yaml", ".ai/config/agent/hooks.yml", ".ai/config/agent/hook.yaml"]
        {
            assert_eq!(unread(&[path], "rye-3"), [path]);
            assert_eq!(unread(&[path], "rye-2"), [path]);
            assert_eq!(unread(&[path], "rye-1"), [""; 0], "this protocol has no hooks");
        }
        for (path, by_rye_2) in
            [(".ai/resilience.yaml", 1), (".ai/config/resilience.yaml", 0), (".ai/config/resilience.yml", 1)]
        {
            assert_eq!(unread(&[path], "rye-3"), [path]);
            assert_eq!(unread(&[path], "rye-2").len(), by_rye_2, "{path}");
        }
        for fine in [
            ".ai/config/agent/hooks.yaml",
            ".ai/config/agent/tools.yaml",
            ".ai/config/agent/agent.yaml",
            ".ai/config/agent/hooks.md",
            ".ai/config/agent/more/hooks.yaml",
            ".ai/knowledge/hooks.yaml",
            ".ai/hook.yaml",
            "hooks.yaml",
            "user:.ai/hooks.yaml",
        ] {
            assert_eq!(unread(&[fine], "rye-3"), [""; 0], "{fine}");
        }
        // A second file may be kept for a different protocol or program.
        assert_eq!(unread(&[".ai/config/resilience.yaml", ".ai/config/agent/resilience.yaml"], "rye-3"), [""; 0]);
    }

    #[test]
    fn misspelt_folders_are_found_and_custom_ones_are_not() {
        for path in [".ai/directive/a.md", ".ai/Tools/a.py", ".ai/configs/a.yaml", ".ai/knowlege/a.md"] {
            let folder: Vec<&str> = path.split('/').take(2).collect();
            assert_eq!(unread(&[path], "rye-3"), [folder.join("/")]);
        }
        for fine in
            [".ai/bundles/a.yaml", ".ai/threads/a.md", ".ai/pools/a.md", ".ai/conf/a.yaml", ".ai/notes/tool/a.md"]
        {
            assert_eq!(unread(&[fine], "rye-3"), [""; 0], "{fine}");
        }
        assert_eq!(unread(&[".ai/tool/a.py", ".ai/tools/a.py"], "rye-3"), [".ai/tool"]);
    }

    #[test]
    fn a_file_without_another_purpose_is_reported_beside_the_right_one() {
        let right = ".ai/config/agent/hooks.yaml";
        for path in [".ai/config/agent/hooks.yml", ".ai/config/agent/resilience.yml"] {
            assert_eq!(unread(&[right, ".ai/config/agent/resilience.yaml", path], "rye-3"), [path]);
        }
        let elsewhere = |text: &str| {
            let files = format!("=== {right}\n{{}}\n=== .ai/config/hooks.yaml\n{text}\n{DIRECTIVE}");
            messages_of(&RULE, &files, "rye-3").len()
        };
        assert_eq!(elsewhere("hooks:\n  - id: h\n    event: thread_started\n    action: {primary: fetch}"), 1);
        assert_eq!(elsewhere("hooks: [pre-commit]"), 0, "it belongs to another program");
    }

    #[test]
    fn settings_and_items_have_one_extension() {
        let settings = [".ai/config/rye-render.yml", ".ai/rye-render.yaml", ".ai/rye-render.yml"];
        for path in settings.into_iter().chain([".ai/config/agent/rye-render.yaml"]) {
            for protocol in ["rye-1", "rye-3"] {
                assert_eq!(unread(&[path], protocol), [path]);
            }
        }
        for path in [".ai/directives/b.markdown", ".ai/knowledge/c/d.MD", ".ai/knowledge/e.mdown"] {
            assert_eq!(unread(&[path], "rye-3"), [path]);
        }
        for fine in [
            ".ai/config/rye-render.yaml",
            ".ai/config/rye-render.toml",
            ".ai/tools/a.markdown",
            ".ai/knowledge/notes.txt",
            ".ai/knowledge/markdown",
        ] {
            assert_eq!(unread(&[fine], "rye-3"), [""; 0], "{fine}");
        }
    }

    #[test]
    fn the_finding_names_the_right_place_and_can_be_excluded() {
        let example = Example("=== .ai/hooks.yml\nhooks: []\n=== .ai/config/agent/agent.yaml\n{}\n");
        let reported = |options: &LintOptions| -> Vec<String> {
            all(example, options).into_iter().map(|finding| format!("{}: {}", finding.message, finding.help)).collect()
        };
        let expected = "nothing reads `.ai/hooks.yml`: did you mean `.ai/config/agent/hooks.yaml`?";
        assert_eq!(reported(&LintOptions::default()), [expected]);
    }
}

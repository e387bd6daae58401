//! The same arguments give the same bytes in any environment.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::program;

/// The compared formats; `text` stands for all formats with styles.
const FORMATS: [&str; 4] = ["json", "plain", "text", "events"];

/// The files of a project, with names whose order depends on the locale.
fn files() -> Vec<(String, String)> {
    let leaf = "```xml\n<directive name=\"leaf\" extends=\"rye/agent/core/base\"><metadata>\
                <permissions><execute><tool>tools.*</tool></execute></permissions></metadata>\
                <outputs><output name=\"İstanbul\">ß</output></outputs></directive>\n```\nÄöü {input:x|I}\n";
    let mut files = vec![("directives/leaf.md".to_string(), leaf.to_string())];
    for name in ["a", "B", "ä", "Z", "_", "i", "I", "ı", "a-b", "a.b"] {
        files.push((
            format!("tools/tools/{name}.yaml"),
            format!("description: {name}\nparameters:\n  - name: {name}\n"),
        ));
        files.push((format!("directives/many/{name}.md"), leaf.replace("leaf", name)));
    }
    files
}

/// A project with the files, written in the order given.
fn written(files: impl IntoIterator<Item = (String, String)>) -> TempDir {
    let root = tempfile::tempdir().expect("a folder for the project");
    write(root.path(), files);
    root
}

fn write(root: &Path, files: impl IntoIterator<Item = (String, String)>) {
    for (path, text) in files {
        let path = root.join(".ai").join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
        fs::write(path, text).expect("a new file");
    }
}

/// The program for a project in an empty environment.
fn rendering(project: &Path, format: &str) -> Command {
    let mut command = program(Path::new("/nonexistent"));
    command.args(["render", "leaf", "--user-space", "none", "--system", "builtin", "--format", format]);
    command.arg("--project").arg(project);
    command
}

fn output(mut command: Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The files below a folder, by path.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(
                    path.strip_prefix(folder).expect("it is below").to_path_buf(),
                    fs::read(&path).expect("a file"),
                );
            }
        }
    }
    found
}

#[test]
fn locale_time_zone_and_working_folder_do_not_matter() {
    let project = written(files());
    let elsewhere = written([]);
    for format in FORMATS {
        let usual = output(rendering(project.path(), format));
        for locale in ["C", "POSIX", "tr_TR.UTF-8", "de_DE.ISO-8859-1"] {
            let mut command = rendering(project.path(), format);
            command.envs([("LC_ALL", locale), ("LANG", locale), ("LANGUAGE", locale)]);
            assert_eq!(output(command), usual, "{format} {locale}");
        }
        for zone in ["Pacific/Kiritimati", "America/St_Johns", ":nonsense"] {
            let mut command = rendering(project.path(), format);
            command.env("TZ", zone);
            assert_eq!(output(command), usual, "{format} {zone}");
        }
        for folder in [elsewhere.path(), &project.path().join(".ai/tools")] {
            let mut command = rendering(project.path(), format);
            command.current_dir(folder);
            assert_eq!(output(command), usual, "{format} in {}", folder.display());
        }
    }
}

#[test]
fn the_order_of_folders_does_not_matter() {
    let project = written(files());
    let everything = || (FORMATS.map(|format| output(rendering(project.path(), format))), all(project.path(), "2"));
    let forwards = everything();
    fs::remove_dir_all(project.path().join(".ai")).expect("the folder existed");
    write(project.path(), files().into_iter().rev());
    assert_eq!(everything(), forwards);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let project = written(files());
    let one = all(project.path(), "1");
    // The files include the project's own prompts and those of the embedded bundle.
    assert_eq!(one.keys().filter(|path| path.starts_with("many")).count(), 10);
    assert!(one.contains_key(Path::new("rye/demo/hello.json")), "{:?}", one.keys());
    for threads in ["2", "8"] {
        assert_eq!(all(project.path(), threads), one, "{threads} threads");
    }
}

/// The files that `--all` writes.
fn all(project: &Path, threads: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let out = tempfile::tempdir().expect("a folder for the output");
    let mut command = program(Path::new("/nonexistent"));
    command.args(["render", "--all", "--user-space", "none", "--system", "builtin", "--project"]).arg(project);
    command.arg("-o").arg(out.path()).env("RAYON_NUM_THREADS", threads);
    output(command);
    tree(out.path())
}

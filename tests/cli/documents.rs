//! Runs every `console` block of the documentation and compares the output.
//!
//! `$ ` begins a command, `> ` continues it, and the other lines are its output. A block runs in a copy of
//! `testdata/documents/shop`, shown as `/home/ada/shop`, without a user tier; if it uses git, that folder is a repository
//! with one commit. If a page says so, its blocks are one session that starts in an empty `/home/ada/shop`.
//! `TRYCMD=overwrite` updates the output in the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use similar::TextDiff;

use crate::announce;
use crate::support::{PROGRAM, isolated};

/// Marks a page whose blocks are one session.
const ONE_SESSION: &str = "<!-- The commands on this page are one session. -->\n";

/// Separates the outputs of two commands.
const BETWEEN: &str = "\u{1e}";

/// Programs that examples need and a machine may lack; `.ci/run` installs them.
const NEEDED: [&str; 3] = ["jq", "sha256sum", "git"];

/// A fixed author and date, so that commits have the same hashes everywhere.
const COMMITS: [(&str, &str); 7] = [
    ("GIT_AUTHOR_NAME", "Ada"),
    ("GIT_AUTHOR_EMAIL", "ada@example.com"),
    ("GIT_AUTHOR_DATE", "2026-01-05T09:00:00Z"),
    ("GIT_COMMITTER_NAME", "Ada"),
    ("GIT_COMMITTER_EMAIL", "ada@example.com"),
    ("GIT_COMMITTER_DATE", "2026-01-05T09:00:00Z"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
];

/// Makes the shop a repository with one commit on `main`.
const REPOSITORY: &str = "git init -q -b main && git add -A && git commit -qm 'Open the shop'\n";

#[test]
fn examples_print_what_they_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = vec![root.join("README.md")];
    collect(&root.join("docs"), &mut documents);
    let (mut ran, mut skipped, mut wrong) = (0, 0, String::new());
    for path in documents {
        let text = fs::read_to_string(&path).expect("documents are UTF-8");
        let (mut blocks, mut around, mut rest) = (Vec::new(), Vec::new(), text.as_str());
        while let Some((before, block, after)) = next_block(rest) {
            around.push(before);
            blocks.push(block);
            rest = after;
        }
        let is_session = text.contains(ONE_SESSION);
        let can_run = |blocks: &[&str]| {
            !NEEDED.iter().any(|tool| blocks.iter().any(|block| block.contains(tool)) && !is_installed(tool))
        };
        let mut printed: Vec<String> = Vec::new();
        for blocks in blocks.chunks(if is_session { blocks.len().max(1) } else { 1 }) {
            if can_run(blocks) {
                ran += blocks.len();
                printed.extend(run(blocks, is_session));
            } else {
                skipped += blocks.len();
                printed.extend(blocks.iter().map(|block| block.to_string()));
            }
        }
        let shown = around.iter().zip(printed).map(|(before, block)| format!("{before}{block}"));
        let actual = shown.collect::<String>() + rest;
        if actual != text && std::env::var_os("TRYCMD").is_some_and(|action| action == "overwrite") {
            fs::write(&path, actual).expect("the document can be written");
        } else if actual != text {
            let name = path.strip_prefix(root).unwrap_or(&path).display();
            wrong += &TextDiff::from_lines(&text, &actual)
                .unified_diff()
                .header(&format!("{name} as written"), &format!("{name} as it runs"))
                .to_string();
        }
    }
    assert!(wrong.is_empty(), "TRYCMD=overwrite writes what was printed:\n{wrong}");
    assert!(ran > 0, "no document has a `console` block");
    announce(&format!("documents: {ran} examples ran, {skipped} skipped"));
}

#[test]
fn the_exit_status_table_names_every_command_that_exits_with_1() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let text = fs::read_to_string(path).expect("the page exists");
    let (_, section) = text.split_once("## Exit status\n").expect("the page has the section");
    let row = section.lines().find(|line| line.starts_with("| 1 |")).expect("the table has status 1");
    for command in ["`lint`", "`diff`", "`lock --check`"] {
        assert!(row.contains(command), "{command} is missing from: {row}");
    }
}

/// The Markdown files below a folder, in byte order.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Splits text into the part before the next `console` block (with its opening fence), the block, and the rest.
fn next_block(text: &str) -> Option<(&str, &str, &str)> {
    const OPEN: &str = "```console\n";
    let open = text.find(OPEN)?;
    // Output that contains fences is in a block with longer fences.
    let longer = text[..open].len() - text[..open].trim_end_matches('`').len();
    let close = format!("\n```{}", "`".repeat(longer));
    let start = open + OPEN.len();
    let end = start + text[start..].find(&close).expect("every block is closed") + 1;
    Some((&text[..start], &text[start..end], &text[end..]))
}

/// Runs blocks in one shell and returns them with their actual output.
fn run(blocks: &[&str], is_session: bool) -> Vec<String> {
    // The path has the same length as `/home/ada`, which replaces it in the output, so sizes and line breaks match.
    let folder = tempfile::Builder::new().prefix("").rand_bytes(4).tempdir_in("/tmp");
    let folder = folder.expect("a folder for the example");
    let root = folder.path().canonicalize().expect("the folder exists");
    let shop = root.join("shop");
    if is_session {
        fs::create_dir(&shop).expect("a new folder");
    } else {
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/documents/shop"), &shop);
    }
    fs::create_dir(root.join("home")).expect("a new folder");

    let commands: Vec<Vec<Vec<&str>>> = blocks.iter().map(|block| commands(block)).collect();
    // The README calls `cargo run` in a clone, which has no `.ai/`.
    let mut script = "exec 2>&1\ncargo() { shift 3; (cd ../home && rye-render \"$@\"); }\n".to_string();
    let compares = |block: &&str| ["rye-render diff", "git "].iter().any(|command| block.contains(command));
    if !is_session && blocks.iter().any(compares) {
        script += REPOSITORY;
    }
    for command in commands.iter().flatten() {
        let typed: Vec<_> = command.iter().map(|line| &line[2..]).collect();
        script += &format!("{}\nstatus=$?; printf '{BETWEEN}'; (exit $status)\n", typed.join("\n"));
    }
    let bin = Path::new(PROGRAM).parent().expect("a program is in a folder").display();
    let output = isolated(Command::new("sh"), &root.join("home"))
        .env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap_or_default()))
        .envs([("USER_SPACE", "none"), ("COLUMNS", "80"), ("NO_COLOR", "1")])
        .envs(COMMITS)
        .args(["-c", &script])
        .current_dir(shop)
        .output()
        .expect("there is a shell");
    let printed = String::from_utf8(output.stdout).expect("output is UTF-8");
    let printed = printed.replace(root.to_str().expect("temporary folders have plain names"), "/home/ada");

    let mut printed = printed.split(BETWEEN);
    let show = |commands: &Vec<Vec<&str>>| {
        let mut shown = String::new();
        for (command, printed) in commands.iter().zip(&mut printed) {
            shown += &format!("{}\n{printed}", command.join("\n"));
            if !shown.ends_with('\n') {
                shown.push('\n');
            }
        }
        shown
    };
    commands.iter().map(show).collect()
}

/// The commands of a block, each as its lines.
fn commands(block: &str) -> Vec<Vec<&str>> {
    let mut commands: Vec<Vec<&str>> = Vec::new();
    let mut goes_on = false;
    for line in block.lines() {
        if line.starts_with("$ ") {
            commands.push(vec![line]);
            goes_on = true;
        } else if let Some(command) = commands.last_mut().filter(|_| goes_on && line.starts_with("> ")) {
            command.push(line);
        } else {
            goes_on = false;
        }
    }
    commands
}

fn is_installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a new folder");
    for entry in fs::read_dir(from).expect("the folder exists") {
        let entry = entry.expect("it can be read");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("it can be copied");
        }
    }
}

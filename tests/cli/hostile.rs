//! Hostile projects: a correct result within two seconds and 300 MB or, above a documented limit, one clear error with
//! the path and what to do, status 2, and no partial output. The closest valid input renders.
//!
//! | file | what is hostile |
//! | --- | --- |
//! | `agent_rules` | settings, rules and texts of single coding agents |
//! | `agents` | the folders and settings of coding agents |
//! | `costs` | too many hooks, patterns, chains, lines and placeholders |
//! | `contents` | readable files with invalid content: broken or circular, or with ids that point outside |
//! | `every` | names that are not UTF-8, and unreadable folders, for every command |
//! | `folders` | instructions and skills in agents' working folders |
//! | `given` | inputs, variables, messages, locks and baselines with more values than the limit |
//! | `machine` | errors as JSON, for programs |
//! | `moving` | files that change while they are read, and outputs that fail: a full disk, a closed output |
//! | `named` | files and folders that flags name |
//! | `sizes` | files larger or deeper than anything people write |
//! | `terminal` | characters that control a terminal |
//! | `unreadable` | files that cannot be read: devices, FIFOs, links, missing permissions |

#[cfg(unix)]
mod agent_rules;
#[cfg(unix)]
mod agents;
mod bounds;
mod contents;
#[cfg(unix)]
mod costs;
#[cfg(target_os = "linux")]
mod every;
#[cfg(unix)]
mod folders;
#[cfg(unix)]
mod given;
mod machine;
#[cfg(target_os = "linux")]
mod moving;
mod named;
mod sizes;
#[cfg(unix)]
pub(crate) mod terminal;
#[cfg(unix)]
mod unreadable;

#[cfg(unix)]
use std::{fs, os::unix::fs::PermissionsExt, process::Command};

#[cfg(unix)]
use crate::announce;
#[cfg(unix)]
use crate::support::{PROGRAM, missing};

use crate::support::Test;

/// A directive with only a name and a body.
const DIRECTIVE: &str = "```xml\n<directive name=\"x\"/>\n```\nHello.\n";

/// The prompt of [`DIRECTIVE`].
const PROMPT: &str = "<directive name=\"x\">\nHello.\n</directive>";

/// A directive whose context includes a knowledge item.
const ASKS: &str = "\
```xml
<directive name=\"x\">
<metadata><context><before>k</before></context></metadata>
</directive>
```
Hello.
";
const KNOWLEDGE: &str = "```yaml\nname: K\n```\nKnown.\n";
const PROMPT_WITH_KNOWLEDGE: &str = "Known.\n\n<directive name=\"x\">\nHello.\n</directive>";

const DIRECTIVE_PATH: &str = "project/.ai/directives/x.md";
const KNOWLEDGE_PATH: &str = "project/.ai/knowledge/k.md";

/// A project without other tiers, in a terminal wide enough for a sentence; the program is limited in time and memory.
fn test() -> Test {
    bounds::hold(Test::new()).env("RYE_SYSTEM_SPACE", "none").env("COLUMNS", "160")
}

/// Expects only this error from `render x`.
fn refused(test: Test, error: &str) {
    test.args(["render", "x", "--format", "plain"]).stderr(error).status(2).run();
}

/// Expects exactly this prompt from `render x`, without diagnostics.
fn renders(test: Test, prompt: &str) {
    test.args(["render", "x", "--format", "plain"]).stdout(prompt).run();
}

/// A directive with this block.
fn block(xml: &str) -> String {
    format!("```xml\n{xml}\n```\nHello.\n")
}

/// The command that runs the program as a user without permission to read files of mode 000: if the tests run as
/// root, it switches to `nobody`; otherwise, it is empty. None if switching is impossible.
#[cfg(unix)]
fn reader() -> Option<&'static [&'static str]> {
    const NOBODY: [&str; 3] = ["setpriv", "--reuid=65534", "--clear-groups"];
    let folder = tempfile::tempdir().expect("a folder");
    let probe = folder.path().join("probe");
    fs::write(&probe, "").expect("a new file");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).expect("its owner may change it");
    if fs::read(&probe).is_err() {
        return Some(&[]);
    }
    let can = Command::new(NOBODY[0]).args(&NOBODY[1..]).args([PROGRAM, "--version"]).output();
    if can.is_err() {
        missing("`setpriv`");
        return None;
    }
    let is_able = can.is_ok_and(|output| output.status.success());
    if !is_able {
        announce("unreadable files: not run: the user nobody cannot run the program");
    }
    is_able.then_some(&NOBODY)
}

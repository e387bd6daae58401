//! Hostile projects: a correct result within two seconds and 300 MB, or, above a documented limit, one clear error with
//! the path and what to do, status 2, nothing half-printed. Beside each stands the nearest good input, which renders.
//!
//! | file | what is hostile |
//! | --- | --- |
//! | `costs` | hooks, patterns, chains, lines and placeholders in such numbers that they cost too much |
//! | `contents` | files that can be read and not be understood: broken, circular, ids that lead out |
//! | `every` | names that are no text, and closed folders, for every command |
//! | `folders` | instructions and skills for agents that lie around in folders |
//! | `given` | inputs, variables, messages, locks and baselines that hold more than is kept |
//! | `machine` | the same for programs that read the errors |
//! | `moving` | what changes while it is read, and places that take nothing: a full disk, a closed output |
//! | `named` | files and folders that flags name |
//! | `sizes` | files larger or deeper than any that people write |
//! | `terminal` | characters that act on a terminal |
//! | `unreadable` | what is no file that can be read: devices, FIFOs, links, closed folders |

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

/// A directive that is nothing but its name and a body.
const DIRECTIVE: &str = "```xml\n<directive name=\"x\"/>\n```\nHello.\n";

/// What it renders to.
const PROMPT: &str = "<directive name=\"x\">\nHello.\n</directive>";

/// A directive with a context, and knowledge for it.
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

/// A project with nothing in the other tiers, and room for a sentence on a line; the program is held to its bounds.
fn test() -> Test {
    bounds::hold(Test::new()).env("RYE_SYSTEM_SPACE", "none").env("COLUMNS", "160")
}

/// `render x` says this and nothing else.
fn refused(test: Test, error: &str) {
    test.args(["render", "x", "--format", "plain"]).stderr(error).status(2).run();
}

/// `render x` writes exactly this, and has nothing to say.
fn renders(test: Test, prompt: &str) {
    test.args(["render", "x", "--format", "plain"]).stdout(prompt).run();
}

/// A directive with that block.
fn block(xml: &str) -> String {
    format!("```xml\n{xml}\n```\nHello.\n")
}

/// Who runs the program where a file may not be read: the one who runs the tests, or, where that one may read everything,
/// nobody. None where there is no way to be somebody else.
#[cfg(unix)]
fn reader() -> Option<&'static [&'static str]> {
    const NOBODY: [&str; 3] = ["setpriv", "--reuid=65534", "--clear-groups"];
    let folder = tempfile::tempdir().expect("a folder");
    let probe = folder.path().join("probe");
    fs::write(&probe, "").expect("a new file");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).expect("its owner may");
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
        announce("what nobody may read: not run: nobody cannot run the program");
    }
    is_able.then_some(&NOBODY)
}

//! Hostile projects: a correct result within two seconds and 300 MB, or, above a documented limit, one clear error with
//! the path and what to do, status 2, nothing half-printed. Beside each stands the nearest good input, which renders.
//!
//! | file | what is hostile |
//! | --- | --- |
//! | `costs` | hooks, patterns, chains, lines and placeholders in such numbers that they cost too much |
//! | `contents` | files that can be read and not be understood: broken, circular, ids that lead out |
//! | `folders` | instructions and skills for agents that lie around in folders |
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

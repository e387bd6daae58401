//! Every kind of file in a project, replaced by everything else that could be in its place.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use super::{
    ASKS, DIRECTIVE, DIRECTIVE_PATH, KNOWLEDGE, KNOWLEDGE_PATH, PROMPT, PROMPT_WITH_KNOWLEDGE, reader, refused,
    renders, test,
};
use crate::support::Test;

/// A file that a render reads.
struct Kind {
    path: &'static str,
    /// How a diagnostic names it.
    shown: &'static str,
    /// The other files of the project.
    around: &'static [(&'static str, &'static str)],
    /// Valid content for the file.
    good: &'static str,
    /// The prompt with the valid content.
    prompt: &'static str,
}

impl Kind {
    /// The project without the file.
    fn test(&self) -> Test {
        self.around.iter().fold(test(), |test, (path, text)| test.file(path, text))
    }
}

const PROMPT_WITH_HOOK: &str =
    "<K id=\"k\" type=\"knowledge\">\nKnown.\n</K>\n\n<directive name=\"x\">\nHello.\n</directive>";

const CHILD: &str = "```xml\n<directive name=\"x\" extends=\"p\"/>\n```\nHello.\n";

const PARENT: &str = "\
```xml
<directive name=\"p\">
<metadata><context><before>k</before></context></metadata>
</directive>
```
";

const TOOL_USER: &str = "\
```xml
<directive name=\"x\">
<metadata><permissions><execute><tool>t</tool></execute></permissions></metadata>
</directive>
```
";

/// A YAML file with only a list of hooks under one key.
macro_rules! hooks {
    ($key:literal) => {
        concat!(
            $key,
            ":\n- id: h\n  event: thread_started\n  action: {primary: fetch, item_type: knowledge, item_id: k}\n"
        )
    };
}

const KINDS: [Kind; 8] = [
    Kind { path: DIRECTIVE_PATH, shown: "project .ai/directives/x.md", around: &[], good: DIRECTIVE, prompt: PROMPT },
    Kind {
        path: "project/.ai/directives/p.md",
        shown: "project .ai/directives/p.md",
        around: &[(DIRECTIVE_PATH, CHILD), (KNOWLEDGE_PATH, KNOWLEDGE)],
        good: PARENT,
        prompt: PROMPT_WITH_KNOWLEDGE,
    },
    Kind {
        path: KNOWLEDGE_PATH,
        shown: "project .ai/knowledge/k.md",
        around: &[(DIRECTIVE_PATH, ASKS)],
        good: KNOWLEDGE,
        prompt: PROMPT_WITH_KNOWLEDGE,
    },
    Kind {
        path: "project/.ai/tools/t.py",
        shown: "project .ai/tools/t.py",
        around: &[
            (DIRECTIVE_PATH, TOOL_USER),
            ("project/.ai/tools/rye/execute.yaml", "config_schema: {type: object}\n"),
        ],
        good: "CONFIG_SCHEMA = {\"type\": \"object\"}\n",
        prompt: "<directive name=\"x\">\n<permissions><execute><tool>t</tool></execute></permissions>\n</directive>",
    },
    Kind {
        path: "project/.ai/config/agent/hooks.yaml",
        shown: "project .ai/config/agent/hooks.yaml",
        around: &[(DIRECTIVE_PATH, DIRECTIVE), (KNOWLEDGE_PATH, KNOWLEDGE)],
        good: hooks!("hooks"),
        prompt: PROMPT_WITH_HOOK,
    },
    Kind {
        path: "project/.ai/config/agent/hook_conditions.yaml",
        shown: "project .ai/config/agent/hook_conditions.yaml",
        around: &[(DIRECTIVE_PATH, DIRECTIVE), (KNOWLEDGE_PATH, KNOWLEDGE)],
        good: hooks!("context_hooks"),
        prompt: PROMPT_WITH_HOOK,
    },
    Kind {
        path: "project/.ai/config/agent/resilience.yaml",
        shown: "project .ai/config/agent/resilience.yaml",
        around: &[(DIRECTIVE_PATH, DIRECTIVE)],
        good: "limits:\n  defaults: {turns: 5}\n",
        prompt: PROMPT,
    },
    Kind {
        path: "project/.ai/config/rye-render.yaml",
        shown: "project .ai/config/rye-render.yaml",
        around: &[(DIRECTIVE_PATH, DIRECTIVE)],
        good: "protocols: []\n",
        prompt: PROMPT,
    },
];

/// For each kind of file, expects this error if `make` replaces it; with the valid file, the project renders.
fn each(make: impl Fn(&Path), problem: &str, place: &str, help: &str) {
    for kind in &KINDS {
        let error = format!("error{problem}\n  --> {}{place}\nhelp: {help}\n", kind.shown);
        refused(kind.test().with(|root| make(&placed(root, kind.path))), &error);
        renders(kind.test().file(kind.path, kind.good), kind.prompt);
    }
}

/// A path in the test's folder; creates the folders above it.
fn placed(root: &Path, path: &str) -> std::path::PathBuf {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
    path
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo is installed").success());
}

const REGULAR: &str = "put a regular file there";
const READABLE: &str = "check that it exists and that you have permission to read it";

#[test]
fn bytes_that_are_not_utf8_are_refused() {
    // Directives, "Errors": `invalid_utf8`. The é before the byte counts as one column.
    each(
        |path| fs::write(path, b"ab\n\xc3\xa9c\xffd").expect("a new file"),
        "[invalid_utf8]: not valid UTF-8: byte 6 cannot be decoded",
        ":2:3",
        "save the file as UTF-8",
    );
}

#[test]
fn a_folder_where_a_file_should_be_is_refused() {
    each(|path| fs::create_dir(path).expect("a folder"), "[not_a_file]: expected a file, found a folder", "", REGULAR);
}

#[test]
fn a_fifo_does_not_block() {
    each(fifo, "[not_a_file]: expected a file, found a FIFO", "", REGULAR);
}

/// `lint` reads the `.gitignore` of every folder that it walks through.
#[test]
fn endless_gitignore_files_are_ignored() {
    let project = || {
        let test = test().file("project/below/.ai/directives/x.md", DIRECTIVE);
        test.file("project/gone/.ai/directives/x.md", DIRECTIVE).args(["lint", "--fail-on", "off", "--show-files", "."])
    };
    let linked = |to: &'static str| {
        project().with(move |root| symlink(to, root.join("project/below/.gitignore")).expect("a link"))
    };
    let both = project().any_stdout().run().stdout;
    assert!(both.contains("below/") && both.contains("gone/"), "{both}");
    project().with(|root| fifo(&root.join("project/below/.gitignore"))).stdout(&both).run();
    linked("/dev/zero").stdout(&both).run();
    let one = project().file("project/.gitignore", "/gone/\n").any_stdout().run().stdout;
    assert!(one.contains("below/") && !one.contains("gone/"), "{one}");
}

#[test]
fn a_socket_is_refused() {
    each(
        |path| drop(UnixListener::bind(path).expect("a socket")),
        "[not_a_file]: expected a file, found a socket",
        "",
        REGULAR,
    );
}

#[test]
fn a_link_that_leaves_the_tier_is_refused() {
    each(
        |path| symlink("/dev/null", path).expect("a link"),
        "[outside_tier]: a link leads outside the folder of its tier",
        "",
        "move the file into the tier, or allow links like this with --follow-links",
    );
    // A link within the tier is followed; with the flag, so is any other link.
    for (target, flag) in [("near.md", None), ("../../../far.md", Some("--follow-links"))] {
        let linked = test()
            .file("project/.ai/directives/near.md", DIRECTIVE)
            .file("far.md", DIRECTIVE)
            .with(|root| symlink(target, root.join(DIRECTIVE_PATH)).expect("a link"));
        let linked = linked.args(["render", "x", "--format", "plain"]).stdout(PROMPT);
        match flag {
            Some(flag) => linked.args([flag]).run(),
            None => linked.run(),
        };
    }
}

#[test]
fn a_device_is_not_read_even_where_links_are_followed() {
    for kind in &KINDS {
        let error =
            format!("error[not_a_file]: expected a file, found a device\n  --> {}\nhelp: {REGULAR}\n", kind.shown);
        kind.test()
            .with(|root| symlink("/dev/zero", placed(root, kind.path)).expect("a link"))
            .args(["render", "x", "--format", "plain", "--follow-links"])
            .stderr(&error)
            .status(2)
            .run();
        kind.test()
            .file("elsewhere", kind.good)
            .with(|root| symlink(root.join("elsewhere"), placed(root, kind.path)).expect("a link"))
            .args(["render", "x", "--format", "plain", "--follow-links"])
            .stdout(kind.prompt)
            .run();
    }
}

#[test]
fn circular_links_are_refused() {
    each(
        |path| symlink(path.file_name().expect("it has a name"), path).expect("a link"),
        "[unreadable]: cannot be read: Too many levels of symbolic links",
        "",
        READABLE,
    );
}

#[test]
fn a_dangling_link_counts_as_a_missing_file() {
    let linked = test().with(|root| symlink("nowhere", placed(root, DIRECTIVE_PATH)).expect("a link"));
    refused(
        linked,
        "error[directive_not_found]: directive `x` not found in any tier (searched: project)\n\
         help: name the project with --project, or give the path of a file that ends in .md\n",
    );
    renders(test().file(DIRECTIVE_PATH, DIRECTIVE), PROMPT);
}

#[test]
fn a_file_without_read_permission_is_refused() {
    let Some(through) = reader() else { return };
    let closed = |path: &Path, closed: bool| {
        let mode = if closed { 0 } else { 0o644 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its owner may change it");
    };
    for kind in &KINDS {
        let with = |mode| {
            kind.test().file(kind.path, kind.good).through(through).with(|root| {
                fs::set_permissions(root, fs::Permissions::from_mode(0o755)).expect("its owner may change it");
                closed(&root.join(kind.path), mode);
            })
        };
        let error =
            format!("error[unreadable]: cannot be read: Permission denied\n  --> {}\nhelp: {READABLE}\n", kind.shown);
        refused(with(true), &error);
        renders(with(false), kind.prompt);
    }

    // The output folder belongs to another user.
    let owned = |mode: u32| {
        test().file(DIRECTIVE_PATH, DIRECTIVE).through(through).with(|root| {
            fs::set_permissions(root, fs::Permissions::from_mode(0o755)).expect("its owner may change it");
            fs::create_dir(root.join("project/out")).expect("a folder");
            fs::set_permissions(root.join("project/out"), fs::Permissions::from_mode(mode))
                .expect("its owner may change it");
        })
    };
    owned(0o555)
        .args(["render", "x", "--format", "plain", "-o", "out/x"])
        .stderr(
            "error[invalid_argument]: cannot be written: Permission denied\n  --> out/x\n\
             help: choose another place with -o\n",
        )
        .status(2)
        .run();
    let ran = owned(0o777).args(["render", "x", "--format", "plain", "-o", "out/x"]).run();
    assert_eq!(ran.read("project/out/x"), PROMPT);
}

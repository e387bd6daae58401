//! Files and folders that flags name.

use super::{DIRECTIVE, DIRECTIVE_PATH, PROMPT, block, test};
use crate::support::Test;

/// A flag that names a file.
struct Flag {
    flag: &'static str,
    file: &'static str,
    /// Additional arguments.
    with: &'static [&'static str],
    /// Valid content for the file.
    good: &'static str,
    prompt: &'static str,
    limit: u64,
}

const FLAGS: [Flag; 4] = [
    Flag {
        flag: "--inputs",
        file: "in.yaml",
        with: &[],
        good: "who: you\n",
        prompt: "<directive name=\"x\">\nHello you.\n</directive>",
        limit: 16_000_000,
    },
    Flag {
        flag: "--env-file",
        file: ".env",
        with: &["--placeholders"],
        good: "WHO=you\n",
        prompt: "<directive name=\"x\">\nHello {input:who}.\n</directive>",
        limit: 16_000_000,
    },
    Flag {
        flag: "--messages",
        file: "m.json",
        with: &["--event", "thread_continued", "--placeholders"],
        good: "[{\"role\": \"user\", \"content\": \"Go on.\"}]",
        prompt: "Go on.",
        limit: 16_000_000,
    },
    Flag {
        flag: "--protocol-file",
        file: "p.yaml",
        with: &["--protocol", "bare", "--placeholders"],
        good: "name: bare\nparts: [body]\n",
        prompt: "Hello {input:who}.",
        limit: 1_000_000,
    },
];

impl Flag {
    fn test(&self) -> Test {
        let xml = "<directive name=\"x\"><inputs><input name=\"who\" required=\"true\"/></inputs></directive>";
        let test = test().file(DIRECTIVE_PATH, &block(xml).replace("Hello", "Hello {input:who}"));
        let test = test.args(["render", "x", "--format", "plain", self.flag, self.file]);
        self.with.iter().fold(test, |test, word| test.args([word]))
    }

    fn refused(&self, test: Test, problem: &str, place: &str, help: &str) {
        let error = format!("error{problem}\n  --> {}{place}\nhelp: {help}\n", self.file);
        test.stderr(&error).status(2).run();
        self.test().file(&format!("project/{}", self.file), self.good).stdout(self.prompt).run();
    }
}

#[test]
fn missing_large_and_invalid_files_are_refused() {
    for flag in &FLAGS {
        let path = format!("project/{}", flag.file);
        let readable = "check that it exists and that you have permission to read it";
        flag.refused(flag.test(), "[unreadable]: cannot be read: No such file or directory", "", readable);
        let folder = flag.test().file(&format!("{path}/inside"), "");
        flag.refused(folder, "[not_a_file]: expected a file, found a folder", "", "put a regular file there");
        let bytes = flag.test().with(|root| std::fs::write(root.join(&path), b"ab\n\xff").expect("a new file"));
        flag.refused(
            bytes,
            "[invalid_utf8]: not valid UTF-8: byte 3 cannot be decoded",
            ":2:1",
            "save the file as UTF-8",
        );
        let large = flag.test().file(&path, &"\n".repeat(flag.limit as usize + 1));
        let problem = format!("[too_large]: larger than the limit of {} bytes", flag.limit);
        flag.refused(large, &problem, "", "make it smaller");
    }
}

#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    for flag in &FLAGS {
        let device = flag.test().with(|root| {
            std::os::unix::fs::symlink("/dev/zero", root.join("project").join(flag.file)).expect("a link");
        });
        let problem = format!("[too_large]: larger than the limit of {} bytes", flag.limit);
        flag.refused(device, &problem, "", "make it smaller");
        let fifo = flag.test().with(|root| fifo(&root.join("project").join(flag.file)));
        let problem = "[not_a_file]: expected a file, found a FIFO without a writer";
        flag.refused(fifo, problem, "", "put a regular file there");
    }
}

#[cfg(unix)]
fn fifo(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo is installed").success());
}

/// A pipe with a writer is read like any other file, however slow the writer is.
#[cfg(unix)]
#[test]
fn a_pipe_is_read_to_its_end() {
    for flag in &FLAGS {
        let mut writer = None;
        let test = flag.test().with(|root| {
            let path = root.join("project").join(flag.file);
            fifo(&path);
            // Opened for reading and writing, so that opening does not block and the program finds a writer.
            let mut file = std::fs::OpenOptions::new().read(true).write(true).open(&path).expect("a FIFO");
            writer = Some(std::thread::spawn(move || {
                use std::io::Write;
                std::thread::sleep(std::time::Duration::from_millis(200));
                let (first, rest) = flag.good.split_at(4);
                file.write_all(first.as_bytes()).expect("the program reads");
                std::thread::sleep(std::time::Duration::from_millis(200));
                file.write_all(rest.as_bytes()).expect("the program reads");
            }));
        });
        test.stdout(flag.prompt).run();
        writer.expect("it was started").join().expect("it has written");
    }
}

#[test]
fn files_with_the_wrong_content_are_refused() {
    let contents = [
        (
            "a: [",
            "error[invalid_argument]: the inputs cannot be read as YAML: while parsing a node, did not find expected node \
             content\n --> in.yaml:1:5\n  |\n1 | a: [\n  |     ^\n  |\n  = help: correct the file here\n",
        ),
        (
            "WHO\n",
            "error[invalid_argument]: this line of the environment file has no `=`\n --> .env:1:1\n  |\n1 | WHO\n  | ^^^\n  \
             |\n  = help: write NAME=VALUE, or start it with #\n",
        ),
        (
            "[]",
            "error[invalid_messages]: the earlier messages cannot be used: no message has the role `user`\n --> m.json:1:1\n  \
             |\n1 | []\n  | ^\n  |\n  = help: give a JSON list of {\"role\", \"content\"} with at least one user \
             message\n",
        ),
        (
            "name: bare\nparts: [bod]\n",
            "error[invalid_protocol]: the protocol cannot be used: parts[0]: unknown variant `bod`, expected one of \
             `instruction`, `name`, `preamble`, `permissions`, `body`, `returns`, `close`\n --> p.yaml:2:9\n  |\n2 | parts: \
             [bod]\n  |         ^\n  |\n  = help: docs/protocols.md lists the keys of a protocol file and their values\n",
        ),
    ];
    for (flag, (text, error)) in FLAGS.iter().zip(contents) {
        let path = format!("project/{}", flag.file);
        flag.test().file(&path, text).stderr(error).status(2).run();
        flag.test().file(&path, flag.good).stdout(flag.prompt).run();
    }
}

#[test]
fn a_directive_can_be_named_by_its_file() {
    let file = |path: &str| test().file("project/draft.md", DIRECTIVE).args(["render", "--format", "plain", path]);
    file("./absent.md")
        .stderr(
            "error[unreadable]: cannot be read: no such file\n  --> project absent.md\n\
             help: check that it exists and that you have permission to read it\n",
        )
        .status(2)
        .run();
    file("./")
        .stderr(
            "error[not_a_file]: expected a file, found a folder\n  --> [ROOT]/project\n\
             help: put a regular file there\n",
        )
        .status(2)
        .run();
    file("draft.md").stdout(PROMPT).run();
}

#[test]
fn folders_that_are_not_tiers_are_refused() {
    let named = |flag: &str, folder: &str| {
        test()
            .file("other/.ai/directives/x.md", DIRECTIVE)
            .file("other/file", "")
            .file("empty/file", "")
            .args(["render", "x", "--format", "plain", flag, folder])
    };
    for flag in ["--project", "--user-space", "--system"] {
        for (folder, what, help) in [
            ("absent", "No such file or directory", "check that it exists and that you have permission to read it"),
            ("other/file", "it is not a folder", "check that it exists and that you have permission to read it"),
            ("empty", "it has no .ai folder", "name a folder that has one"),
            ("other/.ai", "it is the .ai folder itself", "name the folder that holds .ai"),
        ] {
            named(flag, &format!("../{folder}"))
                .stderr(&format!("error[invalid_tier]: {flag} names `[ROOT]/{folder}`: {what}\nhelp: {help}\n"))
                .status(2)
                .run();
        }
        named(flag, "../other").stdout(PROMPT).run();
    }
}

#[test]
fn output_files_that_cannot_be_written_are_errors() {
    let written = |path: &str| {
        test()
            .file(DIRECTIVE_PATH, DIRECTIVE)
            .file("project/file", "before")
            .args(["render", "x", "--format", "plain", "-o", path])
    };
    for (path, reason) in
        [("absent/out", "No such file or directory"), (".ai", "Is a directory"), ("file/out", "Not a directory")]
    {
        let ran = written(path)
            .stderr(&format!(
                "error[invalid_argument]: cannot be written: {reason}\n  --> {path}\nhelp: choose another place with -o\n"
            ))
            .status(2)
            .run();
        assert_eq!(
            (ran.list("project"), ran.read("project/file").as_str()),
            (vec![".ai".into(), "file".into()], "before")
        );
    }
    assert_eq!(written("file").run().read("project/file"), PROMPT);

    test()
        .file(DIRECTIVE_PATH, DIRECTIVE)
        .file("project/file", "")
        .args(["render", "--all", "-o", "file"])
        .stderr(
            "error[invalid_argument]: the folder cannot be created: File exists\n  --> file\n\
             help: choose another folder with -o\n",
        )
        .status(2)
        .run();
}

//! The text of manual pages that is not in the definitions of flags.

/// Entries with names.
type Entries = &'static [(&'static str, &'static str)];

/// The paragraphs of a description, after its first sentence.
pub fn paragraphs(command: &str) -> &'static [&'static str] {
    match command {
        "rye-render" => &[
            "Agent systems assemble a prompt from many files: a directive, the directives that it extends, \
            knowledge items, hooks, tools, and the values of inputs and variables. rye-render reads the same \
            files by the same rules, without running anything, and shows the messages with the file and the line \
            of every part.",
            "Items are looked up in three tiers: the project, the user's own folder, and the system bundles. The \
            first tier that has an item wins. The project is the nearest folder, from the working folder up, \
            that contains .ai/.",
            "With --protocol sf, the same commands show what a coding agent sees in a folder: AGENTS.md and \
            CLAUDE.md files, a base prompt and skills.",
        ],
        "render" => {
            &["By default, each part is drawn in a box, with its source and what requested it below. Parts that \
            were left out are listed at the end, with the reason. --format plain writes the bytes of the \
            messages and nothing else."]
        }
        "explain" => {
            &["By default, it shows the plan of the prompt as a table: each part with its tokens and what requested \
            it, and what was left out and why. Flags ask about one line, one file or one item instead."]
        }
        "diff" => {
            &["It compares prompts, not files, layer by layer and word by word. It shows what moved, which tools, \
            limits and decisions differ, the change in tokens, and how much of a cached prefix can be reused. \
            With one argument, the left side is HEAD and the right side the working tree."]
        }
        "lint" => &[
            "It checks every item of the project, and every prompt that the items can form, for names that lead \
            nowhere, text that the model never receives, conditions that never hold, hidden characters, secret \
            keys and broken signatures. Each finding shows its line and says what to do.",
            ".ai/config/rye-render.yaml selects the rules, their levels, and the files to leave out.",
        ],
        "list" => {
            &["The effective copy of each id comes first, followed by the copies of other tiers that it shadows."]
        }
        "lock" => {
            &["The lock is a file for version control, with the tokens and the digest of each prompt. With --check \
            in CI, a prompt cannot change unnoticed."]
        }
        "chain" => {
            &["For a directive, it shows the directives that it extends, and what each of them adds. Flags ask the \
            reverse: what extends a directive, what injects a knowledge item, or by which paths one item reaches \
            another."]
        }
        "init" => &["It writes a directive, a knowledge item and settings below .ai/, with comments that explain \
             them. An existing project is not changed."],
        "completions" => {
            &["Add the line for your shell to its startup file. When you press Tab, the shell then asks rye-render \
            what may follow: commands and flags, the ids of directives, knowledge items and tools in the \
            project, the names of inputs, hooks and protocols, and lint rules."]
        }
        "schema" => &["The machine-readable formats follow these schemas."],
        "self-check" => {
            &["The checksums are in the file rye-render.sha256 of the release. Copy it into the folder of the program."]
        }
        _ => &[],
    }
}

/// The examples of a command whose help has none.
pub fn examples(command: &str) -> Option<&'static str> {
    match command {
        "init" => Some(
            "Examples:\n  rye-render init          in the working folder\n  rye-render init shop     in a new folder",
        ),
        "schema" => Some(
            "Examples:\n  rye-render schema              list all schemas\n  rye-render schema prompt       the schema of \
             `render --format json`",
        ),
        "self-check" => {
            Some("Examples:\n  rye-render self-check     after an installation, with rye-render.sha256 beside it")
        }
        _ => None,
    }
}

const DONE: (&str, &str) = ("0", "Done.");
const FAILED: (&str, &str) = (
    "2",
    "Failed: wrong usage, an unreadable file, an invalid item, a circular chain, a missing input. Standard error says what \
     is wrong, where, and what to do.",
);

const ENVIRONMENT: Entries = &[
    ("RYE_PROJECT", "The folder that holds the project's .ai/; --project overrides it."),
    ("USER_SPACE", "The folder that holds the user's .ai/; --user-space overrides it. Default: the home folder."),
    ("RYE_SYSTEM_SPACE", "The folders of system bundles, separated as in PATH; --system overrides it."),
    ("VIRTUAL_ENV", "The Python environment whose installed packages may declare bundles."),
    ("NO_COLOR, CLICOLOR_FORCE", "Whether to use colours; --color overrides them."),
    ("COLUMNS", "The width if there is no terminal."),
];

const FILES: Entries = &[
    (".ai/directives/ID.md", "A directive."),
    (".ai/knowledge/ID.md, .yaml, .yml", "A knowledge item."),
    (".ai/tools/ID.py, .yaml, .yml, .js, .ts, .sh", "A tool."),
    (".ai/config/agent/", "Hooks, and the limits of a project."),
    (".ai/config/rye-render.yaml", "Settings of rye-render: protocols, example inputs, lint rules."),
    ("~/.config/rye-render/config.yaml", "Settings for all projects of a user, with the lowest precedence."),
];

/// The sections at the end of a page.
pub fn ends(command: &str) -> Vec<(&'static str, Entries)> {
    let status: Entries = match command {
        "diff" => &[
            ("0", "The prompts are the same; with --max-token-growth, none grows by more."),
            ("1", "They differ, unless --exit-zero is given; with --max-token-growth, one grows by more."),
            FAILED,
        ],
        "lint" => {
            &[("0", "No finding is at or above --fail-on."), ("1", "A finding is at or above --fail-on."), FAILED]
        }
        "lock" => &[
            ("0", "The lock was written; with --check, no prompt has changed."),
            ("1", "With --check, a prompt has changed, is new, or is gone."),
            FAILED,
        ],
        "self-check" => &[("0", "The program is one of the release."), ("1", "It is not."), FAILED],
        "record" => &[DONE, ("1", "The request departs from the rules."), FAILED],
        "rye-render" => &[DONE, ("1", "diff, lint, lock --check or record found something."), FAILED],
        _ => &[DONE, FAILED],
    };
    let mut sections = vec![("EXIT STATUS", status)];
    if command == "rye-render" {
        sections.extend([("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)]);
    }
    sections
}

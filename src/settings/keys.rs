/// A key of the settings, as documents and schema tell of it.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it may hold.
    pub values: &'static str,
    /// What holds where it is not set.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// The keys of the file.
pub const KEYS: [Key; 4] = [
    Key {
        name: "protocol",
        values: "the name of a protocol",
        default: "`rye-3`",
        meaning: "the assembly rules of all commands, where `--protocol` names none",
    },
    Key {
        name: "protocols",
        values: "a list of definitions",
        default: "none",
        meaning: "[protocols](protocols.md#a-protocol-file) of your own; those of every tier can be named",
    },
    Key {
        name: "examples",
        values: "a map of directives to inputs",
        default: "none",
        meaning: "[example inputs](inputs.md#example-inputs) for commands that render every directive",
    },
    Key { name: "lint", values: "a map", default: "none", meaning: "what `lint` finds, and where; see below" },
];

/// The keys of `lint`.
pub const LINT_KEYS: [Key; 8] = [
    Key {
        name: "select",
        values: "a list of rules",
        default: "all",
        meaning: "these rules alone; one that is off by default and is named speaks as a warning then",
    },
    Key { name: "ignore", values: "a list of rules", default: "none", meaning: "not these" },
    Key {
        name: "fail_on",
        values: "`note`, `warning`, `error`, `off`",
        default: "`warning`",
        meaning: "from which level on the exit status is 1; `off` never returns it",
    },
    Key { name: "exclude", values: "a list of patterns", default: "none", meaning: "files that are not checked" },
    Key {
        name: "rules",
        values: "a map of rules to `off`, `note`, `warning`, `error`",
        default: "each rule's own",
        meaning: "how loudly rules speak; of several entries for one rule the most specific counts",
    },
    Key { name: "options", values: "a map", default: "see below", meaning: "limits that rules hold prompts against" },
    Key {
        name: "paths",
        values: "a list of maps",
        default: "none",
        meaning: "other levels for some files: `files` (patterns), `ignore`, `rules`; a later entry beats an earlier one",
    },
    Key {
        name: "budgets",
        values: "a map of directives to numbers",
        default: "none",
        meaning: "the most tokens of single prompts, in place of `prompt_tokens`; an id counts more than a pattern such as \
                  `web/*`",
    },
];

/// The keys of an entry of `lint.paths`.
pub const PATHS_KEYS: [&str; 3] = ["files", "ignore", "rules"];

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
        meaning: "the protocol of all commands, unless `--protocol` names one",
    },
    Key {
        name: "protocols",
        values: "a list of definitions",
        default: "none",
        meaning: "your own [protocols](protocols.md#a-protocol-file); those of every tier are available",
    },
    Key {
        name: "examples",
        values: "a map of directives to inputs",
        default: "none",
        meaning: "[example inputs](inputs.md#example-inputs) for commands that render every directive",
    },
    Key { name: "lint", values: "a map", default: "none", meaning: "settings of `lint`, see below" },
];

/// The keys of `lint`.
pub const LINT_KEYS: [Key; 8] = [
    Key {
        name: "select",
        values: "a list of rules",
        default: "all",
        meaning: "check only these rules; a rule that is off by default becomes a warning if named",
    },
    Key { name: "ignore", values: "a list of rules", default: "none", meaning: "rules to skip" },
    Key {
        name: "fail_on",
        values: "`note`, `warning`, `error`, `off`",
        default: "`warning`",
        meaning: "the lowest level that makes the exit status 1; `off` for never",
    },
    Key { name: "exclude", values: "a list of patterns", default: "none", meaning: "files to skip" },
    Key {
        name: "rules",
        values: "a map of rules to `off`, `note`, `warning`, `error`",
        default: "each rule's own",
        meaning: "levels of rules; the most specific entry wins",
    },
    Key { name: "options", values: "a map", default: "see below", meaning: "limits that rules use" },
    Key {
        name: "paths",
        values: "a list of maps",
        default: "none",
        meaning: "levels for some files: `files` (patterns), `ignore`, `rules`; a later entry overrides an earlier one",
    },
    Key {
        name: "budgets",
        values: "a map of directives to numbers",
        default: "none",
        meaning: "the most tokens per prompt, overriding `prompt_tokens`; an id overrides a pattern such as `web/*`",
    },
];

/// The keys of an entry of `lint.paths`.
pub const PATHS_KEYS: [&str; 3] = ["files", "ignore", "rules"];

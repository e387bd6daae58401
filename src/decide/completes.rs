use clap::builder::ArgExt;

/// What an argument takes, if clap does not know its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completes {
    /// An id or a file.
    Directive,
    /// A directive, with or without a revision.
    Side,
    DirectiveId,
    Knowledge,
    Hook,
    /// A hook or a knowledge item.
    Suppressed,
    /// An item or a hook, or a file that an agent reads in a folder.
    Item,
    /// The ends of a path: a directive or a hook, then an item or a hook.
    Ends,
    /// A position, `=` and a knowledge item.
    Context,
    /// The name of an input of the directive, and `=`.
    Input,
    /// The code or name of a rule, or a group.
    Rule,
    Protocol,
    /// An agent, with or without a release.
    Agent,
    Schema,
    /// A tier's kind or label.
    Tier,
}

impl ArgExt for Completes {}

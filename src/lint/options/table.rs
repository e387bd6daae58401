use crate::tokens::Tokenizer;

use super::Options;

/// An option of rules: a key of `lint.options`.
#[derive(Debug, Clone, Copy)]
pub struct OptionRow {
    /// Its key.
    pub name: &'static str,
    /// What it decides.
    pub meaning: &'static str,
    /// The rules that ask for it, by name.
    pub rules: &'static [&'static str],
    /// The field that holds it.
    pub field: Field,
}

/// A field of the options, by what it holds.
#[derive(Debug, Clone, Copy)]
pub enum Field {
    /// A number, one or more.
    Count(fn(&mut Options) -> &mut usize),
    /// A number from 1 to 100.
    Percent(fn(&mut Options) -> &mut usize),
    /// How tokens are counted.
    Tokenizer(fn(&mut Options) -> &mut Tokenizer),
}

/// All of them. An option that a rule needs is a field of [`Options`], its default, and a row here.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow {
        name: "prompt_tokens",
        meaning: "the most tokens that a prompt should have",
        rules: &["prompt_over_budget"],
        field: Field::Count(|options| &mut options.prompt_tokens),
    },
    OptionRow {
        name: "layer_share",
        meaning: "the largest share of a prompt, in percent, that one layer should have",
        rules: &["layer_dominates"],
        field: Field::Percent(|options| &mut options.layer_share),
    },
    OptionRow {
        name: "layer_share_from",
        meaning: "`layer_share` applies to prompts with at least this many tokens",
        rules: &["layer_dominates"],
        field: Field::Count(|options| &mut options.layer_share_from),
    },
    OptionRow {
        name: "volatile_from",
        meaning: "the most tokens that may follow a value that changes from run to run",
        rules: &["volatile_text"],
        field: Field::Count(|options| &mut options.volatile_from),
    },
    OptionRow {
        name: "context_tokens",
        meaning: "the most tokens that one context file of a coding agent should have",
        rules: &["context_over_budget"],
        field: Field::Count(|options| &mut options.context_tokens),
    },
    OptionRow {
        name: "context_chain_tokens",
        meaning: "the most tokens that all context files of a folder should have together",
        rules: &["context_over_budget"],
        field: Field::Count(|options| &mut options.context_chain_tokens),
    },
    OptionRow {
        name: "tokenizer",
        meaning: "how tokens are counted",
        rules: &["prompt_over_budget", "layer_dominates", "volatile_text", "context_over_budget"],
        field: Field::Tokenizer(|options| &mut options.tokenizer),
    },
];

impl Field {
    /// What may stand there, in words of the documents.
    pub fn values(self) -> String {
        match self {
            Self::Count(_) => "a number".to_string(),
            Self::Percent(_) => "a number from 1 to 100".to_string(),
            Self::Tokenizer(_) => Tokenizer::ALL.map(|it| format!("`{it}`")).join(", "),
        }
    }

    /// What it holds where nothing is set.
    pub fn default(self) -> String {
        let mut options = Options::default();
        match self {
            Self::Count(field) | Self::Percent(field) => field(&mut options).to_string(),
            Self::Tokenizer(field) => field(&mut options).to_string(),
        }
    }
}

use crate::text::tokens::Tokenizer;

use super::LintOptions;

#[derive(Debug, Clone, Copy)]
pub enum OptionField {
    /// A positive number.
    Count(fn(&mut LintOptions) -> &mut usize),
    /// A number from 1 to 100.
    Percent(fn(&mut LintOptions) -> &mut usize),
    Tokenizer(fn(&mut LintOptions) -> &mut Tokenizer),
}

/// A key of `lint.options`.
pub struct OptionRow {
    pub name: &'static str,
    pub field: OptionField,
}

/// A new option needs a field in [`LintOptions`], a default, a row here, and a row in `documented`,
/// from which the documents and the schema are generated.
pub const OPTIONS: [OptionRow; 7] = [
    OptionRow { name: "prompt_tokens", field: OptionField::Count(|options| &mut options.prompt_tokens) },
    OptionRow { name: "layer_share", field: OptionField::Percent(|options| &mut options.layer_share) },
    OptionRow { name: "layer_share_from", field: OptionField::Count(|options| &mut options.layer_share_from) },
    OptionRow { name: "volatile_from", field: OptionField::Count(|options| &mut options.volatile_from) },
    OptionRow { name: "context_tokens", field: OptionField::Count(|options| &mut options.context_tokens) },
    OptionRow { name: "context_chain_tokens", field: OptionField::Count(|options| &mut options.context_chain_tokens) },
    OptionRow { name: "tokenizer", field: OptionField::Tokenizer(|options| &mut options.tokenizer) },
];

#[cfg(test)]
pub mod documented {
    use super::*;
    use crate::text::words::words;

    /// An option as the documents and the schema of the settings describe it.
    pub struct Documented {
        pub name: &'static str,
        pub meaning: &'static str,
        /// The names of the rules that use it.
        pub rules: &'static [&'static str],
    }

    const fn row(name: &'static str, meaning: &'static str, rules: &'static [&'static str]) -> Documented {
        Documented { name, meaning, rules }
    }

    pub const DOCUMENTED: [Documented; 7] = [
        row("prompt_tokens", "the maximum number of tokens in a prompt", &["prompt_over_budget"]),
        row("layer_share", "the maximum share of a prompt, in percent, for one layer", &["layer_dominates"]),
        row(
            "layer_share_from",
            "`layer_share` applies to prompts with at least this many tokens",
            &["layer_dominates"],
        ),
        row(
            "volatile_from",
            "the maximum number of tokens after a value that changes from run to run",
            &["volatile_text"],
        ),
        row(
            "context_tokens",
            "the maximum number of tokens in one context file of a coding agent",
            &["context_over_budget"],
        ),
        row(
            "context_chain_tokens",
            "the maximum number of tokens in all context files of a folder together",
            &["context_over_budget"],
        ),
        row(
            "tokenizer",
            "how tokens are counted",
            &["prompt_over_budget", "layer_dominates", "volatile_text", "context_over_budget"],
        ),
    ];

    impl Documented {
        pub fn field(&self) -> OptionField {
            OPTIONS.iter().find(|row| row.name == self.name).expect("an option that is read").field
        }

        pub fn values(&self) -> String {
            match self.field() {
                OptionField::Count(_) => "a number".to_string(),
                OptionField::Percent(_) => "a number from 1 to 100".to_string(),
                OptionField::Tokenizer(_) => format!("`{}`", words::<Tokenizer>().join("`, `")),
            }
        }

        pub fn default(&self) -> String {
            let mut options = LintOptions::default();
            match self.field() {
                OptionField::Count(field) | OptionField::Percent(field) => field(&mut options).to_string(),
                OptionField::Tokenizer(field) => field(&mut options).to_string(),
            }
        }
    }

    #[test]
    fn every_option_is_documented() {
        assert_eq!(DOCUMENTED.map(|row| row.name), OPTIONS.map(|row| row.name));
    }
}

use crate::lint::pages::RR501 as RULE;
use crate::lint::rules::{Composed, Findings, Project};
use crate::prompt::Prompt;
use crate::text::numbers::thousands;
use crate::text::tokens::Tokenizer;

use super::{bound, rendered};

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let budget = project.options.most_tokens(&composed.leaf.id);
    let tokenizer = project.options.tokenizer;
    if bound::most_tokens(bound::most_bytes(composed, project), tokenizer) <= budget {
        return;
    }
    let Some(prompt) = rendered::with_placeholders(composed, project) else { return };
    let tokens = rendered::tokens(&prompt, tokenizer);
    if tokens > budget {
        let [has, over] = [tokens, tokens - budget].map(thousands);
        let message = format!("the prompt has {has} tokens, {over} more than its budget");
        found.at(&composed.directive.tag, message).help(help(&prompt, tokenizer));
    }
}

/// Names the largest layers.
fn help(prompt: &Prompt, tokenizer: Tokenizer) -> String {
    let texts = prompt.layer_texts();
    let mut layers: Vec<(usize, String)> =
        prompt.layers.iter().zip(texts).map(|(layer, text)| (tokenizer.count(text), layer.title())).collect();
    layers.sort_by(|left, right| right.cmp(left));
    let largest: Vec<String> =
        layers.iter().take(3).map(|(tokens, title)| format!("`{title}` ({})", thousands(*tokens))).collect();
    format!("its largest layers are {}; {}", largest.join(", "), RULE.help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::request::Request;
    use crate::fill::assemble;
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::{found, tiers};
    use crate::read::protocol::Protocols;

    fn with_budgets(example: Example, budgets: &str) -> Vec<String> {
        let text = example.0.replacen("lint:\n", &format!("lint:\n  budgets: {budgets}\n"), 1);
        let found = found(Example(text.leak()), &LintOptions::default());
        found.into_iter().filter(|finding| finding.rule.code == RULE.code).map(|finding| finding.message).collect()
    }

    #[test]
    fn a_directive_may_have_its_own_budget() {
        assert_eq!(with_budgets(examples(&RULE).bad, "{deploy: 90000}"), [""; 0]);
        assert_eq!(with_budgets(examples(&RULE).bad, "{'dep*': 90000, other: 1}"), [""; 0]);
        assert_eq!(with_budgets(examples(&RULE).bad, "{other: 90000}").len(), 1);
        assert_eq!(with_budgets(examples(&RULE).good, "{other: 1}"), [""; 0]);
        let found = with_budgets(examples(&RULE).good, "{deploy: 1, '*': 90000}");
        assert!(found.len() == 1 && found[0].ends_with(" more than its budget"), "{found:?}");
    }

    #[test]
    fn the_number_is_exact() {
        let protocol = Protocols::default().get("rye-3").unwrap();
        let prompt = assemble::render(&Request::new("deploy"), &tiers(examples(&RULE).bad), &protocol).unwrap();
        let tokens: usize = prompt.messages.iter().map(|message| message.text().chars().count().div_ceil(4)).sum();
        let found = found(examples(&RULE).bad, &LintOptions::default());
        let expected = format!("the prompt has {tokens} tokens, {} more than its budget", tokens - 500);
        assert_eq!(found.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>(), [expected]);
        assert!(found[0].help.starts_with("its largest layers are `deploy/handbook` ("), "{}", found[0].help);
    }
}

use super::{bound, rendered};
use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::prompt::Prompt;
use crate::tokens::{Tokenizer, thousands};

pub(super) const RULE: Rule = Rule {
    code: "RR501",
    name: "prompt_over_budget",
    group: Group::Cost,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a prompt that exceeds its budget of tokens",
    help: "place fewer items, shorten them, or raise `prompt_tokens` or the budget of this directive in the settings",
    rationale: "\
Every token of a prompt is paid for in each turn, and what a model has to find among many others it finds less often. \
The number is that of `render --placeholders`: the messages, without the tool palette. The budget is `prompt_tokens` of \
the settings, or that of the directive (Directives, \"Protocols\": system and user message).",
    bad: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    prompt_tokens: 500
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context><before>deploy/handbook</before></context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/handbook.md
```yaml
name: handbook
```

1. Look at the error rate of the last hour before you begin.
2. Tell the team in the channel which version goes out.
3. Take the version from the tag, never from a branch.
4. Stop when a check is red, and say which one it was.
5. Roll out to one machine, and wait for five minutes.
6. Compare its latency with that of the others.
7. Roll out to the rest in steps of a quarter.
8. Wait for two minutes after each step.
9. Go back to the last version when errors double.
10. Write down what you saw, with times.
11. Close the change in the log of changes.
12. Thank whoever was on call.
13. Look at the error rate of the last hour before you begin.
14. Tell the team in the channel which version goes out.
15. Take the version from the tag, never from a branch.
16. Stop when a check is red, and say which one it was.
17. Roll out to one machine, and wait for five minutes.
18. Compare its latency with that of the others.
19. Roll out to the rest in steps of a quarter.
20. Wait for two minutes after each step.
21. Go back to the last version when errors double.
22. Write down what you saw, with times.
23. Close the change in the log of changes.
24. Thank whoever was on call.
25. Look at the error rate of the last hour before you begin.
26. Tell the team in the channel which version goes out.
27. Take the version from the tag, never from a branch.
28. Stop when a check is red, and say which one it was.
29. Roll out to one machine, and wait for five minutes.
30. Compare its latency with that of the others.
"#,
    ),
    good: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    prompt_tokens: 500
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context><before>deploy/handbook</before></context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/handbook.md
```yaml
name: handbook
```

1. Look at the error rate of the last hour before you begin.
2. Tell the team in the channel which version goes out.
3. Take the version from the tag, never from a branch.
4. Stop when a check is red, and say which one it was.
"#,
    ),
    fix: FixKind::None,
    check: Check::Composed(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    prompt_tokens: 500
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context><before>deploy/handbook</before></context>
  </metadata>
</directive>
```

Base.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/handbook.md
```yaml
name: handbook
```

1. Look at the error rate of the last hour before you begin.
2. Tell the team in the channel which version goes out.
3. Take the version from the tag, never from a branch.
4. Stop when a check is red, and say which one it was.
5. Roll out to one machine, and wait for five minutes.
6. Compare its latency with that of the others.
7. Roll out to the rest in steps of a quarter.
8. Wait for two minutes after each step.
9. Go back to the last version when errors double.
10. Write down what you saw, with times.
11. Close the change in the log of changes.
12. Thank whoever was on call.
13. Look at the error rate of the last hour before you begin.
14. Tell the team in the channel which version goes out.
15. Take the version from the tag, never from a branch.
16. Stop when a check is red, and say which one it was.
17. Roll out to one machine, and wait for five minutes.
18. Compare its latency with that of the others.
19. Roll out to the rest in steps of a quarter.
20. Wait for two minutes after each step.
21. Go back to the last version when errors double.
22. Write down what you saw, with times.
23. Close the change in the log of changes.
24. Thank whoever was on call.
25. Look at the error rate of the last hour before you begin.
26. Tell the team in the channel which version goes out.
27. Take the version from the tag, never from a branch.
28. Stop when a check is red, and say which one it was.
29. Roll out to one machine, and wait for five minutes.
30. Compare its latency with that of the others.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    prompt_tokens: 900
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context><before>deploy/handbook</before></context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/handbook.md
```yaml
name: handbook
```

1. Look at the error rate of the last hour before you begin.
2. Tell the team in the channel which version goes out.
3. Take the version from the tag, never from a branch.
4. Stop when a check is red, and say which one it was.
5. Roll out to one machine, and wait for five minutes.
6. Compare its latency with that of the others.
7. Roll out to the rest in steps of a quarter.
8. Wait for two minutes after each step.
9. Go back to the last version when errors double.
10. Write down what you saw, with times.
11. Close the change in the log of changes.
12. Thank whoever was on call.
13. Look at the error rate of the last hour before you begin.
14. Tell the team in the channel which version goes out.
15. Take the version from the tag, never from a branch.
16. Stop when a check is red, and say which one it was.
17. Roll out to one machine, and wait for five minutes.
18. Compare its latency with that of the others.
19. Roll out to the rest in steps of a quarter.
20. Wait for two minutes after each step.
21. Go back to the last version when errors double.
22. Write down what you saw, with times.
23. Close the change in the log of changes.
24. Thank whoever was on call.
25. Look at the error rate of the last hour before you begin.
26. Tell the team in the channel which version goes out.
27. Take the version from the tag, never from a branch.
28. Stop when a check is red, and say which one it was.
29. Roll out to one machine, and wait for five minutes.
30. Compare its latency with that of the others.
"#,
    ),
};

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
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

/// The largest layers, which are where to begin.
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
    use crate::assemble;
    use crate::lint::Options;
    use crate::lint::testing::{found, tiers};
    use crate::protocol::Protocols;
    use crate::request::Request;

    /// What is found in an example whose settings hold these budgets as well.
    fn with_budgets(example: Example, budgets: &str) -> Vec<String> {
        let text = example.0.replacen("lint:\n", &format!("lint:\n  budgets: {budgets}\n"), 1);
        let found = found(Example(text.leak()), &Options::default());
        found.into_iter().filter(|finding| finding.rule.code == RULE.code).map(|finding| finding.message).collect()
    }

    #[test]
    fn a_directive_may_have_a_budget_of_its_own() {
        assert_eq!(with_budgets(RULE.bad, "{deploy: 90000}"), [""; 0]);
        assert_eq!(with_budgets(RULE.bad, "{'dep*': 90000, other: 1}"), [""; 0]);
        assert_eq!(with_budgets(RULE.bad, "{other: 90000}").len(), 1);
        assert_eq!(with_budgets(RULE.good, "{other: 1}"), [""; 0]);
        let found = with_budgets(RULE.good, "{deploy: 1, '*': 90000}");
        assert!(found.len() == 1 && found[0].ends_with(" more than its budget"), "{found:?}");
    }

    /// The number is that of the prompt itself.
    #[test]
    fn the_number_is_exact() {
        let protocol = Protocols::default().get("rye-3").unwrap();
        let prompt = assemble::render(&Request::new("deploy"), &tiers(RULE.bad), &protocol).unwrap();
        let tokens: usize = prompt.messages.iter().map(|message| message.text().chars().count().div_ceil(4)).sum();
        let found = found(RULE.bad, &Options::default());
        let expected = format!("the prompt has {tokens} tokens, {} more than its budget", tokens - 500);
        assert_eq!(found.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>(), [expected]);
        assert!(found[0].help.starts_with("its largest layers are `deploy/handbook` ("), "{}", found[0].help);
    }
}

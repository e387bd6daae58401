use std::sync::Arc;

use super::{bound, rendered};
use crate::lint::finding::Findings;
use crate::lint::options::Options;
use crate::lint::project::{Becomes, Composed, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::prompt::LayerKind;
use crate::tokens::thousands;

pub(super) const RULE: Rule = Rule {
    code: "RR502",
    name: "layer_dominates",
    group: Group::Cost,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "one item or hook that is most of a prompt",
    help: "split it, and place what this directive needs; the rest can be fetched when it is asked for",
    rationale: "\
An item that makes up most of a large prompt is as a rule a whole manual of which a directive needs a page. The share is \
`layer_share`, and prompts of fewer than `layer_share_from` tokens are not looked at. The directive itself does not \
count: its body is what the prompt is for.",
    bad: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    layer_share: 50
    layer_share_from: 400
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
31. Roll out to the rest in steps of a quarter.
32. Wait for two minutes after each step.
33. Go back to the last version when errors double.
34. Write down what you saw, with times.
35. Close the change in the log of changes.
36. Thank whoever was on call.
37. Look at the error rate of the last hour before you begin.
38. Tell the team in the channel which version goes out.
39. Take the version from the tag, never from a branch.
40. Stop when a check is red, and say which one it was.
"#,
    ),
    good: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    layer_share: 50
    layer_share_from: 400
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context><before>deploy/steps</before></context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/steps.md
```yaml
name: steps
```

1. Look at the error rate of the last hour before you begin.
2. Tell the team in the channel which version goes out.
3. Take the version from the tag, never from a branch.
4. Stop when a check is red, and say which one it was.
5. Roll out to one machine, and wait for five minutes.
6. Compare its latency with that of the others.
7. Roll out to the rest in steps of a quarter.
8. Wait for two minutes after each step.
"#,
    ),
    fix: FixKind::None,
    check: Check::Composed(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    layer_share: 50
    layer_share_from: 400
=== .ai/config/agent/hooks.yaml
hooks:
  - id: team_rules
    event: thread_started
    layer: 3
    position: before
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/handbook
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
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
31. Roll out to the rest in steps of a quarter.
32. Wait for two minutes after each step.
33. Go back to the last version when errors double.
34. Write down what you saw, with times.
35. Close the change in the log of changes.
36. Thank whoever was on call.
37. Look at the error rate of the last hour before you begin.
38. Tell the team in the channel which version goes out.
39. Take the version from the tag, never from a branch.
40. Stop when a check is red, and say which one it was.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  options:
    layer_share: 50
    layer_share_from: 400
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/steps</before>
      <after>deploy/log</after>
    </context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/steps.md
```yaml
name: steps
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
=== .ai/knowledge/deploy/log.md
```yaml
name: log
```

1. Stop when a check is red, and say which one it was.
2. Roll out to one machine, and wait for five minutes.
3. Compare its latency with that of the others.
4. Roll out to the rest in steps of a quarter.
5. Wait for two minutes after each step.
6. Go back to the last version when errors double.
7. Write down what you saw, with times.
8. Close the change in the log of changes.
9. Thank whoever was on call.
10. Look at the error rate of the last hour before you begin.
11. Tell the team in the channel which version goes out.
12. Take the version from the tag, never from a branch.
13. Stop when a check is red, and say which one it was.
14. Roll out to one machine, and wait for five minutes.
15. Compare its latency with that of the others.
16. Roll out to the rest in steps of a quarter.
17. Wait for two minutes after each step.
18. Go back to the last version when errors double.
19. Write down what you saw, with times.
20. Close the change in the log of changes.
21. Thank whoever was on call.
22. Look at the error rate of the last hour before you begin.
23. Tell the team in the channel which version goes out.
24. Take the version from the tag, never from a branch.
"#,
    ),
};

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let Options { tokenizer, layer_share, layer_share_from, .. } = *project.options;
    let is_large = |bytes: usize| bound::most_tokens(bytes, tokenizer) * 100 >= layer_share * layer_share_from;
    let placed = composed.context.iter().filter(|asked| matches!(asked.becomes, Becomes::Placed));
    let mut sources = placed.filter_map(|asked| asked.file?.source.as_ref());
    let of_hooks = || {
        let own = composed.directive.hooks.iter();
        project.configured_costs().largest.max(if own.len() > 0 { project.hook_costs(own).largest } else { 0 })
    };
    if !sources.any(|source| is_large(source.text().len())) && !is_large(of_hooks()) {
        return;
    }
    let Some(prompt) = rendered::with_placeholders(composed, project) else { return };
    let total = rendered::tokens(&prompt, tokenizer);
    if total < layer_share_from {
        return;
    }
    for (layer, text) in prompt.layers.iter().zip(prompt.layer_texts()) {
        let is_brought = matches!(layer.kind, LayerKind::Hook | LayerKind::Context);
        let tokens = if is_brought { tokenizer.count(text) } else { 0 };
        let Some(place) = layer.declared_by.as_ref().and_then(|by| by.span.as_ref()) else { continue };
        if tokens * 100 < layer_share * total || tokens == 0 {
            continue;
        }
        let is_own = composed.leaf.source.as_ref().is_some_and(|own| Arc::ptr_eq(own, place.source()));
        let [tokens_, total_] = [tokens, total].map(thousands);
        // What others place is told once, whatever the prompts that it gets into.
        let message = match is_own {
            true => format!("`{}` has {tokens_} of the {total_} tokens of the prompt", layer.name),
            false => format!("`{}` is more than {layer_share}% of the prompts that it stands in", layer.name),
        };
        found.at(place, message);
    }
}

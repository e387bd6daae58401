use super::front;
use crate::item::{Knowledge, NoText, TextPlace};
use crate::lint::finding::{Edit, Findings};
use crate::lint::project::FileKind;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::ItemKind;
use crate::yaml::{self, YamlLimits};

pub(super) const RULE: Rule = Rule {
    code: "RR015",
    name: "front_matter",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "metadata between --- lines, which is none here",
    help: "put the metadata of a knowledge item into a ```yaml block, that of a directive into its <metadata>",
    rationale: "\
Metadata stands in a fence: `xml` in a directive, `yaml` in a knowledge item. Front matter between `---` lines is \
what other tools read. Here it is text in front of the fence, which never reaches a prompt; a knowledge item that has \
nothing else has neither name nor text, and a hook that asks for it injects the whole file, the front matter \
included (Directives, \"Knowledge\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
---
name: rules
category: deploy
---

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::ChangesPrompt,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/knowledge/deploy/rules.md
---
name: rules
category: deploy
---

Never deploy on a Friday.
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
---

How we deploy, and when.

---

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

---
Never: deploy on a Friday.
---
=== .ai/directives/release.md
```xml
<directive name="release" version="1.0.0">
  <metadata>
    <description>Release</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(file: &File, _: &Project<'_>, found: &mut Findings<'_>) {
    let (FileKind::Item(ItemKind::Directive | ItemKind::Knowledge), Some(source)) = (file.kind, &file.source) else {
        return;
    };
    let is_all = file.knowledge().is_some_and(has_nothing_else);
    let Some((first, last)) = front::dashes(source.text()) else {
        // A YAML file that begins with dashes is read no further, whatever follows.
        let whole = file.knowledge().filter(|_| is_all && !file.path.ends_with(".md"));
        if let Some(dashes) = whole.and_then(|item| item.declarations.first()) {
            found.at(&dashes.span, "a YAML file that begins with `---` has neither name nor `body`");
        }
        return;
    };
    let metadata = first.end + 1..last.start;
    let (first, last) = (source.span(first), source.span(last));
    let message = match file.kind {
        FileKind::Item(ItemKind::Directive) => "metadata between `---` lines is no metadata of a directive",
        _ => "metadata between `---` lines is text; what is metadata stands in a ```yaml block",
    };
    let is_fence_free = !source.text()[metadata.clone()].contains("```");
    let finding = found.at(&first, message);
    if is_all
        && file.path.ends_with(".md")
        && is_fence_free
        && yaml::load(source, metadata, YamlLimits::default()).is_ok()
    {
        let edits = vec![Edit::replace(&first, "```yaml"), Edit::replace(&last, "```")];
        finding.fix("make it a yaml block", edits);
    }
}

/// Whether the front matter is the only metadata that an item has.
fn has_nothing_else(knowledge: &Knowledge) -> bool {
    matches!(knowledge.place, TextPlace::Nowhere(NoText::FrontMatter))
}

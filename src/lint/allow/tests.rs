mod added;

use std::collections::BTreeMap;

use crate::lint::rule::{Group, RULES};
use crate::lint::testing::{Example, codes, files, found, prompts, tiers};
use crate::lint::{Level, LintOptions};
use crate::read::store::TierKind;

use super::*;

fn example(text: &str) -> Example {
    Example(String::leak(text.to_string()))
}

/// A directive with two short names in `<suppress>`, and with text in place of one of the marks `{1}` to `{5}`.
fn short(marks: [(&str, &str); 1]) -> Example {
    let mut text = "=== .ai/directives/deploy.md\n```xml\n<directive name=\"deploy\" version=\"1.0.0\">{1}\n  <metadata>\n    \
                    <description>Deploy a service</description>{2}\n    <context>\n      <before>deploy/rules</before>\n      \
                    <before>deploy/more</before>\n      {3}\n      <suppress>rules</suppress>{4}\n      \
                    <suppress>more</suppress>\n    </context>\n  </metadata>\n</directive>\n```\n\nDeploy the service.{5}\n=== \
                    .ai/knowledge/deploy/rules.md\n```yaml\nname: rules\ncategory: deploy\n```\n\nRules.\n=== \
                    .ai/knowledge/deploy/more.md\n```yaml\nname: more\ncategory: deploy\n```\n\nMore.\n"
        .to_string();
    for (mark, put) in marks {
        text = text.replace(mark, put);
    }
    for mark in ["{1}", "{2}", "{3}", "{4}", "{5}"] {
        text = text.replace(mark, "");
    }
    example(&text)
}

fn own(example: Example) -> Vec<&'static str> {
    codes(example).into_iter().filter(|code| ["RR105", "RR901", "RR902"].contains(code)).collect()
}

#[test]
fn an_allowance_applies_to_the_file_the_next_element_or_its_line() {
    let allow = "<!-- rye-render: allow RR105 both are known -->";
    assert_eq!(own(short([("{0}", "")])), ["RR105", "RR105"]);
    assert_eq!(own(short([("{1}", &format!("\n  {allow}"))])), [""; 0]);
    assert_eq!(own(short([("{1}", &format!(" <!-- other --> {allow}"))])), [""; 0]);
    // Before `<context>`, which contains both.
    assert_eq!(own(short([("{2}", &format!("\n    {allow}"))])), [""; 0]);
    // After the description, on its line.
    assert_eq!(own(short([("{2}", &format!(" {allow}"))])), ["RR901", "RR105", "RR105"]);
    assert_eq!(own(short([("{3}", allow)])), ["RR105"]);
    assert_eq!(own(short([("{4}", allow)])), ["RR105"]);
    assert_eq!(
        own(short([("{3}", "<!-- rye-render: allow no_xml_block, suppress_base_name x -->")])),
        ["RR901", "RR105"]
    );
}

#[test]
fn invalid_allowances_have_no_effect() {
    for (mark, comment) in [
        ("{3}", "<!-- rye-render: allow RR105 -->"),
        ("{3}", "<!-- rye-render: allow -->"),
        ("{3}", "<!-- rye-render: allow RR105 {input:x} -->"),
        ("{3}", "<!-- rye-render: allow RR105 shown in <permissions> -->"),
        ("{3}", "<!-- rye-render: allow RR106x known -->"),
        ("{3}", "<!-- rye-render: allow RR901 known -->"),
        ("{3}", "<!-- rye-render: allow RR611 known -->"),
        ("{3}", "<!-- rye-render: allow references known -->"),
        ("{3}", "<!-- rye-render: ignore RR105 -->"),
        ("{3}", "<!-- rye-render allow RR105 known -->"),
        ("{5}", " <!-- rye-render: allow RR105 known -->"),
        ("{5}", "\n\n<!-- rye-render: allow RR105 known -->"),
        ("{3}", "<raw><!-- rye-render: allow RR105 known --></raw>"),
        ("{3}", "<after> <!-- rye-render: allow RR105 known --> </after>"),
        ("{3}", "<before>deploy/<!-- rye-render: allow RR105 known -->other</before>"),
    ] {
        let mut codes = own(short([(mark, comment)]));
        codes.sort_unstable();
        assert_eq!(codes, ["RR105", "RR105", "RR902"], "{comment}");
    }
    // Text may show allowances as examples.
    for text in ["\n\n`<!-- rye-render: allow RR105 x -->`", "\n\n```xml\n<!-- rye-render: allow RR105 x -->\n```"] {
        assert_eq!(own(short([("{5}", text)])), ["RR105", "RR105"], "{text}");
    }
}

#[test]
fn comments_cannot_allow_findings_about_trust() {
    let knowledge =
        |comment: &str| example(&format!("=== .ai/knowledge/a.md\n```yaml\n{comment}name: a\n```\n\nSe\u{200b}e.\n"));
    let codes = |comment| codes(knowledge(comment)).into_iter().filter(|code| ["RR611", "RR902"].contains(code));
    let mut with: Vec<_> = codes("# rye-render: allow RR611 it is meant\n").collect();
    with.sort_unstable();
    assert_eq!(with, ["RR611", "RR902"]);
}

/// Quadratic work would take hours.
#[test]
fn many_comments_are_read_in_linear_time() {
    const MANY: usize = 20_000;
    let allow = "<!-- rye-render: allow RR001 known -->";
    for each in ["\n      ", " ", "<x/> "] {
        let example = short([("{3}", &format!("{each}{allow}").repeat(MANY))]);
        assert!(codes(example).len() >= MANY, "all are unused or refused");
    }
    let text = format!("=== .ai/tools/a.py\n{}", "# rye-render: allow RR105 known\n".repeat(MANY));
    assert!(codes(example(&text)).len() >= MANY);
    let yaml = format!(
        "a: 1\n{}b:\n{}",
        "# rye-render: allow RR105 known\n".repeat(MANY),
        "  - x: 1\n  # rye-render: allow RR105 known\n".repeat(MANY)
    );
    let source = crate::text::Source::read("project".into(), "hooks.yaml", yaml.into_bytes()).unwrap();
    assert_eq!(yaml::allowances(&source.whole(), None).len(), 2 * MANY);
}

#[test]
fn a_signed_file_cannot_have_allowances() {
    let Example(text) = short([("{3}", "<!-- rye-render: allow RR105 known -->")]);
    let signed = text.replacen("```xml", "<!-- rye:signed:x -->\n```xml", 1);
    let mut codes = own(example(&signed));
    codes.sort_unstable();
    assert_eq!(codes, ["RR105", "RR105", "RR902"]);
}

/// A project with every kind of file that affects what is sent.
const ALL: &str = r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: now
    event: thread_started
    action:
      primary: fetch
      item_type: knowledge
      item_id: notes/bare
  - id: show
    event: thread_started
    position: after
    actions:
      - {primary: fetch, item_type: directive, item_id: shown}
      - primary: load
        item_type: knowledge
        item_id: notes/full
=== .ai/directives/shown.md
```xml
<directive name="shown" version="1.0.0">
  <metadata>
    <description>Shown whole</description>
  </metadata>
</directive>
```

Shown.
=== .ai/directives/work.md
# Work

```xml
<!-- before the root -->
<directive name="hidden" version="1.0.0">
</directive>
```

Hidden.
=== .ai/directives/deploy.md
# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>
      Deploy a service
      to a place
    </description>
    <category></category>
    <!-- <permissions> was here -->
    <context>
      <before>
        notes/full
      </before>
      <before>notes/pure</before>
    </context>
    <permissions>
      <execute>
        <tool>rye/file-system/*</tool>
      </execute>
    </permissions>
  </metadata>
  <inputs>
    <input name="target"
           required="true">
      Where to
    </input>
  </inputs>
  <outputs>
    <output name="result">What <![CDATA[came]]>
      <![CDATA[of it]]></output>
  </outputs>
  <raw>
    <anything/>
  </raw>
</directive>
```

Deploy to {input:target}.

Twice.
=== .ai/knowledge/notes/bare.md
```yaml
name: Bare
```
=== .ai/knowledge/notes/full.md
Before.

```yaml
name: Full
text: |
  Block

  scalar
more: "quoted
  text"
```

Text.

More text.
=== .ai/knowledge/notes/pure.yaml
name: Pure
body: |
  First

  Second
last: 1
"#;

fn project(files: &[(TierKind, String, String)]) -> Example {
    let text: String = files.iter().map(|(_, path, text)| format!("=== {path}\n{text}")).collect();
    example(&text)
}

/// Inserts a comment at every line: wherever it is a valid allowance, no prompt changes under any protocol.
#[test]
fn an_allowance_never_changes_a_prompt() {
    const PROTOCOLS: [&str; 3] = ["rye-1", "rye-2", "rye-3"];
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let all: Vec<_> = files(Example(ALL)).into_iter().map(|(kind, path, bytes)| (kind, path, text(bytes))).collect();
    let of = |example: Example| PROTOCOLS.map(|protocol| prompts(&tiers(example), protocol));
    let before = of(Example(ALL));
    assert!(before.iter().flat_map(BTreeMap::values).filter(|prompt| prompt.is_some()).count() >= 9);
    let silent = RULES.iter().filter(|rule| rule.group != Group::Lint && rule.code != "RR001");
    let levels = silent.map(|rule| (rule.code, Level::Off)).collect();
    let options = LintOptions { levels, ..LintOptions::default() };
    let (mut taken, mut refused) = (0, 0);
    for (index, (_, path, text)) in all.iter().enumerate() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for at in 0..=lines.len() {
            for comment in ["<!-- rye-render: allow RR001 x -->", "# rye-render: allow RR001 x"] {
                let line = lines.get(at).map_or("", |line| line.trim_end_matches('\n'));
                let indented = &line[..line.len() - line.trim_start().len()];
                let own = format!("{indented}{comment}\n{line}\n");
                let in_front = format!("{}{line}\n", if comment.starts_with('#') { "" } else { comment });
                for put in [own, format!("{line} {comment}\n"), in_front] {
                    let (head, tail) = (lines[..at].concat(), lines.get(at + 1..).unwrap_or_default().concat());
                    let mut changed = all.clone();
                    changed[index].2 = format!("{head}{put}{tail}");
                    let changed = project(&changed);
                    let mut codes = found(changed, &options).into_iter().map(|finding| finding.rule.code);
                    // The rule finds nothing, so a valid allowance is reported as unused.
                    if codes.any(|code| code == "RR901") {
                        taken += 1;
                        assert_eq!(of(changed), before, "{path}:{}: {put}", at + 1);
                    } else {
                        refused += 1;
                    }
                }
            }
        }
    }
    // Most places in the block of a directive and in YAML accept an allowance.
    assert!(taken > 60 && refused > 200, "{taken} {refused}");
}

#[test]
fn yaml_allowances_apply_to_the_file_the_next_entry_or_their_line() {
    let text = "# rye-render: allow RR001 all\nhooks:\n  # rye-render: allow RR105 one\n  - id: a\n    event: b\n  - id: c  \
                # rye-render: allow RR105 line\n    text: |\n      # rye-render: allow RR105 text\n";
    let source = crate::text::Source::read("project".into(), "hooks.yaml", text.as_bytes().to_vec()).unwrap();
    let found = yaml::allowances(&source.whole(), None);
    let reaches: Vec<_> = found.iter().map(|it| it.reach.clone()).collect();
    let entry = text.find("  - id: a").unwrap()..text.find("  - id: c").unwrap();
    let line = entry.end..text.find("    text").unwrap();
    assert_eq!(reaches, [Reach::File, Reach::Range(entry), Reach::Range(line)]);
    assert!(yaml::allowances(&source.whole(), Some("it is signed")).iter().all(|it| it.reach == Reach::Nowhere));
}

#[test]
fn an_unused_allowance_is_removed_with_its_line() {
    let comment = |put: &str| {
        let Example(text) = short([("{3}", put)]);
        let at = text.find("<!-- rye").unwrap();
        let source = crate::text::Source::read("project".into(), "x.md", text.as_bytes().to_vec()).unwrap();
        let span = source.span(at..at + text[at..].find("-->").unwrap() + 3);
        let it = Allowance { span, rules: Vec::new(), reach: Reach::Nowhere, faults: Vec::new() };
        it.with_blanks().text().to_string()
    };
    assert_eq!(comment("<!-- rye -->"), "      <!-- rye -->\n");
    assert_eq!(comment("<a/>  <!-- rye -->"), "  <!-- rye -->");
    assert_eq!(comment("<!-- rye --> <a/>"), "<!-- rye -->");
}

use super::*;
use crate::answer::explain::testing::{MORE, shop, shop_as, shop_with, view};
use crate::answer::explain::{Explanation, text};
use crate::decide::request::{Mode, Request};

fn shown(item: &str, width: usize) -> String {
    shown_with(&[], item, width)
}

fn shown_with(more: &[(&str, &str)], item: &str, width: usize) -> String {
    let (prompt, tiers) = shop_with(more);
    let reasons = match WhyPaths::new(item, &prompt, &tiers) {
        Ok(reasons) => reasons,
        Err(error) => return format!("{}\n{}", error.message(), error.help().unwrap_or_default()),
    };
    let mut out = Vec::new();
    text::write(&prompt, &Explanation::Why(reasons), &view(width), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn unasked_of(item: &str, protocol: &str, ask: impl FnOnce(&mut Request)) -> Vec<String> {
    let (prompt, tiers) = shop_as(protocol, &MORE, ask);
    let reasons = WhyPaths::new(item, &prompt, &tiers).unwrap();
    assert!(reasons.paths.is_empty());
    reasons.unrequested.into_iter().map(|item| item.why).collect()
}

#[test]
fn a_parent_thread_removes_permissions() {
    let parent = |pattern: &str| {
        let pattern = pattern.to_string();
        unasked_of("shop/rollout", "rye-3", |request| request.parent_capabilities = vec![pattern])
    };
    assert_eq!(
        parent("rye.execute.tool.shop.o*"),
        ["the permission rye.execute.tool.shop.* of shop/deploy covers it, but the parent thread narrows that to \
          rye.execute.tool.shop.o*"]
    );
    assert_eq!(
        parent("rye.fetch.*"),
        ["the permission rye.execute.tool.shop.* of shop/deploy covers it, but no capability of the parent thread \
          covers that permission"]
    );
}

#[test]
fn features_missing_from_the_mode_or_protocol_are_not_suggested() {
    let alone = "uses no parents, no knowledge items from the chain, no hooks and no tools";
    let in_thread = |item| unasked_of(item, "rye-3", |request| request.mode = Mode::InThread);
    assert_eq!(in_thread("spare"), [format!("in-thread mode {alone}")]);
    assert_eq!(in_thread("shop/rollout"), [format!("in-thread mode {alone}")]);
    assert_eq!(unasked_of("late", "rye-1", |_| {}), [format!("protocol rye-1 {alone}")]);
    assert_eq!(unasked_of("shop/rollout", "rye-2", |_| {})[0], "protocol rye-2 has no tool palette");
}

#[test]
fn duplicates_from_one_requester_share_one_chain() {
    let base = format!(
        "```xml\n<directive name=\"base\">\n<metadata><context>{}</context></metadata>\n</directive>\n```\n",
        "<after>spare</after>".repeat(3000)
    );
    insta::assert_snapshot!(shown_with(&[MORE[2], ("directives/shop/base.md", &base)], "spare", 80), @"
    spare in <after>                                                        included
      shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
      → shop/deploy extends shop/base, project .ai/directives/shop/deploy.md:7
      → shop/base declares it in <after>, project .ai/directives/shop/base.md:3
      → its text, project .ai/knowledge/spare.md:5
      → user message, line 25

    spare in <after>                                                       duplicate
      shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
      → shop/deploy extends shop/base, project .ai/directives/shop/deploy.md:7
      → shop/base declares it in <after>, project .ai/directives/shop/base.md:3
      → duplicate: shop/base already places it here,
        project .ai/directives/shop/base.md:3
      and 2,998 more duplicates
    ");
}

fn titles(item: &str) -> Vec<String> {
    let (prompt, tiers) = shop();
    let reasons = WhyPaths::new(item, &prompt, &tiers).unwrap();
    reasons.paths.into_iter().map(|path| format!("{}: {}", path.title, path.outcome)).collect()
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(shown("behavior", 80), @"
    behavior in <system>                                                  suppressed
      shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
      → shop/deploy extends shop/base, project .ai/directives/shop/deploy.md:7
      → shop/base declares it in <system>, system .ai/directives/shop/base.md:8
      → suppressed by shop/deploy, project .ai/directives/shop/deploy.md:19
    ");
    insta::assert_snapshot!(shown("rules", 80), @"
    rules                                                                   shadowed
      shadowed: the project's copy overrides the one in system

    rules in <before>                                                       included
      shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
      → shop/deploy declares it in <before>,
        project .ai/directives/shop/deploy.md:17
      → its text, project .ai/knowledge/rules.md:5-7
      → user message, lines 7-9

    rules in <after>                                                        included
      shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
      → shop/deploy extends shop/base, project .ai/directives/shop/deploy.md:7
      → shop/base declares it in <after>, system .ai/directives/shop/base.md:9
      → its text, project .ai/knowledge/rules.md:5-7
      → user message, lines 25-27

    hook own                                                           does not fire
      it runs on after_step, project .ai/directives/shop/deploy.md:22
      → layer 1 (directive), position before
      → it has no condition
      → it would fetch knowledge rules
      → does not fire: this event adds no message to a prompt
    ");
    insta::assert_snapshot!(shown("place", 80), @"
    hook place                                                              included
      it runs on thread_started, user .ai/config/agent/hooks.yaml:2-4
      → 1 of 2 in order of evaluation: layer 0 (user), position before
      → it has no condition
      → its action: fetch knowledge place
      → its text, user .ai/knowledge/place.md:6-8
      → user message, lines 1-5
    ");
    insta::assert_snapshot!(shown("shop_rollout", 80), @r#"
shop/rollout                                                            included
  shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
  → shop/deploy grants rye.execute.tool.shop.*,
    project .ai/directives/shop/deploy.md:14
  → included: granted by `shop.*`
  → its file, project .ai/tools/shop/rollout.yaml:1
  → palette, as shop_rollout: 20 tokens; all tools use 20 of 2,000 tokens
"#);
    insta::assert_snapshot!(shown("shop/base", 80), @r#"
directive shop/base                                                 in the chain
  shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
  → shop/deploy extends shop/base, project .ai/directives/shop/deploy.md:7
  → its file, system .ai/directives/shop/base.md:1
"#);
    insta::assert_snapshot!(shown("other", 80), @"
    Nothing in this prompt requests it.
      tool other, project .ai/tools/other.yaml:1
        to include it, grant permission to execute the tool other
    ");
}

#[test]
fn hooks_that_do_not_apply_are_listed_for_their_items() {
    insta::assert_snapshot!(shown_with(&MORE, "spare", 80), @r#"
    hook two                                                         condition false
      it runs on thread_started, project .ai/config/agent/hooks.yaml:2
      → 3 of 5 in order of evaluation: layer 3 (project), position before
      → its condition is false
          all                 false
            directive eq "x"  false    directive is "shop/deploy"
            model eq "x"      skipped
      → it would fetch knowledge spare
    "#);
    insta::assert_snapshot!(shown_with(&MORE, "held", 80), @r#"
    hook behavior                                                         suppressed
      it runs on thread_started, project .ai/config/agent/hooks.yaml:3
      → 4 of 5 in order of evaluation: layer 3 (project), position before
      → its condition holds
          directive exists  true     directive is "shop/deploy"
      → it would fetch knowledge held
      → suppressed by shop/deploy, project .ai/directives/shop/deploy.md:19
    "#);
    insta::assert_snapshot!(shown_with(&MORE, "late", 80), @"
    hook resumed                                                       does not fire
      it runs on thread_continued, project .ai/config/agent/hooks.yaml:4
      → layer 3 (project), position after
      → it has no condition
      → it would fetch knowledge late
      → does not fire: this thread is new, not resumed
    ");
    insta::assert_snapshot!(shown_with(&MORE, "web/rules", 80), @r#"
    Nothing in this prompt requests it.
      knowledge web/rules, project .ai/knowledge/web/rules.md:1
        to include it, list web/rules in <system>, <before> or <after> in a
        directive in the chain, or fetch it with a hook
      hook open, project .ai/config/agent/hooks.yaml:5
        its item id has placeholders that may expand to this id; condition false:
        directive is "shop/deploy", not "x"
    "#);
    insta::assert_snapshot!(shown_with(&MORE, "two", 120), @r#"
    hook two                                                                                                 condition false
      it runs on thread_started, project .ai/config/agent/hooks.yaml:2
      → 3 of 5 in order of evaluation: layer 3 (project), position before
      → its condition is false
          all                 false
            directive eq "x"  false    directive is "shop/deploy"
            model eq "x"      skipped
      → it would fetch knowledge other
      → it would fetch knowledge spare
    "#);
    assert!(
        shown_with(&MORE, "${inputs.area}/ruls", 80).starts_with("--why ${inputs.area}/ruls: nothing has that name")
    );
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(shown("behavior", 120), @"
    behavior in <system>                                                                                          suppressed
      shop/deploy, the requested directive, project .ai/directives/shop/deploy.md:1
      → shop/deploy extends shop/base, project .ai/directives/shop/deploy.md:7
      → shop/base declares it in <system>, system .ai/directives/shop/base.md:8
      → suppressed by shop/deploy, project .ai/directives/shop/deploy.md:19
    ");
}

#[test]
fn everything_with_the_name_is_reported() {
    let places = ["rules: shadowed", "rules in <before>: included", "rules in <after>: included"];
    assert_eq!(titles("rules")[..3], places);
    assert_eq!(titles("rules")[3..], ["hook own: does not fire"]);
    assert_eq!(titles("own"), ["hook own: does not fire"]);
    assert_eq!(titles("place"), ["hook place: included"]);
    assert_eq!(titles("hook place"), ["hook place: included"]);
    assert_eq!(titles("knowledge place"), ["hook place: included"]);
    assert_eq!(titles("web"), ["hook web: condition false"]);
    assert_eq!(titles("nowhere"), ["nowhere in <before>: missing"]);
    assert_eq!(titles("shop/broken"), ["shop/broken: empty"]);
    assert_eq!(titles("tool shop_broken"), ["shop/broken: empty"]);
    assert_eq!(titles("directive_return"), ["rye/agent/threads/directive_return: included"]);
    assert_eq!(titles("shop/deploy"), ["shop/deploy: included"]);
    assert_eq!(titles("directive shop/base"), ["directive shop/base: in the chain"]);
    assert_eq!(titles(".ai/knowledge/identity.md"), ["identity in <system>: included"]);
}

#[test]
fn an_unrequested_item_is_found() {
    let found = |item: &str| {
        let (prompt, tiers) = shop();
        let reasons = WhyPaths::new(item, &prompt, &tiers).unwrap();
        reasons.unrequested.into_iter().map(|item| item.what).collect::<Vec<_>>()
    };
    assert_eq!(found("other"), ["tool other"]);
}

#[test]
fn an_unknown_name_gets_a_suggestion() {
    let nothing = "nothing has that name in this prompt or in any tier";
    assert_eq!(shown("Base", 80), format!("--why Base: {nothing}\ndid you mean `shop/base`?"));
    assert_eq!(shown("rulse", 80), format!("--why rulse: {nothing}\ndid you mean `rules`?"));
    assert_eq!(shown("rolout", 80), format!("--why rolout: {nothing}\ndid you mean `shop/rollout`?"));
    assert_eq!(shown("unaskde", 80), format!("--why unaskde: {nothing}\ndid you mean `unasked`?"));
    for odd in ["", "../x", "\0", "hook ", "hook rules", "tool rules", "\u{202e}"] {
        assert!(shown(odd, 80).contains(nothing), "{odd:?}");
    }
}

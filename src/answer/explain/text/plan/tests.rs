use super::*;
use crate::answer::explain::ExplainFormat;
use crate::prompt::testing::{deploy, directive, empty, find, push, source, user};
use crate::prompt::{Decision, DecisionOutcome, Declared, Message, PaletteBudget, Role};
use crate::text::tokens::Tokenizer;
use crate::text::{Origin, Traced};
use crate::write::screen::Screen;

fn view(width: usize) -> ExplainView {
    ExplainView {
        format: ExplainFormat::Text,
        role: None,
        tokenizer: Tokenizer::Chars4,
        window: None,
        screen: Screen::terminal(width),
    }
}

fn shown(prompt: &Prompt, view: &ExplainView) -> String {
    let mut out = Vec::new();
    report(prompt, view, &mut Report::new(view.screen, &mut out));
    String::from_utf8(out).unwrap()
}

/// A prompt with a decision for every outcome that leaves something out.
fn left_out() -> Prompt {
    let file = source("project", ".ai/directives/app/deploy.md", "extends\nsystem\nsuppress\nhook\ntool\n");
    let root = source("system:std", ".ai/directives/app/base.md", "context\n");
    let mut prompt = user("Go.\n");
    let by = |by: &str, at: &str| Some(Declared { by: by.to_string(), span: Some(find(&file, at)) });
    let base = || Some(Declared { by: "app/base".to_string(), span: Some(find(&root, "context")) });
    let mut decide = |name: &str, slot, outcome, why: &str, by: Option<Declared>, asked: Option<Declared>| {
        prompt.decisions.push(Decision {
            name: name.to_string(),
            slot,
            outcome,
            why: why.to_string(),
            by,
            declared_by: asked,
            item: None,
            condition: None,
            layer: None,
        });
    };
    let (web, night) = (by("hook web", "hook"), by("hook night", "hook"));
    decide(
        "web",
        Slot::Routing,
        DecisionOutcome::ConditionFalse,
        "directive is \"deploy\", which does not contain \"web\"",
        web.clone(),
        web.clone(),
    );
    decide(
        "night",
        Slot::Routing,
        DecisionOutcome::Routed,
        "sets the parent to app/base",
        night.clone(),
        night.clone(),
    );
    decide("day", Slot::Routing, DecisionOutcome::NotRouted, "hook night comes first", night.clone(), night.clone());
    decide(
        "app/voice",
        Slot::SystemChain,
        DecisionOutcome::Suppressed,
        "suppressed by app/deploy",
        by("app/deploy", "suppress"),
        base(),
    );
    decide(
        "app/voice",
        Slot::SystemChain,
        DecisionOutcome::Duplicate,
        "app/base already places it here",
        base(),
        by("app/deploy", "system"),
    );
    decide("app/gone", Slot::UserChainBefore, DecisionOutcome::Missing, "no tier has it", base(), base());
    decide(
        "app/blank",
        Slot::UserChainBefore,
        DecisionOutcome::Empty,
        "nothing follows its yaml block",
        base(),
        base(),
    );
    decide(
        "app/rules",
        Slot::UserChainBefore,
        DecisionOutcome::Shadowed,
        "the project's copy overrides the one in user",
        None,
        None,
    );
    decide(
        "build",
        Slot::UserHooksAfter,
        DecisionOutcome::NotRun,
        "tool app/build would have to run, but nothing runs here",
        night.clone(),
        night,
    );
    let tool = by("app/deploy", "tool");
    decide(
        "app/large",
        Slot::Palette,
        DecisionOutcome::OverBudget,
        "1,960 of 2,000 tokens used, needs 120",
        tool.clone(),
        tool,
    );
    prompt.budget = Some(PaletteBudget { used: 1960, limit: 2000 });
    prompt
}

fn thread() -> Prompt {
    let mut prompt = user("");
    prompt.messages = vec![Message::new(Role::System)];
    prompt.layers.clear();
    let text = |text: &str| Traced::of(text, Origin::Argument("messages".into()));
    push(&mut prompt, Slot::SystemChain, LayerKind::Context, "app/voice", &text("Be brief."));
    for (index, role) in [Role::User, Role::Assistant, Role::User].into_iter().enumerate() {
        prompt.messages.push(Message::new(role));
        let name = format!("{} {}", role.into_str(), index + 1);
        push(&mut prompt, Slot::Earlier, LayerKind::Message, &name, &text("What was said."));
    }
    let decide = |name: &str, slot, outcome, why: &str, layer| Decision {
        name: name.to_string(),
        slot,
        outcome,
        why: why.to_string(),
        by: None,
        declared_by: None,
        item: None,
        condition: None,
        layer,
    };
    prompt.decisions = vec![
        decide("app/voice", Slot::SystemChain, DecisionOutcome::Included, "one declares it", Some(0)),
        decide("one", Slot::UserDirective, DecisionOutcome::NotRun, "a resumed thread does not send it again", None),
    ];
    let earlier = prompt.layers.iter().enumerate().skip(1);
    let earlier = earlier.map(|(index, layer)| {
        decide(
            &layer.name,
            Slot::Earlier,
            DecisionOutcome::Included,
            "an earlier message is sent unchanged",
            Some(index),
        )
    });
    prompt.decisions.extend(earlier.collect::<Vec<_>>());
    prompt
}

fn many_tools(count: usize) -> Prompt {
    let mut prompt = user("Go.\n");
    let tool = deploy().tools.remove(0);
    for index in 0..count {
        let id = format!("app/tool-{index:03}");
        let is_in = index % 4 == 0;
        let by = Some(Declared { by: "one".to_string(), span: Some(directive(&mut prompt).source.span(0..2)) });
        prompt.decisions.push(Decision {
            name: id.clone(),
            slot: Slot::Palette,
            outcome: if is_in { DecisionOutcome::Included } else { DecisionOutcome::OverBudget },
            why: match is_in {
                true => "granted by `app.*`".to_string(),
                false => format!("{} of 2,000 tokens used, needs 120", 1900 + index % 100),
            },
            by: by.clone(),
            declared_by: by,
            item: None,
            condition: None,
            layer: None,
        });
        if is_in {
            prompt.tools.push(crate::prompt::ToolEntry { item_id: id, ..tool.clone() });
        }
    }
    prompt
}

#[test]
fn a_prompt_with_some_of_everything() {
    insta::assert_snapshot!("everything_80", shown(&deploy(), &view(80)));
    insta::assert_snapshot!("everything_120", shown(&deploy(), &view(120)));
}

#[test]
fn everything_left_out_has_a_reason() {
    insta::assert_snapshot!("left_out_80", shown(&left_out(), &view(80)));
    insta::assert_snapshot!("left_out_120", shown(&left_out(), &view(120)));
}

#[test]
fn resumed_threads_and_prompts_without_messages() {
    insta::assert_snapshot!("resumed_80", shown(&thread(), &view(80)));
    insta::assert_snapshot!("resumed_120", shown(&thread(), &view(120)));
    insta::assert_snapshot!("no_message", shown(&empty(&source("project", ".ai/directives/x.md", "x")), &view(80)));
}

#[test]
fn a_window_shows_how_full_it_is() {
    let window = |size, width| {
        let out = shown(&deploy(), &ExplainView { window: Some(size), ..view(width) });
        let start = out.find("━━ context window").unwrap();
        out[start..out.find("\n\n●").unwrap() + 1].to_string()
    };
    insta::assert_snapshot!("window", format!("{}\n{}\n{}", window(200_000, 80), window(200, 80), window(100, 80)));
    insta::assert_snapshot!("window_120", window(1_000, 120));
}

#[test]
fn many_tools_stay_readable() {
    let out = shown(&many_tools(200), &view(80));
    // Two lines for each tool of the palette, and a few for all tools left out.
    assert_eq!(out.matches("  ● app/tool-").count(), 50);
    assert_eq!(out.lines().filter(|line| line.starts_with(OUT)).count(), 1);
    assert!(out.lines().count() < 170, "{out}");
    insta::assert_snapshot!("some_tools", shown(&many_tools(12), &view(80)));
}

#[test]
fn no_line_is_longer_than_the_view() {
    use unicode_width::UnicodeWidthStr;
    for width in 60..=200 {
        for prompt in [deploy(), left_out(), many_tools(40)] {
            for line in shown(&prompt, &ExplainView { window: Some(100), ..view(width) }).lines() {
                assert!(line.width() <= width, "{width}: {line}");
                assert_eq!(line.trim_end(), line, "{width}");
            }
        }
    }
}

#[test]
fn names_cannot_act_on_a_terminal() {
    let mut prompt = left_out();
    for decision in &mut prompt.decisions {
        decision.name += "\u{1b}[2J\u{202e}";
        decision.why += "\u{1b}]0;title\u{7}";
    }
    let out = shown(&prompt, &view(80));
    assert!(!out.contains(crate::text::visible::is_hidden), "{out}");
    assert!(out.contains("app/gone<U+001B>[2J<U+202E>"));
}

#[test]
fn colours_add_nothing_but_escape_sequences() {
    for prompt in [deploy(), left_out()] {
        let coloured = shown(&prompt, &ExplainView { screen: Screen::coloured(80), ..view(80) });
        assert!(coloured.contains("\u{1b}["));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), shown(&prompt, &view(80)));
    }
}

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::answer::render::{self, RenderFormat};
use crate::prompt::sent::read;
use crate::prompt::testing::{deploy, resumed, user};
use crate::prompt::{Role, ToolEntry};
use crate::text::tokens::Tokenizer;
use crate::write::screen::Screen;

pub(crate) fn written(prompt: &Prompt, format: RenderFormat) -> String {
    let mut out = Vec::new();
    let view = render::RenderView { format, role: None, tokenizer: Tokenizer::Chars4, screen: Screen::plain(80) };
    render::write(prompt, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn departures(prompt: &Prompt, text: &str) -> Departures {
    Departures::new(prompt, read(text).unwrap())
}

const FORMATS: [RenderFormat; 5] =
    [RenderFormat::Json, RenderFormat::Anthropic, RenderFormat::Openai, RenderFormat::Gemini, RenderFormat::Events];

#[test]
fn written_formats_have_no_departures() {
    for prompt in [deploy(), user("a\n"), resumed(&[Role::User, Role::Assistant, Role::User])] {
        for format in FORMATS {
            let text = written(&prompt, format);
            if !text.is_empty() {
                assert_eq!(departures(&prompt, &text).list, [], "{format}");
            }
        }
    }
}

#[test]
fn a_changed_line_names_its_layer_and_its_place() {
    let prompt = deploy();
    let text = written(&prompt, RenderFormat::Anthropic).replace("Never deploy", "Do deploy");
    let list = departures(&prompt, &text).list;
    let [Departure::Lines { message: 0, change, .. }] = list.as_slice() else { panic!("{list:?}") };
    assert_eq!((change.rendered.range(), change.sent.range()), (2..3, 2..3));
    let [touched] = change.touched.as_slice() else { panic!("{change:?}") };
    assert_eq!(touched.layer, Some(1));
    assert_eq!((touched.spans[0].text(), touched.spans[0].line()), ("Never deploy on a Friday.", 5));
}

#[test]
fn lines_are_added_or_removed_at_either_end() {
    for (rendered, sent, expected) in [
        ("a\nb", "x\na\nb", (0..0, 0..1)),
        ("a\nb", "a\nb\nx", (2..2, 2..3)),
        ("a\nb", "a\nb\n", (2..2, 2..3)),
        ("a\n", "a", (1..2, 1..1)),
        ("", "a", (0..1, 0..1)),
        ("é", "", (0..1, 0..1)),
        ("\n\n", "", (1..3, 1..1)),
    ] {
        let prompt = user(rendered);
        let changes = lines::changes(&prompt.messages[0], sent, Instant::now() + TIME_LIMIT);
        let ranges: Vec<_> = changes.iter().map(|it| (it.rendered.range(), it.sent.range())).collect();
        assert_eq!(ranges, [expected], "{rendered:?} {sent:?}");
        assert_eq!(changes[0].touched.len(), usize::from(!rendered.is_empty()), "{rendered:?} {sent:?}");
    }
}

#[test]
fn missing_and_additional_messages_are_departures() {
    let prompt = deploy();
    let list = |text: &str| departures(&prompt, text).list;
    let user = serde_json::to_string(prompt.messages[1].text()).unwrap();
    let body = |messages: &str| format!("{{\"max_tokens\": 1, \"messages\": [{messages}], \"tools\": null}}");
    let own = format!("{{\"role\":\"user\",\"content\":{user}}}");
    let not_sent = |(tool, entry): (usize, &ToolEntry)| Departure::ToolNotSent { tool, name: entry.name.clone() };

    let mut expected = vec![Departure::MessageNotSent { message: 0 }];
    expected.extend(prompt.tools.iter().enumerate().map(not_sent));
    assert_eq!(list(&body(&own)), expected);
    // An additional message before it; the thread continues after it.
    let more =
        body(&format!("{{\"role\":\"user\",\"content\":\"x\"}}, {own}, {{\"role\":\"assistant\",\"content\":\"y\"}}"));
    let found = departures(&prompt, &more);
    let place = "messages[0]".to_string();
    let extra = Departure::MessageExtra { role: "user", place, text: "x".to_string() };
    assert_eq!((&found.list[1], found.later), (&extra, 1));
    // A bare list records neither the system text nor the tools.
    let found = departures(&prompt, &format!("[{own}]"));
    assert_eq!((found.list, found.unknown), (vec![], vec![ComparedPart::Message(0), ComparedPart::Palette]));
}

#[test]
fn a_transcript_of_a_resumed_thread_has_only_the_last_message() {
    let prompt = resumed(&[Role::User, Role::Assistant, Role::User]);
    let found = departures(&prompt, r#"{"event_type": "cognition_in", "payload": {"role": "user", "text": "2"}}"#);
    assert_eq!((found.list, found.compared), (vec![], vec![ComparedPart::Message(2)]));
    assert_eq!(found.unknown, [ComparedPart::Message(0), ComparedPart::Message(1)]);
}

#[test]
fn item_names_are_compared_if_the_user_message_is_not_recorded() {
    let found = departures(&deploy(), r#"{"event": "context_injected", "before": ["other"], "after": []}"#);
    let names = |name: &str| vec![name.to_string()];
    let expected = Departure::Injected { position: "before", rendered: names("ctx_environment"), sent: names("other") };
    assert_eq!(found.list, [Departure::MessageNotSent { message: 0 }, expected]);
}

#[test]
fn tools_are_compared_by_name() {
    let prompt = deploy();
    let text = written(&prompt, RenderFormat::Openai)
        .replace("Reads a file", "Reads")
        .replace("\"path\"", "\"file\"")
        .replace("\"directive_return\"", "\"directive_end\"");
    let found = departures(&prompt, &text).list;
    let [changed, not_sent, extra] = found.as_slice() else { panic!("{found:?}") };
    let Departure::ToolChanged { tool: 0, description: true, schema: true, lines, .. } = changed else {
        panic!("{changed:?}")
    };
    assert_eq!(lines[0], [["Reads a file".to_string()], ["Reads".to_string()]]);
    assert_eq!(*not_sent, Departure::ToolNotSent { tool: 1, name: "directive_return".to_string() });
    let about = prompt.tools[1].description.clone();
    assert_eq!(*extra, Departure::ToolExtra { name: "directive_end".to_string(), about });
    let text =
        r#"{"system": "", "messages": [], "tools": [{"name": "directive_return"}, {"name": "rye_file_system_read"}]}"#;
    assert!(departures(&prompt, text).list.contains(&Departure::ToolOrder));
}

#[test]
fn a_model_is_compared_if_the_prompt_names_one() {
    let mut prompt = deploy();
    let text = written(&prompt, RenderFormat::Openai).replace("\"sonnet\"", "\"opus\"");
    let model = Departure::Model { rendered: "sonnet".to_string(), sent: "opus".to_string() };
    assert_eq!(departures(&prompt, &text).list, [model]);
    prompt.model.declared.id = None;
    prompt.model.effective = "fast".to_string();
    assert_eq!(departures(&prompt, &text).list, [], "a tier does not name a model");
}

#[test]
fn large_texts_with_nothing_in_common_take_bounded_time() {
    let text = |step: usize| {
        let mut text = String::new();
        (0..200_000).for_each(|line| writeln!(text, "{}", line * step % 65_521).unwrap());
        text
    };
    let (old, new) = (user(&text(7)), text(11));
    let start = Instant::now();
    assert!(!lines::changes(&old.messages[0], &new, start + Duration::from_millis(300)).is_empty());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn one_changed_line_is_one_departure(text in "([ab]|é|\n){0,30}", at in 0usize..30) {
        let prompt = user(&text);
        let mut sent = lines(&text);
        let at = at % sent.len();
        sent[at] = "changed";
        let changes = lines::changes(&prompt.messages[0], &sent.join("\n"), Instant::now() + TIME_LIMIT);
        prop_assert_eq!(changes.len(), 1);
        prop_assert_eq!((changes[0].rendered.range(), changes[0].sent.range()), (at..at + 1, at..at + 1));
        prop_assert_eq!(changes[0].touched.len(), usize::from(!text.is_empty()));
    }

    #[test]
    fn changes_turn_one_text_into_the_other(old in "([ab]?\n){0,12}", new in "([ab]?\n){0,12}") {
        let prompt = user(&old);
        let (before, after) = (lines(&old), lines(&new));
        let mut result = before.clone();
        for change in lines::changes(&prompt.messages[0], &new, Instant::now() + TIME_LIMIT).into_iter().rev() {
            result.splice(change.rendered.range(), after[change.sent.range()].iter().copied());
        }
        prop_assert_eq!(result, after);
    }
}

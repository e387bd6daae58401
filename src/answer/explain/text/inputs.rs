//! `--show inputs`: the values from outside, and where they appear.

use std::borrow::Cow;

use super::{HANG, title};
use crate::answer::explain::inputs::{OutsideValues, ValuePlace, ValuePlaces};
use crate::decide::condition::shown;
use crate::prompt::{Prompt, Role};
use crate::read::value::Value;
use crate::text::InputFrom;
use crate::text::numbers::count;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

/// Marks a value that appears in a message.
const LANDED: &str = "  ◆ ";
const NOWHERE: &str = "  ◇ ";
const MOST_PLACES: usize = 20;
const INDENT: &str = "      ";
const INDENT_MORE: &str = "        ";

pub fn report(prompt: &Prompt, report: &mut Report) {
    let outside = OutsideValues::new(prompt);
    title(prompt, report);
    let mut list = InputsReport { prompt, names: prompt.message_names(), report };
    list.all(&outside);
    list.verdict(&outside);
}

struct InputsReport<'a, 'o> {
    prompt: &'a Prompt,
    names: Vec<Cow<'a, str>>,
    report: &'a mut Report<'o>,
}

impl InputsReport<'_, '_> {
    fn all(&mut self, outside: &OutsideValues) {
        self.report.section("inputs", &count(outside.inputs.len(), "input"));
        if outside.inputs.is_empty() {
            self.line("  ", words(DIM, "The directive declares no input, and none is given."));
        }
        for input in &outside.inputs {
            let value = input.given.map(|input| shown(&input.value));
            self.name(input.name, value.as_deref(), &input.places);
            self.declaration(input);
            self.places(&input.places, input.given.is_some());
        }
        if !outside.environment.is_empty() {
            self.report.section("environment", &count(outside.environment.len(), "variable"));
        }
        for variable in &outside.environment {
            let value = variable.places.first().map(|occurrence| shown(&Value::from(occurrence.text)));
            self.name(variable.name, value.as_deref(), &variable.places);
            self.places(&variable.places, true);
        }
    }

    fn name(&mut self, name: &str, value: Option<&str>, places: &[ValuePlace]) {
        let (lead, style) = if places.is_empty() { (NOWHERE, DIM) } else { (LANDED, STRONG) };
        let value = value.map_or(Line::default(), |value| word(PLAIN, &format!("= {value}")));
        self.report.marked(style, lead, INDENT, word(style, name).then(value));
    }

    fn line(&mut self, lead: &str, line: Line) {
        self.report.line(lead, INDENT_MORE, line);
    }

    fn declaration(&mut self, input: &ValuePlaces) {
        let from = match input.given.map(|input| input.from) {
            Some(InputFrom::Flag) => "given by a flag",
            Some(InputFrom::File) => "given in a file",
            Some(InputFrom::Stdin) => "given on standard input",
            Some(InputFrom::Default) => "the default",
            Some(InputFrom::Placeholder) => "no value: a placeholder is shown",
            None => "no value",
        };
        let Some(declared) = input.declared else {
            return self.line(INDENT, words(DIM, &format!("{from}; not declared")));
        };
        let need = if declared.required { "a required" } else { "an optional" };
        let sentence = format!("{from}; declared as {need} {}", declared.input_type);
        self.line(INDENT, words(DIM, &sentence).at(input.source()));
        let description = declared.description.as_ref().map_or("", |text| text.as_str().trim());
        if !description.is_empty() {
            // A description may be long; it is truncated like other values.
            self.line(INDENT, words(DIM, &shown(&Value::from(description))));
        }
    }

    fn places(&mut self, places: &[ValuePlace], has_value: bool) {
        if places.is_empty() && has_value {
            self.line(INDENT, words(DIM, "appears nowhere"));
        }
        for occurrence in places.iter().take(MOST_PLACES) {
            let lead = if occurrence.role == Role::System { "    ! " } else { INDENT };
            let line = words(DIM, "appears in").word(STRONG, &self.place(occurrence));
            let layer = occurrence.layer.and_then(|layer| self.prompt.layers.get(layer));
            let line = match layer {
                Some(layer) => line.mark(",").word(DIM, &format!("{} {}", layer.kind.into_str(), layer.name)),
                None => line,
            };
            self.line(lead, line);
        }
        if let more @ 1.. = places.len().saturating_sub(MOST_PLACES) {
            self.line(INDENT, words(DIM, &format!("and in {}", count(more, "more place"))));
        }
    }

    /// `user 6:13`
    fn place(&self, occurrence: &ValuePlace) -> String {
        let name = self.names.get(occurrence.message).map_or("", |name| name);
        format!("{name} {}:{}", occurrence.line, occurrence.column)
    }

    fn verdict(&mut self, outside: &OutsideValues) {
        if outside.inputs.is_empty() && outside.environment.is_empty() {
            return;
        }
        let inputs = outside.inputs.iter().map(|input| ("input", input));
        let environment = outside.environment.iter().map(|variable| ("env", variable));
        let mut reaching = Line::default();
        for (kind, ValuePlaces { name, places, .. }) in inputs.chain(environment) {
            if let Some(occurrence) = places.iter().find(|occurrence| occurrence.role == Role::System) {
                let what = format!("{kind} {name} at {}", self.place(occurrence));
                reaching = reaching.mark(";").word(STRONG, &what);
            }
        }
        self.report.blank();
        if !reaching.is_empty() {
            let line = words(STRONG, "Values from outside reach the system message:").then(reaching);
            self.report.marked(STRONG, "! ", HANG, line);
        }
        let legend = word(DIM, "◆ a value from outside that appears in the prompt").word(DIM, "◇ appears nowhere");
        self.report.phrases("   ", "", "", legend);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::testing::{deploy, push, user};
    use crate::prompt::{LayerKind, Message, PromptInput, Slot};
    use crate::text::{Origin, Traced};
    use crate::write::screen::Screen;

    fn shown_at(prompt: &Prompt, width: usize) -> String {
        let mut out = Vec::new();
        report(prompt, &mut Report::new(Screen::plain(width), &mut out));
        String::from_utf8(out).unwrap()
    }

    /// Inputs and a variable in the system message, an input that appears nowhere, and a value with control characters.
    fn outsiders() -> Prompt {
        let mut prompt = user("");
        let input = |name: &str, value: &str, from| PromptInput {
            name: name.into(),
            value: Value::from(value),
            from,
            default_span: None,
        };
        let long = "long ".repeat(1_000);
        prompt.inputs = vec![
            input("who", "Bob\u{1b}[2J\n# Obey", InputFrom::Stdin),
            input("unused", &long, InputFrom::File),
            input("later", "{input:later}", InputFrom::Placeholder),
        ];
        let of_input =
            |text: &str| Traced::of(text, Origin::Input { name: "who".into(), from: InputFrom::Stdin, source: None });
        let mut text = Traced::protocol("Serve ");
        text.push(&of_input("Bob\u{1b}[2J\n# Obey"));
        text.push_protocol(" at ");
        text.push(&Traced::of("/home/ada", Origin::Env("HOME".into())));
        prompt.messages = vec![Message::new(Role::System)];
        prompt.layers.clear();
        push(&mut prompt, Slot::SystemChain, LayerKind::Context, "app/who", &text);
        prompt.messages.push(Message::new(Role::User));
        let many: Vec<Traced> = (0..25).map(|_| of_input("Bob")).collect();
        let many = Traced::join(&many, "\n");
        push(&mut prompt, Slot::UserDirective, LayerKind::Directive, "one", &many);
        prompt
    }

    #[test]
    fn each_value_is_shown_with_its_places() {
        insta::assert_snapshot!("deploy_80", shown_at(&deploy(), 80));
        insta::assert_snapshot!("deploy_120", shown_at(&deploy(), 120));
        insta::assert_snapshot!("nothing", shown_at(&user("Go."), 80));
    }

    #[test]
    fn values_in_the_system_message_are_reported() {
        let out = shown_at(&outsiders(), 80);
        assert!(!out.contains(crate::text::visible::is_hidden));
        insta::assert_snapshot!("outsiders_80", out);
    }
}

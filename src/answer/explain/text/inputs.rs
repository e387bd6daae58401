//! `--show inputs`: the values from outside, and where they appear.

use std::borrow::Cow;
use std::io;

use super::{HANG, title};
use crate::answer::explain::ExplainView;
use crate::answer::explain::inputs::{OutsideValues, ValuePlace, ValuePlaces};
use crate::decide::condition::shown;
use crate::prompt::{Prompt, Role};
use crate::read::value::Value;
use crate::text::InputFrom;
use crate::text::numbers::count;
use crate::write::layout::{Flow, Word, punctuate, with_place, words};

/// Marks a value that appears in a message.
const LANDED: &str = "  ◆ ";
const NOWHERE: &str = "  ◇ ";
const MOST_PLACES: usize = 20;

pub fn write(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let outside = OutsideValues::new(prompt);
    let list = InputsWriter { prompt, view, names: prompt.message_names(), out };
    list.all(&outside)
}

struct InputsWriter<'a> {
    prompt: &'a Prompt,
    view: &'a ExplainView,
    names: Vec<Cow<'a, str>>,
    out: &'a mut dyn io::Write,
}

impl InputsWriter<'_> {
    fn all(mut self, outside: &OutsideValues) -> io::Result<()> {
        title(self.prompt, self.view, self.out)?;
        self.section("inputs", &count(outside.inputs.len(), "input"))?;
        if outside.inputs.is_empty() {
            self.line("  ", words("The directive declares no input, and none is given.", self.view.theme.dim()))?;
        }
        for input in &outside.inputs {
            let value = input.given.map(|input| shown(&input.value));
            self.name(input.name, value.as_deref(), &input.places)?;
            self.declaration(input)?;
            self.places(&input.places, input.given.is_some())?;
        }
        if !outside.environment.is_empty() {
            self.section("environment", &count(outside.environment.len(), "variable"))?;
        }
        for variable in &outside.environment {
            let value = variable.places.first().map(|occurrence| shown(&Value::from(occurrence.text)));
            self.name(variable.name, value.as_deref(), &variable.places)?;
            self.places(&variable.places, true)?;
        }
        self.verdict(outside)
    }

    fn section(&mut self, name: &str, right: &str) -> io::Result<()> {
        writeln!(self.out)?;
        self.view.heading(name, right, self.out)
    }

    fn name(&mut self, name: &str, value: Option<&str>, places: &[ValuePlace]) -> io::Result<()> {
        let theme = self.view.theme;
        let (lead, style) = if places.is_empty() { (NOWHERE, theme.dim()) } else { (LANDED, theme.strong()) };
        let mut line = vec![Word::new(name, style)];
        if let Some(value) = value {
            line.push(Word::new(&format!("= {value}"), owo_colors::Style::new()));
        }
        Flow { lead_style: style, ..self.view.flow(lead, "      ") }.write(&line, self.out)
    }

    fn line(&mut self, lead: &str, line: impl IntoIterator<Item = Word>) -> io::Result<()> {
        let line: Vec<_> = line.into_iter().collect();
        self.view.flow(lead, "        ").write(&line, self.out)
    }

    fn declaration(&mut self, input: &ValuePlaces) -> io::Result<()> {
        let (theme, dim) = (self.view.theme, self.view.theme.dim());
        let from = match input.given.map(|input| input.from) {
            Some(InputFrom::Flag) => "given by a flag",
            Some(InputFrom::File) => "given in a file",
            Some(InputFrom::Stdin) => "given on standard input",
            Some(InputFrom::Default) => "the default",
            Some(InputFrom::Placeholder) => "no value: a placeholder is shown",
            None => "no value",
        };
        let Some(declared) = input.declared else {
            return self.line("      ", words(&format!("{from}; not declared"), dim));
        };
        let need = if declared.required { "a required" } else { "an optional" };
        let sentence = format!("{from}; declared as {need} {}", declared.input_type);
        self.line("      ", with_place(words(&sentence, dim).collect(), input.source(), theme))?;
        match &declared.description {
            // A description may be long; it is truncated like other values.
            Some(text) if !text.as_str().trim().is_empty() => {
                self.line("      ", words(&shown(&Value::from(text.as_str().trim())), dim))
            }
            _ => Ok(()),
        }
    }

    fn places(&mut self, places: &[ValuePlace], has_value: bool) -> io::Result<()> {
        let theme = self.view.theme;
        if places.is_empty() && has_value {
            self.line("      ", words("appears nowhere", theme.dim()))?;
        }
        for occurrence in places.iter().take(MOST_PLACES) {
            let lead = if occurrence.role == Role::System { "    ! " } else { "      " };
            let mut line: Vec<_> = words("appears in", theme.dim()).collect();
            line.push(Word::new(&self.place(occurrence), theme.strong()));
            if let Some(layer) = occurrence.layer.and_then(|layer| self.prompt.layers.get(layer)) {
                punctuate(&mut line, ",");
                line.push(Word::new(&format!("{} {}", layer.kind.into_str(), layer.name), theme.dim()));
            }
            self.line(lead, line)?;
        }
        match places.len().saturating_sub(MOST_PLACES) {
            0 => Ok(()),
            more => self.line("      ", words(&format!("and in {}", count(more, "more place")), theme.dim())),
        }
    }

    /// `user 6:13`
    fn place(&self, occurrence: &ValuePlace) -> String {
        let name = self.names.get(occurrence.message).map_or("", |name| name);
        format!("{name} {}:{}", occurrence.line, occurrence.column)
    }

    fn verdict(self, outside: &OutsideValues) -> io::Result<()> {
        let (strong, dim) = (self.view.theme.strong(), self.view.theme.dim());
        let inputs = outside.inputs.iter().map(|input| ("input", input.name, &input.places));
        let environment = outside.environment.iter().map(|variable| ("env", variable.name, &variable.places));
        let mut reaching: Vec<Word> = Vec::new();
        for (kind, name, places) in inputs.chain(environment) {
            if let Some(occurrence) = places.iter().find(|occurrence| occurrence.role == Role::System) {
                let what = format!("{kind} {name} at {}", self.place(occurrence));
                punctuate(&mut reaching, ";");
                reaching.push(Word::new(&what, strong));
            }
        }
        if outside.inputs.is_empty() && outside.environment.is_empty() {
            return Ok(());
        }
        writeln!(self.out)?;
        if !reaching.is_empty() {
            let mut line: Vec<_> = words("Values from outside reach the system message:", strong).collect();
            line.extend(reaching);
            Flow { lead_style: strong, ..self.view.flow("! ", HANG) }.write(&line, self.out)?;
        }
        let legend = ["◆ a value from outside that appears in the prompt", "◇ appears nowhere"];
        Flow { between: "   ", ..self.view.flow("", "") }.write(&legend.map(|text| Word::new(text, dim)), self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::explain::ExplainFormat;
    use crate::prompt::testing::{deploy, push, user};
    use crate::prompt::{LayerKind, Message, PromptInput, Slot};
    use crate::text::tokens::Tokenizer;
    use crate::text::{Origin, Traced};
    use crate::write::theme::Theme;

    fn shown_at(prompt: &Prompt, width: usize) -> String {
        let view = ExplainView {
            format: ExplainFormat::Text,
            role: None,
            tokenizer: Tokenizer::Chars4,
            window: None,
            visible: true,
            theme: Theme::Plain,
            width,
        };
        let mut out = Vec::new();
        write(prompt, &view, &mut out).unwrap();
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

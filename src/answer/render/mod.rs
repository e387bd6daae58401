//! Views of a prompt: each turns a [`Prompt`] into bytes, without assembling anything or opening a file.

pub mod request;
pub mod text;

use std::io;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::{Diagnostic, Location};
use crate::prompt::{Message, Prompt, Role, json};
use crate::text::tokens::Tokenizer;
use crate::write::screen::{Escaping, Screen};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum RenderFormat {
    #[default]
    Text,
    /// The exact bytes.
    Plain,
    Json,
    /// The same line as JSON; with `--all`, one per directive.
    Jsonl,
    Anthropic,
    Openai,
    Gemini,
    Events,
}

#[derive(Debug, Clone, Copy)]
pub struct RenderView {
    pub format: RenderFormat,
    pub role: Option<Role>,
    /// For text and JSON.
    pub tokenizer: Tokenizer,
    pub screen: Screen,
}

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{}", .0.message())]
    Refused(Diagnostic),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Diagnostic> for WriteError {
    fn from(refusal: Diagnostic) -> Self {
        Self::Refused(refusal)
    }
}

/// Makes many small writes, so `out` should be buffered. Nothing is written if the format refuses the prompt.
pub fn write(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> Result<(), WriteError> {
    let escaping = match view.format {
        RenderFormat::Text => Escaping::Itself,
        RenderFormat::Plain => Escaping::Text,
        RenderFormat::Json | RenderFormat::Jsonl | RenderFormat::Events => Escaping::Json,
        RenderFormat::Anthropic | RenderFormat::Openai | RenderFormat::Gemini => Escaping::Json,
    };
    view.screen.write_escaped(escaping, out, |out| {
        match view.format {
            RenderFormat::Text => text::write(prompt, view, out)?,
            RenderFormat::Plain => write_plain(prompt, view.role, out)?,
            RenderFormat::Json | RenderFormat::Jsonl => json::write(prompt, view.tokenizer, out)?,
            RenderFormat::Anthropic => json::line(&request::anthropic(prompt)?, out)?,
            RenderFormat::Openai => json::line(&request::openai(prompt)?, out)?,
            RenderFormat::Gemini => json::line(&request::gemini(prompt)?, out)?,
            RenderFormat::Events => write_events(prompt, out)?,
        }
        Ok(())
    })
}

/// The line of a directive that cannot be rendered, in place of its prompt.
pub fn write_failed(
    id: &str,
    place: &Location,
    error: &Diagnostic,
    view: &RenderView,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    view.screen.write_escaped(Escaping::Json, out, |out| json::write_failed(id, place, error, out))
}

/// The exact bytes of the messages. Without a role: the system message, two newlines and the user message; if one is empty, only the other (Output
/// contract, "render"). For a resumed thread, the user message is the last one. A coding agent sends all its messages.
pub fn write_plain(prompt: &Prompt, role: Option<Role>, mut out: impl io::Write) -> io::Result<()> {
    let joined = |messages: Vec<&Message>| messages.into_iter().map(Message::text).collect::<Vec<_>>().join("\n\n");
    match role {
        Some(role) => out.write_all(joined(prompt.messages_of(role)).as_bytes()),
        None if prompt.agent.is_some() => out.write_all(joined(prompt.messages.iter().collect()).as_bytes()),
        None => {
            let [system, user] = [Role::System, Role::User].map(|role| prompt.message(role).map_or("", Message::text));
            let between = if system.is_empty() || user.is_empty() { "" } else { "\n\n" };
            [system, between, user].iter().try_for_each(|part| out.write_all(part.as_bytes()))
        }
    }
}

/// The transcript events, one JSON object per line.
pub fn write_events(prompt: &Prompt, mut out: impl io::Write) -> io::Result<()> {
    prompt.events.iter().try_for_each(|event| json::line(event, &mut out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::testing::{deploy, empty, resumed, source, user};

    #[test]
    fn format_names_can_be_parsed() {
        for &format in RenderFormat::VARIANTS {
            assert_eq!(format.into_str().parse(), Ok(format));
        }
    }

    fn plain(prompt: &Prompt, role: Option<Role>) -> String {
        let mut out = Vec::new();
        write_plain(prompt, role, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    const SYSTEM: &str = "You are one agent among several that share a folder of knowledge.\n\n\
                          Never deploy on a Friday.\nAsk before you touch a database.";
    const USER: &str = "<Environment id=\"rye/agent/core/Environment\" type=\"knowledge\">\nProject: /srv/app\n\
                        </Environment>\n\n<directive name=\"deploy_staging\">\n</directive>\nRoll out to staging and \
                        watch the error rate.\nStop at the first alarm.";

    #[test]
    fn two_newlines_separate_messages() {
        assert_eq!(plain(&deploy(), None), format!("{SYSTEM}\n\n{USER}"));
    }

    #[test]
    fn one_message_can_be_selected() {
        assert_eq!(plain(&deploy(), Some(Role::System)), SYSTEM);
        assert_eq!(plain(&deploy(), Some(Role::User)), USER);
    }

    #[test]
    fn an_empty_message_leaves_no_newlines() {
        assert_eq!(plain(&user("only this"), None), "only this");
        assert_eq!(plain(&user("only this"), Some(Role::System)), "");
        assert_eq!(plain(&empty(&source("project", ".ai/directives/x.md", "")), None), "");
    }

    #[test]
    fn a_resumed_thread_sends_its_last_user_message() {
        assert_eq!(plain(&resumed(&[Role::User, Role::Assistant, Role::User]), None), "2");
        assert_eq!(plain(&resumed(&[Role::System, Role::User, Role::System]), None), "0\n\n1");
        assert_eq!(plain(&resumed(&[Role::User, Role::System]), Some(Role::System)), "");
    }

    #[test]
    fn each_event_is_one_line() {
        let mut out = Vec::new();
        write_events(&deploy(), &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            concat!(
                r#"{"event":"system_prompt","text":"You are one agent among several that share a folder of knowledge."#,
                r#"\n\nNever deploy on a Friday.\nAsk before you touch a database.","#,
                r#""layers":["rye/agent/core/Identity","project/deploy/rules"]}"#,
                "\n",
                r#"{"event":"context_injected","before":["ctx_environment"],"after":[]}"#,
                "\n",
            )
        );
    }
}

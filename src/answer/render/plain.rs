//! The exact bytes of the messages.

use std::io;

use crate::prompt::{Message, Prompt, Role};

/// Without a role: the system message, two newlines and the user message; if one is empty, only the other (Output
/// contract, "render"). For a resumed thread, the user message is the last one. A coding agent sends all its messages.
pub fn write(prompt: &Prompt, role: Option<Role>, mut out: impl io::Write) -> io::Result<()> {
    let joined = |messages: Vec<&Message>| messages.into_iter().map(Message::text).collect::<Vec<_>>().join("\n\n");
    match role {
        Some(role) => out.write_all(joined(prompt.messages_of(role)).as_bytes()),
        None if prompt.agent.is_some() => out.write_all(joined(prompt.messages.iter().collect()).as_bytes()),
        None => {
            let (system, user) = (text(prompt, Role::System), text(prompt, Role::User));
            let between = if system.is_empty() || user.is_empty() { "" } else { "\n\n" };
            [system, between, user].iter().try_for_each(|part| out.write_all(part.as_bytes()))
        }
    }
}

fn text(prompt: &Prompt, role: Role) -> &str {
    prompt.message(role).map_or("", Message::text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::testing::{deploy, empty, resumed, source, user};

    fn plain(prompt: &Prompt, role: Option<Role>) -> String {
        let mut out = Vec::new();
        write(prompt, role, &mut out).unwrap();
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
}

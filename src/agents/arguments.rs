//! The arguments that an agent itself would be started with: a table of its flags, and a reader of what was typed.

use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::nearest::nearest;

/// The flags of an agent.
pub struct AgentFlags<E: 'static> {
    pub all: &'static [AgentFlag<E>],
    /// Whether `--name=VALUE` means `--name VALUE`.
    pub joins_value: bool,
}

pub struct AgentFlag<E> {
    names: &'static [&'static str],
    /// The first release that has it.
    since: &'static str,
    takes_value: bool,
    /// Whether it takes all words up to the next flag.
    takes_more: bool,
    /// `None` if it changes nothing in the prompt.
    effect: Option<E>,
}

impl<E: Copy> AgentFlag<E> {
    pub const fn switch(names: &'static [&'static str], effect: E) -> Self {
        Self { names, since: "0", takes_value: false, takes_more: false, effect: Some(effect) }
    }

    pub const fn value(names: &'static [&'static str], effect: E) -> Self {
        Self { names, since: "0", takes_value: true, takes_more: false, effect: Some(effect) }
    }

    /// A flag with one value or more, each of which counts for itself.
    pub const fn values(names: &'static [&'static str], effect: E) -> Self {
        Self { takes_more: true, ..Self::value(names, effect) }
    }

    pub const fn ignored_switch(names: &'static [&'static str]) -> Self {
        Self { names, since: "0", takes_value: false, takes_more: false, effect: None }
    }

    pub const fn ignored_value(names: &'static [&'static str]) -> Self {
        Self { names, since: "0", takes_value: true, takes_more: false, effect: None }
    }

    pub const fn since(self, since: &'static str) -> Self {
        Self { since, ..self }
    }
}

impl<E: Copy> AgentFlags<E> {
    /// The flags that change the prompt, in the order typed, each with its value; that of a switch is empty. The others
    /// get a note. Words without a flag are the user's own, and count for nothing.
    pub fn read(&self, visit: &mut Visit<'_>) -> Result<Vec<(E, String)>, Diagnostic> {
        let mut read = Vec::new();
        let mut typed = visit.request.arguments.iter().peekable();
        while let Some(word) = typed.next().filter(|word| *word != "--") {
            if !word.starts_with('-') {
                continue;
            }
            let (name, joined) = match word.split_once('=') {
                Some((name, value)) if self.joins_value && name.starts_with("--") => (name, Some(value)),
                _ => (word.as_str(), None),
            };
            let flag = self.known(visit).find(|flag| flag.names.contains(&name));
            let flag = flag.ok_or_else(|| self.unknown(name, visit))?;
            let value = match flag.takes_value {
                true => joined.or_else(|| typed.next().map(String::as_str)).ok_or_else(|| lacks_value(name, visit))?,
                false => "",
            };
            match flag.effect {
                Some(effect) => {
                    read.push((effect, value.to_string()));
                    while let Some(more) = typed.next_if(|more| flag.takes_more && !more.starts_with('-')) {
                        read.push((effect, more.clone()));
                    }
                }
                None => {
                    let (agent, argument) = (visit.request.chosen.agent.name, name.to_string());
                    visit.diagnostics.push(Diagnostic::new(Problem::AgentArgumentIgnored { agent, argument }));
                }
            }
        }
        Ok(read)
    }

    /// The flags that the release has.
    fn known(&self, visit: &Visit<'_>) -> impl Iterator<Item = &AgentFlag<E>> {
        self.all.iter().filter(|flag| visit.since(flag.since))
    }

    fn unknown(&self, name: &str, visit: &Visit<'_>) -> Diagnostic {
        let help = match nearest(name, self.known(visit).flat_map(|flag| flag.names.iter().copied())) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "leave it out; flags of extensions are not known".to_string(),
        };
        invalid(format!("{} has no flag `{name}`", visit.request.chosen.title()), help)
    }
}

fn lacks_value(name: &str, visit: &Visit<'_>) -> Diagnostic {
    let what = format!("`{name}` of {} lacks its value", visit.request.chosen.agent.name);
    invalid(what, "give one, or leave the flag out".to_string())
}

/// The agent would not take these arguments.
pub fn invalid(what: String, help: String) -> Diagnostic {
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::connection::Connection;
    use crate::agents::testing::{request, tree};
    use crate::agents::{Agent, AgentRequest, render_agent};

    static FLAGS: AgentFlags<&str> = AgentFlags {
        joins_value: true,
        all: &[
            AgentFlag::value(&["--model", "-m"], "model"),
            AgentFlag::switch(&["--quiet"], "quiet").since("2.0.0"),
            AgentFlag::values(&["--add"], "add"),
            AgentFlag::ignored_value(&["--image"]),
            AgentFlag::ignored_switch(&["--json"]),
        ],
    };

    static AGENT: Agent = Agent {
        name: "a",
        releases: &["1.0.0", "2.0.0"],
        unchanged: &[],
        packages: &[],
        program: "a",
        settings: &[],
        settings_files: &[],
        setting_keys: Vec::new,
        variables: &[],
        connection: Connection::of("a"),
        own_parts: None,
        own_user_start: None,
        read,
        skill_problem_matters: |_, _| false,
    };

    /// Sends what the flags say.
    fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
        let given = FLAGS.read(visit)?.into_iter().map(|(effect, value)| format!("{effect}={value} "));
        let text: String = given.collect();
        visit.draft.separate(&text);
        Ok(())
    }

    /// What is sent, and the diagnostics.
    fn started(version: &str, arguments: &str) -> (String, Vec<String>) {
        let request = AgentRequest {
            chosen: AGENT.at(Some(version.to_string()), None),
            arguments: arguments.split_whitespace().map(str::to_string).collect(),
            ..request(&AGENT, "/", "/")
        };
        let prompt = render_agent(&request, &tree(&[]));
        let texts: Vec<&str> = prompt.messages.iter().map(|message| message.text()).collect();
        (texts.concat(), prompt.diagnostics.iter().map(|it| format!("{it:?}")).collect())
    }

    #[test]
    fn flags_take_their_values_in_both_spellings() {
        let (sent, diagnostics) = started("2.0.0", "say --model=x -m y --quiet hello -- --nope");
        assert_eq!((sent.as_str(), diagnostics.len()), ("model=x model=y quiet= ", 0));
        assert_eq!(started("2.0.0", "--add a b --quiet c").0, "add=a add=b quiet= ");
    }

    #[test]
    fn flags_without_an_effect_get_a_note() {
        let (sent, diagnostics) = started("2.0.0", "--image --json --json --quiet");
        assert_eq!(sent, "quiet= ");
        assert_eq!(diagnostics.len(), 2);
        assert!(diagnostics[0].contains("--image") && diagnostics[1].contains("--json"), "{diagnostics:?}");
    }

    #[test]
    fn a_flag_that_the_release_lacks_or_without_a_value_is_refused() {
        let refused = |version, arguments| started(version, arguments).1.concat();
        assert!(refused("1.0.0", "--quiet").contains("a 1.0.0 has no flag `--quiet`"));
        assert!(refused("2.0.0", "--quit").contains("did you mean `--quiet`?"));
        assert!(refused("2.0.0", "--model").contains("`--model` of a lacks its value"));
    }
}

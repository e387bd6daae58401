//! The arguments that an agent itself would be started with: a table of its flags, and a reader of what was typed.

use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::nearest::{did_you_mean, nearest};

/// The flags of an agent, which set fields of `A`.
pub struct AgentFlags<A: 'static> {
    pub all: &'static [AgentFlag<A>],
    /// Whether `--name=VALUE` means `--name VALUE`.
    pub joins_value: bool,
}

/// Flags that have the same effect.
pub struct AgentFlag<A> {
    /// Separated by blanks: `--name|-n` is a switch with two names, `--name=` has a value, and `--name=*` takes all words
    /// up to the next flag, each of which counts for itself.
    flags: &'static str,
    /// The first release that has them.
    since: &'static str,
    effect: FlagEffect<A>,
}

enum FlagEffect<A> {
    /// With the value; that of a switch is empty.
    Sets(fn(&mut A, String)),
    /// Nothing in the prompt changes.
    Nothing,
    /// The prompt may change, and how was not compared.
    NotCompared,
}

impl<A> AgentFlag<A> {
    pub const fn new(flags: &'static str, set: fn(&mut A, String)) -> Self {
        Self::since("0", flags, set)
    }

    pub const fn since(since: &'static str, flags: &'static str, set: fn(&mut A, String)) -> Self {
        Self { flags, since, effect: FlagEffect::Sets(set) }
    }

    pub const fn ignored(flags: &'static str) -> Self {
        Self::ignored_since("0", flags)
    }

    pub const fn ignored_since(since: &'static str, flags: &'static str) -> Self {
        Self { flags, since, effect: FlagEffect::Nothing }
    }

    pub const fn not_compared(flags: &'static str) -> Self {
        Self { flags, since: "0", effect: FlagEffect::NotCompared }
    }
}

impl<A: Default> AgentFlags<A> {
    /// What the flags set, in the order typed. Those without an effect get a note. Words without a flag are the user's
    /// own, and count for nothing.
    pub fn read(&self, visit: &mut Visit<'_>) -> Result<A, Diagnostic> {
        let (mut read, mut refused) = (A::default(), None);
        let agent = visit.request.chosen.agent.name;
        let mut typed = visit.request.arguments.iter().peekable();
        while let Some(word) = typed.next().filter(|word| *word != "--") {
            if !word.starts_with('-') {
                continue;
            }
            let (name, joined) = match word.split_once('=') {
                Some((name, value)) if self.joins_value && name.starts_with("--") => (name, Some(value)),
                _ => (word.as_str(), None),
            };
            let known = self.known(visit).find(|(flag, _)| names(flag).any(|known| known == name));
            let (flag, effect) = known.ok_or_else(|| self.unknown(name, visit))?;
            let value = match flag.contains('=') {
                true => joined.or_else(|| typed.next().map(String::as_str)).ok_or_else(|| lacks_value(name, agent))?,
                false => "",
            };
            match effect {
                FlagEffect::Sets(set) => {
                    set(&mut read, value.to_string());
                    while let Some(more) = typed.next_if(|more| flag.ends_with('*') && !more.starts_with('-')) {
                        set(&mut read, more.clone());
                    }
                }
                FlagEffect::Nothing => {
                    let argument = name.to_string();
                    visit.report(Problem::AgentArgumentIgnored { agent, argument });
                }
                FlagEffect::NotCompared => {
                    let name = names(flag).next().unwrap_or_default();
                    let what = format!("what `{name}` changes in the prompt of {agent} is not known");
                    refused.get_or_insert(Diagnostic::invalid(what, "leave it out"));
                }
            }
        }
        refused.map_or(Ok(read), Err)
    }

    /// The flags that the release has.
    fn known(&self, visit: &Visit<'_>) -> impl Iterator<Item = (&'static str, &'static FlagEffect<A>)> {
        let flags = self.all.iter().filter(|flag| visit.since(flag.since));
        flags.flat_map(|AgentFlag { flags, effect, .. }| flags.split(' ').map(move |flag| (flag, effect)))
    }

    fn unknown(&self, name: &str, visit: &Visit<'_>) -> Diagnostic {
        let help = did_you_mean(
            nearest(name, self.known(visit).flat_map(|(flag, _)| names(flag))),
            "leave it out; flags of extensions are not known",
        );
        Diagnostic::invalid(format!("{} has no flag `{name}`", visit.request.chosen.title()), help)
    }
}

fn names(flag: &'static str) -> impl Iterator<Item = &'static str> {
    flag.trim_end_matches(['=', '*']).split('|')
}

fn lacks_value(name: &str, agent: &str) -> Diagnostic {
    Diagnostic::invalid(format!("`{name}` of {agent} lacks its value"), "give one, or leave the flag out")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::connection::Connection;
    use crate::agents::testing::{request, tree};
    use crate::agents::{Agent, AgentRequest, render_agent};

    static FLAGS: AgentFlags<String> = AgentFlags {
        joins_value: true,
        all: &[
            AgentFlag::new("--model|-m=", |read, value| *read += &format!("model={value} ")),
            AgentFlag::since("2.0.0", "--quiet", |read, value| *read += &format!("quiet={value} ")),
            AgentFlag::new("--add=*", |read, value| *read += &format!("add={value} ")),
            AgentFlag::ignored("--image= --json"),
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
        setting_keys: &[],
        variables: &[],
        connection: Connection::of("a"),
        own_parts: None,
        own_user_start: None,
        read,
        skill_problem_matters: |_, _| false,
    };

    /// Sends what the flags say.
    fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
        let text = FLAGS.read(visit)?;
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

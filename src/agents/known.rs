//! All agents.

use super::agent::Agent;
use super::{claude_code, codex, opencode, pi};
use crate::diagnostic::Diagnostic;
use crate::text::nearest::{did_you_mean, nearest};

/// All agents but `sf`, whose rules are a protocol.
static AGENTS: [&Agent; 4] = [&pi::PI, &codex::CODEX, &claude_code::CLAUDE_CODE, &opencode::OPENCODE];

impl Agent {
    pub fn named(name: &str) -> Result<&'static Self, Diagnostic> {
        AGENTS.into_iter().find(|agent| agent.name == name).ok_or_else(|| {
            let known = || AGENTS.iter().map(|agent| agent.name).chain(["sf"]);
            let help = did_you_mean(
                nearest(name, known()),
                format!("the agents are: {}", known().collect::<Vec<_>>().join(", ")),
            );
            Diagnostic::invalid(format!("unknown agent `{name}`"), help)
        })
    }

    pub fn all() -> impl Iterator<Item = &'static Self> {
        AGENTS.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_release_gets_the_rules_before_it() {
        let warning = |version: &str| {
            let warning = pi::PI.at(Some(version.to_string()), None).warning();
            warning.map(|warning| warning.message())
        };
        assert_eq!(warning("1.5.2"), None);
        let said = warning("9.0.0").unwrap();
        assert!(said.contains("9.0.0") && said.contains("1.5.2"), "{said}");
        assert!(warning("0.80.0").unwrap().contains("0.73.1"));
        let older = warning("0.1.0").unwrap();
        assert!(older.ends_with("it is older than the first known release, which is 0.57.1"), "{older}");
    }

    /// The page lists releases that were compared; none of them may be said to be unknown.
    #[test]
    fn compared_releases_are_known() {
        let page = include_str!("../../docs/agents.md");
        let rows = page.lines().filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            Some((Agent::named(cells.next()?).ok()?, cells.next()?, cells.next()?))
        });
        let compared: Vec<_> = rows.filter(|(.., date)| date.starts_with("20")).collect();
        assert!(compared.len() > 3, "{compared:?}");
        for (agent, release, _) in compared {
            assert!(agent.at(Some(release.to_string()), None).warning().is_none(), "{} {release}", agent.name);
        }
    }

    #[test]
    fn a_prefix_selects_the_newest_release() {
        let release = |typed: &str| codex::CODEX.at(Some(typed.to_string()), None).version;
        assert_eq!((release("0.160").as_str(), release("0.16").as_str()), ("0.160.0", "0.16"));
        assert_eq!((release("0").as_str(), release("0.160.0-beta").as_str()), ("0.169.0", "0.160.0-beta"));
        assert_eq!(pi::PI.at(Some("1.5".to_string()), None).version, "1.5.2");
    }

    #[test]
    fn a_name_that_nobody_has_is_refused() {
        assert!(Agent::named("codx").unwrap_err().help().unwrap().contains("codex"));
    }
}

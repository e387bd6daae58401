use crate::lint::pages::RULES;
use crate::lint::rule::{Group, Rule};
use crate::text::nearest::nearest;
use crate::text::words::words;

const ALL: &str = "ALL";

/// Names one or more rules.
#[derive(Debug, Clone, Copy)]
pub enum Selector {
    All,
    /// `cost`, or `RR5`
    Group(Group),
    /// `RR10`: a rule whose code begins with the prefix, and the length of the prefix.
    Beginning(&'static Rule, usize),
    /// `RR105`, or `suppress_base_name`
    Rule(&'static Rule),
}

/// The help for an unknown rule or group.
pub fn unknown_help(nearest: Option<&str>) -> String {
    let nearest = nearest.map(|nearest| format!("did you mean `{nearest}`? "));
    nearest.unwrap_or_default() + "`rye-render lint --explain ALL` lists the rules"
}

impl Selector {
    /// Reads a word, ignoring case. The error is the most similar word that names a rule.
    pub fn parse(word: &str) -> Result<Self, Option<String>> {
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        let rule = |rule: &&Rule| is(rule.code) || is(rule.name);
        let begins = |rule: &&Rule| word.len() >= "RR".len() && rule.code.get(..word.len()).is_some_and(is);
        let found = is(ALL)
            .then_some(Self::All)
            .or_else(|| word.parse().ok().map(Self::Group))
            .or_else(|| RULES.iter().copied().find(rule).map(Self::Rule))
            .or_else(|| RULES.iter().copied().find(begins).map(|rule| Self::Beginning(rule, word.len())));
        found.ok_or_else(|| {
            let rules = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
            nearest(word, [ALL].into_iter().chain(words::<Group>()).chain(rules))
        })
    }

    pub fn names(&self, rule: &Rule) -> bool {
        match self {
            Self::All => true,
            Self::Group(group) => rule.group == *group,
            Self::Beginning(first, length) => rule.code.get(..*length) == first.code.get(..*length),
            Self::Rule(named) => rule.code == named.code,
        }
    }

    /// Whether it turns on a rule that is off: a group does not.
    pub fn enables(&self, rule: &Rule) -> bool {
        matches!(self, Self::All | Self::Rule(_)) && self.names(rule)
    }

    /// Of two selectors that name a rule, the more specific one wins.
    pub fn specificity(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Group(_) => "RR0".len(),
            Self::Beginning(_, length) => *length,
            Self::Rule(_) => usize::MAX,
        }
    }

    /// The specificity of the most specific selector that names a rule.
    pub fn best<'s>(selectors: impl IntoIterator<Item = &'s Self>, rule: &Rule) -> Option<usize> {
        selectors.into_iter().filter(|selector| selector.names(rule)).map(Self::specificity).max()
    }
}

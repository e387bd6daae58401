use crate::lint::rule::{Group, Rule};
use crate::lint::rules::RULES;
use crate::nearest::nearest;
use crate::words::words;

/// The word that stands for every rule.
const ALL: &str = "ALL";

/// What names rules: a code, the beginning of codes, a name, a group, or all.
#[derive(Debug, Clone, Copy)]
pub enum Selector {
    /// `ALL`
    All,
    /// `cost`, or `RR5`
    Group(Group),
    /// `RR10`: so many characters of the code of that rule.
    Beginning(&'static Rule, usize),
    /// `RR105`, or `suppress_base_name`
    Rule(&'static Rule),
}

impl Selector {
    /// Reads a word, in capitals or not.
    ///
    /// # Errors
    /// Nothing has that name; the nearest one that something has.
    pub fn parse(word: &str) -> Result<Self, Option<String>> {
        let named = || {
            let is = |name: &str| name.eq_ignore_ascii_case(word);
            let rule = |rule: &&Rule| is(rule.code) || is(rule.name);
            let begins = |rule: &&Rule| word.len() >= "RR".len() && rule.code.get(..word.len()).is_some_and(is);
            is(ALL)
                .then_some(Self::All)
                .or_else(|| word.parse().ok().map(Self::Group))
                .or_else(|| RULES.iter().copied().find(rule).map(Self::Rule))
                .or_else(|| RULES.iter().copied().find(begins).map(|rule| Self::Beginning(rule, word.len())))
        };
        named().ok_or_else(|| nearest(word, Self::words()))
    }

    /// Every word that is no beginning of a code.
    pub fn words() -> impl Iterator<Item = &'static str> {
        let rules = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
        [ALL].into_iter().chain(words::<Group>()).chain(rules)
    }

    /// Whether it names a rule.
    pub fn names(&self, rule: &Rule) -> bool {
        match self {
            Self::All => true,
            Self::Group(group) => rule.group == *group,
            Self::Beginning(first, length) => rule.code.get(..*length) == first.code.get(..*length),
            Self::Rule(named) => rule.code == named.code,
        }
    }

    /// Whether it names a rule so that it speaks even if it is off: by its code or name, or with all others.
    pub fn wakes(&self, rule: &Rule) -> bool {
        matches!(self, Self::All | Self::Rule(_)) && self.names(rule)
    }

    /// How much it says: of two that name a rule, the one that says more counts.
    pub fn specificity(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Group(_) => "RR0".len(),
            Self::Beginning(_, length) => *length,
            Self::Rule(_) => usize::MAX,
        }
    }

    /// How much the most specific of those says that name a rule; none where none does.
    pub fn best(all: &[Self], rule: &Rule) -> Option<usize> {
        all.iter().filter(|selector| selector.names(rule)).map(Self::specificity).max()
    }
}

use std::collections::BTreeMap;

use crate::lint::allow::CANNOT_BE_ALLOWED;
use crate::lint::rule::{Group, Level, RULES, Rule, find};
use crate::text::Span;
use crate::text::nearest::nearest;
use crate::text::words::words;

use super::{PathLevels, Patterns, TrustFloor, WrittenPatterns};

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

/// What the settings and the flags say about levels, as written.
#[derive(Debug, Default)]
pub(super) struct LevelSettings {
    pub select: Option<Vec<Selector>>,
    pub ignore: Vec<Selector>,
    pub rules: Vec<(Selector, Level)>,
    pub paths: Vec<PathSettings>,
    pub fail_on: Option<Level>,
    pub exclude: Vec<String>,
    pub select_flag: Vec<Selector>,
    pub ignore_flag: Vec<Selector>,
}

/// An entry of `lint.paths`, as written.
#[derive(Debug)]
pub(super) struct PathSettings {
    pub files: Patterns,
    pub patterns: WrittenPatterns,
    pub ignore: Vec<(Selector, Option<Span>)>,
    pub rules: Vec<(Selector, Level)>,
}

impl LevelSettings {
    /// The levels that differ from the rules' default levels.
    pub fn levels(&self) -> BTreeMap<&'static str, Level> {
        let levels = RULES.iter().map(|rule| (rule, self.level(rule)));
        levels.filter(|(rule, level)| *level != rule.level).map(|(rule, level)| (rule.code, level)).collect()
    }

    /// For each path entry, the levels of the selected rules.
    pub fn paths(self) -> Vec<PathLevels> {
        let selected: Vec<&'static Rule> = RULES.iter().copied().filter(|rule| self.selects(rule)).collect();
        let entry = |PathSettings { files, patterns, ignore, rules }| {
            let level = |rule: &&'static Rule| {
                let set = most_specific(&rules, rule);
                let level = match (set, Selector::best(ignore.iter().map(|(it, _)| it), rule)) {
                    (Some((level, specificity)), Some(ignore)) if specificity > ignore => level,
                    (_, Some(_)) => Level::Off,
                    (set, None) => set?.0,
                };
                Some((rule.code, level))
            };
            let may_be = |(code, level): &(&str, Level)| *level != Level::Off || !CANNOT_BE_ALLOWED.contains(code);
            let levels = selected.iter().filter_map(level).filter(may_be).collect();
            let ignored = ignore.into_iter().filter_map(|(selector, at)| match selector {
                Selector::Rule(rule) => Some((rule, at)),
                _ => None,
            });
            PathLevels { files, patterns, levels, ignored: ignored.collect() }
        };
        self.paths.into_iter().map(entry).collect()
    }

    /// The levels of the `trust` rules that these settings name.
    pub fn trust_floor(mut self) -> TrustFloor {
        let trust = RULES.iter().filter(|rule| rule.group == Group::Trust && self.names(rule));
        let levels = trust.map(|rule| (rule.code, self.level(rule))).collect();
        let fail_on = self.fail_on.unwrap_or(Level::Warning);
        // The patterns are valid: they are part of the merged settings.
        let exclude = std::mem::take(&mut self.exclude);
        let exclude = Patterns::new(exclude.iter().map(String::as_str)).unwrap_or_default();
        let mut paths = self.paths();
        for entry in &mut paths {
            entry.levels.retain(|code, _| find(code).is_some_and(|rule| rule.group == Group::Trust));
        }
        TrustFloor { levels, paths, fail_on, exclude }
    }

    fn names(&self, rule: &Rule) -> bool {
        Selector::best(self.select.iter().flatten(), rule).is_some() || most_specific(&self.rules, rule).is_some()
    }

    /// The level of a rule in files that no entry of `paths` matches.
    pub fn level(&self, rule: &Rule) -> Level {
        let set = most_specific(&self.rules, rule).map(|(level, _)| level);
        if !self.selects(rule) {
            return Level::Off;
        }
        // A rule that is off by default is on if it is selected by name or all rules are, unless the same settings say `off`.
        let by_flag = self.select_flag.iter().any(|it| it.enables(rule));
        let by_settings = set.is_none() && self.select.iter().flatten().any(|it| it.enables(rule));
        match set.unwrap_or(rule.level) {
            Level::Off if by_flag && rule.level != Level::Off => rule.level,
            Level::Off if by_flag || (self.select_flag.is_empty() && by_settings) => Level::Warning,
            level => level,
        }
    }

    /// Whether a rule is selected and not ignored. A flag overrides the settings; otherwise the more specific
    /// selector wins; if both are equally specific, `ignore` wins.
    fn selects(&self, rule: &Rule) -> bool {
        let ignored_by_flag = Selector::best(&self.ignore_flag, rule);
        if !self.select_flag.is_empty() {
            return Selector::best(&self.select_flag, rule) > ignored_by_flag;
        }
        let ignored = Selector::best(&self.ignore, rule);
        let by_settings = match &self.select {
            Some(select) => Selector::best(select, rule) > ignored,
            None => ignored.is_none(),
        };
        ignored_by_flag.is_none() && by_settings
    }
}

/// The level and specificity of the most specific entry for a rule; of equally specific ones, the last.
fn most_specific(entries: &[(Selector, Level)], rule: &Rule) -> Option<(Level, usize)> {
    let naming = entries.iter().filter(|(selector, _)| selector.names(rule));
    naming.map(|(selector, level)| (*level, selector.specificity())).max_by_key(|(_, specificity)| *specificity)
}

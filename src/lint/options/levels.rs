use std::collections::BTreeMap;

use crate::lint::rule::{Group, Level, Rule};
use crate::lint::rules::RULES;
use crate::text::Span;

use crate::lint::allow::CANNOT_BE_ALLOWED;

use super::{Least, PathLevels, Patterns, Selector};

/// What is said about the levels of rules, before it is known what that comes to.
#[derive(Debug, Default)]
pub(super) struct LevelSettings {
    /// `select` of the settings.
    pub select: Option<Vec<Selector>>,
    /// `ignore` of the settings.
    pub ignore: Vec<Selector>,
    /// `rules` of the settings, in the order in which they count.
    pub rules: Vec<(Selector, Level)>,
    /// `paths` of the settings.
    pub paths: Vec<PathSettings>,
    /// `--select`
    pub select_flag: Vec<Selector>,
    /// `--ignore`
    pub ignore_flag: Vec<Selector>,
}

/// What is said about some files.
#[derive(Debug)]
pub(super) struct PathSettings {
    pub files: Patterns,
    pub patterns: Vec<(String, Option<Span>)>,
    pub ignore: Vec<Selector>,
    pub ignored: Vec<(&'static Rule, Option<Span>)>,
    pub rules: Vec<(Selector, Level)>,
}

impl LevelSettings {
    /// The levels that are not a rule's own.
    pub fn levels(&self) -> BTreeMap<&'static str, Level> {
        let other = |rule: &&'static Rule| {
            let level = self.level(rule);
            (level != rule.level).then_some((rule.code, level))
        };
        RULES.iter().filter_map(other).collect()
    }

    /// The levels in some files, of rules that were not taken away.
    pub fn paths(self) -> Vec<PathLevels> {
        let asked: Vec<&'static Rule> = RULES.iter().copied().filter(|rule| self.asks(rule)).collect();
        let entry = |PathSettings { files, patterns, ignore, ignored, rules }| {
            let level = |rule: &&'static Rule| {
                let (said, ignored) = (most_specific(&rules, rule), Selector::best(&ignore, rule));
                let level = match (said, ignored) {
                    (Some((level, says)), Some(ignores)) if says > ignores => level,
                    (_, Some(_)) => Level::Off,
                    (Some((level, _)), None) => level,
                    (None, None) => return None,
                };
                Some((rule.code, level))
            };
            // An allowance that is wrong is not allowed by another one.
            let may_be = |(code, level): &(&str, Level)| *level != Level::Off || !CANNOT_BE_ALLOWED.contains(code);
            let levels = asked.iter().filter_map(level).filter(may_be).collect();
            PathLevels { files, patterns, levels, ignored }
        };
        self.paths.into_iter().map(entry).collect()
    }

    /// What it says about rules of the group `trust` alone, as the least that they say; a rule that the flags do not ask
    /// is left out.
    pub fn least(self) -> Least {
        let is_trust = |code: &str| RULES.iter().any(|rule| rule.code == code && rule.group == Group::Trust);
        let said = RULES.iter().copied().filter(|rule| is_trust(rule.code) && self.speaks_about(rule));
        let levels = said.map(|rule| (rule.code, self.level(rule))).collect();
        let mut paths = self.paths();
        for entry in &mut paths {
            entry.levels.retain(|code, _| is_trust(code));
        }
        Least { levels, paths, ..Least::default() }
    }

    fn speaks_about(&self, rule: &Rule) -> bool {
        let is_selected = self.select.iter().any(|select| Selector::best(select, rule).is_some());
        is_selected || most_specific(&self.rules, rule).is_some()
    }

    /// The level of a rule where no path has one of its own.
    pub fn level(&self, rule: &Rule) -> Level {
        let written = most_specific(&self.rules, rule).map(|(level, _)| level);
        let level = written.unwrap_or(rule.level);
        if !self.asks(rule) {
            return Level::Off;
        }
        // A rule that is asked by name, or with all others, speaks, even where nobody else hears it; its group may be
        // asked for others. `off` in the same settings is an answer.
        let is_woken = |selectors: &[Selector]| selectors.iter().any(|selector| selector.wakes(rule));
        let by_flag = is_woken(&self.select_flag);
        let by_settings = written.is_none() && self.select.iter().any(|it| is_woken(it));
        match level {
            Level::Off if by_flag && rule.level != Level::Off => rule.level,
            Level::Off if by_flag || (self.select_flag.is_empty() && by_settings) => Level::Warning,
            level => level,
        }
    }

    /// Whether the rule is among those that are selected, and not ignored. What is typed counts more than what the
    /// settings say, and else the more specific word; `ignore` where both say as much.
    fn asks(&self, rule: &Rule) -> bool {
        let wins = |select: Option<usize>, ignore: Option<usize>| match (select, ignore) {
            (Some(select), Some(ignore)) => select > ignore,
            (select, None) => select.is_some(),
            (None, Some(_)) => false,
        };
        let ignored_by_flag = Selector::best(&self.ignore_flag, rule);
        if !self.select_flag.is_empty() {
            return wins(Selector::best(&self.select_flag, rule), ignored_by_flag);
        }
        let ignored = Selector::best(&self.ignore, rule);
        let by_settings = match &self.select {
            Some(select) => wins(Selector::best(select, rule), ignored),
            None => ignored.is_none(),
        };
        ignored_by_flag.is_none() && by_settings
    }
}

/// What the most specific entry for a rule says, and how specific it is; of several, the last.
fn most_specific(entries: &[(Selector, Level)], rule: &Rule) -> Option<(Level, usize)> {
    let naming = entries.iter().filter(|(selector, _)| selector.names(rule));
    naming.map(|(selector, level)| (*level, selector.specificity())).max_by_key(|(_, specificity)| *specificity)
}

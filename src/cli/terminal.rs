//! Colours and columns of the terminal.

use super::arguments::Color;
use crate::write::theme::Theme;

const DEFAULT_WIDTH: usize = 80;

/// Narrower or wider lines are hard to read.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=160;

/// The flag decides; for `auto`, `NO_COLOR` (no-color.org), then `CLICOLOR_FORCE`, then the terminal.
pub(super) fn theme(flag: Color, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Theme {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let coloured = match flag {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR").is_some() => false,
        Color::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        Color::Auto => is_terminal && !is_dumb(variable),
    };
    if coloured { Theme::Coloured } else { Theme::Plain }
}

/// Whether the terminal has neither colours nor cursor movement.
pub(super) fn is_dumb(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("TERM").is_some_and(|term| term == "dumb")
}

/// The columns of the terminal, else `COLUMNS`, within [`WIDTHS`].
pub(super) fn width(terminal: Option<usize>, variable: impl Fn(&str) -> Option<String>) -> usize {
    let columns = || variable("COLUMNS").and_then(|columns| columns.parse().ok());
    terminal.or_else(columns).unwrap_or(DEFAULT_WIDTH).clamp(*WIDTHS.start(), *WIDTHS.end())
}

/// An environment variable, if it is set to UTF-8.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(flag: Color, is_terminal: bool, variables: &[(&str, &str)]) -> bool {
        theme(flag, is_terminal, |name| look_up(variables, name)) == Theme::Coloured
    }

    fn look_up(variables: &[(&str, &str)], name: &str) -> Option<String> {
        variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
    }

    #[test]
    fn the_flag_beats_the_environment() {
        assert!(colour(Color::Always, false, &[("NO_COLOR", "1")]));
        assert!(!colour(Color::Never, true, &[("CLICOLOR_FORCE", "1")]));
    }

    #[test]
    fn the_environment_beats_the_terminal() {
        assert!(colour(Color::Auto, true, &[]));
        assert!(!colour(Color::Auto, false, &[]));
        assert!(!colour(Color::Auto, true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(colour(Color::Auto, true, &[("NO_COLOR", "")]));
        assert!(colour(Color::Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!colour(Color::Auto, false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!colour(Color::Auto, true, &[("TERM", "dumb")]));
    }

    #[test]
    fn the_width_is_bounded() {
        assert_eq!(width(Some(100), |_| Some("50".to_string())), 100);
        assert_eq!(width(None, |name| look_up(&[("COLUMNS", "50")], name)), 50);
        assert_eq!(width(None, |name| look_up(&[("COLUMNS", "wide")], name)), 80);
        assert_eq!(width(Some(0), |_| None), 40);
        assert_eq!(width(Some(usize::MAX), |_| None), 160);
    }
}

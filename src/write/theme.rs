//! Colours are optional: every view reads the same without them.

use owo_colors::Style;

use crate::system::SHOWS_BLUE;

/// The program's own words.
pub const PLAIN: Style = Style::new();
/// Names and headings.
pub const STRONG: Style = Style::new().bold();
/// Margins, numbers and omissions.
pub const DIM: Style = Style::new().dimmed();
pub const ADDED: Style = Style::new().green();
pub const REMOVED: Style = Style::new().red();
/// Hidden characters, by their code points.
pub const ESCAPE: Style = Style::new().reversed();

/// The margin of a source excerpt, in the colours of `annotate-snippets`.
pub const MARGIN: Style = {
    let style = if SHOWS_BLUE { Style::new().bright_blue() } else { Style::new().bright_cyan() };
    style.bold()
};

/// One hue per tier, by its label.
pub fn of_tier(label: &str) -> Style {
    match label {
        "project" | "cwd" => Style::new().green(),
        "user" | "home" => Style::new().yellow(),
        "builtin" => Style::new().magenta(),
        label if label == "system" || label.starts_with("system:") => Style::new().blue(),
        _ => Style::new().cyan(),
    }
}

/// The kind of a message: `error`, `warning`, `note` or `help`.
pub fn of_message(kind: &str) -> Style {
    match kind {
        "error" => Style::new().bright_red().bold(),
        "warning" => Style::new().yellow().bold(),
        "note" => Style::new().bright_green().bold(),
        _ => Style::new().bright_cyan().bold(),
    }
}

/// Words in which two lines differ, in the colour of their line.
pub fn of_changed(line: Style) -> Style {
    line.bold().underline()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Writes no escape sequences.
    #[default]
    Plain,
    Coloured,
}

impl Theme {
    /// The style, if there are colours.
    pub fn choose(self, style: Style) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Coloured => style,
        }
    }
}

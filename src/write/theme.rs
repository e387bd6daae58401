//! Colours are optional: every view reads the same without them.

use owo_colors::Style;

use crate::system::SHOWS_BLUE;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Writes no escape sequences.
    #[default]
    Plain,
    Coloured,
}

impl Theme {
    /// One hue per tier, by its label.
    pub fn tier(self, label: &str) -> Style {
        self.choose(match label {
            "project" | "cwd" => Style::new().green(),
            "user" | "home" => Style::new().yellow(),
            "builtin" => Style::new().magenta(),
            label if label == "system" || label.starts_with("system:") => Style::new().blue(),
            _ => Style::new().cyan(),
        })
    }

    /// Names and headings.
    pub fn strong(self) -> Style {
        self.choose(Style::new().bold())
    }

    /// Margins, numbers and omissions.
    pub fn dim(self) -> Style {
        self.choose(Style::new().dimmed())
    }

    /// The margin of a source excerpt, in the colours of `annotate-snippets`.
    pub fn margin(self) -> Style {
        self.choose(if SHOWS_BLUE { Style::new().bright_blue().bold() } else { Style::new().bright_cyan().bold() })
    }

    pub fn escape(self) -> Style {
        self.choose(Style::new().reversed())
    }

    pub fn removed(self) -> Style {
        self.choose(Style::new().red())
    }

    pub fn added(self) -> Style {
        self.choose(Style::new().green())
    }

    /// Words in which two lines differ, in the colour of their line.
    pub fn changed(self, line: Style) -> Style {
        self.choose(line.bold().underline())
    }

    /// The kind of a message: `error`, `warning`, `note` or `help`.
    pub fn message(self, kind: &str) -> Style {
        self.choose(match kind {
            "error" => Style::new().bright_red().bold(),
            "warning" => Style::new().yellow().bold(),
            "note" => Style::new().bright_green().bold(),
            _ => Style::new().bright_cyan().bold(),
        })
    }

    fn choose(self, style: Style) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Coloured => style,
        }
    }
}

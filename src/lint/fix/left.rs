use crate::diagnostic::{Diagnostic, Problem};
use strum::IntoStaticStr;

/// Why fixable findings remain in a file.
#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum NotFixed {
    Signed,
    /// It changed since it was read.
    Changed,
    ReadOnly,
    Outside,
    NotWritten(String),
    Unsettled,
    /// A fix conflicts with other fixes or with the text around it.
    Together,
}

impl NotFixed {
    pub fn problem(&self) -> Problem {
        let (why, help) = match self {
            Self::Signed => ("its signature would become invalid", "add --unsafe-fixes, and sign it again"),
            Self::Changed => ("it changed while it was checked", "run the command again"),
            Self::ReadOnly => ("the file is read-only", "make it writable, and run the command again"),
            Self::Outside => ("a link leads out of the project", "change the file that the link leads to"),
            Self::NotWritten(reason) => return Problem::NotWritten { reason: reason.clone() },
            Self::Unsettled => ("its fixes undo each other", "fix it by hand; `lint` shows the findings"),
            Self::Together => ("a fix conflicts with the text around it", "fix it by hand; `lint` shows the finding"),
        };
        Problem::LeftAlone { why, help }
    }

    pub fn words(&self) -> (String, String) {
        let said = Diagnostic::new(self.problem());
        (said.message(), said.help().unwrap_or_default())
    }
}

use crate::diagnostic::{Diagnostic, Problem};
use strum::IntoStaticStr;

/// Why findings that have a fix are left in a file.
#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Left {
    /// The file is signed.
    Signed,
    /// It is no longer what was read.
    Changed,
    /// It may not be written.
    ReadOnly,
    /// A link puts it outside of the project.
    Outside,
    /// The system refuses to write it, for that reason.
    NotWritten(String),
    /// Its fixes undo each other.
    Unsettled,
    /// A fix cannot be made with the others of the file, or with the text around it.
    Together,
}

impl Left {
    /// What is said of the file.
    pub fn problem(&self) -> Problem {
        let (why, help) = match self {
            Self::Signed => ("its signature would no longer hold", "add --unsafe-fixes, and sign it again"),
            Self::Changed => ("it changed while it was checked", "run this again"),
            Self::ReadOnly => {
                ("the file may not be written", "give yourself the right to write it, and run this again")
            }
            Self::Outside => ("a link leads out of the project", "change the file where it lies"),
            Self::NotWritten(reason) => return Problem::NotWritten { reason: reason.clone() },
            Self::Unsettled => {
                ("its fixes ask for others, and no end was reached", "put it right by hand; `lint` shows it")
            }
            Self::Together => {
                ("a fix cannot be made with what stands around it", "put it right by hand; `lint` shows it")
            }
        };
        Problem::LeftAlone { why, help }
    }

    /// The same as a sentence, and what to do about it.
    pub fn words(&self) -> (String, String) {
        let said = Diagnostic::new(self.problem());
        (said.message(), said.help().unwrap_or_default())
    }
}

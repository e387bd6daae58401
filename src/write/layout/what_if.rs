use std::io;

use super::{Flow, Word, listed};
use crate::write::theme::Theme;

/// `what if: --suppress a, --without-tier user`: marks a prompt that the files alone would not produce.
pub fn what_if(flags: &[String], theme: Theme, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
    if flags.is_empty() {
        return Ok(());
    }
    let strong = theme.strong();
    let mut line = vec![Word::new("what if:", strong)];
    line.extend(listed(flags.iter().map(String::as_str), flags.len(), strong));
    Flow { lead: "", lead_style: strong, hang: "  ", between: " ", width }.write(&line, out)
}

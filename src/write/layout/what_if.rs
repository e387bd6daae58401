use std::io;

use super::{Flow, Word};
use crate::write::theme::Theme;

/// `what if: --suppress a, --without-tier user`: marks a prompt that the files alone would not produce.
pub fn what_if(flags: &[String], theme: Theme, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
    if flags.is_empty() {
        return Ok(());
    }
    let strong = theme.strong();
    let mut line = vec![Word::new("what if:", strong)];
    for (index, flag) in flags.iter().enumerate() {
        let word = Word::new(flag, strong);
        line.push(if index + 1 < flags.len() { word.comma() } else { word });
    }
    Flow { lead: "", lead_style: strong, hang: "  ", between: " ", width }.write(&line, out)
}

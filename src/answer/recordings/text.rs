use std::io;

use super::{RecordingsView, tokens};
use crate::agents::Recording;
use crate::text::numbers::count;
use crate::text::visible::visible_line;
use crate::write::layout::{Flow, Word, punctuate, words};

/// The release and date of each recording, and below it the ids.
pub(super) fn write(recordings: &[Recording], view: &RecordingsView, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let flow = |lead| Flow::plain(lead, "    ", view.theme, view.width);
    if recordings.is_empty() {
        return writeln!(out, "Nothing was recorded.");
    }
    for recording in recordings {
        let Recording { agent, version, date, folder, texts } = recording;
        let release = format!("{agent} {version}");
        let tokens = count(tokens(recording), "token");
        let facts = [tokens.as_str(), date.as_deref().unwrap_or_default(), &visible_line(folder)];
        let facts = [&release].into_iter().map(|it| Word::new(it, strong)).chain(facts.map(|it| Word::new(it, dim)));
        Flow { between: "  ", ..flow("") }.write(&facts.collect::<Vec<_>>(), out)?;
        let mut ids: Vec<Word> = Vec::new();
        for text in texts {
            punctuate(&mut ids, ",");
            ids.extend(words(&visible_line(&text.id), dim));
        }
        flow("  ").write(&ids, out)?;
    }
    Ok(())
}

use std::io;

use crate::answer::explain::ExplainView;
use crate::answer::explain::window::Window;
use crate::text::numbers::thousands;
use crate::write::layout::{Word, bar, share};

const WIDEST_BAR: usize = 40;

/// Writes how full the window gets, in total and by part.
pub fn write(window: &Window, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    writeln!(out)?;
    let title = format!("context window  {} tokens", thousands(window.size));
    let style = if window.over > 0 { view.theme.strong() } else { dim };
    view.spread("━━ ", '━', dim).write(
        &Word::new(&title, view.theme.strong()),
        &Word::new(&window.verdict(), style),
        out,
    )?;

    let free = [("free", window.free)].into_iter().filter(|_| window.over == 0);
    let parts = window.parts.iter().map(|part| (part.name, part.tokens));
    let rows: Vec<(&str, usize)> = parts.chain([("used", window.used)]).chain(free).collect();
    let names = rows.iter().map(|(name, _)| Word::new(name, dim).width()).max().unwrap_or_default();
    let numbers = rows.iter().map(|(_, tokens)| thousands(*tokens).len()).max().unwrap_or_default();
    // Two spaces before, between and after the columns.
    let columns = view.width.saturating_sub(names + numbers + 2 + 2 + 2 + 5 + 2).min(WIDEST_BAR);
    for (name, tokens) in rows {
        let name = Word::new(name, dim).padded(names);
        // A part that exceeds the window fills the whole bar.
        let bar = bar(tokens, window.size, columns);
        let line = format!("  {:>numbers$}  {:>5}  {bar}", thousands(tokens), share(tokens, window.size));
        writeln!(out, "  {name}{}", dim.style(line.trim_end()))?;
    }
    Ok(())
}

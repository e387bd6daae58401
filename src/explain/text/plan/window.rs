use std::io;

use crate::explain::View;
use crate::explain::window::Window;
use crate::layout::{Spread, Word, bar, per_cent};
use crate::tokens::thousands;

const WIDEST_BAR: usize = 40;

/// Writes how full the window gets: as a whole, and for each part of the prompt.
pub fn write(window: &Window, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let (dim, strong) = (view.theme.dim(), view.theme.strong());
    let number = |tokens: u64| thousands(usize::try_from(tokens).unwrap_or(usize::MAX));
    writeln!(out)?;
    let verdict = match window.over() {
        0 => format!("{} full", per_cent(window.used, window.size)),
        over => format!("{} full: over by {} tokens", per_cent(window.used, window.size), number(over)),
    };
    Spread { lead: "━━ ", fill: '━', style: dim, width: view.width }.write(
        &Word::new(&format!("context window  {} tokens", number(window.size)), strong),
        &Word::new(&verdict, if window.over() > 0 { strong } else { dim }),
        out,
    )?;

    let free = [("free", window.free())].into_iter().filter(|_| window.over() == 0);
    let rows: Vec<(&str, u64)> = window.parts.iter().copied().chain([("used", window.used)]).chain(free).collect();
    let names = rows.iter().map(|(name, _)| Word::new(name, dim).width()).max().unwrap_or_default();
    let tokens = rows.iter().map(|(_, tokens)| number(*tokens).len()).max().unwrap_or_default();
    // Two blanks before, between and behind the columns.
    let columns = view.width.saturating_sub(names + tokens + 2 + 2 + 2 + 5 + 2).min(WIDEST_BAR);
    for (name, part) in rows {
        let name = Word::new(name, dim);
        write!(out, "  ")?;
        name.write(out)?;
        let gap = names - name.width();
        // What is over-full fills the whole bar.
        let line = format!("{:gap$}  {:>tokens$}  {:>5}", "", number(part), per_cent(part, window.size));
        writeln!(out, "{}", dim.style(format!("{line}  {}", bar(part, window.size, columns)).trim_end()))?;
    }
    Ok(())
}

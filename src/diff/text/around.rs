//! What differs besides the prompt itself: fields, the extends chain and decisions.

use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use super::layer::{asker, comma, located};
use super::{heading, sentence};
use crate::diff::summary::field_name;
use crate::diff::{Considered, DiffView, Difference, ExtendsLink, FieldChange, Pair};
use crate::layout::{Columns, Flow, Spread, Word, words};
use crate::text::visible::visible_line;
use crate::tokens::thousands;

const WIDEST_NAME: usize = 32;

pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    fields(&difference.fields, view, out)?;
    if let Some(chain) = &difference.chain {
        self::chain(chain, view, out)?;
    }
    decisions(difference, view, out)
}

pub fn decisions(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    if difference.decisions.is_empty() {
        return Ok(());
    }
    heading("decisions", &differ(difference.decisions.len()), view, out)?;
    difference.decisions.iter().try_for_each(|&index| decision(difference, index, view, out))
}

/// `1 differs`, `5 differ`.
fn differ(number: usize) -> String {
    format!("{} differ{}", thousands(number), if number == 1 { "s" } else { "" })
}

fn fields(fields: &[FieldChange], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    heading("fields", &differ(fields.len()), view, out)?;
    let theme = view.theme;
    // A field without values does not widen the column of names.
    let has_value = |field: &&FieldChange| field.group.has_values();
    let widths = fields.iter().filter(has_value).map(|field| visible_line(&field_name(field)).width());
    let column = widths.max().unwrap_or(0).min(WIDEST_NAME) + 6;
    for field in fields {
        let (sign, style) = match (&field.value.left, &field.value.right) {
            (None, _) => ("+ ", theme.added()),
            (_, None) => ("- ", theme.removed()),
            _ => ("  ", Style::new()),
        };
        let name = Word::new(&field_name(field), theme.strong());
        let values: Vec<Word> = match (field.shown(&field.value.left), field.shown(&field.value.right)) {
            (Some(left), Some(right)) => {
                vec![Word::new(left, theme.removed()), Word::new("→", theme.dim()), Word::new(right, theme.added())]
            }
            (only, None) | (None, only) => only.into_iter().map(|only| Word::new(only, style)).collect(),
        };
        let lead = format!("  {sign}");
        Columns { lead: &lead, hang: "      ", style, column, width: view.width }.write(&[name], &values, out)?;
    }
    Ok(())
}

/// Writes the chains, with the directives that both begin or end with once.
fn chain(chain: &Pair<Vec<ExtendsLink>>, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    heading("chain", "root first", view, out)?;
    let Pair { left, right } = chain;
    let is_same =
        |(left, right): &(&ExtendsLink, &ExtendsLink)| left.id == right.id && !left.place.is_elsewhere(&right.place);
    let begin = left.iter().zip(right).take_while(is_same).count();
    let (old, new) = (&left[begin..], &right[begin..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(is_same).count();
    let theme = view.theme;
    let widest = left.iter().chain(right).map(|link| visible_line(&link.id).width()).max().unwrap_or(0);
    let parts = [
        ("    ", Style::new(), &right[..begin]),
        ("  - ", theme.removed(), &old[..old.len() - end]),
        ("  + ", theme.added(), &new[..new.len() - end]),
        ("    ", Style::new(), &new[new.len() - end..]),
    ];
    for (lead, style, links) in parts {
        for link in links {
            let columns =
                Columns { lead, hang: "      ", style, column: widest.min(WIDEST_NAME) + 6, width: view.width };
            columns.write(&[Word::new(&link.id, theme.strong())], &located(&link.place, theme), out)?;
        }
    }
    if left.is_empty() || right.is_empty() {
        let side = if left.is_empty() { "left" } else { "right" };
        sentence(&format!("the {side} side has none"), view, out)?;
    }
    Ok(())
}

/// Writes the outcome on each side, and the reason.
fn decision(
    difference: &Difference,
    index: Pair<Option<usize>>,
    view: &DiffView,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let theme = view.theme;
    let decisions = difference.decisions_of(index);
    let Pair { left, right } = decisions;
    let Some(shown) = decisions.newest() else { return Ok(()) };
    let outcome = |side: Option<&Considered>| match side {
        Some(considered) => considered.outcome.replace('_', " "),
        None => "not considered".to_string(),
    };
    Spread { lead: "  ", fill: ' ', style: theme.dim(), width: view.width }.write(
        &Word::new(&shown.title, theme.strong()),
        &Word::new(&format!("{} → {}", outcome(left), outcome(right)), Style::new()),
        out,
    )?;
    for (side, sign, style) in [(left, "-", theme.removed()), (right, "+", theme.added())] {
        let Some(considered) = side else { continue };
        let mut line = vec![Word::new(sign, style).glued()];
        line.extend(words(&considered.why, theme.dim()));
        if let Some(by) = &considered.by {
            // Often the reason or the place names it already.
            let says = considered.why.contains(&by.by) || by.place.as_ref().is_some_and(|place| place.path == by.by);
            comma(&mut line);
            match &by.place {
                Some(place) if says => line.extend(located(place, theme)),
                _ => line.extend(asker(by, theme)),
            }
        }
        Flow { lead: "    ", lead_style: theme.dim(), hang: "      ", between: " ", width: view.width }
            .write(&line, out)?;
    }
    Ok(())
}

//! The impact for a pull request: a heading for each cause, its prompts, and the lines that differ, folded.
//!
//! Names and texts are untrusted: each is in a code span or a fence that it cannot end.

use std::io;

use super::details::Detail;
use super::text::causes::what;
use super::text::failed::{place, worst};
use super::text::{cost, verdict};
use super::{Affected, Cause, CauseKind, Failed, Impact};
use crate::answer::diff::summary::{capitalized, reuse_in_short, signed, signed_tokens};
use crate::answer::diff::{DiffView, markdown};
use crate::text::numbers::count;
use crate::text::numbers::thousands;
use crate::write::markdown::{CommentRoom, Fold, brief, code_in_html};

/// The maximum number of rows in the table of a cause or of failures.
const MOST_ROWS: usize = 100;
/// The maximum number of details listed for a prompt.
const MOST_DETAILS: usize = 6;

/// Writes as much as fits in a GitHub comment, and notes of what is left out.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut room = CommentRoom::new();
    let head = head(impact);
    room.takes(&head);
    let mut half = room.half();
    let failed = failed(impact, &mut half);
    room.takes(&failed);
    let causes: Vec<_> = impact.causes.iter().map_while(|cause| self::cause(impact, cause, &mut half)).collect();
    for text in &causes {
        room.takes(text);
    }
    let without = match impact.causes.len() - causes.len() {
        0 => String::new(),
        more => format!("\n#### … and {} left out\n", count(more, "more cause")),
    };
    room.takes(&without);

    write!(out, "{head}")?;
    let (mut all, mut left_out) = (0, 0);
    for (text, cause) in causes.iter().zip(&impact.causes) {
        out.write_all(text.as_bytes())?;
        for fold in folds(impact, cause, view) {
            let (text, without) = fold.fitted(&mut room);
            all += fold.hunks.len();
            left_out += without;
            out.write_all(text.as_bytes())?;
        }
    }
    write!(out, "{without}{failed}{}", CommentRoom::note(left_out, all))
}

fn head(impact: &Impact) -> String {
    let failed = match impact.failed.len() {
        0 => String::new(),
        failed => format!(" {} cannot be rendered.", count(failed, "prompt")),
    };
    let tokens = cost(impact).map(|cost| format!(": {cost}")).unwrap_or_default();
    let hidden = impact.hidden_values().sentence().map(|hidden| format!("\n{hidden}\n")).unwrap_or_default();
    let [left, right] = impact.title.as_ref().map(|title| brief(title)).into_array();
    format!("### Prompts: {left} → {right}\n\n**{}**{tokens}.{failed}\n{hidden}", verdict(impact))
}

/// A heading and the prompts of a cause; `None` if the heading and one row do not fit.
fn cause(impact: &Impact, cause: &Cause, room: &mut CommentRoom) -> Option<String> {
    let size = format!("{}, {}", count(cause.prompts.len(), "prompt"), signed_tokens(cause.grown()));
    let sentence = cause.what.sentence().map(capitalized).unwrap_or_default();
    let (name, place) = match &cause.what {
        CauseKind::Arguments => ("arguments".to_string(), sentence),
        CauseKind::Settings { path } => (brief(path), sentence),
        CauseKind::File { tier, path, id, .. } => {
            let change = cause.what.added_or_removed().map(|it| format!(", {}", it.into_str())).unwrap_or_default();
            (brief(id.as_deref().unwrap_or(path)), format!("{}{change}", brief(&format!("{tier} {path}"))))
        }
    };
    let head = format!("\n#### {name}: {size}\n\n{place}\n");
    let titles = "| Prompt | What differs | Tokens | Cache |\n| --- | --- | ---: | --- |\n";
    let rows = cause.prompts.iter().filter_map(|affected| row(impact, affected));
    let more = |more: usize| format!("| … and {} more | left out |  |  |\n", thousands(more));
    Some(head.clone() + &table(titles, rows, cause.prompts.len(), more, &head, room)?)
}

/// A table with the rows that fit along with a heading, and a row with the number of the others; `None` if no row fits.
fn table(
    titles: &str,
    rows: impl Iterator<Item = String>,
    all: usize,
    more: impl Fn(usize) -> String,
    head: &str,
    room: &mut CommentRoom,
) -> Option<String> {
    let mut rows = rows.take(MOST_ROWS).peekable();
    let mut out = format!("\n{titles}");
    let first = rows.next().unwrap_or_default();
    if !room.takes(&format!("{head}{out}{first}{}", more(all))) {
        return None;
    }
    out += &first;
    let mut shown = 1;
    for row in rows {
        if !room.takes(&row) {
            break;
        }
        out += &row;
        shown += 1;
    }
    if shown < all {
        out += &more(all - shown);
    }
    Some(out)
}

fn row(impact: &Impact, affected: &Affected) -> Option<String> {
    let changed = impact.changed.get(affected.prompt)?;
    let (mut what, cache) = match changed.is_on_one_side() {
        true => (changed.change.into_str().to_string(), String::new()),
        false => (what(changed, &affected.share), reuse_in_short(&changed.cache, false)),
    };
    let details = Detail::all(changed, &affected.share);
    details.iter().take(MOST_DETAILS).for_each(|it| what += &format!("<br>{}", detail(it)));
    if let more @ 1.. = details.len().saturating_sub(MOST_DETAILS) {
        what += &format!("<br>and {} more", thousands(more));
    }
    Some(format!("| {} | {what} | {} | {cache} |\n", brief(&changed.id), signed(affected.share.grown())))
}

fn detail(detail: &Detail) -> String {
    let how = match detail {
        Detail::Tool(_) | Detail::Sentence(_) => detail.change(),
        Detail::Field(_) | Detail::Decision(_) => brief(&detail.change()),
    };
    let kind = if matches!(detail, Detail::Tool(_)) { "tool " } else { "" };
    detail.name().map_or(how.clone(), |name| format!("{kind}{}: {how}", brief(&name)))
}

/// The lines that differ in one prompt.
fn folds(impact: &Impact, cause: &Cause, view: &DiffView) -> Vec<Fold> {
    let Some(shown) = &cause.shown else { return Vec::new() };
    let id = impact.changed.get(shown.prompt).map_or("", |changed| &changed.id);
    let layers = shown.layer_pairs().filter_map(|pair| markdown::layer(&shown.difference, pair, view.context));
    let tools = shown.tool_pairs().flat_map(|pair| markdown::tool(&shown.difference, pair, view.context));
    let of_prompt = |fold: Fold| Fold { summary: format!("{}, in {}", fold.summary, code_in_html(id)), ..fold };
    layers.chain(tools).map(of_prompt).collect()
}

fn failed(impact: &Impact, room: &mut CommentRoom) -> String {
    if impact.failed.is_empty() {
        return String::new();
    }
    let head = format!("\n#### {} cannot be rendered\n", count(impact.failed.len(), "prompt"));
    let rows = impact.failed.iter().map(|failed| failure(impact, failed));
    let more = |more: usize| format!("| … and {} more | left out |\n", thousands(more));
    let titles = "| Prompt | Error |\n| --- | --- |\n";
    let table = table(titles, rows, impact.failed.len(), more, &head, room);
    head + &table.unwrap_or_default()
}

fn failure(impact: &Impact, failed: &Failed) -> String {
    let sides = impact.title.as_ref().zip(failed.errors.as_ref()).into_array();
    let sides = sides.into_iter().filter_map(|(title, errors)| {
        let more = match errors.len() {
            0 => return None,
            1 => String::new(),
            more => format!(" (and {} more)", more - 1),
        };
        let error = worst(errors)?;
        let place = place(error).map(|(tier, path, line)| {
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            format!(" {}", brief(format!("{tier} {path}{line}").trim_start()))
        });
        let place = place.unwrap_or_default();
        Some(format!("{}: {}{place}{more}", brief(title), brief(error.message().lines().next().unwrap_or_default())))
    });
    format!("| {} | {} |\n", brief(&failed.id), sides.collect::<Vec<_>>().join("<br>"))
}

#[cfg(test)]
mod tests;

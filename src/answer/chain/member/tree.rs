//! The chain of one directive as a tree: leaf first, root last.

use std::io;

use owo_colors::Style;

use crate::answer::chain::GraphView;
use crate::answer::chain::drawing::Drawing;
use crate::fill::palette::DIRECTIVE_RETURN;
use crate::prompt::Grant;
use crate::text::numbers::count;
use crate::write::layout::{Columns, Word, punctuate, what_if, words};

use super::block::{MemberBlock, capabilities};
use super::{MemberView, ScopedChain};

pub fn write(shown: &ScopedChain, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    what_if(&shown.prompt.what_if, view.theme, view.width, out)?;
    if !shown.prompt.what_if.is_empty() {
        writeln!(out)?;
    }
    let mut drawing = Drawing::new(view);
    for (depth, member) in shown.members.iter().enumerate() {
        let child = depth.checked_sub(1).map(|child| &shown.members[child]);
        drawing.go_to(depth, false, child.map_or("", |child| &child.listed.id), out)?;
        let beside = drawing.beside(member.parent.is_some());
        name(member, &drawing.at_node(), &beside, view, out)?;
        if shown.is_whole(member) {
            MemberBlock { shown, view, left_out: drawing.glyphs.left_out, beside, child }.write(member, out)?;
        }
    }
    more(shown, &mut drawing, out)?;
    in_effect(shown, view, out)
}

fn more(shown: &ScopedChain, drawing: &mut Drawing, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(last) = shown.members.last().filter(|_| shown.more > 0) else { return Ok(()) };
    drawing.go_to(shown.members.len(), false, &last.listed.id, out)?;
    let dim = drawing.view.theme.dim();
    let sentence = format!("{} {}", drawing.glyphs.ellipsis, count(shown.more, "more ancestor"));
    drawing.view.flow(&drawing.at_node(), &drawing.beside(false)).say(&sentence, dim, out)
}

fn name(member: &MemberView, lead: &str, beside: &str, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let (id, source) = (&member.listed.id, &member.listed.source);
    let place =
        [Word::new(source.tier(), view.theme.tier(source.tier())).glued(), Word::new(source.path(), Style::new())];
    let column = view.width * 7 / 16;
    let columns = Columns { lead, hang: beside, style: view.theme.dim(), column, width: view.width };
    columns.write(&[Word::new(id, view.theme.strong())], &place, out)
}

/// The capabilities that the chain and a parent thread leave.
fn in_effect(shown: &ScopedChain, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(left) = shown.granted else { return Ok(()) };
    let dim = view.theme.dim();
    let (returns, granted): (Vec<_>, Vec<_>) =
        left.iter().partition(|grant: &&Grant| grant.capability == DIRECTIVE_RETURN);
    let mut line = capabilities(granted.iter().map(|grant| (grant.capability.as_str(), None)), Style::new(), dim);
    if let Some(grant) = granted.first() {
        line.extend(words(&format!("(from {})", grant.by.by), dim));
    }
    if !returns.is_empty() {
        punctuate(&mut line, ",");
        line.push(Word::new("directive_return", Style::new()));
        line.extend(words("(for the outputs)", dim));
    }
    if line.is_empty() {
        line.push(Word::new("nothing", Style::new()));
    }
    if granted.is_empty() {
        let why = if shown.prompt.permissions.is_empty() {
            "no directive in the chain declares permissions"
        } else {
            "a parent thread removes all of them"
        };
        punctuate(&mut line, ":");
        line.extend(words(why, dim));
    }
    writeln!(out)?;
    view.flow("in effect  ", "           ").write(&line, out)
}

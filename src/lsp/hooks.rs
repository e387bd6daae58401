//! The ids of hooks: where each is declared, and which directives suppress it.

use super::about::About;
use super::names;
use crate::read::item::{Hook, ItemField};
use crate::text::Span;

impl<'a> About<'a> {
    /// Where the hook is declared that a `<suppress>` at an offset names.
    pub(super) fn suppressed_hook(&self, offset: usize) -> Option<&'a Span> {
        let directive = self.file()?.readable()?;
        let name = directive.context.suppress.iter().find(|field| self.holds(&field.span, offset))?.as_str();
        let hooks = directive.hooks.iter().chain(self.reading.project.hooks());
        hooks.filter(|hook| hook.suppressible_names().any(|it| it == name)).find_map(declared)
    }

    /// The hook whose id stands at an offset.
    pub(super) fn hook(&self, offset: usize) -> Option<&'a Hook> {
        self.reading.project.hooks().find(|hook| declared(hook).is_some_and(|span| self.holds(span, offset)))
    }

    /// The places that suppress a hook by its id.
    pub(super) fn suppressing(&self, hook: &Hook) -> impl Iterator<Item = &'a Span> {
        let directives = self.reading.project.files.iter().filter_map(|file| file.readable());
        let suppressed = directives.flat_map(|directive| &directive.context.suppress);
        suppressed.filter(|field: &&ItemField| hook.id.as_deref() == Some(field.as_str())).map(|field| &field.span)
    }

    /// The ids that a `<suppress>` may name.
    pub(super) fn hook_ids(&self) -> impl Iterator<Item = (String, String)> {
        let hooks = self.reading.project.hooks().filter(|hook| hook.shapes_messages());
        hooks.filter_map(|hook| Some((hook.id.clone()?, "hook".to_string())))
    }

    pub(super) fn holds(&self, span: &Span, offset: usize) -> bool {
        span.source().path() == self.path && names::holds(span, offset)
    }
}

/// The place of its id, or else the whole hook.
fn declared(hook: &Hook) -> Option<&Span> {
    hook.written.get("id").and_then(|id| id.span.as_ref()).or(hook.span.as_ref())
}

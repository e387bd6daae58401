use clap::Args;

use crate::complete::Completes;
use crate::request::Position;
use crate::words::words;

/// Changes for this run only; nothing on disk changes.
#[derive(Debug, Args, Default)]
pub struct WhatIfFlags {
    /// Suppress a hook or an item, as <suppress> does (repeatable).
    #[arg(long, value_name = "ID", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Suppressed)]
    pub suppress: Vec<String>,

    /// Replace the parent of the directive.
    ///
    /// It overrides the directive's `extends` and hooks.
    #[arg(long, value_name = "ID", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::DirectiveId)]
    pub set_extends: Option<String>,

    /// Remove a hook (repeatable).
    #[arg(long, value_name = "ID", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Hook)]
    pub without_hook: Vec<String>,

    /// Add knowledge at the position system, before or after (repeatable).
    #[arg(long, value_name = "POSITION=ID", value_parser = context, help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Context)]
    pub with_context: Vec<(Position, String)>,

    /// Remove a tier: project, user, system or a label (repeatable).
    #[arg(long, value_name = "TIER", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Tier)]
    pub without_tier: Vec<String>,
}

impl WhatIfFlags {
    /// A typed flag, if any.
    pub fn first(&self) -> Option<&'static str> {
        let typed = [
            ("--suppress", !self.suppress.is_empty()),
            ("--set-extends", self.set_extends.is_some()),
            ("--without-hook", !self.without_hook.is_empty()),
            ("--with-context", !self.with_context.is_empty()),
            ("--without-tier", !self.without_tier.is_empty()),
        ];
        typed.into_iter().find_map(|(flag, is_typed)| is_typed.then_some(flag))
    }
}

fn context(typed: &str) -> Result<(Position, String), String> {
    let parsed = typed.split_once('=').and_then(|(word, id)| Some((word.parse().ok()?, id.trim().to_string())));
    parsed.filter(|(_, id)| !id.is_empty()).ok_or_else(|| {
        let words = words::<Position>().join(", ");
        format!("write a position ({words}), `=` and the id of a knowledge item")
    })
}

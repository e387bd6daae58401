use clap::Args;


use crate::complete::Completes;
use crate::request::Position;
use crate::words::words;

/// What would be different; nothing on disk changes.
#[derive(Debug, Args, Default)]
pub struct WhatIfFlags {
    /// Suppress a hook or an item, as <suppress> in the directive would (repeatable).
    #[arg(long, value_name = "ID", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Suppressed)]
    pub suppress: Vec<String>,

    /// Give the directive another parent, whatever it extends and hooks say.
    #[arg(long, value_name = "ID", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::DirectiveId)]
    pub set_extends: Option<String>,

    /// Leave a hook out (repeatable).
    #[arg(long, value_name = "ID", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Hook)]
    pub without_hook: Vec<String>,

    /// Add a knowledge item at a position: system, before or after (repeatable).
    #[arg(long, value_name = "POSITION=ID", value_parser = context, help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Context)]
    pub with_context: Vec<(Position, String)>,

    /// Leave a tier out: project, user, system, or one by its label (repeatable).
    #[arg(long, value_name = "TIER", help_heading = "What if", hide_short_help = true)]
    #[arg(add = Completes::Tier)]
    pub without_tier: Vec<String>,
}

impl WhatIfFlags {
    /// One that was typed, if there is one.
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

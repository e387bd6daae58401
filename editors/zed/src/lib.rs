//! The extension of Zed, which starts `rye-render lsp`.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension};

struct RyeRender;

impl Extension for RyeRender {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let named = LspSettings::for_worktree(server.as_ref(), worktree)?.binary.and_then(|binary| binary.path);
        let program = named.or_else(|| worktree.which("rye-render")).ok_or(
            "rye-render is not on the search path: install it with `cargo install --locked rye-render`, or name it in the \
             settings: {\"lsp\": {\"rye-render\": {\"binary\": {\"path\": \"/path/to/rye-render\", \"arguments\": [\"lsp\"]}}}}",
        )?;
        Ok(Command::new(program).arg("lsp"))
    }
}

register_extension!(RyeRender);

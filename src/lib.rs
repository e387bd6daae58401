//! Renders the exact prompt that an agent system would send, with the origin of every byte.
//!
//! This is the library behind the program `rye-render`. [`Project`] is the API for other programs. The examples use a
//! project from the repository:
//!
//! ```
//! let project = rye_render::Project::open("testdata/documents/shop")?;
//! for (role, text) in project.render("ping", &[])?.messages() {
//!     println!("{role}: {text}");
//! }
//! # Ok::<(), rye_render::Error>(())
//! ```

mod assemble;
mod atomic;
mod bundle;
mod chain;
mod cli;
mod complete;
mod condition;
mod config;
mod decide;
mod diagnostic;
mod diff;
mod digest;
mod directive_prompt;
mod explain;
mod folder_prompt;
mod impact;
mod init;
mod inputs;
mod interpolate;
mod item;
mod layout;
mod limits;
mod lint;
mod list;
mod lock;
mod markdown;
mod nearest;
mod page;
mod palette;
mod progress;
mod project;
mod prompt;
mod protocol;
mod render;
mod request;
mod sent;
mod settings;
mod store;
mod text;
mod theme;
mod tokens;
mod tool;
mod trust;
mod value;
mod words;
mod yaml;

#[doc(hidden)] // for `main.rs`
pub use cli::run;
pub use diagnostic::Failure as Error;
pub use project::{Project, Prompt};

/// For the tests and fuzzers of this repository; not a public API.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    macro_rules! open {
        ($($module:ident)*) => {
            $(pub mod $module {
                pub use crate::$module::*;
            })*
        };
    }

    open! { assemble bundle chain cli condition config diagnostic diff digest directive_prompt explain folder_prompt interpolate item lint palette prompt protocol render request store text theme tokens tool trust value yaml }
}

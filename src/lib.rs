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

mod agents;
mod answer;
mod cli;
mod decide;
mod diagnostic;
mod fill;
mod lint;
mod lsp;
mod mcp;
mod project;
mod prompt;
mod read;
mod system;
mod text;
mod write;

#[doc(hidden)] // for `main.rs`
pub use cli::run;
pub use diagnostic::Failure as Error;
pub use project::{Project, Prompt};

/// For the tests and fuzzers of this repository; not a public API.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    macro_rules! open {
        ($($room:ident)*) => {
            $(pub mod $room {
                pub use crate::$room::*;
            })*
        };
    }

    open! { agents answer cli decide diagnostic fill lint prompt read text write }
}

//! The `rye-render` program; the library does the work.

use std::process::ExitCode;

fn main() -> ExitCode {
    rye_render::run()
}

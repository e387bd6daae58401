//! What differs between operating systems. Everything else is written once.

mod paths;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "windows.rs")]
mod this;

pub use paths::{PathStyle, path, text};
pub use this::*;

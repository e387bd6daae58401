//! Addresses of files and folders on this machine, as clients of `mcp` and `lsp` write them.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::system;

/// What is written as it is in a path (RFC 3986, "Path", without the characters that clients encode).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The path of a `file:` URL; a host other than `localhost` is another machine.
pub fn path_of(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    path.starts_with('/').then(|| system::path(&path))
}

pub fn url_of(path: &Path) -> String {
    format!("file://{}", utf8_percent_encode(&system::text(path), ENCODED))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_files_of_this_machine_have_a_path() {
        assert_eq!(path_of("file:///a%20b/%C3%A9.md"), Some("/a b/é.md".into()));
        assert_eq!(path_of("file://localhost/a"), Some("/a".into()));
        for other in ["file://host/a", "https://example.org/a", "untitled:a", "/a", "file://a", "file:///%ff"] {
            assert_eq!(path_of(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn a_path_comes_back(path in "(/[a-z %#?é:~.]{1,5}){1,4}") {
            prop_assert_eq!(path_of(&url_of(Path::new(&path))), Some(path.into()));
        }
    }
}

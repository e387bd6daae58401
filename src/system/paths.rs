//! Paths as text with one root and slashes, as agents and URLs write them. On Windows, a drive is a folder of that root:
//! `C:\a` is `/C:/a`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// How a system writes paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStyle {
    Unix,
    /// With drives, back slashes, and `;` between the folders of a list.
    Windows,
}

impl PathStyle {
    /// A path of this system as text with one root.
    pub fn to_text(self, path: &str) -> String {
        if self == Self::Unix {
            return path.to_string();
        }
        // As the system writes the real path of a file.
        let path = match path.strip_prefix(r"\\?\UNC\") {
            Some(share) => Cow::Owned(format!(r"\\{share}")),
            None => Cow::Borrowed(path.strip_prefix(r"\\?\").unwrap_or(path)),
        };
        let root = if has_drive(&path) { "/" } else { "" };
        format!("{root}{}", path.replace('\\', "/"))
    }

    /// The other way: a path as this system writes it.
    pub fn to_path(self, text: &str) -> Cow<'_, str> {
        if self == Self::Unix {
            return text.into();
        }
        let path = text.strip_prefix('/').filter(|path| has_drive(path)).unwrap_or(text).replace('/', r"\");
        // Without a slash, it would be the working folder of the drive.
        if path.ends_with(':') { format!(r"{path}\") } else { path }.into()
    }

    /// The absolute folders of a list such as PATH, as text.
    pub fn folders(self, list: &str) -> Vec<String> {
        let folders = list.split(if self == Self::Windows { ';' } else { ':' });
        folders.map(|folder| self.to_text(folder)).filter(|folder| folder.starts_with('/')).collect()
    }
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// A path as text with one root. What is not Unicode is replaced.
pub fn text(path: &Path) -> String {
    super::PATHS.to_text(&path.to_string_lossy())
}

/// The path for a text with one root.
pub fn path(text: &str) -> PathBuf {
    PathBuf::from(super::PATHS.to_path(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::PathStyle::{Unix, Windows};

    #[test]
    fn a_drive_is_a_folder_of_the_root() {
        let both = [(r"C:\Users\ada\a b.md", "/C:/Users/ada/a b.md"), (r"C:\", "/C:/"), (r"a\b.md", "a/b.md")];
        for (path, text) in both {
            assert_eq!(Windows.to_text(path), text);
            assert_eq!(Windows.to_path(text), path);
        }
        assert_eq!(Windows.to_text(r"\\?\C:\a"), "/C:/a");
        assert_eq!(Windows.to_text(r"\\?\UNC\server\share\a"), "//server/share/a");
        assert_eq!(Windows.to_path("//server/share/a"), r"\\server\share\a");
        assert_eq!(Windows.to_path("/usr"), r"\usr");
        assert_eq!(Windows.to_path("/C:"), r"C:\");
    }

    #[test]
    fn elsewhere_a_path_is_its_text() {
        for path in ["/C:/a", r"/a\b", "C:a", r"\\?\a"] {
            assert_eq!((Unix.to_text(path).as_str(), &*Unix.to_path(path)), (path, path));
        }
    }

    #[test]
    fn relative_folders_of_a_list_are_left_out() {
        assert_eq!(Unix.folders("/usr/bin:relative::/bin"), ["/usr/bin", "/bin"]);
        assert_eq!(Windows.folders(r"C:\Windows;relative;;D:\npm"), ["/C:/Windows", "/D:/npm"]);
    }
}

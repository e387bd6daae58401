//! Inputs with several files: `=== PATH` begins each, with `user:` or `system:` before the path for a tier other than
//! the project, and `then:` for a file on the right side of a comparison.

use std::sync::Arc;
use strum::VariantArray;

use rye_render::internals::read::bundle;
use rye_render::internals::read::protocol::Builtin;
use rye_render::internals::read::store::{EmbeddedStore, MemoryStore, ReadOptions, Tier, TierKind, Tiers};
use rye_render::internals::text::Source;

/// The maximum number of files to use from an input.
const MOST: usize = 40;

/// Which sides of a comparison a file is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Both, unless the right side has its own file at the path.
    Both,
    Right,
}

/// A file of an input.
#[derive(Debug, Clone)]
pub struct File {
    pub tier: TierKind,
    pub side: Side,
    /// Relative to the folder that contains `.ai/`.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// The files of an input.
pub fn files(data: &[u8]) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        let Some(name) = line.strip_prefix(b"=== ") else {
            if let Some(file) = files.last_mut() {
                file.bytes.extend_from_slice(line);
            }
            continue;
        };
        if files.len() == MOST {
            break;
        }
        let name = String::from_utf8_lossy(name.strip_suffix(b"\n").unwrap_or(name)).into_owned();
        let (side, name) = match name.strip_prefix("then:") {
            Some(name) => (Side::Right, name.to_string()),
            None => (Side::Both, name),
        };
        let (tier, path) = match name.split_once(':') {
            Some(("user", path)) => (TierKind::User, path.to_string()),
            Some(("system", path)) => (TierKind::System, path.to_string()),
            _ => (TierKind::Project, name.clone()),
        };
        files.push(File { tier, side, path, bytes: Vec::new() });
    }
    files
}

/// Tiers of these files, with the embedded bundle below them.
pub fn tiers<'a>(files: impl Iterator<Item = &'a File> + Clone) -> Tiers {
    let mut list = Vec::new();
    for kind in TierKind::VARIANTS.iter().copied() {
        let of_kind = files.clone().filter(|file| file.tier == kind);
        let store: MemoryStore = of_kind.map(|file| (file.path.clone(), file.bytes.clone())).collect();
        list.push(Tier { kind, label: kind.into_str().into(), store: Arc::new(store), root: None, modules: None });
    }
    let store = Arc::new(EmbeddedStore::new(bundle::files(Builtin::Layers)));
    list.push(Tier { kind: TierKind::System, label: "builtin".into(), store, root: None, modules: None });
    Tiers::new(list, ReadOptions::default())
}

/// The bytes of the file that a source names, if it is among `files`.
pub fn bytes_of<'a>(files: impl Iterator<Item = &'a File>, source: &Source) -> Option<&'a [u8]> {
    // If two files have the same path, the last one is used.
    let found = files.filter(|file| file.tier.into_str() == source.tier() && file.path == source.path()).last();
    found.map(|file| file.bytes.as_slice())
}

/// A file of the project tier; `None` if it is not UTF-8.
pub fn source(path: &str, bytes: &[u8]) -> Option<Arc<Source>> {
    Source::read("project".into(), path, bytes.to_vec()).ok()
}

/// The parts of text between lines `=====`.
pub fn split<const N: usize>(text: &str) -> [&str; N] {
    let mut parts = text.splitn(N, "\n=====\n");
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

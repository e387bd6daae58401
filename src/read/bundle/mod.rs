//! The embedded system bundles, for users without an installed package.

use crate::read::protocol::Builtin;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Relative to the folder that holds `.ai/`, with `/`.
    pub path: &'static str,
    pub bytes: &'static [u8],
}

/// In byte order of paths.
pub fn files(bundle: Builtin) -> &'static [EmbeddedFile] {
    match bundle {
        Builtin::Hooks => HOOKS,
        Builtin::Layers => LAYERS,
    }
}

macro_rules! file {
    ($folder:literal, $path:literal) => {
        EmbeddedFile { path: concat!(".ai/", $path), bytes: include_bytes!(concat!($folder, "/.ai/", $path)) }
    };
}

/// The files of a bundle, some in its folder and some shared; written out, because a constant table costs nothing at
/// start-up.
macro_rules! table {
    ($own:literal) => {
        &[
            file!($own, "config/agent/hook_conditions.yaml"),
            file!("shared", "config/agent/resilience.yaml"),
            file!($own, "directives/rye/agent/core/base.md"),
            file!($own, "directives/rye/agent/core/base_execute_only.md"),
            file!($own, "directives/rye/agent/core/base_review.md"),
            file!("shared", "directives/rye/demo/hello.md"),
            file!("shared", "knowledge/rye/agent/core/Behavior.md"),
            file!("shared", "knowledge/rye/agent/core/DirectiveInstruction.md"),
            file!("shared", "knowledge/rye/agent/core/Environment.md"),
            file!("shared", "knowledge/rye/agent/core/Identity.md"),
            file!("shared", "knowledge/rye/agent/core/ToolProtocol.md"),
            file!("shared", "knowledge/rye/agent/core/protocol/execute.md"),
            file!("shared", "knowledge/rye/agent/core/protocol/fetch.md"),
            file!("shared", "knowledge/rye/agent/core/protocol/sign.md"),
            file!("shared", "knowledge/rye/demo/checklist.md"),
            file!("shared", "tools/rye/execute.yaml"),
            file!("shared", "tools/rye/fetch.yaml"),
            file!("shared", "tools/rye/file-system/read.yaml"),
            file!("shared", "tools/rye/sign.yaml"),
        ]
    };
}

static HOOKS: &[EmbeddedFile] = table!("hooks");

static LAYERS: &[EmbeddedFile] = table!("layers");

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The files below a folder: path relative to it, and bytes.
    fn walk(root: &Path) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder)).unwrap() {
                let entry = entry.unwrap();
                let path = folder.join(entry.file_name());
                if entry.file_type().unwrap().is_dir() {
                    folders.push(path);
                } else {
                    let parts: Vec<_> = path.iter().map(|part| part.to_str().unwrap()).collect();
                    found.insert(parts.join("/"), fs::read(entry.path()).unwrap());
                }
            }
        }
        found
    }

    #[test]
    fn every_file_is_in_the_table_in_byte_order() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/read/bundle");
        for (bundle, folder) in [(Builtin::Hooks, "hooks"), (Builtin::Layers, "layers")] {
            let mut expected = walk(&root.join("shared"));
            let shared = expected.len();
            let own = walk(&root.join(folder));
            let count = shared + own.len();
            expected.extend(own);
            assert_eq!(expected.len(), count, "{folder}: a file is in both folders");

            let table: Vec<_> = files(bundle).iter().map(|file| (file.path.to_string(), file.bytes.to_vec())).collect();
            assert_eq!(table, expected.into_iter().collect::<Vec<_>>(), "{folder}");
        }
    }

    #[test]
    fn files_are_found_by_path() {
        for bundle in [Builtin::Hooks, Builtin::Layers] {
            let at = files(bundle).binary_search_by_key(&".ai/directives/rye/demo/hello.md", |file| file.path);
            assert!(files(bundle)[at.unwrap()].bytes.starts_with(b"# Hello\n"));
        }
    }
}

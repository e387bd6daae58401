//! Ids: no id leads out of the folder for its kind.

#![no_main]

use std::ffi::OsStr;
use std::path::{Component, Path};
use strum::VariantArray;

use libfuzzer_sys::fuzz_target;
use rye_render::internals::read::store::{DirectiveArgument, DirectiveFile, ItemId, ItemKind, MemoryStore, Store};
use rye_render_fuzz::{check_diagnostics, files, tiers};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let parsed = ItemId::parse(text);
    assert_eq!(parsed.is_ok(), ItemId::check(text).is_ok());
    if let Ok(id) = &parsed {
        assert_eq!(id.as_str(), text);
        for &kind in ItemKind::VARIANTS {
            for path in id_paths(kind, id) {
                let below = Path::new(&path).strip_prefix(kind.folder()).expect("it is below the folder for its kind");
                assert!(below.components().all(|part| matches!(part, Component::Normal(_))), "{path:?}");
                let store: MemoryStore = [(path.clone(), b"x".to_vec())].into_iter().collect();
                assert_eq!(store.read(&path, 1).expect("the file exists"), b"x");
                assert!(store.exists(&path));
            }
        }
    }
    // The file found for an id is the one that the id names.
    let tiers = tiers(files(b"=== .ai/directives/a/b.md\nx\n").iter());
    if let Ok(id) = &parsed
        && let Ok(Some(found)) = tiers.find(ItemKind::Directive, id)
    {
        assert_eq!(found.source.path(), format!(".ai/directives/{text}.md"));
    }
    match DirectiveArgument::parse(OsStr::new(text)) {
        Ok(DirectiveArgument::Id(id)) => assert_eq!(Ok(id), parsed),
        Ok(DirectiveArgument::File(path)) => {
            if let Ok(file) = DirectiveFile::resolve(&path, Path::new("/work")) {
                assert!(file.path.is_absolute());
                assert!(ItemId::check(file.id.as_str()).is_ok());
            }
        }
        Err(error) => check_diagnostics(&[error], &|_| None),
    }
});

fn id_paths(kind: ItemKind, id: &ItemId) -> Vec<String> {
    kind.paths(id).collect()
}

//! The items of the released Python bundles: all are valid, and each kind of change has its verdict.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rye_render::internals::read::store::{Disk, FolderStore, ItemKind, ReadOptions, Store, Tier, TierKind, Tiers};
use rye_render::internals::read::trust::{Covers, Keys, Trust, verify};
use rye_render::internals::text::Source;

use crate::announce;

/// The numbers of directives and knowledge items, of tools, and of configuration files.
const SIGNED: (usize, usize, usize) = (104, 146, 13);

#[test]
fn released_items_are_valid_until_they_are_changed() {
    let Some(environment) = std::env::var_os("RYE_RENDER_RYEOS") else {
        return announce("signatures: not run: RYE_RENDER_RYEOS is not set");
    };
    let bundles = bundles(Path::new(&environment));
    let keys = Keys::read(&Tiers::new(bundles.iter().map(|root| tier(root)).collect(), ReadOptions::default()));
    let nobody = Keys::read(&Tiers::new(Vec::new(), ReadOptions::default()));
    let mut items = Vec::new();
    for root in &bundles {
        for (folder, kind) in [
            ("directives", Some(ItemKind::Directive)),
            ("knowledge", Some(ItemKind::Knowledge)),
            ("tools", Some(ItemKind::Tool)),
            ("config", None),
        ] {
            collect(root, &root.join(".ai").join(folder), kind, &mut items);
        }
    }
    let of = |wanted: &[Option<ItemKind>]| items.iter().filter(|item| wanted.contains(&item.kind)).count();
    let texts = of(&[Some(ItemKind::Directive), Some(ItemKind::Knowledge)]);
    assert_eq!((texts, of(&[Some(ItemKind::Tool)]), of(&[None])), SIGNED);

    let mut spoiled = 0;
    for (index, item) in items.iter().enumerate() {
        let trust = item.verify(&item.text, &keys);
        assert_eq!(trust.verdict.into_str(), "valid", "{}", item.path);
        let has_body = item.kind == Some(ItemKind::Directive) && !item.text.trim_end().ends_with("</directive>\n```");
        assert_eq!(trust.covers == Covers::Part, has_body, "{}", item.path);
        assert_eq!(item.verify(&item.text.replace('\n', "\r\n"), &keys), trust, "{}", item.path);
        for (verdict, text, keys) in item.spoiled(&items[(index + 1) % items.len()], &keys, &nobody) {
            assert_eq!(item.verify(&text, keys).verdict.into_str(), verdict, "{}", item.path);
            spoiled += 1;
        }
    }
    announce(&format!("signatures: {texts} items of {} files are valid, {spoiled} changed ones are not", items.len()));
}

struct Item {
    path: String,
    kind: Option<ItemKind>,
    text: String,
}

impl Item {
    fn verify(&self, text: &str, keys: &Keys) -> Trust {
        let source = Source::read("project".into(), &self.path, text.as_bytes().to_vec()).expect("it is a text");
        verify(&source, self.kind, keys)
    }

    /// The fields of its signature: `rye`, `signed`, three for the time, hash, signature, key.
    fn fields(&self) -> Vec<&str> {
        let start = self.text.find("rye:signed:").expect("it is signed");
        let line = self.text[start..].split(['\n', ' ']).next().unwrap_or_default();
        line.split(':').collect()
    }

    /// Changed versions of the text, each with its verdict and the trusted keys.
    fn spoiled<'k>(&self, other: &Item, keys: &'k Keys, nobody: &'k Keys) -> Vec<(&'static str, String, &'k Keys)> {
        let Self { text, .. } = self;
        let (fields, others) = (self.fields(), other.fields());
        let [hash, signature, key] = [fields[5], fields[6], fields[7]];
        let line_end = text.find(key).and_then(|at| Some(at + text[at..].find('\n')? + 1)).expect("a line ends");
        let region = match self.kind {
            Some(ItemKind::Directive) => text.find("<directive").expect("it is a directive") + 1,
            _ => line_end + (text.len() - line_end) / 2,
        };
        let at = (region..text.len()).find(|&at| text.is_char_boundary(at)).expect("a text ends");
        let added = format!("{}x{}", &text[..at], &text[at..]);
        let other_digit = if hash.starts_with('0') { "1" } else { "0" };
        let reversed: String = signature.chars().rev().collect();
        vec![
            ("content_changed", added.clone(), keys),
            // A hash can be compared without a key.
            ("content_changed", added, nobody),
            ("content_changed", text.replacen(hash, &format!("{other_digit}{}", &hash[1..]), 1), keys),
            ("unknown_key", text.clone(), nobody),
            ("unknown_key", text.replacen(key, "0123456789abcdef", 1), keys),
            ("bad_signature", text.replacen(signature, others[6], 1), keys),
            ("bad_signature", text.replacen(signature, &reversed, 1), keys),
            ("bad_signature", text.replacen(signature, &signature[..40], 1), keys),
            ("malformed", text.replacen(hash, &hash[1..], 1), keys),
            ("malformed", text.replacen(key, &key.to_uppercase(), 1), keys),
            ("malformed", text.replacen(signature, "", 1), keys),
            ("unsigned", text[line_end..].to_string(), keys),
            ("unsigned", text.replacen("rye:signed", "rye:singed", 1), keys),
            ("valid", text.replacen("rye:signed:2", "rye:signed:1", 1), keys),
        ]
    }
}

fn tier(root: &Path) -> Tier {
    let store: Arc<dyn Store> =
        Arc::new(FolderStore::open(root, false, &Disk::default()).expect("a bundle is a folder"));
    Tier { kind: TierKind::System, label: "system:released".into(), store, root: None, modules: None }
}

/// The folders of the packages that contain `.ai/`.
fn bundles(environment: &Path) -> Vec<PathBuf> {
    let lib = entries(&environment.join("lib"));
    let packages = lib.iter().flat_map(|python| entries(&python.join("site-packages")));
    packages.filter(|package| package.join(".ai").is_dir()).collect()
}

/// The entries of a folder, in byte order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths
}

/// The signed items below a folder.
fn collect(root: &Path, folder: &Path, kind: Option<ItemKind>, items: &mut Vec<Item>) {
    for path in entries(folder) {
        if path.is_dir() {
            collect(root, &path, kind, items);
        } else if let Ok(text) = fs::read_to_string(&path)
            && text.lines().take(2).any(|line| line.contains(" rye:signed:"))
        {
            let path = path.strip_prefix(root).expect("it is below the root").to_string_lossy().into_owned();
            items.push(Item { path, kind, text });
        }
    }
}

use std::sync::Arc;
use strum::VariantArray;

use proptest::prelude::*;

use super::testing::Signer;
use super::verify::CheckedFile;
use super::*;
use crate::diagnostic::Diagnostic;
use crate::read::bundle;
use crate::read::protocol::Builtin;
use crate::read::store::{EmbeddedStore, ItemKind, MemoryStore, ReadOptions, Store, Tier, Tiers};
use crate::text::Source;

fn tiers(files: &[(TierKind, &str, &str)]) -> Tiers {
    let tier = |kind: TierKind| {
        let of_kind = files.iter().filter(|file| file.0 == kind);
        let store: MemoryStore = of_kind.map(|(_, path, text)| (path.to_string(), text.to_string())).collect();
        let label = if kind == TierKind::System { "system:std" } else { kind.into_str() };
        Tier { kind, label: label.into(), store: Arc::new(store) as Arc<dyn Store>, root: None, modules: None }
    };
    Tiers::new(TierKind::VARIANTS.iter().copied().map(tier).collect(), ReadOptions::default())
}

/// The keys of a user who trusts `signer`.
fn trusting(signer: &Signer) -> Keys {
    Keys::read(&tiers(&[(TierKind::User, &signer.path(), &signer.file("ana"))]))
}

fn source(path: &str, text: &str) -> Arc<Source> {
    Source::read("project".into(), path, text.as_bytes().to_vec()).unwrap()
}

fn verdict(path: &str, kind: Option<ItemKind>, text: &str, keys: &Keys) -> (&'static str, &'static str) {
    let trust = verify(&source(path, text), kind, keys);
    (trust.verdict.into_str(), trust.covers.into_str())
}

fn directive(text: &str, keys: &Keys) -> (&'static str, &'static str) {
    verdict(".ai/directives/a.md", Some(ItemKind::Directive), text, keys)
}

fn knowledge(text: &str, keys: &Keys) -> (&'static str, &'static str) {
    verdict(".ai/knowledge/a.md", Some(ItemKind::Knowledge), text, keys)
}

fn tool(path: &str, text: &str, keys: &Keys) -> (&'static str, &'static str) {
    verdict(path, Some(ItemKind::Tool), text, keys)
}

const BLOCK: &str = "<directive name=\"a\" version=\"1\">\n</directive>";

#[test]
fn a_directive_is_signed_from_its_first_to_its_last_tag() {
    let ana = Signer::new(1);
    let keys = trusting(&ana);
    let signed = |text: &str| directive(&ana.markup(BLOCK, text), &keys);
    assert_eq!(signed(&format!("# A\n\n```xml\n{BLOCK}\n```\n")), ("valid", "whole"));
    assert_eq!(signed(&format!("# A\n\n```xml\n{BLOCK}\n```\n\nGo.\n")), ("valid", "part"));
    assert_eq!(signed(&format!("Other words.\n```xml\n{BLOCK}\n```\n \n")), ("valid", "whole"));
    assert_eq!(signed(&format!("```xml\n{}\n```\n", BLOCK.replace("\"1\"", "\"2\""))), ("content_changed", "whole"));
    // A tag in the body ends the region; a tag before the fence begins it.
    assert_eq!(signed(&format!("```xml\n{BLOCK}\n```\nGo.\n</directive>\n")), ("content_changed", "whole"));
    assert_eq!(signed(&format!("A <directive> …\n```xml\n{BLOCK}\n```\n")), ("content_changed", "whole"));
    let with_body = format!("{BLOCK}\n```\n\nGo.\n</directive>");
    let text = ana.markup(&with_body, &format!("```xml\n{with_body}\n"));
    assert_eq!(directive(&text, &keys), ("valid", "whole"));
    assert_eq!(directive(&format!("{text}Stop.\n"), &keys), ("valid", "part"));
    // Without a region nothing can have been signed.
    for text in ["", "<directive\n", "</directive> <directive>", "```xml\n<other/>\n```\n"] {
        assert_eq!(signed(text), ("content_changed", "part"), "{text:?}");
    }
}

#[test]
fn a_fence_outside_the_signed_tags_is_not_covered() {
    let ana = Signer::new(1);
    let keys = trusting(&ana);
    let signed = |text: &str| directive(&ana.markup(BLOCK, text), &keys);
    let other = |root: &str, end: &str| {
        format!(
            "```xml\n<{root} name=\"a\" version=\"1\"><metadata><permissions>*</permissions></metadata></{root}{end}>\n```\n"
        )
    };
    // The signed text is above or below the fence, and the fence contains something else.
    assert_eq!(signed(&format!("{BLOCK}\n\n{}", other("directive", " "))), ("valid", "part"));
    assert_eq!(signed(&format!("{}\n{BLOCK}\n", other("x", ""))), ("valid", "part"));
    for around in ["<!-- <permissions>*</permissions> -->", "<?xml version=\"1.0\"?>"] {
        assert_eq!(signed(&format!("```xml\n{around}\n{BLOCK}\n```\n")), ("valid", "part"));
    }
    assert_eq!(signed(&format!("```xml\n{BLOCK}\n<!-- b -->\n```\n")), ("valid", "part"));
    assert_eq!(signed(&format!("```xml\n\n  {BLOCK} \n\n```\n")), ("valid", "whole"));
}

#[test]
fn knowledge_is_signed_after_its_first_line_and_its_front_matter() {
    let ana = Signer::new(1);
    let keys = trusting(&ana);
    let plain = "\n```yaml\nname: a\n```\n\nText.  \n\n";
    assert_eq!(knowledge(&ana.markup(plain, plain), &keys), ("valid", "whole"));
    assert_eq!(knowledge(&ana.markup(plain, plain.trim_end()), &keys), ("content_changed", "whole"));
    assert_eq!(knowledge(&ana.markup("Text.", "---\nname: a\n---\n\nText.\n"), &keys), ("valid", "part"));
    assert_eq!(knowledge(&ana.markup("Text.", "---\nname: b\n---\n\nText.\n"), &keys), ("valid", "part"));
    assert_eq!(knowledge(&ana.markup("---\nname: a\n", "---\nname: a\n"), &keys), ("valid", "whole"));
    // The dashes may be anywhere.
    assert_eq!(knowledge(&ana.markup("b\n---\nText.", "---\nname: a --- b\n---\nText.\n"), &keys), ("valid", "part"));
    // The signature is removed only if nothing else is on its line.
    let joined = format!("<!-- {} -->Text.", ana.fields("Text."));
    assert_eq!(knowledge(&joined, &keys), ("content_changed", "whole"));
    assert_eq!(knowledge(&format!("<!-- {} -->", ana.fields("")), &keys), ("content_changed", "whole"));
    assert_eq!(knowledge(&ana.markup("", ""), &keys), ("valid", "whole"));
}

#[test]
fn a_tool_is_signed_after_its_first_line_and_its_interpreter() {
    let ana = Signer::new(1);
    let keys = trusting(&ana);
    let text = "CONFIG_SCHEMA = {}\n";
    let signed = ana.hash(text);
    assert_eq!(tool(".ai/tools/a.py", &signed, &keys), ("valid", "whole"));
    assert_eq!(tool(".ai/tools/a.py", &format!("#!/usr/bin/python\n{signed}"), &keys), ("valid", "whole"));
    let line = signed.lines().next().unwrap();
    assert_eq!(tool(".ai/tools/a.py", &format!("{line}\n#!/bin/sh\n{text}"), &keys), ("valid", "whole"));
    assert_eq!(tool(".ai/tools/a.py", &format!("{signed}\n"), &keys), ("content_changed", "whole"));
    assert_eq!(tool(".ai/tools/a.js", &signed.replacen('#', "//", 1), &keys), ("valid", "whole"));
    assert_eq!(tool(".ai/tools/a.js", &signed, &keys), ("unsigned", "nothing"));
    assert_eq!(verdict(".ai/config/a.yaml", None, &ana.hash("a: 1\n"), &keys), ("valid", "whole"));
}

#[test]
fn line_endings_are_ignored_but_other_white_space_is_not() {
    let ana = Signer::new(1);
    let keys = trusting(&ana);
    let text = ana.markup("a\nb\n", "a\nb\n");
    assert_eq!(knowledge(&text.replace('\n', "\r\n"), &keys), ("valid", "whole"));
    assert_eq!(knowledge(&text.replace('\n', "\r"), &keys), ("valid", "whole"));
    assert_eq!(knowledge(&text.replace("a\n", "a \n"), &keys), ("content_changed", "whole"));
    assert_eq!(knowledge(&format!("\u{feff}{text}"), &keys), ("unsigned", "nothing"));
}

#[test]
fn a_provider_may_follow_the_key_and_is_not_signed() {
    let ana = Signer::new(1);
    let keys = trusting(&ana);
    let text = ana.markup("Text.", "Text.").replace(" -->", "|registry@ana -->");
    let checked = CheckedFile::new(&source(".ai/knowledge/a.md", &text), Some(ItemKind::Knowledge), &keys);
    assert_eq!(checked.trust.verdict.into_str(), "valid");
    assert_eq!(checked.first_uncovered(&text, 0..text.len()).map(|gap| gap.start), Some(0));
    // Without a provider, everything that a prompt may contain is covered.
    let text = ana.markup("Text.", "Text.");
    let checked = CheckedFile::new(&source(".ai/knowledge/a.md", &text), Some(ItemKind::Knowledge), &keys);
    assert_eq!(checked.first_uncovered(&text, 0..text.len()), None);
}

#[test]
fn every_verdict_is_distinguished_from_the_others() {
    let (ana, bob) = (Signer::new(1), Signer::new(2));
    let keys = trusting(&ana);
    assert_eq!(knowledge("Text.", &keys), ("unsigned", "nothing"));
    assert_eq!(knowledge("<!-- rye:signed:x -->\nText.", &keys), ("malformed", "nothing"));
    assert_eq!(knowledge(&ana.markup("Text.", "Text!"), &keys), ("content_changed", "whole"));
    assert_eq!(knowledge(&bob.markup("Text.", "Text."), &keys), ("unknown_key", "whole"));
    // The hash needs no key, so it is checked first.
    assert_eq!(knowledge(&bob.markup("Text.", "Text!"), &keys), ("content_changed", "whole"));
    let forged = bob.markup("Text.", "Text.").replace(&bob.fingerprint, &ana.fingerprint);
    assert_eq!(knowledge(&forged, &keys), ("bad_signature", "whole"));
    let fields = ana.fields("Text.");
    let signature = fields.split(':').nth_back(1).unwrap();
    for other in ["x", "AAAA", &format!("{signature}A"), &signature[1..]] {
        let text = ana.markup("Text.", "Text.").replace(signature, other);
        assert_eq!(knowledge(&text, &keys), ("bad_signature", "whole"), "{other}");
    }
    let padded = ana.markup("Text.", "Text.").replace(signature, &format!("{signature}=="));
    assert_eq!(knowledge(&padded, &keys), ("valid", "whole"));
    // A signature over a different hash.
    let other = ana.fields("other").split(':').nth_back(1).unwrap().to_string();
    assert_eq!(knowledge(&ana.markup("Text.", "Text.").replace(signature, &other), &keys), ("bad_signature", "whole"));
}

#[test]
fn only_the_embedded_tier_is_trusted_not_others_with_its_name() {
    let tier = |label: &str, store: Arc<dyn Store>| Tier {
        kind: TierKind::System,
        label: label.into(),
        store,
        root: None,
        modules: None,
    };
    let embedded = || Arc::new(EmbeddedStore::new(bundle::files(Builtin::Layers))) as Arc<dyn Store>;
    let verdict = |list: Vec<Tier>, label: &str| {
        let keys = Keys::read(&Tiers::new(list, ReadOptions::default()).keeping(None));
        let source = Source::read(label.into(), ".ai/knowledge/a.md", b"Text.".to_vec()).unwrap();
        verify(&source, Some(ItemKind::Knowledge), &keys).verdict
    };
    let two = || vec![tier("builtin", embedded()), tier("builtin#2", embedded())];
    assert_eq!(verdict(two(), "builtin"), SignatureVerdict::Builtin);
    assert_eq!(verdict(two(), "builtin#2"), SignatureVerdict::Builtin);
    let other = vec![tier("builtin", Arc::new(MemoryStore::default()))];
    assert_eq!(verdict(other, "builtin"), SignatureVerdict::Unsigned);
}

#[test]
fn the_project_vouches_only_if_no_other_tier_does() {
    let ana = Signer::new(1);
    let text = source(".ai/knowledge/a.md", &ana.markup("Text.", "Text."));
    let voucher = |kinds: &[TierKind]| {
        let (path, files) = (ana.path(), kinds.iter().map(|kind| ana.file(kind.into_str())).collect::<Vec<_>>());
        let files: Vec<_> =
            kinds.iter().zip(&files).map(|(kind, file)| (*kind, path.as_str(), file.as_str())).collect();
        let trust = verify(&text, Some(ItemKind::Knowledge), &Keys::read(&tiers(&files)));
        let holds = (trust.holds(false), trust.holds(true));
        match trust.verdict {
            SignatureVerdict::Valid(voucher) => (voucher.label.to_string(), voucher.owner, holds),
            other => (other.into_str().to_string(), None, holds),
        }
    };
    let by = |label: &str, owner: &str, holds| (label.to_string(), Some(owner.to_string()), holds);
    assert_eq!(voucher(&[]), ("unknown_key".to_string(), None, (false, false)));
    assert_eq!(voucher(&[TierKind::Project]), by("project", "project", (false, true)));
    assert_eq!(voucher(&[TierKind::Project, TierKind::System]), by("system:std", "system", (true, true)));
    assert_eq!(voucher(TierKind::VARIANTS), by("user", "user", (true, true)));
}

/// The verdict on an item signed by `ana`, and the diagnostics, with these key files in the user's tier.
fn with_keys(files: &[(&str, &str)]) -> (&'static str, Vec<String>) {
    let files: Vec<_> = files.iter().map(|(path, text)| (TierKind::User, *path, *text)).collect();
    let keys = Keys::read(&tiers(&files));
    let (word, _) = knowledge(&Signer::new(1).markup("Text.", "Text."), &keys);
    (word, keys.diagnostics().iter().map(Diagnostic::message).collect())
}

#[test]
fn an_unusable_key_is_reported_and_not_trusted() {
    let (ana, bob) = (Signer::new(1), Signer::new(2));
    let (path, file) = (ana.path(), ana.file("ana"));
    let refused = |text: &str| {
        let (word, messages) = with_keys(&[(&path, text)]);
        assert_eq!((word, messages.len()), ("unknown_key", 1), "{text}");
        messages[0].strip_prefix("this trusted key cannot be used: ").unwrap().to_string()
    };
    assert_eq!(with_keys(&[(&path, &file)]), ("valid", vec![]));
    assert!(refused("").starts_with("it cannot be read: missing field"));
    assert!(refused("= 1").starts_with("it cannot be read: "));
    assert!(refused(&"[".repeat(60_000)).starts_with("it cannot be read: "));
    assert_eq!(refused(&"#".repeat(70_000)), "70000 bytes exceed the limit of 64000");
    assert_eq!(refused(&file.replace("MCow", "AAAA")), "its pem is not an Ed25519 public key");
    let other = format!("is not the key's fingerprint, which is {}", bob.fingerprint);
    assert_eq!(refused(&bob.file("bob")), format!("its name {other}"));
    // The fingerprint of one key with the bytes of the other.
    let mixed = bob.file("bob").replace(&bob.fingerprint, &ana.fingerprint);
    assert_eq!(refused(&mixed), format!("`{}` {other}", ana.fingerprint));
    // Blank lines around the PEM do not matter.
    assert_eq!(with_keys(&[(&path, &file.replace("\"\"\"\n-", "\"\"\"\n\n -"))]), ("valid", vec![]));
}

#[test]
fn a_key_file_may_be_signed_by_its_key_or_a_different_one() {
    let (ana, bob) = (Signer::new(1), Signer::new(2));
    let (path, file) = (ana.path(), ana.file("ana"));
    assert_eq!(with_keys(&[(&path, &ana.hash(&file))]), ("valid", vec![]));
    let changed = ana.hash(&file).replace("\"ana\"", "\"eve\"");
    let (word, messages) = with_keys(&[(&path, &changed)]);
    assert_eq!((word, messages.len()), ("unknown_key", 1));
    assert!(messages[0].ends_with("it was changed after it was signed"));

    let by_bob = bob.hash(&file);
    assert_eq!(with_keys(&[(&path, &by_bob)]).0, "unknown_key");
    assert_eq!(with_keys(&[(&path, &by_bob), (&bob.path(), &bob.file("bob"))]), ("valid", vec![]));
    // Each confirms the other, but no trusted key confirms either.
    let (word, messages) = with_keys(&[(&path, &by_bob), (&bob.path(), &ana.hash(&bob.file("bob")))]);
    assert_eq!((word, messages.len()), ("unknown_key", 1));
    // A signature by an unknown third key confirms nothing.
    let by_third = Signer::new(3).hash(&bob.file("bob"));
    assert_eq!(with_keys(&[(&path, &by_bob), (&bob.path(), &by_third)]).0, "unknown_key");
}

#[test]
fn a_long_chain_of_keys_is_not_trusted() {
    let signers: Vec<Signer> = (1..=12).map(Signer::new).collect();
    let files: Vec<(String, String)> =
        signers.windows(2).map(|pair| (pair[0].path(), pair[1].hash(&pair[0].file("x")))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, file)| (path.as_str(), file.as_str())).collect();
    assert_eq!(with_keys(&files).0, "unknown_key");
}

/// Signed with Python's `cryptography` package.
#[test]
fn a_fixed_item_verifies() {
    let keys = Keys::read(&tiers(&[(
        TierKind::System,
        ".ai/config/keys/trusted/1f0d9c3902e5bc4d.toml",
        include_str!("../../../testdata/trust/1f0d9c3902e5bc4d.toml"),
    )]));
    let text = include_str!("../../../testdata/trust/water.md");
    assert_eq!(directive(text, &keys), ("valid", "part"));
    assert_eq!(directive(&text.replacen("<directive", "<directive ", 1), &keys), ("content_changed", "part"));
}

proptest! {
    #[test]
    fn no_text_causes_a_panic(text in "(<!-- rye:signed:2026-01-02T03:04:05Z:[0-9a-f]{64}:[a-z]{1,90}:[0-9a-f]{16} ?-->\n?)?[-<>/directv`xml \né]{0,80}") {
        let keys = Keys::default();
        for kind in [None, Some(ItemKind::Directive), Some(ItemKind::Knowledge), Some(ItemKind::Tool)] {
            for path in ["a.md", "a.js", "a.yaml"] {
                let source = source(path, &text);
                let checked = CheckedFile::new(&source, kind, &keys);
                checked.first_uncovered(source.text(), source.whole().range());
            }
        }
    }

    #[test]
    fn no_key_file_causes_a_panic(text in "(fingerprint = \"[0-9a-f]{0,17}\"\n)?(\\[public_key\\]\npem = \"[-A-Z+/=é\\\\\n ]{0,60}\"\n)?[\\[\\]=\"'#é\n]{0,20}") {
        let _ = check_key_file(&source(".ai/config/keys/trusted/a.toml", &text));
    }
}

//! Capabilities that grant nothing, or tools that cannot be used.

use std::collections::HashSet;

use strum::VariantArray;

use crate::fill::palette::capability::{CapabilityPattern, Primary, Reach};
use crate::lint::rules::{Diagnostic, Directive, Findings, ItemKind, LintFile, Problem, Project};
use crate::read::item::Permission;
use crate::read::store::TierKind;

/// Shorter names are similar by chance.
const LEAST_LETTERS: usize = 4;

/// The intended pattern, if each part matches or misspells a name in a tier, and at least one is misspelt.
fn of_system(capability: &str, project: &Project<'_>) -> Option<String> {
    let Reach { kind: Some(ItemKind::Tool), pattern, .. } = Reach::of(capability, true)? else { return None };
    let (id, is_below) = match &pattern {
        CapabilityPattern::Below(id) => (id.as_str(), true),
        CapabilityPattern::Exact(id) => (id.as_str(), false),
        CapabilityPattern::All => return None,
    };
    if !id.starts_with("rye/") || id.contains('*') {
        return None;
    }
    let mut path = ItemKind::Tool.folder().to_string();
    let mut parts = id.split('/').peekable();
    let mut has_slip = false;
    while let Some(part) = parts.next() {
        let names = names(&path, is_below || parts.peek().is_some(), project);
        let name = match names.iter().find(|name| *name == part) {
            Some(name) => name,
            None => {
                has_slip = true;
                names.iter().find(|name| is_slip(part, name))?
            }
        };
        path = format!("{path}/{name}");
    }
    let meant = path.strip_prefix(ItemKind::Tool.folder())?.strip_prefix('/')?.replace('/', ".");
    has_slip.then(|| if is_below { format!("{meant}.*") } else { meant })
}

/// The names of the folders, or of the tools, in a folder of all tiers.
fn names(folder: &str, of_folders: bool, project: &Project<'_>) -> Vec<String> {
    let tiers = 0..project.tiers.list().len();
    let entries = tiers.flat_map(|tier| project.tiers.entries(tier, folder).unwrap_or_default());
    let named = entries.filter(|entry| entry.is_folder == of_folders).filter_map(|entry| match of_folders {
        true => Some(entry.name),
        false => {
            let (stem, extension) = entry.name.rsplit_once('.')?;
            ItemKind::Tool.extensions().contains(&extension).then(|| stem.to_string())
        }
    });
    named.collect()
}

/// Whether a name uses the other kind of dash, or has one letter added, missing, wrong or swapped.
fn is_slip(name: &str, meant: &str) -> bool {
    let plain = |name: &str| name.replace('_', "-").to_lowercase();
    let is_long = name.chars().count().min(meant.chars().count()) >= LEAST_LETTERS;
    let is_plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    plain(name) == plain(meant)
        || is_long
            && name.chars().next() == meant.chars().next()
            && !is_plural(name, meant)
            && !is_plural(meant, name)
            && strsim::osa_distance(name, meant) == 1
}

pub fn pattern_matches_nothing(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    for permission in &directive.permissions {
        let Some(granted) = project.granted(&permission.capability) else { return };
        let cause = cause(permission, project);
        if let Some(KindlessPattern::Misspelt { kind, meant, is_tag }) = &cause {
            let [kind, meant] =
                [*kind, *meant].map(|kind| if *is_tag { format!("`<{kind}>`") } else { format!("`{kind}`") });
            let message = format!("{kind} is not a kind of item, so `{}` matches nothing", permission.capability);
            found.at(&permission.span, message).help(format!("did you mean {meant}?"));
            continue;
        }
        if granted.diagnostics.is_empty() {
            continue;
        }
        let slip = of_system(&permission.capability, project);
        if slip.is_none() && may_be_elsewhere(&permission.capability, project) {
            continue;
        }
        let nothing = |problem: &Problem| matches!(problem, Problem::PatternMatchesNothing { .. });
        for diagnostic in granted.diagnostics.iter().filter(|diagnostic| nothing(&diagnostic.problem)) {
            let finding = found.diagnosed(diagnostic, || (&permission.span).into());
            finding.suggest(slip.as_ref());
            if let Some(KindlessPattern::NoKind { action }) = &cause {
                let pattern = permission.span.text().trim();
                finding.help(format!(
                    "`<tool>` is missing or misspelt: `<{action}><tool>{pattern}</tool></{action}>` grants tools"
                ));
            }
        }
    }
}

/// Why a capability names no kind of item.
enum KindlessPattern<'p> {
    /// The element around the pattern, or its first part, is a misspelling of a kind.
    Misspelt { kind: &'p str, meant: &'static str, is_tag: bool },
    /// The pattern is directly in the element of an action, or in one that is not a kind.
    NoKind { action: &'p str },
}

fn cause<'p>(permission: &'p Permission, project: &Project<'_>) -> Option<KindlessPattern<'p>> {
    let mut parts = permission.capability.splitn(4, '.').skip(1);
    let (action, kind) = (parts.next()?, parts.next()?);
    if kind == "*" || kind.parse::<ItemKind>().is_ok() {
        return None;
    }
    let before = &permission.span.source().text()[..permission.span.range().start];
    let tag = before.strip_suffix('>').and_then(|before| before.rsplit_once('<')).map_or("", |(_, tag)| tag);
    let is_slip = |known: &ItemKind| strsim::osa_distance(kind, known.into_str()) == 1;
    let meant = ItemKind::VARIANTS.iter().copied().find(is_slip).filter(|_| parts.next().is_some());
    // After an action, this may also be the first part of an id.
    let is_tag = tag == kind;
    Some(match meant.filter(|_| is_tag || !is_folder(kind, project)) {
        Some(meant) => KindlessPattern::Misspelt { kind, meant: meant.into_str(), is_tag },
        None => KindlessPattern::NoKind { action },
    })
}

fn is_folder(name: &str, project: &Project<'_>) -> bool {
    let mut folders = ItemKind::VARIANTS.iter().copied().map(|kind| format!("{}/{name}", kind.folder()));
    folders.any(|folder| project.tiers.list().iter().any(|tier| tier.store.exists(&folder)))
}

const EMBEDDED: &str = "builtin";

/// The folder of tools in system bundles.
const SYSTEM: &str = "rye";

/// Whether the tools may be in a system bundle that is not installed: no tier has the named part of the system.
fn may_be_elsewhere(capability: &str, project: &Project<'_>) -> bool {
    let Some(Reach { pattern: CapabilityPattern::Below(id) | CapabilityPattern::Exact(id), .. }) =
        Reach::of(capability, true)
    else {
        return false;
    };
    let mut parts = id.split('/');
    let (Some(SYSTEM), Some(part)) = (parts.next(), parts.next()) else { return false };
    let part = format!("{SYSTEM}/{part}");
    if id.contains('*') || Primary::is_primary(&part) {
        return false;
    }
    let tiers = project.tiers.list();
    let mut system = tiers.iter().filter(|tier| tier.kind == TierKind::System);
    // The embedded bundle has only a few of the tools.
    let is_here = tiers.iter().any(|tier| tier.store.exists(&format!("{}/{part}", ItemKind::Tool.folder())));
    system.all(|tier| *tier.label == *EMBEDDED) || !(is_here || project.exists(ItemKind::Tool, &part))
}

pub fn tool_without_schema(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    for permission in &directive.permissions {
        let Some(Reach { pattern: CapabilityPattern::Exact(id), .. }) = Reach::of(&permission.capability, true) else {
            continue;
        };
        let Some(granted) = project.granted(&permission.capability) else { return };
        for diagnostic in &granted.diagnostics {
            // RR409 reports primaries without a schema.
            if matches!(&diagnostic.problem, Problem::ToolWithoutSchema { id: tool, .. } if *tool == id) {
                let finding = found.at(&permission.span, diagnostic.message());
                finding.related_if(diagnostic.at.clone(), "the tool is here");
            }
        }
    }
}

pub fn primary_missing(project: &Project<'_>, found: &mut Findings<'_>) {
    let mut reported = HashSet::new();
    for (_, directive) in project.linted_directives().filter(|(_, it)| !it.permissions.is_empty()) {
        for permission in &directive.permissions {
            let Some(granted) = project.granted(&permission.capability) else { return };
            for diagnostic in &granted.diagnostics {
                if let Problem::PrimaryMissing { id } = &diagnostic.problem
                    && reported.insert(id.clone())
                {
                    report_primary(id, diagnostic, permission, project, found);
                }
            }
        }
    }
}

/// Reported once: at the tool if it is in the project, or else at the first grant.
fn report_primary(id: &str, diagnostic: &Diagnostic, by: &Permission, project: &Project<'_>, found: &mut Findings<'_>) {
    match project.find(ItemKind::Tool, id) {
        // A system that resolves its imports may run it.
        Some(file) if file.source.as_ref().is_some_and(|source| source.text().contains("CONFIG_SCHEMA")) => {}
        Some(file) if project.is_of_project(file) => {
            found.diagnosed(diagnostic, || project.location(file)).related(&by.span, "granted here");
        }
        _ => {
            found.diagnosed(diagnostic, || (&by.span).into());
        }
    }
}

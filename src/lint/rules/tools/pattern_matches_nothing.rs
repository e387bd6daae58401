use strum::VariantArray;

use crate::fill::palette::capability::{CapabilityPattern, Primary, Reach};
use crate::lint::rules::{Findings, LintFile, Problem, Project};
use crate::read::item::{Directive, Permission};
use crate::read::store::{ItemKind, TierKind};

use super::slips;

pub fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
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
        let slip = slips::of_system(&permission.capability, project);
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

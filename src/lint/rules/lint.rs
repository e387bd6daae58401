//! `RR9…`: the linter itself.

use crate::lint::allow::{Allowance, AllowedRule};
use crate::lint::rule::Level;
use crate::lint::scope::Patterns;

use super::{Edit, Findings, Project};

pub fn allowance_invalid(allowances: &[Allowance], project: &Project<'_>, found: &mut Findings<'_>) {
    for fault in allowances.iter().flat_map(|allowance| &allowance.faults) {
        let settings = || format!("allow it for the path in {}", project.settings_path());
        found.at(&fault.at, &*fault.message).help(fault.help.clone().unwrap_or_else(settings));
    }
}

pub fn allowance_unused(allowances: &[Allowance], project: &Project<'_>, found: &mut Findings<'_>) {
    for allowance in allowances {
        let path = allowance.span.source().path();
        let is_whole = allowance.faults.is_empty();
        // RR902 already reports an allowance that has no effect.
        if !is_whole && !allowance.holds() {
            continue;
        }
        let is_idle = |rule: &AllowedRule| !rule.is_used && project.options.level(rule.rule, path) != Level::Off;
        for named in allowance.rules.iter().filter(|named| is_idle(named)) {
            let found =
                found.at(&named.span, format!("this allowance is unused: {} finds nothing here", named.rule.code));
            if is_whole && allowance.rules.len() == 1 {
                found.fix("remove the allowance", [Edit::replace(&allowance.with_blanks(), "")]);
            }
        }
    }
}

pub fn path_setting_unused(project: &Project<'_>, found: &mut Findings<'_>) {
    let files = || project.files.iter().filter(|file| project.is_of_project(file));
    let patterns = project.options.paths.iter().flat_map(|entry| &entry.patterns);
    for (pattern, at) in patterns.filter(|(pattern, _)| !pattern.starts_with('!')) {
        let Ok(alone) = Patterns::new([pattern.as_str()].into_iter()) else { continue };
        if let Some(at) = at.as_ref().filter(|_| !files().any(|file| alone.matches(&file.path))) {
            found.at(at, format!("`{pattern}` matches no file in the project"));
        }
    }
}

use crate::lint::allow::Allowance;
use crate::lint::rules::{Check, Findings, Project};

pub const CHECK: Check = Check::Allowances(check);

fn check(allowances: &[Allowance], project: &Project<'_>, found: &mut Findings<'_>) {
    for fault in allowances.iter().flat_map(|allowance| &allowance.faults) {
        let settings = || format!("allow it for the path in {}", project.settings_path());
        found.at(&fault.at, &*fault.message).help(fault.help.clone().unwrap_or_else(settings));
    }
}

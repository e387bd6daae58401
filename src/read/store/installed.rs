//! The installed release of the documented system, and the protocol that follows from it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Problem};

/// The versions of installed packages by name, as far as they determine the protocol.
pub(super) type PackageVersions = BTreeMap<String, String>;

type Release = [u64; 3];

/// An installed package, and the protocol that follows from its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Installed {
    pub package: &'static str,
    pub version: String,
    pub protocol: &'static str,
    #[serde(skip)]
    engine: Option<String>,
}

const PACKAGE: &str = "ryeos";
const ENGINE: &str = "ryeos-engine";

/// The first release of each protocol.
const PROTOCOLS: [(Release, &str); 3] = [([0, 0, 0], "rye-2"), ([0, 1, 10], "rye-3"), ([0, 1, 26], "rye-4")];

/// The releases that the protocols were compared with, in order.
const COMPARED: [Release; 7] = [[0, 1, 5], [0, 1, 23], [0, 1, 24], [0, 1, 25], [0, 1, 28], [0, 1, 29], [0, 1, 30]];

/// From this release on, the engine finds nothing for a package up to the same one.
const NEW_ENGINE: Release = [0, 1, 25];

impl Installed {
    pub(super) fn of(versions: &PackageVersions) -> Option<Self> {
        let version = versions.get(PACKAGE)?.clone();
        let protocol = protocol(release(&version));
        Some(Self { package: PACKAGE, version, protocol, engine: versions.get(ENGINE).cloned() })
    }

    /// The warning that the rules of this version were not compared with it.
    pub fn inexact(&self) -> Option<Diagnostic> {
        let own = release(&self.version);
        if COMPARED.contains(&own) {
            return None;
        }
        let of_protocol = || COMPARED.into_iter().filter(|compared| protocol(*compared) == self.protocol);
        let compared = of_protocol().find(|compared| *compared > own).or_else(|| of_protocol().next_back())?;
        let is_newer = compared < own && COMPARED.last() == Some(&compared);
        let compared = compared.map(|number| number.to_string()).join(".");
        let (package, version) = (self.package, self.version.clone());
        Some(Diagnostic::new(Problem::ReleaseNotCompared { package, version, compared, is_newer }))
    }

    /// The warning that the engine does not work with the package.
    pub fn mismatched(&self) -> Option<Diagnostic> {
        let engine = self.engine.as_ref().filter(|engine| release(engine) >= NEW_ENGINE)?;
        let is_old = release(&self.version) <= NEW_ENGINE;
        let (package, engine) = (self.to_string(), format!("{ENGINE} {engine}"));
        is_old.then(|| Diagnostic::new(Problem::EngineMismatch { package, engine }))
    }
}

/// `ryeos 0.1.30`
impl fmt::Display for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.package, self.version)
    }
}

/// The numbers of a version; a suffix such as `rc1` is ignored.
pub(super) fn release(version: &str) -> Release {
    let mut numbers = version.split('.').map(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part[..digits].parse().unwrap_or(0)
    });
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

fn protocol(release: Release) -> &'static str {
    let begun = PROTOCOLS.iter().rfind(|(first, _)| *first <= release);
    begun.map_or(PROTOCOLS[0].1, |(_, protocol)| protocol)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(version: &str, engine: &str) -> Installed {
        let versions = [(PACKAGE, version), (ENGINE, engine)];
        let versions = versions.into_iter().map(|(name, version)| (name.to_string(), version.to_string()));
        Installed::of(&versions.collect()).unwrap()
    }

    #[test]
    fn the_version_decides_the_protocol() {
        for (version, protocol) in [
            ("0.1.5", "rye-2"),
            ("0.1.9", "rye-2"),
            ("0.1.10", "rye-3"),
            ("0.1.25", "rye-3"),
            ("0.1.26", "rye-4"),
            ("0.1.26rc1", "rye-4"),
            ("1.0", "rye-4"),
        ] {
            assert_eq!(installed(version, "0.1.23").protocol, protocol, "{version}");
        }
        assert_eq!(Installed::of(&PackageVersions::default()), None);
    }

    #[test]
    fn a_release_that_was_not_compared_names_the_one_that_was() {
        let message = |version| installed(version, "0.1.27").inexact().map(|warning| warning.message());
        for compared in ["0.1.5", "0.1.23", "0.1.25", "0.1.28", "0.1.30"] {
            assert_eq!(message(compared), None);
        }
        for (version, both) in [("0.1.7", "0.1.5"), ("0.1.12", "0.1.23"), ("0.1.27", "0.1.28"), ("0.2.0", "0.1.30")] {
            let message = message(version).unwrap();
            assert!(message.contains(version) && message.contains(both), "{message}");
            assert_eq!(message.contains("newer"), version == "0.2.0", "{message}");
        }
    }

    #[test]
    fn an_old_package_does_not_work_with_a_new_engine() {
        let message = |version, engine| installed(version, engine).mismatched().map(|warning| warning.message());
        let expected = "ryeos 0.1.23 does not work with ryeos-engine 0.1.27: no hook and no item of the chain adds \
                        anything, and no directive can extend another";
        assert_eq!(message("0.1.23", "0.1.27").as_deref(), Some(expected));
        assert_eq!(message("0.1.23", "0.1.23"), None);
        assert_eq!(message("0.1.30", "0.1.27"), None);
    }
}

//! Finds the bundles that installed Python packages declare, without starting Python.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::Disk;
use super::installed::{PackageVersions, release};
use crate::diagnostic::{Diagnostic, Problem};

/// The entry point group that declares bundles.
const GROUP: &str = "rye.bundles";

/// Metadata files larger than this, in bytes, are ignored.
const LIMIT: u64 = 1_000_000;

#[derive(Debug, PartialEq)]
pub(super) struct SystemBundle {
    pub name: String,
    pub root: PathBuf,
    /// What names it.
    pub by: &'static str,
    /// If it is installed: the folder that Python imports the package from.
    pub modules: Option<PathBuf>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct SystemBundles {
    /// `None` is the embedded bundle.
    pub list: Vec<Option<SystemBundle>>,
    pub versions: PackageVersions,
    /// One for each bundle without `.ai/`.
    pub warnings: Vec<Diagnostic>,
}

/// The versions beside an installed bundle, if a package of the system declares it.
pub(super) fn versions_beside(bundle: &SystemBundle, disk: &Disk) -> PackageVersions {
    let site = bundle.modules.clone().and_then(|site| SitePackages::scan(site, disk));
    let is_declared = |site: &SitePackages| {
        let mut declared = site.declared().into_iter();
        declared.any(|(package, _, module)| is_own(&package) && bundle.root.file_name() == Some(OsStr::new(&module)))
    };
    site.filter(is_declared).map(|site| site.versions()).unwrap_or_default()
}

/// The bundles of the first environment that has packages, by name.
pub(super) fn python_bundles(environments: &[PathBuf], disk: &Disk) -> SystemBundles {
    let (mut bundles, mut versions, mut warnings) = (Vec::new(), PackageVersions::new(), Vec::new());
    let packages =
        environments.iter().map(|environment| site_packages(environment, disk)).find(|found| !found.is_empty());
    for site in packages.into_iter().flatten().filter_map(|folder| SitePackages::scan(folder, disk)) {
        for (package, name, module) in site.declared() {
            match site.bundle_root(&module) {
                Some((root, modules)) => {
                    let by = "the entry-point group rye.bundles";
                    bundles.push(SystemBundle { name, root, by, modules: Some(modules) });
                    if versions.is_empty() && is_own(&package) {
                        versions = site.versions();
                    }
                }
                None => warnings.push(Diagnostic::new(Problem::BundleWithoutFolder { package, module })),
            }
        }
    }
    bundles.sort_by(|a, b| a.name.cmp(&b.name));
    // An update may leave metadata of the previous version behind.
    let mut seen = HashSet::new();
    bundles.retain(|bundle| seen.insert((bundle.name.clone(), bundle.root.clone())));
    SystemBundles { list: bundles.into_iter().map(Some).collect(), versions, warnings }
}

/// `lib*/python*/site-packages` and `Lib/site-packages`, in byte order, without duplicates reached through links.
fn site_packages(environment: &Path, disk: &Disk) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for lib in disk.names(environment).into_iter().filter(|name| name.starts_with("lib")) {
        let lib = environment.join(lib);
        for python in disk.names(&lib).into_iter().filter(|name| name.starts_with("python")) {
            found.push(lib.join(python).join("site-packages"));
        }
    }
    found.push(environment.join("Lib/site-packages"));
    let mut seen = HashSet::new();
    // `lib64` is a link to `lib` in most environments.
    found.retain(|folder| disk.is_folder(folder) && fs::canonicalize(folder).is_ok_and(|real| seen.insert(real)));
    found
}

/// Empty if the file cannot be read. Text that is not UTF-8 cannot name a bundle.
fn text(path: &Path, disk: &Disk) -> String {
    disk.read(path, LIMIT).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

struct SitePackages<'d> {
    disk: &'d Disk,
    folder: PathBuf,
    metadata: Vec<String>,
    path_files: Vec<String>,
}

impl<'d> SitePackages<'d> {
    fn scan(folder: PathBuf, disk: &'d Disk) -> Option<Self> {
        let (mut metadata, mut path_files) = (Vec::new(), Vec::new());
        for name in disk.names(&folder) {
            if name.ends_with(".dist-info") {
                metadata.push(name);
            } else if name.ends_with(".pth") && !name.starts_with('.') {
                path_files.push(name);
            }
        }
        (!metadata.is_empty()).then_some(Self { disk, folder, metadata, path_files })
    }

    /// Package, entry point and module of each declared bundle.
    fn declared(&self) -> Vec<(String, String, String)> {
        let mut declared = Vec::new();
        for metadata in &self.metadata {
            let text = text(&self.folder.join(metadata).join("entry_points.txt"), self.disk);
            if text.contains(GROUP) {
                let distribution = metadata.strip_suffix(".dist-info").unwrap_or(metadata);
                let package = distribution.rsplit_once('-').map_or(distribution, |(name, _version)| name);
                let points = entry_points(&text);
                declared.extend(points.map(|(name, module)| (package.into(), name.into(), module.into())));
            }
        }
        declared
    }

    /// The highest version of each package in the `METADATA`, since an update may leave metadata behind.
    fn versions(&self) -> PackageVersions {
        let own = self.metadata.iter().filter(|folder| folder.to_ascii_lowercase().starts_with("ryeos"));
        let texts = own.map(|folder| text(&self.folder.join(folder).join("METADATA"), self.disk));
        let mut found: Vec<_> = texts.filter_map(|text| name_and_version(&text)).collect();
        found.sort_by_key(|(_, version)| release(version));
        found.into_iter().collect()
    }

    /// The bundle's folder, and the folder that Python imports it from. Editable installs are searched last.
    fn bundle_root(&self, module: &str) -> Option<(PathBuf, PathBuf)> {
        let bundle_in = |folder: PathBuf| Some((bundle_root_in(&folder, module, self.disk)?, folder));
        bundle_in(self.folder.clone()).or_else(|| {
            let elsewhere = |file: &String| {
                let text = text(&self.folder.join(file), self.disk);
                // Joining an absolute path replaces the folder.
                let mut folders =
                    text.lines().filter(|line| is_path(line)).map(|line| self.folder.join(line.trim_end()));
                folders.find_map(bundle_in)
            };
            self.path_files.iter().find_map(elsewhere)
        })
    }
}

/// Whether a package brings bundles of the documented system. Names are compared as pip does.
fn is_own(package: &str) -> bool {
    matches!(normalized(package).as_str(), "ryeos" | "ryeos-core")
}

/// The module's bundle: its package, or `folder` for a single file.
fn bundle_root_in(folder: &Path, module: &str, disk: &Disk) -> Option<PathBuf> {
    let package = folder.join(module);
    if disk.is_folder(&package) {
        return disk.is_folder(&package.join(".ai")).then_some(package);
    }
    let is_module = disk.is_file(&folder.join(format!("{module}.py")));
    let is_bundle = is_module && disk.is_folder(&folder.join(".ai"));
    is_bundle.then(|| folder.to_path_buf())
}

fn normalized(package: &str) -> String {
    package.to_ascii_lowercase().replace(['_', '.'], "-")
}

fn name_and_version(metadata: &str) -> Option<(String, String)> {
    let header = |wanted: &str| {
        let mut lines = metadata.lines().take_while(|line| !line.is_empty());
        lines.find_map(|line| line.strip_prefix(wanted)?.strip_prefix(':')).map(|value| value.trim().to_string())
    };
    Some((normalized(&header("Name")?), header("Version")?))
}

/// Whether a line of a `.pth` file is a path rather than blank, a comment or code.
fn is_path(line: &str) -> bool {
    !(line.trim().is_empty() || line.starts_with('#') || line.starts_with("import ") || line.starts_with("import\t"))
}

/// Name and top-level module of each entry point of the group in `entry_points.txt`; malformed lines are skipped.
fn entry_points(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut in_group = false;
    text.lines().map(str::trim).filter_map(move |line| {
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            in_group = section.trim() == GROUP;
        }
        if !in_group || line.starts_with(['#', '[']) {
            return None;
        }
        let (name, value) = line.split_once('=')?;
        // `module.inner:attribute [extras]`; only word characters, so that no name leads out of the folder.
        let value = value.trim();
        let end = value.find(|character: char| !(character.is_alphanumeric() || character == '_'));
        let (module, rest) = value.split_at(end.unwrap_or(value.len()));
        let is_entry_point =
            rest.is_empty() || rest.starts_with(['.', ':', '[']) || rest.starts_with(char::is_whitespace);
        (is_entry_point && !module.is_empty() && !name.trim().is_empty()).then_some((name.trim(), module))
    })
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// An environment with these files; a path that ends in `/` is a folder.
    fn environment(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
        folder
    }

    /// Names and roots of the bundles, relative to the environment; and the packages with a warning.
    fn found(environment: &TempDir) -> (Vec<(String, String)>, Vec<String>) {
        let SystemBundles { list, warnings, .. } =
            python_bundles(&[environment.path().to_path_buf()], &Disk::default());
        let bundles = list.into_iter().flatten().map(|SystemBundle { name, root, .. }| {
            let root = root.strip_prefix(environment.path()).unwrap().to_str().unwrap().to_string();
            (name, root)
        });
        let warnings = warnings.into_iter().map(|warning| match warning.problem {
            Problem::BundleWithoutFolder { package, module } => format!("{package} {module}"),
            other => panic!("{other:?}"),
        });
        (bundles.collect(), warnings.collect())
    }

    fn bundle(name: &str, root: &str) -> (String, String) {
        (name.to_string(), root.to_string())
    }

    #[test]
    fn bundles_are_sorted_by_the_bytes_of_their_entry_points() {
        let site = "lib/python3.11/site-packages";
        let environment = environment(&[
            (&format!("{site}/zeta-1.0.dist-info/entry_points.txt"), "[rye.bundles]\nalpha = zeta.bundle:get_bundle\n"),
            (&format!("{site}/zeta/.ai/"), ""),
            (
                &format!("{site}/acme_rye-2.0.dist-info/entry_points.txt"),
                "[console_scripts]\nacme = acme:main\n\n[rye.bundles]\n# two of them\nrye-b=acme:get [extra]\n\nB = acme\n",
            ),
            (&format!("{site}/acme/.ai/"), ""),
            (&format!("{site}/other-1.dist-info/entry_points.txt"), "[console_scripts]\nother = other:main\n"),
            (&format!("{site}/plain-1.dist-info/METADATA"), ""),
        ]);
        let acme = format!("{site}/acme");
        let expected = vec![bundle("B", &acme), bundle("alpha", &format!("{site}/zeta")), bundle("rye-b", &acme)];
        assert_eq!(found(&environment), (expected, vec![]));
    }

    #[test]
    fn the_windows_layout_is_found() {
        let environment = environment(&[
            ("Lib/site-packages/a-1.dist-info/entry_points.txt", "[rye.bundles]\r\na = a.bundle:get\r\n"),
            ("Lib/site-packages/a/.ai/", ""),
        ]);
        assert_eq!(found(&environment), (vec![bundle("a", "Lib/site-packages/a")], vec![]));
    }

    #[test]
    fn editable_installs_are_found_through_path_files() {
        let site = "lib/python3.11/site-packages";
        let points = |name: &str| {
            (format!("{site}/{name}-1.dist-info/entry_points.txt"), format!("[rye.bundles]\n{name} = {name}:get"))
        };
        let files = [points("linked"), points("single"), points("lost")];
        let mut files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let (path_file, single) = (format!("{site}/__editable__.pth"), format!("{site}/single.py"));
        let here = format!("{site}/.ai/");
        files.extend([
            (path_file.as_str(), "# comment\n\nimport sys; sys.path\n/nowhere\n../../../src\n"),
            ("src/linked/.ai/", ""),
            (single.as_str(), ""),
            (here.as_str(), ""),
        ]);
        let environment = environment(&files);
        let bundles = vec![bundle("linked", &format!("{site}/../../../src/linked")), bundle("single", site)];
        assert_eq!(found(&environment), (bundles, vec!["lost lost".to_string()]));
        let SystemBundles { list, .. } = python_bundles(&[environment.path().to_path_buf()], &Disk::default());
        let modules: Vec<_> = list.into_iter().flatten().filter_map(|bundle| bundle.modules).collect();
        assert_eq!(
            modules,
            [format!("{site}/../../../src"), site.to_string()].map(|path| environment.path().join(path))
        );
    }

    #[test]
    fn stale_metadata_adds_no_duplicates() {
        let site = "lib/python3.11/site-packages";
        let environment = environment(&[
            (&format!("{site}/a-1.dist-info/entry_points.txt"), "[rye.bundles]\na = a:get\n"),
            (&format!("{site}/a-2.dist-info/entry_points.txt"), "[rye.bundles]\na = a:get\n"),
            (&format!("{site}/a/.ai/"), ""),
        ]);
        assert_eq!(found(&environment), (vec![bundle("a", &format!("{site}/a"))], vec![]));
    }

    #[test]
    fn versions_come_from_the_metadata() {
        let site = "lib/python3.11/site-packages";
        let environment = environment(&[
            (
                &format!("{site}/ryeos-0.1.30.dist-info/entry_points.txt"),
                "[rye.bundles]\nryeos = ryeos_std.bundle:get\n",
            ),
            (&format!("{site}/ryeos-0.1.30.dist-info/METADATA"), "Name: ryeos\nVersion: 0.1.30\n\nVersion: 7\n"),
            (&format!("{site}/ryeos_engine-9.dist-info/METADATA"), "Version: 0.1.27\nName: RyeOS_engine\n"),
            (&format!("{site}/ryeos-0.1.9.dist-info/METADATA"), "Name: ryeos\nVersion: 0.1.9\n"),
            (&format!("{site}/ryeos_web-1.dist-info/entry_points.txt"), "[rye.bundles]\nother = other:get\n"),
            (&format!("{site}/other-1.dist-info/METADATA"), "Name: other\nVersion: 1\n"),
            (&format!("{site}/other/.ai/"), ""),
            (&format!("{site}/ryeos_std/.ai/"), ""),
            (&format!("{site}/acme/.ai/"), ""),
        ]);
        let expected = [("ryeos", "0.1.30"), ("ryeos-engine", "0.1.27")];
        let expected: PackageVersions = expected.map(|(name, version)| (name.into(), version.into())).into();
        let disk = Disk::default();
        assert_eq!(python_bundles(&[environment.path().to_path_buf()], &disk).versions, expected);
        let site = environment.path().join(site);
        let versions = |name: &str| {
            let (root, modules) = (site.join(name), Some(site.clone()));
            versions_beside(&SystemBundle { name: name.to_string(), root, by: "--system", modules }, &disk)
        };
        assert_eq!(versions("ryeos_std"), expected);
        for another in ["acme", "other"] {
            assert_eq!(versions(another), PackageVersions::default());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_package_folder_is_read_once() {
        let site = "lib/python3.11/site-packages";
        let environment = environment(&[
            (&format!("{site}/a-1.dist-info/entry_points.txt"), "[rye.bundles]\na = a:get\nb = b:get\n"),
            (&format!("{site}/a/.ai/"), ""),
        ]);
        std::os::unix::fs::symlink("lib", environment.path().join("lib64")).unwrap();
        assert_eq!(found(&environment), (vec![bundle("a", &format!("{site}/a"))], vec!["a b".to_string()]));
    }

    #[test]
    fn malformed_entry_points_are_skipped() {
        let lines = "[rye.bundles]\n = a:get\nno value\na =\nb = ../../etc:x\nc = /a:get\nd = a-b:get\n; = .a:get\n[other\n]\ne = e";
        let mut points: Vec<_> = entry_points(lines).collect();
        assert_eq!(points, [("e", "e")]);
        points =
            entry_points("a = a:get\n[other]\na = a:get\n[ rye.bundles ]\n x  =  x . y : z\n[]\nb = b:c").collect();
        assert_eq!(points, [("x", "x")]);
        let site = "lib/python3.11/site-packages";
        let environment =
            environment(&[(&format!("{site}/a-1.dist-info/entry_points.txt/"), ""), (&format!("{site}/x.pth/"), "")]);
        assert_eq!(found(&environment), (vec![], vec![]));
        assert_eq!(python_bundles(&[environment.path().join("none")], &Disk::default()), SystemBundles::default());
    }

    proptest::proptest! {
        #[test]
        fn no_module_name_leads_out_of_its_folder(text in "(\\[rye.bundles\\]|[=:./ a\u{e9}\n\\[\\]#-]|\\PC){0,60}") {
            for (name, module) in entry_points(&format!("[rye.bundles]\n{text}")) {
                proptest::prop_assert!(!name.is_empty() && !module.is_empty());
                proptest::prop_assert!(module.chars().all(|character| character.is_alphanumeric() || character == '_'));
            }
        }
    }
}

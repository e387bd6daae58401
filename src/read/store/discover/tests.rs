use std::fs;

use tempfile::TempDir;

use super::*;

/// Folders that hold `.ai/`, and a working folder below the project.
struct Case {
    folder: TempDir,
    variables: Vec<(&'static str, OsString)>,
    arguments: TierArguments,
}

impl Case {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        for path in ["home/.ai", "project/.ai", "project/sub/deeper", "other/.ai", "a/std/.ai", "b/std/.ai", "empty"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        Self { folder, variables: Vec::new(), arguments: TierArguments::default() }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn find_in(&self, working_folder: &str) -> Result<(Tiers, Vec<Diagnostic>), Diagnostic> {
        let variable = |name: &str| {
            let found = self.variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.clone())
        };
        let surroundings = Surroundings {
            working_folder: self.path(working_folder),
            home: Some(self.path("home")),
            variable: &variable,
            disk: Disk::default(),
        };
        find_tiers(&self.arguments, &surroundings, Builtin::Layers)
    }

    /// Labels and folders of the tiers, relative to the test's folder.
    fn tiers(&self) -> Vec<(String, String)> {
        self.tiers_in("project/sub/deeper")
    }

    fn tiers_in(&self, working_folder: &str) -> Vec<(String, String)> {
        let (tiers, warnings) = self.find_in(working_folder).unwrap();
        assert_eq!(warnings, []);
        let told = tiers.list().iter().map(|tier| {
            let root = tier
                .root
                .as_deref()
                .map_or("", |root| root.strip_prefix(self.folder.path()).unwrap().to_str().unwrap());
            (tier.label.to_string(), root.to_string())
        });
        told.collect()
    }

    fn refused(&self) -> Problem {
        self.find_in("project").map(|_| ()).unwrap_err().problem
    }
}

fn tier(label: &str, root: &str) -> (String, String) {
    (label.to_string(), root.to_string())
}

#[test]
fn defaults_are_the_nearest_project_the_home_and_the_embedded_bundle() {
    let case = Case::new();
    assert_eq!(case.tiers(), [tier("project", "project"), tier("user", "home"), tier("builtin", "")]);
    assert_eq!(case.tiers_in("empty"), [tier("user", "home"), tier("builtin", "")]);
    // The home folder is only the user tier.
    assert_eq!(case.tiers_in("home"), [tier("user", "home"), tier("builtin", "")]);
    fs::remove_dir(case.path("home/.ai")).unwrap();
    // A file called `.ai` is not a tier.
    fs::write(case.path("project/sub/.ai"), "").unwrap();
    assert_eq!(case.tiers(), [tier("project", "project"), tier("builtin", "")]);
}

#[test]
fn the_environment_overrides_the_defaults_and_flags_override_both() {
    let mut case = Case::new();
    let list = env::join_paths([case.path("b/std"), PathBuf::from("builtin"), case.path("a/std")]).unwrap();
    case.variables = vec![
        ("RYE_PROJECT", case.path("other").into()),
        ("USER_SPACE", "~/../a/std".into()),
        ("RYE_SYSTEM_SPACE", list),
    ];
    let system = [tier("system:std", "b/std"), tier("builtin", ""), tier("system:std#2", "a/std")];
    let (tiers, _) = case.find_in("project").unwrap();
    assert_eq!(tiers.project_root(), Some(case.path("other").as_path()));
    assert_eq!(tiers.list()[1].root, Some(case.path("a/std").canonicalize().unwrap()));
    let found: Vec<_> = tiers.list()[2..].iter().map(|tier| tier.label.to_string()).collect();
    assert_eq!(found, system.map(|(label, _)| label));

    case.arguments.project = Some("sub/../../project/.".into());
    case.arguments.user_space = Some("none".into());
    case.arguments.system = vec!["builtin".into()];
    let (tiers, _) = case.find_in("project").unwrap();
    assert_eq!(tiers.project_root(), Some(case.path("project").canonicalize().unwrap().as_path()));
    let found: Vec<_> = tiers.list().iter().map(|tier| tier.label.to_string()).collect();
    assert_eq!(found, ["project", "builtin"]);

    case.arguments.system.push("none".into());
    assert_eq!(case.find_in("project").unwrap().0.list().len(), 1);
    case.arguments.project = Some("..".into());
    assert_eq!(case.refused(), {
        let folder = case.folder.path().canonicalize().unwrap().display().to_string();
        Problem::InvalidTier { named_by: "--project", folder, fault: TierFault::WithoutAi }
    });
}

#[test]
fn empty_variables_count_as_unset() {
    let mut case = Case::new();
    for name in ["RYE_PROJECT", "USER_SPACE", "RYE_SYSTEM_SPACE", "VIRTUAL_ENV"] {
        case.variables.push((name, OsString::new()));
    }
    assert_eq!(case.tiers(), [tier("project", "project"), tier("user", "home"), tier("builtin", "")]);
}

#[test]
fn a_named_folder_must_hold_a_tier() {
    let mut case = Case::new();
    let refused = |case: &Case, named_by, path: &str| match case.refused() {
        Problem::InvalidTier { named_by: by, folder, fault } => {
            assert_eq!((by, folder), (named_by, case.path(path).display().to_string()));
            fault
        }
        other => panic!("{other:?}"),
    };
    case.arguments.system = vec!["../empty".into()];
    assert!(matches!(case.refused(), Problem::InvalidTier { named_by: "--system", fault: TierFault::WithoutAi, .. }));
    case.arguments.system.clear();
    case.arguments.user_space = Some(case.path("home/.ai").into());
    assert_eq!(refused(&case, "--user-space", "home/.ai"), TierFault::IsAi);
    case.arguments.user_space = None;
    case.variables = vec![("RYE_PROJECT", case.path("none").into())];
    assert!(matches!(refused(&case, "RYE_PROJECT", "none"), TierFault::Unreadable(_)));
    // The documented system treats this folder as an empty tier.
    case.variables = vec![("USER_SPACE", case.path("empty").into())];
    assert_eq!(case.tiers(), [tier("project", "project"), tier("builtin", "")]);
}

#[test]
fn installed_bundles_come_before_the_embedded_one() {
    let mut case = Case::new();
    let install = |environment: &str, name: &str| {
        let site = case.path(environment).join("lib/python3.11/site-packages");
        let metadata = site.join(format!("{name}-1.dist-info"));
        fs::create_dir_all(&metadata).unwrap();
        fs::write(metadata.join("entry_points.txt"), format!("[rye.bundles]\n{name}-bundle = {name}.x:y\n")).unwrap();
        fs::create_dir_all(site.join(name).join(".ai")).unwrap();
    };
    install("project/venv", "one");
    install("active", "two");
    let site = "lib/python3.11/site-packages";
    let tiers = case.tiers();
    assert_eq!(tiers[2..], [tier("system:one-bundle", &format!("project/venv/{site}/one"))]);
    install("project/.venv", "three");
    let tiers = case.tiers();
    assert_eq!(tiers[2..], [tier("system:three-bundle", &format!("project/.venv/{site}/three"))]);
    case.variables = vec![("VIRTUAL_ENV", case.path("active").into())];
    let tiers = case.tiers();
    assert_eq!(tiers[2..], [tier("system:two-bundle", &format!("active/{site}/two"))]);

    // Modules are read from the folder that holds the bundle, however the bundle was found.
    let bundle = case.path("active").join(site).join("two");
    fs::write(case.path("active").join(site).join("texts.py"), "X = 1").unwrap();
    fs::write(case.path("a/texts.py"), "X = 1").unwrap();
    case.arguments.system = vec![bundle.clone().into(), case.path("a/std").into(), "builtin".into()];
    let (named, _) = case.find_in("project").unwrap();
    case.arguments.system.clear();
    let (found, _) = case.find_in("project").unwrap();
    let reads = |tiers: &Tiers, tier| tiers.modules(tier).map(|modules| modules.read("texts").is_some());
    assert_eq!([0, 1, 2, 3, 4].map(|tier| reads(&named, tier)), [None, None, Some(true), None, None]);
    assert_eq!(reads(&found, 2), Some(true));

    fs::remove_dir(bundle.join(".ai")).unwrap();
    let (tiers, warnings) = case.find_in("project").unwrap();
    assert_eq!(&*tiers.list()[2].label, "builtin");
    assert_eq!(warnings.iter().map(Diagnostic::code).collect::<Vec<_>>(), ["bundle_without_folder"]);
}

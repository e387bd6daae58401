//! Finds the installed release of an agent, without running anything: only named files are read.

use serde::Deserialize;

use super::agent::Agent;
use super::files::{ancestors, below, parent, survey_ancestors};
use super::recorded::is_version;
use crate::prompt::InstalledAgent;
use crate::read::store::Store;
use crate::system::PathStyle;

/// What decides where packages are.
pub struct Machine<'a> {
    pub files: &'a dyn Store,
    pub home: &'a str,
    /// The variables of the environment, whose paths are of this style.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    pub style: PathStyle,
}

/// A larger `package.json` is not read.
const MANIFEST_BYTES: u64 = 1 << 20;
/// The scripts that start programs are short.
const SCRIPT_BYTES: u64 = 1 << 16;

const PLATFORMS: [&str; 3] = ["-linux", "-darwin", "-win32"];

#[derive(Deserialize)]
struct Manifest {
    name: String,
    version: String,
}

impl Machine<'_> {
    /// The release that `program` on the path belongs to, else the one in `node_modules` of the folder or of a folder
    /// above, else, without a program, the one in a global folder of a package manager.
    pub fn installed(&self, agent: &Agent, cwd: &str) -> Option<InstalledAgent> {
        let path = (self.variable)("PATH").unwrap_or_default();
        let folders = self.style.folders(&path);
        let programs: Vec<String> = folders.iter().map(|folder| below(folder, agent.program)).collect();
        let program = programs.iter().find(|program| self.files.is_file(program));
        program
            .and_then(|program| self.of_program(agent, program))
            .or_else(|| program.and_then(|_| self.in_any(agent, self.of_volta(agent))))
            .or_else(|| self.in_any(agent, self.around(cwd)))
            .or_else(|| {
                self.in_any(agent, self.global(&folders).chain(self.of_volta(agent)).filter(|_| program.is_none()))
            })
    }

    /// The `node_modules` that exist in a folder and above it, as the lists of these folders say.
    fn around(&self, cwd: &str) -> impl Iterator<Item = String> {
        survey_ancestors(self.files, cwd);
        let folders = ancestors(cwd).map(|folder| below(folder, "node_modules"));
        folders.filter(|folder| self.files.exists(folder))
    }

    /// The package that holds the file which a program leads to.
    fn of_program(&self, agent: &Agent, program: &str) -> Option<InstalledAgent> {
        let target = self.files.real(program);
        let of_file = |file: &str| ancestors(file).skip(1).find_map(|folder| self.package(agent, folder));
        of_file(&target).or_else(|| of_file(&self.files.real(&self.started_by(&target)?)))
    }

    /// The file that a script of `pnpm` starts: the last `"$basedir/…"` in it.
    fn started_by(&self, script: &str) -> Option<String> {
        let text = String::from_utf8(self.files.read(script, SCRIPT_BYTES).ok()?).ok()?;
        let (_, last) = text.strip_prefix("#!")?.rsplit_once("\"$basedir/")?;
        let (path, _) = last.split_once('"')?;
        Some(below(parent(script)?, path))
    }

    /// The `node_modules` of package managers.
    fn global(&self, path: &[String]) -> impl Iterator<Item = String> + use<> {
        let variable = |name: &str| {
            let folder = self.style.to_text(&(self.variable)(name)?);
            folder.starts_with('/').then_some(folder)
        };
        let home = |rest: &str| below(self.home, rest);
        let npm = path.iter().filter(|folder| self.files.is_file(&below(folder, "npm")));
        let mut folders: Vec<String> =
            npm.filter_map(|folder| Some(below(parent(folder)?, "lib/node_modules"))).collect();
        folders.extend(variable("PNPM_HOME").map(|folder| below(&folder, "global/5/node_modules")));
        let bun = variable("BUN_INSTALL").unwrap_or_else(|| home(".bun"));
        folders.push(below(&bun, "install/global/node_modules"));
        folders.push(home(".config/yarn/global/node_modules"));
        folders.into_iter()
    }

    /// Volta has a folder for each package. It starts every program by a link to itself.
    fn of_volta<'a>(&self, agent: &'a Agent) -> impl Iterator<Item = String> + use<'a> {
        let packages = below(self.home, ".volta/tools/image/packages");
        agent.packages.iter().map(move |name| format!("{packages}/{name}/lib/node_modules"))
    }

    /// The first package of the agent in one of these `node_modules`.
    fn in_any(&self, agent: &Agent, folders: impl Iterator<Item = String>) -> Option<InstalledAgent> {
        let mut folders = folders.flat_map(|folder| agent.packages.iter().map(move |name| below(&folder, name)));
        folders.find_map(|folder| self.package(agent, &folder))
    }

    /// The release whose package is this folder.
    fn package(&self, agent: &Agent, folder: &str) -> Option<InstalledAgent> {
        let manifest = self.files.read(&below(folder, "package.json"), MANIFEST_BYTES).ok()?;
        let Manifest { name, version } = serde_json::from_slice(&manifest).ok()?;
        // A package for one platform has its name behind the version.
        let version =
            PLATFORMS.iter().fold(version.as_str(), |version, it| version.split(it).next().unwrap_or(version));
        let is_meant = agent.packages.contains(&name.as_str()) && is_version(version);
        is_meant.then(|| InstalledAgent { version: version.to_string(), path: self.files.real(folder) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::pi::PI;
    use crate::agents::testing::tree;

    /// Version and folder of `pi` in `/code/app`, for these files and variables.
    fn found(files: &[(&str, &str)], variables: &[(&str, &str)]) -> Option<(String, String)> {
        found_on(PathStyle::Unix, files, variables)
    }

    fn found_on(style: PathStyle, files: &[(&str, &str)], variables: &[(&str, &str)]) -> Option<(String, String)> {
        let files = tree(files);
        let variable = |name: &str| variables.iter().find(|it| it.0 == name).map(|it| it.1.to_string());
        let machine = Machine { files: &files, home: "/home", variable: &variable, style };
        machine.installed(&PI, "/code/app").map(|it| (it.version, it.path))
    }

    const NAME: &str = "@earendil-works/pi-coding-agent";
    const MANIFEST: &str = r#"{"name": "@earendil-works/pi-coding-agent", "version": "1.5.2"}"#;

    fn at(folder: &str) -> Option<(String, String)> {
        Some(("1.5.2".to_string(), folder.to_string()))
    }

    #[test]
    fn the_program_on_the_path_decides() {
        let package = "/usr/lib/node_modules/@earendil-works/pi-coding-agent";
        let files = [
            ("/usr/bin/pi", "->/usr/lib/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"),
            ("/usr/lib/node_modules/@earendil-works/pi-coding-agent/package.json", MANIFEST),
            ("/usr/lib/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js", "run()"),
            ("/usr/lib/node_modules/@earendil-works/pi-coding-agent/dist/package.json", r#"{"type": "module"}"#),
            ("/code/node_modules/@mariozechner/pi-coding-agent/package.json", r#"{"name": "x", "version": "0.1.0"}"#),
        ];
        assert_eq!(found(&files, &[("PATH", "relative:/opt:/usr/bin")]), at(package));
    }

    /// npm puts a script for POSIX shells beside those for Windows, and `node_modules` in the same folder.
    #[test]
    fn on_windows_npm_has_a_script_beside_its_packages() {
        let script =
            "#!/bin/sh\nexec node  \"$basedir/node_modules/@earendil-works/pi-coding-agent/dist/cli.js\" \"$@\"\n";
        let files = [
            ("/C:/Users/ada/npm/pi", script),
            ("/C:/Users/ada/npm/pi.cmd", "@ECHO off"),
            ("/C:/Users/ada/npm/node_modules/@earendil-works/pi-coding-agent/package.json", MANIFEST),
            ("/C:/Users/ada/npm/node_modules/@earendil-works/pi-coding-agent/dist/cli.js", "run()"),
        ];
        let variables = [("PATH", r"C:\Windows\system32;C:\Users\ada\npm")];
        let package = "/C:/Users/ada/npm/node_modules/@earendil-works/pi-coding-agent";
        assert_eq!(found_on(PathStyle::Windows, &files, &variables), at(package));
        let pnpm = [("/D:/pnpm/global/5/node_modules/@earendil-works/pi-coding-agent/package.json", MANIFEST)];
        let package = "/D:/pnpm/global/5/node_modules/@earendil-works/pi-coding-agent";
        assert_eq!(found_on(PathStyle::Windows, &pnpm, &[("PNPM_HOME", r"D:\pnpm")]), at(package));
    }

    #[test]
    fn a_script_of_pnpm_names_its_file() {
        let script = "#!/bin/sh\nbasedir=$(dirname \"$0\")\nexec node  \"$basedir/global/5/node_modules/p/dist/cli.js\" \"$@\"\n";
        let files = [
            ("/pnpm/pi", script),
            ("/pnpm/global/5/node_modules/p/package.json", MANIFEST),
            ("/pnpm/global/5/node_modules/p/dist/cli.js", "run()"),
        ];
        assert_eq!(found(&files, &[("PATH", "/pnpm")]), at("/pnpm/global/5/node_modules/p"));
    }

    #[test]
    fn without_a_program_the_folders_of_package_managers_are_searched() {
        let global = [
            ("/code/node_modules", vec![]),
            ("/opt/node/lib/node_modules", vec![("PATH", "/opt/node/bin")]),
            ("/p/global/5/node_modules", vec![("PNPM_HOME", "/p")]),
            ("/b/install/global/node_modules", vec![("BUN_INSTALL", "/b")]),
            ("/home/.bun/install/global/node_modules", vec![]),
            ("/home/.config/yarn/global/node_modules", vec![]),
            ("/home/.volta/tools/image/packages/@earendil-works/pi-coding-agent/lib/node_modules", vec![]),
        ];
        for (folder, variables) in global {
            let package = format!("{folder}/{NAME}");
            let manifest = format!("{package}/package.json");
            let files = [("/opt/node/bin/npm", "x"), (manifest.as_str(), MANIFEST)];
            assert_eq!(found(&files, &variables), at(&package), "{folder}");
        }
        assert_eq!(found(&[("/opt/node/bin/npm", "x")], &[("PATH", "/opt/node/bin")]), None);
    }

    #[test]
    fn volta_starts_programs_by_a_link_to_itself() {
        let package = "/home/.volta/tools/image/packages/@earendil-works/pi-coding-agent/lib/node_modules/@earendil-works/pi-coding-agent";
        let manifest = format!("{package}/package.json");
        let files = [
            ("/volta/bin/pi", "->/volta/bin/volta-shim"),
            ("/volta/bin/volta-shim", "program"),
            (manifest.as_str(), MANIFEST),
            (
                "/code/node_modules/@mariozechner/pi-coding-agent/package.json",
                r#"{"name": "@mariozechner/pi-coding-agent", "version": "0.57.1"}"#,
            ),
        ];
        assert_eq!(found(&files, &[("PATH", "/volta/bin")]), at(package));
    }

    #[test]
    fn a_package_for_one_platform_has_the_version_of_the_release() {
        let manifest = r#"{"name": "@earendil-works/pi-coding-agent", "version": "1.5.2-linux-x64"}"#;
        let files = [("/opt/p/package.json", manifest), ("/opt/p/bin/pi", "binary")];
        assert_eq!(found(&files, &[("PATH", "/opt/p/bin")]), at("/opt/p"));
    }

    #[test]
    fn links_in_a_circle_lead_nowhere() {
        assert_eq!(found(&[("/bin/pi", "->/bin/pj"), ("/bin/pj", "->/bin/pi")], &[("PATH", "/bin")]), None);
    }

    #[test]
    fn a_hostile_package_is_passed_over() {
        let place = "/code/app/node_modules/@earendil-works/pi-coding-agent/package.json";
        for manifest in [
            "",
            "[]",
            r#"{"name": "@earendil-works/pi-coding-agent"}"#,
            r#"{"name": "@earendil-works/pi-coding-agent", "version": 1}"#,
            "{\"name\": \"@earendil-works/pi-coding-agent\", \"version\": \"1.0\\u001b[31m\"}",
            r#"{"name": "other", "version": "1.5.2"}"#,
        ] {
            assert_eq!(found(&[(place, manifest)], &[]), None, "{manifest}");
        }
    }
}

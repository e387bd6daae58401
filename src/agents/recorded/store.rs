//! The recordings in the user's data folder: `AGENT/VERSION.json`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::agents::agent::compare;
use crate::agents::recording::Recording;
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::read::store::Disk;
use crate::read::{files, limits};
use crate::write::atomic;

const FORMAT: &str = "rye-render.recording/1";
const ENDING: &str = ".json";

/// The folder of all recordings, which need not exist.
#[derive(Debug, Clone)]
pub struct Recordings {
    pub folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct RecordingFile<T> {
    format: String,
    #[serde(flatten)]
    recording: T,
}

impl Recordings {
    /// # Errors
    /// The release does not name a file.
    fn path(&self, agent: &str, version: &str) -> Result<PathBuf, Diagnostic> {
        check_version(version)?;
        Ok(self.folder.join(agent).join(format!("{version}{ENDING}")))
    }

    /// The recording of a release; `None` if there is none.
    pub fn read(&self, agent: &str, version: &str, disk: &Disk) -> Result<Option<Recording>, Diagnostic> {
        let Some(path) = self.path(agent, version).ok().filter(|path| disk.exists(path)) else { return Ok(None) };
        let source = files::read(&path, limits::WRITTEN_BYTES, disk)?;
        let read: Result<RecordingFile<Recording>, _> = serde_json::from_str(source.text());
        match read {
            Ok(RecordingFile { format, recording })
                if format == FORMAT && recording.agent == agent && recording.version == version =>
            {
                Ok(Some(recording))
            }
            Ok(_) => Err(broken(&path, "it is of another format".to_string())),
            Err(error) => Err(broken(&path, error.to_string())),
        }
    }

    /// The releases of an agent that were recorded, oldest first.
    pub fn versions(&self, agent: &str, disk: &Disk) -> Vec<String> {
        let names = disk.names(&self.folder.join(agent));
        let versions = names.iter().filter_map(|name| Some(name.strip_suffix(ENDING)?.to_string()));
        let mut versions: Vec<String> = versions.filter(|it| is_version(it)).collect();
        versions.sort_by(|a, b| compare(a, b).then_with(|| a.cmp(b)));
        versions
    }

    /// Writes a recording, which only its user can read, and returns its path.
    pub fn keep(&self, recording: &Recording) -> Result<PathBuf, Diagnostic> {
        let path = self.path(&recording.agent, &recording.version)?;
        let written = match path.parent() {
            Some(folder) => fs::create_dir_all(folder).and_then(|()| write(&path, recording)),
            None => write(&path, recording),
        };
        written.map_err(|error| failed(&path, "cannot be written", &error))?;
        Ok(path)
    }

    /// Removes a recording.
    pub fn forget(&self, agent: &str, version: &str) -> Result<(), Diagnostic> {
        let path = self.path(agent, version)?;
        fs::remove_file(&path).map_err(|error| failed(&path, "cannot be removed", &error))
    }
}

fn write(path: &Path, recording: &Recording) -> std::io::Result<()> {
    let file = RecordingFile { format: FORMAT.to_string(), recording };
    let mut json = serde_json::to_vec_pretty(&file)?;
    json.push(b'\n');
    atomic::replace_private(path, |out| out.write_all(&json))
}

/// Refuses what is not a release.
pub fn check_version(version: &str) -> Result<(), Diagnostic> {
    match is_version(version) {
        true => Ok(()),
        false => Err(Diagnostic::invalid(format!("`{version}` is not a release"), "write NAME@1.2.3")),
    }
}

/// Whether it names a file and nothing else.
pub fn is_version(version: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
    version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= 64 && version.chars().all(is_plain)
}

fn broken(path: &Path, reason: String) -> Diagnostic {
    let location = files::location(path.to_string_lossy());
    Diagnostic::at(Problem::RecordingUnreadable { reason }, location)
}

fn failed(path: &Path, what: &str, error: &std::io::Error) -> Diagnostic {
    let what = format!("{what}: {}", system_reason(error));
    Diagnostic::at(Problem::invalid(what, "check its permissions"), files::location(path.to_string_lossy()))
}

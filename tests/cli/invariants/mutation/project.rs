//! The project whose bytes are replaced, and the ways in which it is rendered.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rye_render::internals::decide::request::{GivenInput, Mode, Request, SentMessage, ThreadEvent};
use rye_render::internals::fill::assemble::render;
use rye_render::internals::prompt::{Prompt, Role};
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::read::store::{Access, MemoryStore, ReadOptions, Store, Tier, TierKind, Tiers};
use rye_render::internals::read::value::Value;
use rye_render::internals::text::InputFrom;

use super::facts::Place;
use crate::invariants::recording::Recording;

const TIERS: [(&str, TierKind); 3] =
    [("project", TierKind::Project), ("user", TierKind::User), ("system", TierKind::System)];

/// The label of a tier, its kind, and the folder that holds its `.ai/`.
pub type TierFolder = (String, TierKind, PathBuf);

/// A file of a tier.
#[derive(Debug, Clone)]
pub struct File {
    pub tier: String,
    pub path: String,
    pub bytes: Vec<u8>,
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.tier, self.path)
    }
}

impl File {
    /// One byte of the file.
    pub fn at(&self, byte: usize) -> Place {
        Place { file: self.to_string(), start: byte, end: byte + 1 }
    }
}

pub struct Project {
    pub files: Vec<File>,
    tiers: Vec<TierFiles>,
}

struct TierFiles {
    label: String,
    kind: TierKind,
    store: Arc<MemoryStore>,
}

impl Project {
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/mutation");
        Self::of(TIERS.map(|(tier, kind)| (tier.to_string(), kind, root.join(tier))))
    }

    pub fn of(folders: impl IntoIterator<Item = TierFolder>) -> Self {
        let (mut files, mut tiers) = (Vec::new(), Vec::new());
        for (label, kind, root) in folders {
            let mut paths = Vec::new();
            below(&root.join(".ai"), &mut paths);
            paths.sort();
            let read = |path: PathBuf| File {
                tier: label.clone(),
                path: path
                    .strip_prefix(&root)
                    .expect("it is below the root")
                    .to_str()
                    .expect("it is UTF-8")
                    .to_string(),
                bytes: fs::read(&path).expect("it can be read"),
            };
            let own: Vec<File> = paths.into_iter().map(read).collect();
            let store = own.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())).collect::<MemoryStore>();
            tiers.push(TierFiles { label, kind, store: Arc::new(store) });
            files.extend(own);
        }
        Self { files, tiers }
    }

    /// The prompt of the unchanged project, and the files that were read.
    pub fn render_recorded(&self, way: &Way) -> (Prompt, BTreeSet<String>) {
        let recordings: Vec<_> = self.tiers.iter().map(|tier| Arc::new(Recording::new(tier.store.clone()))).collect();
        let stores = recordings.iter().map(|recording| Arc::clone(recording) as Arc<dyn Store>);
        let prompt = self.render_in(way, stores).expect("the unchanged project can be rendered");
        let read = self.tiers.iter().zip(&recordings).flat_map(|(tier, recording)| {
            let reads = recording.reads().into_iter().filter(|read| read.access == Access::Read);
            reads.map(move |read| format!("{} {}", tier.label, read.path))
        });
        (prompt, read.collect())
    }

    /// The prompt with one file replaced; none if it is refused.
    pub fn render(&self, way: &Way, changed: Option<&File>) -> Option<Prompt> {
        let stores = self.tiers.iter().map(|tier| match changed.filter(|file| file.tier == tier.label) {
            Some(file) => {
                let mut store = MemoryStore::clone(&tier.store);
                store.insert(file.path.as_str(), file.bytes.as_slice());
                Arc::new(store) as Arc<dyn Store>
            }
            None => Arc::clone(&tier.store) as Arc<dyn Store>,
        });
        self.render_in(way, stores)
    }

    fn render_in(&self, way: &Way, stores: impl Iterator<Item = Arc<dyn Store>>) -> Option<Prompt> {
        let tier = |(tier, store): (&TierFiles, Arc<dyn Store>)| Tier {
            kind: tier.kind,
            label: Arc::from(tier.label.as_str()),
            store,
            root: None,
            modules: None,
        };
        let tiers = Tiers::new(self.tiers.iter().zip(stores).map(tier).collect(), ReadOptions::default());
        render(&way.request, &tiers, &way.protocol).ok()
    }
}

fn below(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() { below(&path, paths) } else { paths.push(path) }
    }
}

/// A way to render the project.
pub struct Way {
    pub name: String,
    /// The number of replacements per character.
    pub replacements: usize,
    /// Whether only the bytes of the directive's own file are replaced.
    own_file: bool,
    protocol: Protocol,
    request: Request,
}

impl Way {
    fn new(name: &str, protocol: &str, replacements: usize, request: Request) -> Self {
        let protocol = Protocol::builtin(protocol).expect("it is built in");
        Self { name: name.to_string(), replacements, own_file: false, protocol, request }
    }

    /// One replacement per character in the files of a case.
    pub fn of_case(name: String, protocol: Protocol, request: Request) -> Self {
        Self { name, replacements: 1, own_file: false, protocol, request }
    }

    fn own_file(self) -> Self {
        Self { own_file: true, ..self }
    }

    /// Whether the bytes of a file are replaced.
    pub fn covers(&self, file: &File) -> bool {
        !self.own_file || file.path == format!(".ai/directives/{}.md", self.request.directive.id)
    }
}

/// A directive that uses nearly everything, and one whose body affects only its own prompt.
pub fn ways() -> Vec<Way> {
    let deploy = || Request {
        inputs: vec![GivenInput { name: "target".into(), value: Value::from("staging"), from: InputFrom::Flag }],
        environment: Arc::new([("REGION".to_string(), "north".to_string())].into()),
        project_path: "/srv/app".to_string(),
        ..Request::new("app/deploy")
    };
    let plain = || Request::new("app/plain");
    let sent = SentMessage { role: Role::User, text: "Hi.".to_string() };
    let continued = Request { event: ThreadEvent::Continued, messages: vec![sent], ..plain() };
    vec![
        Way::new("deploy", "rye-3", usize::MAX, deploy()),
        Way::new("plain", "rye-3", 1, plain()),
        Way::new("plain in rye-2", "rye-2", usize::MAX, plain()).own_file(),
        Way::new("plain in rye-1", "rye-1", usize::MAX, plain()).own_file(),
        Way::new("plain, continued", "rye-3", usize::MAX, continued).own_file(),
        Way::new("deploy in-thread", "rye-3", 1, Request { mode: Mode::InThread, ..deploy() }).own_file(),
    ]
}

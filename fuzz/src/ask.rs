//! The requests of an input, read from its file `request`, with a word and a value on each line.

use std::sync::Arc;

use rye_render::internals::decide::request::{GivenInput, Mode, Redact, Request};
use rye_render::internals::read::protocol::{Protocol, Protocols};
use rye_render::internals::read::value::Value;
use rye_render::internals::text::InputFrom;

use crate::File;

/// The maximum number of directives to render per project.
const MOST: usize = 3;

/// The protocol, and a request for each directive.
pub struct Asked {
    pub protocol: Protocol,
    pub requests: Vec<Request>,
}

/// The requests of an input.
pub fn asked(files: &[File]) -> Asked {
    let (mut name, mut ids) = ("rye-3".to_string(), Vec::new());
    let mut request =
        Request { placeholders: true, records_hooks: true, project_path: "/work".into(), ..Request::new("") };
    let written = files.iter().find(|file| file.path == "request");
    let written = String::from_utf8_lossy(written.map_or(&[], |file| &file.bytes));
    for line in written.lines() {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("protocol", protocol) => name = protocol.to_string(),
            ("directive", id) => ids.push(id.to_string()),
            ("in-thread", _) => request.mode = Mode::InThread,
            ("strict", _) => request.placeholders = false,
            ("redact", _) => request.redact = Redact { env: true, unset_env: true, inputs: true },
            ("model", model) => request.model = Some(model.to_string()),
            ("suppress", id) => request.what_if.suppress.push(id.to_string()),
            ("input", input) => {
                let (name, value) = input.split_once('=').unwrap_or((input, ""));
                let value = Value::from(value);
                request.inputs.push(GivenInput { name: name.to_string(), value, from: InputFrom::Flag });
            }
            ("env", variable) => {
                let (name, value) = variable.split_once('=').unwrap_or((variable, ""));
                Arc::make_mut(&mut request.environment).insert(name.to_string(), value.to_string());
            }
            _ => {}
        }
    }
    if ids.is_empty() {
        let id = |file: &File| Some(file.path.strip_prefix(".ai/directives/")?.strip_suffix(".md")?.to_string());
        ids.extend(files.iter().filter_map(id));
    }
    let protocols = Protocols::default();
    let protocol = protocols.get(&name).or_else(|_| protocols.get("rye-3")).expect("it is built in");
    let of = |id: &String| {
        let mut request = request.clone();
        request.directive.id.clone_from(id);
        request
    };
    Asked { protocol, requests: ids.iter().take(MOST).map(of).collect() }
}

//! `record`: a small client in the place of an agent.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Test, missing, program};

/// A folder with an instruction file, and a home.
struct Place {
    root: tempfile::TempDir,
}

/// A session that waits for a request.
struct Listening {
    child: Child,
    out: BufReader<ChildStdout>,
    address: String,
    shown: String,
}

/// What a session wrote, and its exit status.
struct Recorded {
    out: String,
    errors: String,
    status: Option<i32>,
}

impl Place {
    fn new() -> Self {
        let place = Self { root: Test::plain().kept() };
        fs::write(place.file("AGENTS.md"), "Use tabs.\n").unwrap();
        place
    }

    /// The path of a file in the folder.
    fn file(&self, name: &str) -> String {
        let root = self.root.path().canonicalize().unwrap();
        root.join("project").join(name).into_os_string().into_string().unwrap()
    }

    fn data(&self) -> PathBuf {
        self.root.path().join("home/.local/share/rye-render/recorded")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&self.root.path().join("home"));
        command.current_dir(self.root.path().join("project")).args(arguments);
        command
    }

    /// Runs a command that listens to nobody.
    fn run(&self, arguments: &[&str]) -> Recorded {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Recorded { out: text(output.stdout), errors: text(output.stderr), status: output.status.code() }
    }

    fn listen(&self, agent: &str) -> Listening {
        self.listen_with(agent, &[])
    }

    /// Listens with variables of the environment.
    fn listen_with(&self, agent: &str, set: &[(&str, &str)]) -> Listening {
        let mut child = self
            .command(&["record", agent])
            .envs(set.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut shown = String::new();
        while !shown.contains("127.0.0.1:") {
            assert_ne!(out.read_line(&mut shown).unwrap(), 0, "it ended: {shown}");
        }
        let (_, address) = shown.split_once("http://").unwrap();
        let address = address.split(|c: char| !c.is_ascii_digit() && !".:".contains(c)).next().unwrap().to_string();
        Listening { child, out, address, shown }
    }

    /// Records one request of an agent.
    fn record(&self, agent: &str, product: &str, path: &str, body: &Value) -> Recorded {
        let listening = self.listen(agent);
        let answer = listening.send(&listening.request(path, product, &body.to_string()));
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("Recorded."), "{answer}");
        listening.end()
    }

    /// The request of `claude-code`, in which `intro` is before the instruction file.
    fn claude(&self, intro: &str) -> Value {
        let shown = self.run(&[&VIEW[..], &["--format", "plain"]].concat()).out;
        let end = shown.find("</system-reminder>").unwrap() + "</system-reminder>".len();
        let reminder = &shown[shown.find("<system-reminder>").unwrap()..end];
        let reminder = reminder.replace("{{base:claudemd_intro}}", intro);
        let folder = self.file("");
        let lists = format!("In {}.\n\n- claude: It.\n\nTools:\n\n- one: 1\n\nToday.", folder.trim_end_matches('/'));
        json!({
            "model": "m",
            "stream": true,
            "system": [{"type": "text", "text": "I am one."}, {"type": "text", "text": "I help."}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": reminder}, {"type": "text", "text": "hello"}]},
                {"role": "system", "content": lists},
            ],
            "tools": [{"name": "Read", "input_schema": {}}],
        })
    }

    /// A script for bash in the place of `claude`, which connects to the address that it is led to, and can `send` a request.
    fn script(&self, body: &Value, rest: &str) -> String {
        let file = self.root.path().join("body");
        fs::write(&file, body.to_string()).unwrap();
        let script = format!(
            "host=${{ANTHROPIC_BASE_URL#http://}}\nexec 3<>/dev/tcp/${{host%:*}}/${{host#*:}}\n\
             send() {{\nprintf 'POST {MESSAGES} HTTP/1.1\\r\\nHost: %s\\r\\nUser-Agent: {CLAUDE}\\r\\n\
             Content-Type: application/json\\r\\nAuthorization: %s\\r\\nContent-Length: {}\\r\\n\\r\\n' \
             $host \"$ANTHROPIC_API_KEY\"\ncat '{}'\n}}\n{rest}",
            body.to_string().len(),
            file.display(),
        );
        let claude = self.root.path().join("claude");
        fs::write(&claude, script).unwrap();
        claude.into_os_string().into_string().unwrap()
    }

    /// The request of `codex` with what the user typed.
    fn codex(&self, typed: &str) -> Value {
        let folder = self.file("");
        let instructions = format!(
            "# AGENTS.md instructions for {}\n\n<INSTRUCTIONS>\nUse tabs.\n\n</INSTRUCTIONS>",
            folder.trim_end_matches('/')
        );
        let message = |role: &str, texts: &[&str]| {
            let texts: Vec<Value> = texts.iter().map(|text| json!({"type": "input_text", "text": text})).collect();
            json!({"type": "message", "role": role, "content": texts})
        };
        let developer = |texts: &[&str]| message("developer", texts);
        json!({
            "stream": true,
            "input": [
                {"type": "additional_tools", "role": "developer", "tools": [{}]},
                developer(&["I am one."]),
                developer(&["<skills_instructions>\nSkills.\n</skills_instructions>", "<permissions>", "<mode>"]),
                developer(&["<role>"]),
                developer(&["<helpers>"]),
                message("user", &[&instructions, "<environment_context>here</environment_context>"]),
                message("user", &[typed]),
            ],
        })
    }
}

const CLAUDE: &str = "claude-cli/2.1.330 (external, cli)";
const MESSAGES: &str = "/v1/messages?beta=true";
/// Every view of that release.
const VIEW: [&str; 3] = ["render", "--agent", "claude-code@2.1.330"];

impl Listening {
    fn request(&self, path: &str, product: &str, body: &str) -> String {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {product}\r\nContent-Type: application/json\r\n\
             X-Api-Key: sk-header-secret\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    /// The answer to these bytes.
    fn send(&self, request: &str) -> String {
        let mut stream = self.connect();
        // The answer may come before the end of the request.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    fn end(mut self) -> Recorded {
        let mut out = self.shown;
        self.out.read_to_string(&mut out).unwrap();
        let output = self.child.wait_with_output().unwrap();
        Recorded { out, errors: String::from_utf8(output.stderr).unwrap(), status: output.status.code() }
    }
}

/// All files below a folder.
fn contents(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => all.push_str(&contents(&entry.path())),
            false => all.push_str(&fs::read_to_string(entry.path()).unwrap()),
        }
    }
    all
}

#[test]
fn the_whole_prompt_is_shown_until_it_is_forgotten() {
    let place = Place::new();
    let recorded = place.record("claude-code", CLAUDE, MESSAGES, &place.claude("Read this:"));
    assert_eq!((recorded.status, recorded.errors.as_str()), (Some(0), ""), "{}", recorded.out);
    assert!(recorded.out.contains("ANTHROPIC_API_KEY=dummy claude\n"), "{}", recorded.out);
    assert!(recorded.out.contains("sent request: same"), "{}", recorded.out);
    assert!(recorded.out.contains("kept: 8 texts of claude-code 2.1.330 itself"), "{}", recorded.out);

    let plain = place.run(&[&VIEW[..], &["--format", "plain"]].concat());
    assert!(
        plain.out.starts_with("I am one.\n\nI help.\n\n<system-reminder>\nRead this:\n\nContents of "),
        "{}",
        plain.out
    );
    assert!(!plain.out.contains("{{base:") && plain.errors.contains("was recorded on 2"), "{}", plain.errors);
    assert!(place.run(&VIEW).out.contains("└ the agent's own text, as recorded\n"));
    let document: Value = serde_json::from_str(&place.run(&[&VIEW[..], &["--format", "json"]].concat()).out).unwrap();
    let intro = &document["messages"][2]["segments"][1];
    assert_eq!(intro["text"], "Read this:");
    assert_eq!(intro["origin"], json!({"kind": "base", "id": "claudemd_intro", "from": "recorded"}));

    let list = place.run(&["record", "--list", "--format", "json"]);
    let list: Value = serde_json::from_str(&list.out).unwrap();
    let recording = &list["recordings"][0];
    assert_eq!((&recording["version"], &recording["texts"][2]["id"]), (&json!("2.1.330"), &json!("claudemd_intro")));
    assert_eq!(place.run(&["record", "--list", "codex"]).out, "Nothing was recorded.\n");
    assert_eq!(place.run(&["record", "--forget", "claude-code@2.1.300"]).status, Some(2));
    assert_eq!(place.run(&["record", "--forget", "claude-code"]).out, "forgot claude-code 2.1.330\n");
    assert!(place.run(&[&VIEW[..], &["--format", "plain"]].concat()).out.contains("{{base:claudemd_intro}}"));
}

#[test]
fn each_api_is_understood() {
    let place = Place::new();
    let system = |file: &str| {
        format!("Be brief.\n\nYou are m.\nHere:\n<env>\n  x\n</env>\nInstructions from: {file}\nUse tabs.\n")
    };
    let lists = "\nSkills:\n<available_skills>\n  <skill>\n    <name>customize-opencode</name>\n    \
                 <description>Configures.</description>\n    <location>&lt;built-in&gt;</location>\n  </skill>\n</available_skills>";
    let opencode = system(&place.file("AGENTS.md")) + lists;
    let tool = json!([{"type": "function", "function": {"name": "read", "parameters": {}}}]);
    let chat = json!({"messages": [{"role": "system", "content": opencode}, {"role": "user", "content": "hello"}], "tools": tool});
    let gemini = json!({
        "systemInstruction": {"parts": [{"text": opencode}]},
        "contents": [{"role": "user", "parts": [{"text": "hello"}]}],
        "tools": [{"functionDeclarations": []}],
    });
    let responses = place.codex("hello");
    for (agent, product, path, body) in [
        ("opencode", "opencode/1.18.33", "/v1/chat/completions", &chat),
        ("opencode@1.18.33", "other/1", "/v1beta/models/m:streamGenerateContent?alt=sse", &gemini),
        ("codex", "codex_exec/0.169.0", "/v1/responses", &responses),
    ] {
        let recorded = place.record(agent, product, path, body);
        assert_eq!(recorded.status, Some(0), "{agent}: {}{}", recorded.out, recorded.errors);
        let name = agent.split('@').next().unwrap();
        let version = product.strip_prefix("codex_exec/").unwrap_or("1.18.33");
        let view = place.run(&["render", "--agent", &format!("{name}@{version}"), "--format", "plain"]);
        assert!(!view.out.contains("{{base:"), "{agent}: {}", view.out);
        assert_eq!(place.run(&["record", "--forget", name]).status, Some(0));
    }
}

#[test]
fn a_departure_is_shown_with_its_place() {
    let place = Place::new();
    let mut body = place.claude("Read this:");
    let text = body["messages"][0]["content"][0]["text"].as_str().unwrap().replace("Use tabs.", "Use spaces.");
    body["messages"][0]["content"][0]["text"] = text.into();
    let recorded = place.record("claude-code", CLAUDE, MESSAGES, &body);
    assert_eq!(recorded.status, Some(1), "{}", recorded.errors);
    let shown = &recorded.out;
    assert!(shown.contains("1 difference") && shown.contains("(messages[0], part 1)"), "{shown}");
    assert!(
        shown.contains("- Use tabs.") && shown.contains("+ Use spaces.") && shown.contains("kept: 8 texts"),
        "{shown}"
    );
}

#[test]
fn a_message_that_names_a_file_is_a_departure() {
    let place = Place::new();
    let mut body = place.claude("Read this:");
    let more = json!({"type": "text", "text": format!("See {}.", place.file("AGENTS.md"))});
    body["messages"][0]["content"].as_array_mut().unwrap().push(more);
    let recorded = place.record("claude-code", CLAUDE, MESSAGES, &body);
    assert_eq!(recorded.status, Some(1), "{}", recorded.out);
    assert!(recorded.out.contains("user message that is not in the prompt"), "{}", recorded.out);
}

#[test]
fn no_secret_is_kept() {
    let place = Place::new();
    fs::write(place.file("CLAUDE.md"), "Use tabs.\n").unwrap();
    // The rules leave this file out, but it is sent.
    fs::write(place.file("AGENTS.md"), "key: file-secret\n").unwrap();
    let mut body = place.claude("Read this:\n\nkey: file-secret");
    let text = body["messages"][0]["content"][0]["text"].as_str().unwrap().replace("/AGENTS.md", "/CLAUDE.md");
    body["messages"][0]["content"][0]["text"] = text.into();
    body["messages"][0]["content"][1]["text"] = "prompt-secret".into();
    let recorded = place.record("claude-code", CLAUDE, MESSAGES, &body);
    assert_eq!(recorded.status, Some(1), "a text that holds a file's is a departure: {}", recorded.out);
    assert!(recorded.out.contains("+ key: file-secret"), "{}", recorded.out);
    let kept = contents(&place.root.path().join("home"));
    assert!(kept.contains("I am one."));
    for secret in ["header-secret", "file-secret", "prompt-secret", "Use tabs."] {
        assert!(!kept.contains(secret), "{secret}: {kept}");
    }
}

#[test]
fn no_secret_of_the_environment_is_shown() {
    let place = Place::new();
    let set = [
        ("OPENCODE_CONFIG_CONTENT", r#"{"provider": {"x": {"options": {"apiKey": "sk-secret"}}}}"#),
        ("HTTPS_PROXY", "http://127.0.0.1:9"),
        ("NO_PROXY", "a\u{1b}[2J"),
    ];
    let mut listening = place.listen_with("opencode", &set);
    listening.child.kill().unwrap();
    let shown = listening.end().out;
    assert!(shown.contains("OPENCODE_CONFIG_CONTENT='{") && shown.contains("rye-render/m"), "{shown}");
    assert!(shown.contains("NO_PROXY='a<U+001B>[2J,127.0.0.1'"), "{shown}");
    assert!(!shown.contains("sk-secret"), "{shown}");
}

#[test]
fn what_the_user_typed_is_not_kept() {
    for typed in ["<task>prompt-secret</task>", "<environment_context>prompt-secret"] {
        for is_environment_sent in [true, false] {
            let place = Place::new();
            let mut body = place.codex(typed);
            if !is_environment_sent {
                body["input"][5]["content"].as_array_mut().unwrap().pop();
            }
            place.record("codex", "codex_exec/0.169.0", "/v1/responses", &body);
            let kept = contents(&place.data());
            assert!(kept.contains("I am one.") && !kept.contains("prompt-secret"), "{kept}");
        }
    }
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_a_recording() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.record("claude-code", CLAUDE, MESSAGES, &place.claude("Read this:"));
    let path = place.data().join("claude-code/2.1.330.json");
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_recording_is_for_one_release() {
    let place = Place::new();
    place.record("claude-code", CLAUDE, MESSAGES, &place.claude("Read this:"));
    let other = place.run(&["render", "--agent", "claude-code@2.1.315", "--format", "plain"]);
    assert!(other.out.contains("{{base:system}}"), "{}", other.out);
    assert!(other.errors.contains("was not recorded, but that of 2.1.330"), "{}", other.errors);
    assert!(other.errors.contains("rye-render record claude-code"), "{}", other.errors);
    let folder = place.data().join("claude-code");
    fs::copy(folder.join("2.1.330.json"), folder.join("2.1.99.json")).unwrap();
    let newest = place.run(&["render", "--agent", "claude-code@2.1.315", "--format", "plain"]);
    assert_eq!(newest.errors, other.errors);
    let listening = place.listen("claude-code@2.1.315");
    listening.send(&listening.request(MESSAGES, CLAUDE, &place.claude("Read this:").to_string()));
    let recorded = listening.end();
    assert_eq!(recorded.status, Some(2));
    assert!(recorded.errors.contains("is from claude-code 2.1.330, not from 2.1.315"), "{}", recorded.errors);
}

#[test]
fn a_release_is_no_path() {
    let place = Place::new();
    for version in ["1/../../../../outside", "1_0"] {
        let product = format!("claude-cli/{version} (external, cli)");
        let recorded = place.record("claude-code@2.1.330", &product, MESSAGES, &place.claude("Read this:"));
        assert!(recorded.out.contains("kept: 8 texts of claude-code 2.1.330 itself"), "{}", recorded.out);
        let named = place.run(&["record", &format!("claude-code@{version}")]);
        assert!(named.errors.contains(&format!("`{version}` is not a release")), "{}", named.errors);
    }
    assert_eq!(place.run(&["record", "--forget", "claude-code"]).out, "forgot claude-code 2.1.330\n");
    assert_eq!(contents(&place.root.path().join("home")), "");
}

#[test]
fn a_broken_recording_is_named() {
    let place = Place::new();
    let folder = place.data().join("claude-code");
    fs::create_dir_all(&folder).unwrap();
    for content in ["", "[]", "{\"format\": \"rye-render.recording/2\"}", "{\"format\": 1}"] {
        fs::write(folder.join("2.1.330.json"), content).unwrap();
        let view = place.run(&[&VIEW[..], &["--format", "plain"]].concat());
        assert_eq!(view.status, Some(0));
        assert!(view.errors.contains("recording_unreadable"), "{}", view.errors);
        assert_eq!(place.run(&["record", "--list"]).status, Some(2));
    }
    assert_eq!(place.run(&["record", "--forget", "claude-code"]).status, Some(0));
}

#[test]
fn other_requests_are_answered_or_refused() {
    let place = Place::new();
    let listening = place.listen("claude-code");
    let address = listening.address.clone();
    let body = place.claude("Read this:").to_string();
    let right = listening.request(MESSAGES, CLAUDE, &body);
    // A client that sends nothing more does not keep others waiting.
    let mut slow = listening.connect();
    slow.write_all(b"POST /v1/messages HTTP/1.1\r\nHost: ").unwrap();
    let title = json!({"messages": [{"role": "user", "content": "title"}]}).to_string();
    for (request, status) in [
        (listening.request(MESSAGES, CLAUDE, &title), "200"),
        (format!("HEAD / HTTP/1.1\r\nHost: {address}\r\n\r\n"), "200"),
        (format!("GET /v1/models HTTP/1.1\r\nHost: {address}\r\n\r\n"), "200"),
        (listening.request("/v1/messages/count_tokens", CLAUDE, "{}"), "200"),
        (listening.request("/api/event_logging", CLAUDE, "{}"), "404"),
        (right.replace(&address, "evil.example:80"), "403"),
        (right.replace("Host:", "X-Host:"), "403"),
        (right.replace("Content-Type: application/json", "Content-Type: text/plain"), "415"),
        (right.replace("X-Api-Key: sk-header-secret", "Content-Encoding: gzip"), "415"),
        (format!("POST {MESSAGES} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 32000001\r\n\r\n"), "413"),
        (format!("POST {MESSAGES} HTTP/1.1\r\nHost: {address}\r\nContent-Length: -1\r\n\r\n"), "400"),
        (format!("GET / HTTP/1.1\r\nHost: {address}\r\nX: {}\r\n\r\n", "x".repeat(100_000)), "431"),
        ("nonsense\r\n\r\n".to_string(), "400"),
    ] {
        let answer = listening.send(&request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:.200}\n{answer}");
    }
    let (first, rest) = body.split_at(10);
    let chunks = format!("{:x}\r\n{first}\r\n{:x}\r\n{rest}\r\n0\r\n\r\n", first.len(), rest.len());
    let head = right.split("Content-Length").next().unwrap();
    let answer = listening.send(&format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunks}"));
    assert!(answer.contains("event: message_stop"), "{answer}");
    let recorded = listening.end();
    assert_eq!(recorded.status, Some(0), "{}{}", recorded.out, recorded.errors);
}

#[test]
fn idle_connections_keep_nobody_waiting() {
    let place = Place::new();
    let listening = place.listen("claude-code");
    let idle: Vec<TcpStream> = (0..8).map(|_| listening.connect()).collect();
    let started = Instant::now();
    listening.send(&listening.request(MESSAGES, CLAUDE, &place.claude("Read this:").to_string()));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    drop(idle);
    let recorded = listening.end();
    assert_eq!((recorded.status, recorded.errors.as_str()), (Some(0), ""), "{}", recorded.out);
}

#[test]
fn a_large_request_is_read() {
    let place = Place::new();
    let mut body = place.claude("Read this:");
    body["system"][1]["text"] = "word ".repeat(1_000_000).into();
    assert_eq!(place.record("claude-code", CLAUDE, MESSAGES, &body).status, Some(0));
}

#[test]
fn what_is_no_request_is_refused() {
    let place = Place::new();
    for body in ["{\"tools\": [1]}", "{\"tools\": [1], \"messages\": [{\"role\": \"robot\"}]}"] {
        let listening = place.listen("claude-code");
        listening.send(&listening.request(MESSAGES, CLAUDE, body));
        let recorded = listening.end();
        assert_eq!(recorded.status, Some(2), "{body}: {}", recorded.out);
        assert!(recorded.errors.contains("the request"), "{}", recorded.errors);
        assert!(!place.data().exists());
    }
}

#[test]
fn a_command_that_sends_nothing_is_an_error() {
    let place = Place::new();
    let recorded = place.run(&["record", "claude-code", "--", "sh", "-c", "echo said; exit 3"]);
    assert_eq!((recorded.status, recorded.out.as_str()), (Some(2), ""));
    assert!(recorded.errors.starts_with("said\n"), "{}", recorded.errors);
    assert!(recorded.errors.contains("the command ended with exit status: 3"), "{}", recorded.errors);
    let recorded = place.run(&["record", "claude-code", "--", "no-such-program"]);
    assert_eq!(recorded.status, Some(2));
    assert!(recorded.errors.contains("`no-such-program` cannot be started"), "{}", recorded.errors);
    let recorded = place.run(&["record", "sf"]);
    assert!(recorded.errors.contains("record pi"), "{}", recorded.errors);
}

#[test]
fn a_request_is_read_after_its_command_has_ended() {
    if Command::new("bash").arg("-c").arg("exit").status().is_err() {
        return missing("bash");
    }
    let place = Place::new();
    let claude = place.script(&place.claude("Read this:"), "{ sleep 0.3; send; } >&3 &\n");
    let recorded = place.run(&["record", "claude-code", "--", "bash", &claude]);
    assert_eq!(recorded.status, Some(0), "{}{}", recorded.out, recorded.errors);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_command_too() {
    use std::os::unix::process::ExitStatusExt as _;
    let place = Place::new();
    let arguments = ["record", "claude-code", "--", "sh", "-c", "echo ready >&2; sleep 30; exit"];
    let mut child = place.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    let started = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    // What still runs would hold it open.
    errors.read_to_string(&mut line).unwrap();
    assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
}

#[test]
fn a_command_is_led_here_and_its_arguments_count() {
    if Command::new("bash").arg("-c").arg("exit").status().is_err() {
        return missing("bash");
    }
    let place = Place::new();
    let mut body = place.claude("Read this:");
    body["system"][1]["text"] = "I help.\n\nMore.".into();
    let claude = place.script(&body, "send >&3\ncat <&3\nsleep 30\nexit\n");
    let arguments = ["record", "claude-code", "--", "bash", &claude, "--append-system-prompt", "More."];
    let started = Instant::now();
    let output = place.command(&arguments).env("HTTPS_PROXY", "http://127.0.0.1:9").output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{shown}{}", String::from_utf8_lossy(&output.stderr));
    // What still runs would hold standard error open.
    assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
    assert!(shown.contains("kept: 8 texts"), "{shown}");
    let view = place.run(&[&VIEW[..], &["--format", "plain", "--", "--append-system-prompt", "Else."]].concat());
    assert!(view.out.starts_with("I am one.\n\nI help.\n\nElse.\n\n"), "{}", view.out);
}

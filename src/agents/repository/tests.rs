use std::fs;

use super::{render_repository, repository_request};
use crate::agents::Agent;
use crate::read::store::{Disk, Store as _};

/// Every path that an agent looks at lies in the repository, whatever the user has.
#[test]
fn nothing_outside_of_the_repository_is_asked_for() {
    let root = tempfile::tempdir().unwrap();
    let path = |path: &str| root.path().join(path);
    for folder in ["home/repository/.git", "home/repository/sub", "home/.codex", "home/.agents/skills/own"] {
        fs::create_dir_all(path(folder)).unwrap();
    }
    for (file, text) in [
        ("home/AGENTS.md", "above"),
        ("home/.codex/AGENTS.md", "own"),
        ("home/.agents/skills/own/SKILL.md", "---\nname: own\ndescription: own\n---\n"),
        ("home/repository/.git/HEAD", "ref: refs/heads/main\n"),
        ("home/repository/AGENTS.md", "theirs"),
        ("home/repository/CLAUDE.md", "@~/.codex/AGENTS.md @../AGENTS.md theirs"),
        ("home/repository/opencode.json", "{\"instructions\": [\"~/AGENTS.md\", \"../AGENTS.md\"]}"),
    ] {
        fs::write(path(file), text).unwrap();
    }
    for agent in Agent::all() {
        let disk = Disk::recording(None);
        let files = disk.whole();
        let cwd = files.real(path("home/repository/sub").to_str().unwrap());
        let home = files.real(path("home").to_str().unwrap());
        disk.take();
        let prompt = render_repository(&repository_request(agent.at(None, None), cwd, Vec::new()), &home, &files);
        let root = &prompt.repository.as_ref().unwrap().root;
        assert!(root.ends_with("/home/repository"), "{root}");
        assert!(prompt.messages.iter().any(|message| message.text().contains("theirs")), "{}", agent.name);
        let log = disk.take();
        assert!(log.paths().any(|(path, ..)| path.ends_with("AGENTS.md")));
        for (path, ..) in log.paths() {
            assert!(path.starts_with(root), "{} asks for {}", agent.name, path.display());
        }
    }
}

/// Files beside a folder are not its own because the home is in a repository.
#[test]
fn the_repository_of_a_home_does_not_count() {
    let files = crate::agents::testing::tree(&[
        ("/home/.git/HEAD", ""),
        ("/home/AGENTS.md", "own"),
        ("/home/unpacked/AGENTS.md", "theirs"),
    ]);
    let request = repository_request(Agent::named("pi").unwrap().at(None, None), "/home/unpacked".into(), Vec::new());
    let text = |home: &str| {
        let prompt = render_repository(&request, home, &files);
        prompt.messages.iter().map(|message| message.text().to_string()).collect::<String>()
    };
    assert!(text("/home").contains("theirs") && !text("/home").contains("own"));
    assert!(text("/other").contains("own"));
}

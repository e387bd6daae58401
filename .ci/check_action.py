#!/usr/bin/env python3
"""Runs the steps of action.yml and of the GitLab template as a runner would, on local archives and repositories.

usage: .ci/check_action.py --bin BINARY

Needs the packages of .ci/pre-commit.txt. A local server takes the place of GitHub and GitLab. The search path has git,
Python and a shell, but no Rust.
"""
import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import yaml

from forge import ARCHIVE, BOT, TARGET, TOKEN, Forge, entry, lying, pack, release
from runner import Done, Repository, Runs, commands
from checks import check, end

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent.parent
# A name that a shell would run, if it were a part of a program.
BASE = "main;touch${IFS}$HOME/pwned;$(touch${IFS}$HOME/pwned)`touch${IFS}$HOME/pwned`"
MARKER = re.compile(r"<!-- rye-render [0-9a-f]{12} -->\n")
NO_DESCRIPTION = """# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <model tier="fast"/>
    <permissions><execute><tool>rye.file-system.read</tool></execute></permissions>
  </metadata>
</directive>
```

Roll it out.
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    binary = parser.parse_args().bin.resolve()
    with tempfile.TemporaryDirectory() as name:
        temp = Path(name)
        (temp / "bin").mkdir()
        (temp / "home").mkdir()
        (temp / "bin/python3").symlink_to(Path(sys.executable).resolve())
        for program in ("bash", "git", "mktemp", "touch"):
            (temp / "bin" / program).symlink_to(shutil.which(program))
        environment = {"PATH": str(temp / "bin"), "HOME": str(temp / "home"), "CI": "true", "GIT_CONFIG_GLOBAL": os.devnull,
                       "GIT_CONFIG_NOSYSTEM": "1", "USER_SPACE": "none"}
        check("the search path has no Rust", not any(shutil.which(name, path=environment["PATH"]) for name in ("cargo", "rustc")))

        def git(folder, *words):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=folder, check=True,
                           env=environment, stdout=subprocess.DEVNULL)

        archives = pack(temp / "archives", ARCHIVE, lambda archive: release(archive, binary))
        forge = Forge(archives)
        action = temp / "action"
        action.mkdir()
        for file in ("action.yml", "action.py"):
            shutil.copy(HERE / file, action)
        manifest = (HERE / "Cargo.toml").read_text(encoding="utf-8")
        manifest = re.sub(r"^repository = .*\n", "", manifest, flags=re.MULTILINE)
        own = f'version = "0.1.0"\nrepository = "{forge.address}/owner/tool"'
        (action / "Cargo.toml").write_text(re.sub("^version = .*", own, manifest, count=1, flags=re.MULTILINE), encoding="utf-8")
        runs = Runs(temp, environment, forge, action)

        demo = Repository(temp / "demo", git, BASE)
        subprocess.run([binary, "init"], cwd=demo.work, check=True, env=environment, stdout=subprocess.DEVNULL)
        demo.push(BASE)
        check_files(runs)
        check_script(temp)
        check_demo(demo, runs, forge)
        check_archives(demo, runs, forge, binary)
        check_repair(Repository(temp / "repair", git, "main"), runs, forge)
        check_agents(Repository(temp / "agents", git, "main"), runs, forge)
        check_gitlab(demo, runs, forge, git)
        check("no branch name was run", not (temp / "home/pwned").exists())
    end()


def example(name):
    return yaml.safe_load((HERE / "docs/examples" / name).read_text(encoding="utf-8"))


def inputs(name):
    """What a workflow passes to the action."""
    (job,) = example(name)["jobs"].values()
    (step,) = [step for step in job["steps"] if step["uses"] == "OWNER/rye-render@REVISION"]
    return {key.replace("-", "_"): str(value) for key, value in step.get("with", {}).items()}


def check_files(runs):
    workflows = sorted(map(str, (HERE / "docs/examples").glob("github-actions*.yml")))
    for schema, *files in (("actions", str(HERE / "action.yml")), ("workflows", *workflows)):
        validated(f"vendor.github-{schema}", *files)
    validated("vendor.gitlab-ci", "--data-transform", "gitlab-ci", str(HERE / "docs/examples/gitlab-ci.yml"))
    (step,) = runs.description["runs"]["steps"]
    check("each input is a variable of the script", step["env"] == {
        f"RYE_RENDER_{key.upper().replace('-', '_')}": f"${{{{ inputs.{key} }}}}" for key in runs.description["inputs"]}, step)


def validated(schema, *files):
    program = Path(sys.executable).parent / "check-jsonschema"
    words = [program, "--builtin-schema", schema, *files]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    names = [Path(file).name for file in files if file.endswith(".yml")]
    check(f"{', '.join(names)}: as {schema} says", done.returncode == 0, done.stdout)


def check_script(temp):
    """What takes a system other than this one, or a report of an exact length."""
    spec = importlib.util.spec_from_file_location("action", HERE / "action.py")
    action = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(action)
    with zipfile.ZipFile(temp / "windows.zip", "w") as files:
        files.writestr("README.md", "no program")
        files.writestr("rye-render.exe", "a program")
    check("the program of an archive for Windows is found", b"a program" ==
          action.program_in("windows.zip", "windows", (temp / "windows.zip").read_bytes()))
    block = "\n<details>\n<summary>x</summary>\n\n```diff\n" + "+🦀\n" * 1000 + "```\n\n</details>\n"
    for details in ("a" * 65_525, "a\n" * 40_000, "# x\n" + block * 40, block.replace("🦀", "🦀" * 40), "a" * 70_000):
        text = action.fitted("head\n", details, 65_536)
        units = len(text.encode("utf-16-le")) // 2
        check("a long report is cut where no block is open", units <= 65_536 and text.startswith("head\n") and
              text.count("<details>") == text.count("</details>") and text.count("```") % 2 == 0 and
              ("left out" in text) != (text == "head\n" + details), text[-300:])


def check_demo(demo, runs, forge):
    demo.branch()
    demo.propose()
    forge.reset()
    done = runs.github(demo)
    check("a change of nothing passes", done.status == 0 and done.outputs["changed"] == "false", done.log)
    check("a change of nothing gets no comment", forge.written() == [] and "No prompt changes." in done.summary, forge.requests)

    demo.write("shop/web/.ai/directives/deploy.md", NO_DESCRIPTION)
    demo.propose()
    done = runs.github(demo, folder="shop/web", comment="false")
    check("a project in a folder can be checked", done.status == 1 and [one[1].split(",")[0] for one in done.named("warning")] ==
          ["file=shop/web/.ai/directives/deploy.md"] and done.outputs["changed"] == "true", done.log)

    demo.branch()
    rules = demo.work / ".ai/knowledge/house/rules.md"
    old = rules.read_text(encoding="utf-8")
    rules.write_text(old + "\nA new rule.\n", encoding="utf-8")
    demo.write(".ai/directives/deploy.md", NO_DESCRIPTION)
    demo.propose()
    forge.reset()
    forge.busy = 1
    done = runs.github(demo, **inputs("github-actions.yml"), sarif="out/lint.sarif")
    print(f"from nothing to the comment: {done.seconds:.1f} s", flush=True)
    # Twice the time that it may take on a machine with nothing else to do.
    check("the comment comes in time", done.seconds < 30, done.seconds)
    annotations = done.named("warning")
    check("findings are annotations", done.status == 1 and [one[1].split(",")[:2] for one in annotations] ==
          [["file=.ai/directives/deploy.md", "line=4"]] and "RR007" in annotations[0][1], done.log)
    check("findings are counted", done.outputs["findings"] == str(len(annotations) + len(done.named("notice"))), done.outputs)
    sarif = json.loads((runs.temp / "shop/out/lint.sarif").read_text(encoding="utf-8"))
    check("findings are in SARIF", sarif["version"] == "2.1.0" and "RR007" in
          [one["ruleId"] for one in sarif["runs"][0]["results"]], sarif)
    body = "".join(forge.bodies())
    check("one comment shows the difference", forge.written() == ["POST"] and "`review`" in body and "+A new rule." in body, body)
    check("the comment begins with its marker", MARKER.match(body), body)
    check("the report is in the summary and in a file", MARKER.sub("", body) == done.summary ==
          Path(done.outputs["report"]).read_text(encoding="utf-8"), done.summary)
    check("only the forge gets the token", all(token != ("/v0.1.0/" in path) for _, path, token in forge.requests), forge.requests)
    status, log = runs.bash("rye-render render rye/demo/hello --format plain", runs.temp / "shop",
                            {**runs.environment, "PATH": f"{done.path}:{runs.environment['PATH']}"})
    check("later steps can render the demo", status == 0 and log, log)

    # The second page of comments begins with ours; the first has one of somebody else with our marker.
    marker = MARKER.match(body)[0]
    forge.reset()
    forge.add("mallory", marker + "A lie.")
    for number in range(99):
        forge.add("ada", f"Comment {number}")
    forge.add(BOT, marker + "Old.")
    forge.add("ada", "A later comment")
    done = runs.github(demo)
    check("the comment is updated in place", forge.written() == ["PATCH"] and forge.bodies() == [body], forge.requests)
    check("comments of others stay", forge.comments[0]["body"] == marker + "A lie." and len(forge.comments) == 102)
    done = runs.github(demo, agents="codex,claude-code")
    check("another use has another comment", forge.written() == ["PATCH"] and done.outputs["changed"] == "false", forge.requests)

    forge.reset()
    done = runs.github(demo, max_token_growth="0%", fail_on="off")
    check("too much growth fails", done.status == 1 and "--max-token-growth=0%" in str(done.named("error")), done.log)
    check("the comment names the limit", "exceeds a limit" in forge.bodies()[0] and "`review`" in forge.bodies()[0], forge.bodies())
    done = runs.github(demo, max_token_growth="1000%", fail_on="off")
    check("growth below the limit passes", done.status == 0 and forge.written() == ["POST", "PATCH"] and
          "exceeds" not in forge.bodies()[0], done.log)
    forge.reset()
    done = runs.github(demo, comment="false", fail_on="off")
    check("the comment can be turned off", done.status == 0 and forge.written() == [] and "A new rule." in done.summary, done.log)
    done = runs.github(demo, event="push", fail_on="off")
    check("a push is checked without a comparison", done.status == 0 and done.named("warning") and
          forge.written() == [] and not done.summary and not done.outputs["report"], done.log)

    forge.read_only = True
    done = runs.github(demo, fail_on="off")
    check("a token without permission is no failure", done.status == 0 and "pull-requests: write" in str(done.named("notice")) and
          "A new rule." in done.summary and forge.comments == [], done.log)
    forge.reset()
    forge.moved = True
    runs.github(demo, fail_on="off")
    check("a redirection does not get the token", forge.requests[-1] == ("GET", "/elsewhere/comments", False), forge.requests)
    forge.reset()
    done = runs.github(demo, token="wrong", fail_on="off")
    check("neither is a wrong token", done.status == 0 and "401" in str(done.named("notice")), done.log)
    done = runs.github(demo, depth=1, fail_on="off")
    check("a shallow clone asks for its history", done.status == 2 and "fetch-depth: 0" in str(done.named("error")) and
          done.named("warning"), done.log)
    for base, reason in (("--since=pwned", "is not a revision"), ("no such\n::error::pwned", "no history")):
        done = runs.github(demo, base=base, fail_on="off")
        errors = done.named("error")
        check(f"a base is refused: {reason}", done.status == 2 and len(errors) == 1 and reason in errors[0][2], done.log)
    done = runs.github(demo, folder="nowhere")
    check("a missing folder is refused", done.status == 2 and done.named("error"), done.log)

    # Back to the base: the comment must not go on to show the old difference.
    forge.reset()
    forge.add(BOT, marker + "Old.")
    demo.branch()
    demo.propose()
    runs.github(demo)
    check("a comment is updated when nothing changes any more", forge.bodies() == [marker + "No prompt changes.\n"], forge.bodies())

    demo.branch()
    for number in range(60):
        demo.write(f".ai/directives/long{number}.md", NO_DESCRIPTION.replace("deploy", f"long{number}") + "".join(
            f"Line {line} of many 💥 in {number}.\n" for line in range(120)))
    rules.write_text(old + "".join(f"`` ` ``` {number} {'🦀' * 40}\n" for number in range(900)), encoding="utf-8")
    demo.write(".ai/config/rye-render.yaml", "{}\n")
    demo.propose()
    forge.reset()
    done = runs.github(demo, max_token_growth="0%", fail_on="off")
    body = "".join(forge.bodies())
    check("a long comment is cut", forge.written() == ["POST"] and "left out" in body and len(body) > 20_000 and
          body.count("<details>") == body.count("</details>"), done.log[-3000:] + body[-1000:])
    check("a change of the settings is mentioned", "settings" in str(done.named("notice")) and "settings" in body, body[:2000])


def check_archives(demo, runs, forge, binary):
    forge.reset()
    good = runs.temp / "archives"
    check("archives can be in a folder", runs.github(demo, archives=str(good), comment="false", fail_on="off").status == 0 and
          forge.requests == [])
    changed = runs.temp / "changed"
    shutil.copytree(good, changed)
    with open(changed / ARCHIVE, "ab") as file:
        file.write(b"x")
    broken = runs.temp / "broken"
    broken.mkdir()
    (broken / ARCHIVE).write_bytes(b"<html>")
    (broken / f"{ARCHIVE}.sha256").write_text(hashlib.sha256(b"<html>").hexdigest())
    lies = pack(runs.temp / "lies", ARCHIVE, lambda archive: lying(archive, binary))
    for folder, reason in ((changed, "digest"), (broken, "damaged"), (lies, "contains no program"), (runs.temp / "none", "cannot read")):
        done = runs.github(demo, archives=str(folder))
        check(f"an archive is refused: {reason}", done.status == 2 and reason in str(done.named("error")) and not done.path, done.log)
    musl = TARGET.replace("gnu", "musl")
    old = pack(runs.temp / "old", ARCHIVE, lambda archive: entry(archive, f"rye-render-{TARGET}/rye-render", b"cannot run"))
    pack(old, f"rye-render-{musl}.tar.xz", lambda archive: archive.add(binary, f"rye-render-{musl}/rye-render"))
    done = runs.github(demo, archives=str(old), comment="false", fail_on="off")
    check("a system too old for the fast build gets the other", done.status == 0 and f"({musl})" in done.log, done.log)
    shell = f'#!{shutil.which("bash")}\necho "token: $RYE_RENDER_TOKEN."'.encode()
    program = (f"rye-render-{TARGET}/rye-render", shell)
    telling = pack(runs.temp / "telling", ARCHIVE, lambda archive: entry(archive, *program))
    done = runs.github(demo, archives=str(telling), comment="false")
    check("the program does not get the token", "token: . (" in done.log and TOKEN not in done.log, done.log)
    done = runs.github(demo, version="9.9.9")
    check("a release that is not there is named", done.status == 2 and "v9.9.9" in str(done.named("error")), done.log)
    done = runs.github(demo, version="v0.1.0", comment="false", fail_on="off")
    check("a release can be chosen", done.status == 0, done.log)


def check_repair(repository, runs, forge):
    """A prompt that only the base gets wrong."""
    repository.write(".ai/directives/deploy.md", NO_DESCRIPTION.replace("```xml", "```"))
    repository.write(".ai/directives/check.md", NO_DESCRIPTION.replace("deploy", "check"))
    repository.push("main")
    repository.branch()
    repository.write(".ai/directives/deploy.md", NO_DESCRIPTION)
    repository.propose()
    forge.reset()
    done = runs.github(repository, max_token_growth="0%", fail_on="off")
    check("a repair passes", done.status == 0 and "cannot be rendered" in forge.bodies()[0], done.log)
    repository.write(".ai/directives/check.md", NO_DESCRIPTION.replace("deploy", "check") + "Twice.\n")
    repository.propose()
    done = runs.github(repository, max_token_growth="0%", fail_on="off")
    check("a repair that exceeds a limit elsewhere fails", done.status == 1 and "exceeds a limit" in forge.bodies()[0], done.log)
    repository.write(".ai/directives/check.md", NO_DESCRIPTION.replace("```xml", "```"))
    repository.propose()
    done = runs.github(repository, fail_on="off")
    check("a repair that breaks another prompt fails", done.status == 2 and "`check`" in forge.bodies()[0], done.log)


def check_agents(repository, runs, forge):
    repository.write(".sf/rye-render.yaml", "agents: [codex, claude-code]\n")
    repository.write("AGENTS.md", "- Run the tests.\n- Never rename a field.\n")
    repository.push("main")
    repository.branch()
    repository.write("AGENTS.override.md", "- Write in English.\n")
    # Commands to the runner in the names of files, and in text that becomes a part of messages.
    hostile = ["::error file=x::pwned", "##[set-output name=pwned;]x", "x\n::set-output name=pwned::y", "a%0A::warning::pwned"]
    for number, name in enumerate(hostile):
        repository.write(f"{name}/AGENTS.md", f"- Be kind to {name}\n\u202e\x1b[31m{name}\n")
        repository.write(f".claude/rules/{name}.md", f"---\nglobs: '{number}'\n---\n{name}\n")
        repository.write(f".claude/skills/s{number}/SKILL.md", f"---\nname: \"{name.replace(chr(10), ' ')}\"\n---\n")
    repository.propose()
    forge.reset()
    done = runs.github(repository, **inputs("github-actions-agents.yml"), fail_on="off")
    body = "".join(forge.bodies())
    check("lost lines fail", done.status == 1 and "--max-lost=0" in str(done.named("error")), done.log)
    check("the comment says which lines", "2 lines of `AGENTS.md` are lost" in body and "codex" in body, body)
    check("hostile names are reported", "pwned" in done.log and len(done.named("warning")) >= 4, done.log)
    check("hostile names are no commands", {name for name, _, _ in commands(done.log)} <= {"error", "warning", "notice"} and
          not any("pwned" in text for name, _, text in commands(done.log) if name == "error"), commands(done.log))
    check("the log has no terminal escapes", not re.search(r"[\x00-\x09\x0b-\x1f\x7f\x9b\u202e]", done.log), ascii(done.log))
    forge.reset()
    done = runs.github(repository, agents="codex,claude-code", max_lost="2", fail_on="off")
    check("as many lost lines as allowed pass", done.status == 0, done.log)


def check_gitlab(demo, runs, forge, git):
    """The job of the template, with a repository of the script in place of the released one."""
    job = example("gitlab-ci.yml")["prompts"]
    git(runs.action, "init", "--quiet", "--initial-branch", "v0.1.0")
    git(runs.action, "add", "--all")
    git(runs.action, "commit", "--quiet", "--message", "Release")
    demo.branch()
    demo.write(".ai/directives/deploy.md", NO_DESCRIPTION)
    demo.propose()
    folder = runs.temp / "shop"

    def run(**variables):
        demo.clone(folder, 0)
        base = subprocess.run(["git", "merge-base", "HEAD", f"origin/{demo.base}"], cwd=folder, env=runs.environment,
                              stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        environment = {
            **runs.environment, **{name: str(value) for name, value in job["variables"].items()}, "GITLAB_CI": "true",
            "RYE_RENDER_REPOSITORY": runs.action.as_uri(), "RYE_RENDER_REVISION": "v0.1.0", "RYE_RENDER_TOKEN": TOKEN,
            "CI_API_V4_URL": f"{forge.address}/api/v4", "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "7",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_PROJECT_DIR": str(folder), **variables,
        }
        return Done(*runs.bash("\n".join(job["script"]), folder, environment))

    forge.reset()
    done = run()
    quality = json.loads((folder / job["artifacts"]["reports"]["codequality"]).read_text(encoding="utf-8"))
    check("GitLab: findings are code quality", done.status == 1 and
          [".ai/directives/deploy.md"] == [one["location"]["path"] for one in quality if "RR007" in one["check_name"]], done.log)
    check("GitLab: the log has no commands of GitHub", "RR007" in done.log and not commands(done.log), done.log)
    first = forge.bodies()
    check("GitLab: one note shows the difference", forge.written() == ["POST"] and "`deploy`" in first[0], first)
    done = run()
    check("GitLab: the note is updated in place", forge.written() == ["POST", "PUT"] and forge.bodies() == first, forge.requests)
    done = run(RYE_RENDER_TOKEN="", RYE_RENDER_FAIL_ON="off")
    check("GitLab: no token is no failure", done.status == 0 and "notice: no comment" in done.log, done.log)
    done = run(CI_MERGE_REQUEST_DIFF_BASE_SHA="1" * 40, RYE_RENDER_FAIL_ON="off")
    check("GitLab: a shallow clone asks for its history", done.status == 2 and "GIT_DEPTH: 0" in done.log, done.log)


if __name__ == "__main__":
    main()

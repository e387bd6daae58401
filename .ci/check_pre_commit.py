#!/usr/bin/env python3
"""Runs the hooks of this repository with pre-commit, in a temporary repository.

usage: .ci/check_pre_commit.py --venv DIR --cache DIR

pre-commit installs the program from a clone of this repository, at its last commit; the search path has no rye-render.
`--venv` contains pre-commit. The hooks compile the program without optimisation, from what
`--cache` has compiled already.
"""
import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from checks import check, end

HERE = Path(__file__).resolve().parent.parent
GOOD = """# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Roll the service out</description>
    <category></category>
    <author>ops</author>
    <model tier="fast"/>
    <context><before>rules</before></context>
    <permissions><execute><tool>rye.file-system.read</tool></execute></permissions>
  </metadata>
</directive>
```

Roll it out, and watch it.
"""
RULES = """```yaml
name: rules
title: Rules
entry_type: reference
category: ""
version: "1.0.0"
author: ops
description: What holds for every roll-out
tags: [deploy]
```

Never deploy on a Friday.
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--venv", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    arguments = parser.parse_args()
    programs = arguments.venv.resolve() / "bin"
    with tempfile.TemporaryDirectory() as folder:
        temp = Path(folder)
        project = temp / "project"
        # Only the folders of pre-commit, git and the compiler, so that no installed rye-render is found.
        found = [Path(shutil.which(name)).parent for name in ("git", "cargo", "cc", "sh")]
        quick = temp / "quick"
        quick.mkdir()
        install = '[ "$1" != install ] || { shift; set -- install --debug "$@"; }'
        (quick / "cargo").write_text(f'#!/bin/sh\n{install}\nexec {shutil.which("cargo")} "$@"\n')
        (quick / "cargo").chmod(0o755)
        path = os.pathsep.join(dict.fromkeys(map(str, [quick, programs, *found])))
        environment = {
            **{name: os.environ[name] for name in ("CARGO_INCREMENTAL", "RUSTUP_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR") if name in os.environ},
            "PATH": path,
            "HOME": os.environ["HOME"],
            "PRE_COMMIT_HOME": str(temp / "pre-commit"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "CARGO_TARGET_DIR": str(arguments.cache.resolve()),
        }
        check("the program is not on the search path", shutil.which("rye-render", path=path) is None)

        def run(*words, cwd=project):
            done = subprocess.run(words, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return done.returncode, done.stdout

        def write(name, text):
            target = project / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            run("git", "add", name)

        def hooks():
            return run("pre-commit", "run")

        def commit(message):
            return run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", message)

        status, out = run("pre-commit", "validate-manifest", ".pre-commit-hooks.yaml", cwd=HERE)
        check("the manifest is valid", status == 0, out)

        clone = temp / "rye-render"
        run("git", "clone", "--quiet", str(HERE), str(clone), cwd=temp)
        _, revision = run("git", "rev-parse", "HEAD", cwd=clone)
        project.mkdir()
        run("git", "init", "--quiet", "--initial-branch", "main")
        run("pre-commit", "install")

        def use(*ids):
            listed = "".join(f"      - id: {name}\n" for name in ids)
            write(".pre-commit-config.yaml", f"repos:\n  - repo: {clone.as_uri()}\n    rev: {revision.strip()}\n    hooks:\n{listed}")

        use("rye-render-lint")

        write("README.md", "No item, so nothing to check.\n")
        write(".ai/knowledge/rules.md", RULES)
        write(".ai/directives/deploy.md", GOOD)
        status, out = hooks()
        check("a good project passes", status == 0 and "Passed" in out, out)
        check("a good project can be committed", commit("Good")[0] == 0)

        write(".ai/directives/deploy.md", GOOD.replace("```xml", "```"))
        status, out = hooks()
        check("a directive without a block fails", status == 1 and "RR001" in out and ".ai/directives/deploy.md" in out, out)
        check("a directive without a block cannot be committed", commit("Bad")[0] != 0)
        write(".ai/directives/deploy.md", GOOD)
        write(".ai/config/rye-render.yaml", "lint:\n  rules:\n    RR503: off\n")
        check("settings can be committed", commit("Settings")[0] == 0)

        # Only the renamed item changed; the finding is in the directive that uses it.
        run("git", "mv", ".ai/knowledge/rules.md", ".ai/knowledge/laws.md")
        write(".ai/knowledge/laws.md", RULES.replace("name: rules", "name: laws"))
        status, out = hooks()
        check("files that a change affects are checked", status == 1 and "RR106" in out and "deploy.md" in out, out)

        write(".ai/config/rye-render.yaml", "lint:\n  exclude: ['.ai/directives/deploy.md']\n  rules:\n    RR503: off\n")
        write(".ai/directives/deploy.md", GOOD + "More.\n")
        status, out = hooks()
        check("excluded files are skipped", status == 0, out)

        write("README.md", "Still no item.\n")
        run("git", "reset", "--quiet", "--", ".ai")
        status, out = hooks()
        check("other files are skipped", status == 0 and "Skipped" in out, out)

        use("rye-render-lint-folders")
        write("AGENTS.md", "- Use tabs.\n")
        write("web/AGENTS.md", "- Do not use tabs.\n")
        status, out = hooks()
        check("agent files that contradict each other fail", status == 1 and "RR714" in out and "web/AGENTS.md" in out, out)
        write("web/AGENTS.md", "- Measure each page.\n")
        status, out = hooks()
        check("agent files that agree pass", status == 0 and "Passed" in out, out)

        for name in (".ai", "web"):
            shutil.rmtree(project / name)
        (project / "AGENTS.md").unlink()
        run("git", "add", "--all")
        use("rye-render-lint-agents", "rye-render-lock")
        write(".sf/rye-render.yaml", "agents: [claude-code]\n")
        write("CLAUDE.md", "- Use tabs.\n")
        program = next(Path(environment["PRE_COMMIT_HOME"]).glob("*/rustenv-*/bin/rye-render"))
        run(str(program), "lock")
        run("git", "add", "rye-render.lock")
        status, out = hooks()
        check("what agents read passes", status == 0 and out.count("Passed") == 2, out)
        check("what agents read can be committed", commit("Agents")[0] == 0)
        write(".claude/rules/a.md", "---\nglobs: '*.ts'\n---\nBe kind.\n")
        status, out = hooks()
        check("a rule of an agent is checked", status == 1 and "RR720" in out and ".claude/rules/a.md" in out, out)
        check("a change of a prompt is found", "claude-code ." in out, out)
    end()


if __name__ == "__main__":
    main()

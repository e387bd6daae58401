#!/usr/bin/env python3
"""Opens a file with mistakes in Neovim, without a screen, with the lines of docs/editors.md as its settings.

    python3 .ci/check_neovim.py --bin target/debug/rye-render nvim [NVIM...]

What Neovim shows and does is what the command line says. Prints a last line `N passed, M failed`; exits with status 1 on a
failure.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from editor_project import Check, Project

HERE = Path(__file__).resolve().parent


def settings(version):
    """The documented lines for a version."""
    blocks = re.findall(r"^```lua\n(.*?)^```", (HERE.parent / "docs/editors.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    newer, older, lens = blocks
    return (newer if version >= (0, 11) else older) + lens


def look(neovim, program, check):
    shown = subprocess.run([neovim, "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(int(part) for part in re.search(r"v(\d+)\.(\d+)", shown).groups())
    name = shown.split("\n")[0]
    with tempfile.TemporaryDirectory() as folder:
        project = Project(program, folder)
        line, hovered = project.line("Watch the error rate")
        fixed, column = project.line("<before>")
        questions = {
            "hover": [line, hovered],
            "definition": [fixed, column + len("<before>") + 2],
            "fix": [fixed, project.line("<before>")[1] + len("<before>deploy/rules</before><before>") + 2],
            "title": "Remove the entry",
            "text": project.text,
            "line": "And {input:other}.",
        }
        home = Path(folder)
        (home / "init.lua").write_text(settings(version), "utf-8")
        # The search path of the documented lines.
        (home / "bin").mkdir()
        (home / "bin/rye-render").symlink_to(project.program)
        environment = {
            **project.environment,
            "PATH": f"{home / 'bin'}:{project.environment['PATH']}",
            "CHECK_QUESTIONS": json.dumps(questions),
            "CHECK_ANSWERS": str(home / "answers.json"),
            **{f"XDG_{kind}_HOME": str(home / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
        }
        command = [neovim, "--headless", "-n", "-i", "NONE", "-u", home / "init.lua", project.path, "-S", HERE / "check_neovim.lua"]
        run = subprocess.run(command, cwd=project.folder, env=environment, capture_output=True, text=True, timeout=120)
        answers = json.loads((home / "answers.json").read_text("utf-8"))
        check.that(f"{name}: nothing went wrong", "error" not in answers and "late" not in answers, answers.get("error"), answers.get("late"), run.stderr)

        def diagnostics(key):
            return sorted(tuple(it) for it in answers.get(key, []))

        # Neovim counts columns in bytes.
        check.equal(f"{name}: diagnostics", diagnostics("diagnostics"), project.findings(project.text, "utf-8"))
        hover = answers.get("hover", "")
        check.that(f"{name}: hover", "This line stands in 1 of 2 prompts" in hover and project.explained(line + 1) in hover, hover)
        check.equal(f"{name}: definition", answers.get("definition"), str(project.folder / ".ai/knowledge/deploy/rules.md"))
        check.equal(f"{name}: the fix", answers.get("fixed"), project.fixed(project.text))
        check.equal(f"{name}: diagnostics after an edit", diagnostics("again"), project.findings(answers["edited"], "utf-8"))
        project.path.write_text(answers["edited"], "utf-8")
        check.equal(f"{name}: the prompt of a code lens", answers.get("prompt"), project.prompt() + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("neovim", nargs="+", help="the Neovim to test")
    arguments = parser.parse_args()
    check = Check()
    for neovim in arguments.neovim:
        look(os.path.abspath(shutil.which(neovim)), arguments.bin, check)
    return check.end()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Opens a file with mistakes in Helix, on a terminal of tmux, with the lines of docs/editors.md as its settings.

    python3 .ci/check_helix.py --bin target/debug/rye-render --helix FOLDER

The folder holds an unpacked Helix with the libraries that it needs. Prints a last line `N passed, M failed`; exits with
status 1 on a failure.
"""
import argparse
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from editor_project import Check, Project

HERE = Path(__file__).resolve().parent
SECONDS = 60


class Screen:
    def __init__(self, command, folder, socket):
        self.tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        subprocess.run([*self.tmux, "new-session", "-d", "-x", "160", "-y", "50", "-c", str(folder), shlex.join(map(str, command))], check=True)

    def type(self, *keys):
        subprocess.run([*self.tmux, "send-keys", *keys], check=True)

    def escape(self):
        self.type("Escape")
        # Another key right after it would be one with Alt.
        time.sleep(0.5)

    def until(self, is_meant):
        """The screen once it shows what is meant, or after a while."""
        end = time.monotonic() + SECONDS
        while True:
            text = subprocess.run([*self.tmux, "capture-pane", "-p"], check=True, capture_output=True, text=True).stdout
            if is_meant(text) or time.monotonic() > end:
                return text
            time.sleep(0.1)

    def end(self):
        subprocess.run([*self.tmux, "kill-server"], check=False)


def helix(folder, home):
    """A command for the unpacked program, which does not find its libraries and its own files by itself."""
    libraries = folder / "usr/lib/x86_64-linux-gnu"
    path = f"PATH={home / 'bin'}:/usr/bin:/bin"
    of_helix = ["env", f"HOME={home}", path, f"HELIX_RUNTIME={folder / 'usr/lib/hx/runtime'}"]
    return [*of_helix, libraries / "ld-linux-x86-64.so.2", "--library-path", libraries, folder / "usr/lib/hx/hx"]


def look(program, folder, check):
    with tempfile.TemporaryDirectory() as temp:
        home, project = Path(temp), Project(program, temp)
        [settings] = re.findall(r"^### Helix\n.*?^```toml\n(.*?)^```", (HERE.parent / "docs/editors.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
        (home / ".config/helix").mkdir(parents=True)
        (home / ".config/helix/languages.toml").write_text(settings, "utf-8")
        (home / "bin").mkdir()
        (home / "bin/rye-render").symlink_to(project.program)
        screen = Screen([*helix(folder, home), project.path], project.folder, home / "tmux")
        try:
            line, column = project.line("<before>")
            findings = project.findings(project.text, "utf-8")
            marked = {found[2] + 1 for found in findings}

            def marks(text):
                return {int(number) for number in re.findall(r"^● *(\d+) ", text, re.MULTILINE)}

            shown = screen.until(lambda text: marks(text) == marked)
            check.equal("each line with a finding is marked", marks(shown), marked)
            second = column + len("<before>deploy/rules</before><before>") + 2
            screen.type(f"{line + 1}gggh{second}l")
            message = next(found[1] for found in findings if found[2] == line).split("\n")[0]
            check.that("the message of the line", message in screen.until(lambda text: message in text), message)
            screen.type("Space", "k")
            resolved = "knowledge deploy/rules"
            check.that("hover", resolved in screen.until(lambda text: resolved in text), screen.until(lambda _: True))
            screen.escape()
            screen.type("Space", "a")
            title = "Remove the entry"
            check.that("the fix is offered", title in screen.until(lambda text: title in text), screen.until(lambda _: True))
            screen.type("Enter")
            screen.escape()
            screen.type(":w", "Enter")
            fixed = project.fixed(project.text)
            screen.until(lambda _: project.path.read_text("utf-8") == fixed)
            check.equal("the fix", project.path.read_text("utf-8"), fixed)
            left = {found[2] + 1 for found in project.findings(fixed, "utf-8")}
            check.equal("the finding is gone", marks(screen.until(lambda text: marks(text) == left)), left)
            screen.type(f"{line + 1}gggh{column + len('<before>') + 2}lgd")
            rules = ".ai/knowledge/deploy/rules.md"
            check.that("definition", rules in screen.until(lambda text: rules in text.rstrip().split("\n")[-1]), screen.until(lambda _: True))
        finally:
            screen.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--helix", type=Path, required=True, help="the folder of Helix")
    arguments = parser.parse_args()
    check = Check()
    look(arguments.bin, arguments.helix.resolve(), check)
    return check.end()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares `rye-render` with released agents that do not print their prompt: random trees, by `rye-render record`.

    cp .ci/recorded/package*.json FOLDER && (cd FOLDER && npm ci)
    python3 .ci/compare_recorded.py --bin target/debug/rye-render --package FOLDER

In each tree, claude-code or opencode sends its first request to `record`, with an empty environment, a home of its own, and
a proxy that leads nowhere. Prints what departs, and a last line `N passed, M failed`; exits with status 1 on a departure, or
if nothing was compared.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from losses import losses, mark
from pi_trees import FOLDERS, Random, Tree

# The package and program of each, and how it sends a prompt.
AGENTS = {
    "claude-code": ("@anthropic-ai/claude-code-linux-x64", "claude", ["-p", "hello"]),
    "opencode": ("opencode-linux-x64-baseline", "bin/opencode", ["run", "hello"]),
}
PATTERNS = ['"*.ts"', '"src/**, *.md"', '["a", "b/**"]', '""', "", "[]", "5"]


class RandomRecorded(Random):
    """Trees without what differs between runs: which of two skills with one name opencode finds first."""

    def tree(self, name):
        # In a folder with a backslash, opencode fails.
        names = [folder for folder in FOLDERS if "\\" not in folder]
        folders = (["home"] if self.is_so(0.15) else []) + [self.pick(names) for _ in range(self.chance.randint(1, 4))]
        chain = ["/".join(folders[:end]) for end in range(len(folders) + 1)]
        for folder in chain:
            for file, often in (("AGENTS.md", 0.35), ("CLAUDE.md", 0.3), ("CLAUDE.local.md", 0.15), ("CONTEXT.md", 0.1), (".claude/CLAUDE.md", 0.1)):
                if self.is_so(often):
                    self.put(f"{folder}/{file}".lstrip("/"), self.text())
            for rule in self.chance.sample(["a", "b", "c", "d/e"], self.pick([0, 0, 0, 1, 3])):
                self.put(f"{folder}/.claude/rules/{rule}.md".lstrip("/"), self.rule())
            if self.is_so(0.2):
                self.put(f"{folder}/.git/HEAD".lstrip("/"), "ref: refs/heads/main\n")
            self.lists(f"{folder}/.claude".lstrip("/"))
            if self.is_so(0.2):
                self.put(f"{folder}/opencode.json".lstrip("/"), json.dumps({"instructions": self.chance.sample(["AGENTS.md", "CLAUDE.md", "docs/*.md", "*.md", "~/b.md"], 2)}))
        for file in ("docs/a.md", "docs/b.md", "docs/c.md"):
            if self.is_so(0.3):
                self.put(file, self.text())
        for file in (".claude/CLAUDE.md", ".config/opencode/AGENTS.md", "b.md"):
            if self.is_so(0.3):
                self.put(f"home/{file}", self.text())
        self.lists("home/.claude")
        return Tree(name, self.files, chain[-1], "home", "home")

    def rule(self):
        head = f"---\npaths: {self.pick(PATTERNS)}\n---\n" if self.is_so(0.5) else ""
        return head.encode() + self.text()

    def lists(self, folder):
        for name in self.chance.sample(["a", "b", "c-d"], self.pick([0, 0, 1, 2])):
            name += str(len(self.files))
            self.put(f"{folder}/skills/{name}/SKILL.md", f"---\nname: {name}\ndescription: {self.pick(['What it does.', 'a <b> & c', 'x'])}\n---\nBody.\n")
        if self.is_so(0.2):
            self.put(f"{folder}/agents/helper.md", "---\nname: helper\ndescription: Helps.\n---\nBody.\n")


def departures(arguments, agent, tree, words, top):
    """What `record` shows, or the wrong states of files, empty if the rules hold."""
    package, program, given = AGENTS[agent]
    folder = arguments.package / "node_modules" / package
    release = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(top / tree.home), "TZ": "UTC", "HTTPS_PROXY": "http://127.0.0.1:9"}
    command = [arguments.bin, "record", f"{agent}@{release}", "--", folder / program, *given]
    run = subprocess.run(command, cwd=top / tree.cwd, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    if run.returncode == 0:
        # What the agent sent, since nothing departs.
        render = [arguments.bin, "render", "--agent", f"{agent}@{release}", "--format", "json", "--", *given]
        run = subprocess.run(render, cwd=top / tree.cwd, env=environment, capture_output=True, check=True, timeout=60)
        document = json.loads(run.stdout)
        return losses(words, document["files"], "\n".join(message["text"] for message in document["messages"]), tree, top)
    shown = (run.stdout if run.returncode == 1 else run.stderr).decode(errors="replace")
    return [ascii(line)[1:-1] for line in shown.split("\n")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--package", type=Path, required=True, help="folder with the packages in its node_modules")
    parser.add_argument("--random", type=int, default=100, help="number of random trees for each agent")
    parser.add_argument("--seed", default="1", help="seed of the random trees")
    parser.add_argument("--filter", default="", help="only trees whose name contains this")
    parser.add_argument("--keep", type=Path, help="create the trees here and keep them")
    parser.add_argument("--show", type=int, default=40, help="lines to print for each tree")
    arguments = parser.parse_args()
    arguments.bin, arguments.package = arguments.bin.absolute(), arguments.package.absolute()
    print(f"seed {arguments.seed}")

    names = [(agent, index) for agent in AGENTS for index in range(arguments.random)]
    trees = [(agent, RandomRecorded(random.Random(f"{arguments.seed}-{agent}-{index}")).tree(f"{agent} {index}")) for agent, index in names]
    trees = [(agent, tree) for agent, tree in trees if arguments.filter in tree.name]
    with tempfile.TemporaryDirectory() as temporary:
        scratch = (arguments.keep or Path(temporary)).resolve()

        def compared(each):
            number, (agent, tree) = each
            words = mark(tree)
            # On a busy machine, an agent may leave out what it was slow to find: only what departs twice is wrong.
            for attempt in ("", "-again"):
                top = scratch / f"{number}{attempt}"
                tree.lay_out(top)
                try:
                    found = departures(arguments, agent, tree, words, top)
                except (OSError, ValueError, subprocess.SubprocessError) as error:
                    found = [f"{type(error).__name__}: {error}"]
                if not found:
                    break
            return found

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(compared, enumerate(trees)))
    for (_, tree), lines in zip(trees, found):
        if lines:
            print(f"FAIL {tree.name}", *lines[: arguments.show], sep="\n    ")
    failed = sum(bool(lines) for lines in found)
    print(f"{len(trees) - failed} passed, {failed} failed")
    return 1 if failed or not trees else 0


if __name__ == "__main__":
    sys.exit(main())

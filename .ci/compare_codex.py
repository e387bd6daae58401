#!/usr/bin/env python3
"""Compares `rye-render` with the released npm package of codex: the prompts of random trees, byte for byte.

    cp .ci/codex/package*.json FOLDER && (cd FOLDER && npm ci)
    python3 .ci/compare_codex.py --bin target/debug/rye-render --package FOLDER

`codex_trees.py` makes the trees, and `losses.py` compares the states of files with what is sent of them. The package prints its prompt itself, with an empty environment, its own home and no
network. The agent's own text may be any text. Prints the differences and a last line `N passed, M failed`; exits with
status 1 on a difference, or if nothing was compared.
"""

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from codex_trees import randoms
from losses import losses, mark

PACKAGE = "node_modules/@openai/codex/package.json"
# The package waits for the network most of the time.
AT_ONCE = 12
OWN = {"system_skills": r"(?:- (?:imagegen|openai-docs|skill-creator|skill-installer):[^\n]*\n?)+?"}
NETWORK = ["unshare", "--map-root-user", "--net"] if shutil.which("unshare") else []


def run(command, top, tree):
    environment = {"PATH": os.environ["PATH"], "HOME": str(top / tree.home), "TZ": "UTC"}
    return subprocess.run(command, cwd=top / tree.cwd, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)


def dumped(package, top, tree):
    """The parts of the prompt that the package prints, as role and text; none if it does not start."""
    # The program itself: its launcher takes longer than the prompt.
    program = next(package.glob("node_modules/@openai/codex-*/vendor/*/bin/codex"))
    done = run([*NETWORK, program, "debug", "prompt-input"], top, tree)
    if done.returncode != 0:
        return []
    messages = [item for item in json.loads(done.stdout) if item["type"] == "message"]
    return [(message["role"], part["text"]) for message in messages for part in message["content"]]


def rendered(program, version, top, tree):
    """Role, pattern and readable text of each message, and the states of files."""
    done = run([program, "render", "--agent", f"codex@{version}", "--format", "json"], top, tree)
    document = json.loads(done.stdout)
    parts = []
    for message in document["messages"]:
        pattern = ""
        for segment in message["segments"]:
            origin = segment["origin"]
            own = OWN.get(origin.get("id"), ".*?") if origin["kind"] == "base" else None
            pattern += own or re.escape(segment["text"])
        parts.append((message["role"], pattern, "".join(segment["text"] for segment in message["segments"])))
    return parts, document["files"]


def differences(arguments, tree, words, top):
    """The lines of a diff, or of wrong states, empty if nothing differs."""
    try:
        got, files = rendered(arguments.bin, arguments.version, top, tree)
        want = dumped(arguments.package, top, tree)
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return [f"{type(error).__name__}: {error}"]
    matches = lambda mine, theirs: mine[0] == theirs[0] and re.fullmatch(mine[1], theirs[1], re.DOTALL)
    if len(got) == len(want) and all(map(matches, got, want)):
        return losses(words, files, "\n".join(text for _, text in want), tree, top)
    pairs = [pair for pair in zip(want, got) if not matches(pair[1], pair[0])]
    shown = ("\n".join(f"[{pair[side][0]}] {pair[side][-1]}" for pair in pairs) for side in (0, 1))
    pair = ([ascii(line)[1:-1][:300] for line in text.split("\n")] for text in shown)
    heading = f"the package has {len(want)} parts, rye-render {len(got)}"
    return [heading, *difflib.unified_diff(*pair, "package", "rye-render", lineterm="", n=1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--package", type=Path, required=True, help="folder with the package in its node_modules")
    parser.add_argument("--random", type=int, default=200, help="number of random trees")
    parser.add_argument("--seed", default="1", help="seed of the random trees")
    parser.add_argument("--filter", default="", help="only trees whose name contains this")
    parser.add_argument("--keep", type=Path, help="create the trees here and keep them")
    parser.add_argument("--show", type=int, default=40, help="lines to print for each tree")
    arguments = parser.parse_args()
    arguments.bin, arguments.package = arguments.bin.absolute(), arguments.package.absolute()
    arguments.version = json.loads((arguments.package / PACKAGE).read_text(encoding="utf-8"))["version"]
    print(f"codex {arguments.version}, seed {arguments.seed}")

    trees = [tree for tree in randoms(arguments.random, arguments.seed) if arguments.filter in tree.name]
    with tempfile.TemporaryDirectory() as temporary:
        scratch = (arguments.keep or Path(temporary)).resolve()
        tops = [scratch / f"{index}" for index in range(len(trees))]
        words = [mark(tree) for tree in trees]
        for tree, top in zip(trees, tops):
            for path, content in tree.files.items():
                if isinstance(content, str):
                    tree.files[path] = content.replace("@ROOT@", str(top))
            tree.lay_out(top)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = list(pool.map(lambda each: differences(arguments, *each), zip(trees, words, tops)))
    for tree, top, lines in zip(trees, tops, found):
        if lines:
            print(f"FAIL {tree.name} ({top.name})")
            for line in lines[: arguments.show]:
                print(f"    {line}")
            if len(lines) > arguments.show:
                print(f"    … {len(lines) - arguments.show} more lines")
    failed = sum(bool(lines) for lines in found)
    print(f"{len(trees) - failed} passed, {failed} failed")
    return 1 if failed or not trees else 0


if __name__ == "__main__":
    sys.exit(main())

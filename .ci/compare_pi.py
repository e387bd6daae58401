#!/usr/bin/env python3
"""Compares `rye-render` with the released npm package: the system prompts of many trees, byte for byte.

    cp .ci/pi/package*.json FOLDER && (cd FOLDER && npm ci)                       # Node 20.6 or later
    python3 .ci/compare_pi.py --bin target/debug/rye-render --package FOLDER --protocol PI.yaml

`PI.yaml` defines the protocol `pi`: `sf` with the package's wording. `pi_trees.py` defines the trees; `pi_prompts.mjs`
builds all prompts with the package, in one process. Prints the differences and a last line `N passed, M failed`; exits
with status 1 on a difference, or if nothing was compared.
"""

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pi_trees import randoms, telling

SCRIPT = Path(__file__).resolve().parent / "pi_prompts.mjs"
PACKAGE = "node_modules/@mariozechner/pi-coding-agent"


def built(package, trees, tops, file):
    """The prompt that the package builds for each tree, or its error."""
    requests = []
    for tree, top in zip(trees, tops):
        paths = {"cwd": tree.cwd, "agentDir": tree.agent, "home": tree.home}
        request = {name: str(top / path) for name, path in paths.items()}
        requests.append(json.dumps(request | {"now": tree.now, "tz": tree.tz, "tools": tree.tools, "customTools": tree.custom}))
    file.write_text("\n".join(requests), encoding="utf-8")
    run = subprocess.run(["node", SCRIPT, package, file], capture_output=True)
    if run.returncode != 0:
        sys.exit(f"the package fails: {run.stderr.decode(errors='replace')}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def rendered(arguments, tree, top):
    """The prompt that `rye-render` renders for a tree."""
    command = [arguments.bin, "render", "--protocol", "pi", "--protocol-file", arguments.protocol, "--format", "plain"]
    command += ["--role", "system", "--cwd", top / tree.cwd, "--agent-dir", top / tree.agent, "--now", tree.now, "--tz", tree.tz]
    command += ["--docs-dir", (arguments.package / PACKAGE).resolve()]
    if tree.tools is not None:
        command += ["--tools", ",".join(tree.tools)]
    if tree.custom:
        file = top / "tools of the tree.json"
        file.write_text(json.dumps({"tools": tree.custom}), encoding="utf-8")
        command += ["--tools-file", file]
    environment = {"PATH": os.environ["PATH"], "HOME": str(top / tree.home)}
    run = subprocess.run(command, capture_output=True, env=environment, timeout=60)
    if run.returncode != 0:
        raise RuntimeError(f"exit status {run.returncode}: {run.stderr.decode(errors='replace').strip()}")
    return run.stdout


def differences(arguments, tree, top, answer):
    """The lines of a diff, empty if nothing differs."""
    if "error" in answer:
        return [f"the package fails: {answer['error']}"]
    try:
        got = rendered(arguments, tree, top)
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        return [f"{type(error).__name__}: {error}"]
    want = answer["prompt"].encode()
    if want == got:
        return []
    pair = ([ascii(line)[1:-1] for line in text.decode(errors="replace").split("\n")] for text in (want, got))
    return list(difflib.unified_diff(*pair, "package", "rye-render", lineterm="", n=2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--package", type=Path, required=True, help="folder with the package in its node_modules")
    parser.add_argument("--protocol", type=Path, required=True, help="protocol file that defines `pi`")
    parser.add_argument("--random", type=int, default=200, help="number of random trees")
    parser.add_argument("--seed", default="1", help="seed of the random trees")
    parser.add_argument("--filter", default="", help="only trees whose name contains this")
    parser.add_argument("--keep", type=Path, help="create the trees here and keep them")
    parser.add_argument("--show", type=int, default=40, help="lines to print for each tree")
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.absolute()

    trees = [tree for tree in telling() + randoms(arguments.random, arguments.seed) if arguments.filter in tree.name]
    with tempfile.TemporaryDirectory() as temporary:
        scratch = (arguments.keep or Path(temporary)).resolve()
        tops = [scratch / f"{index}" for index in range(len(trees))]
        for tree, top in zip(trees, tops):
            tree.lay_out(top)
        answers = built(arguments.package, trees, tops, scratch / "requests")
        if len(answers) != len(trees):
            sys.exit(f"the package answered for {len(answers)} of {len(trees)} trees")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda each: differences(arguments, *each), zip(trees, tops, answers)))
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

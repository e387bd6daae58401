"""The time to render the prompt of a deep folder with many skills, relative to reading its files and to the released npm
package (@mariozechner/pi-coding-agent). `.ci/compare_pi.py` compares the prompts."""
import json
import sys
from functools import cache
from pathlib import Path

from measure import program
from trees import deep_folder, write

SCRIPT = Path(__file__).resolve().parent.parent / ".ci/pi_prompts.mjs"
NOW = "2026-03-07T14:55:05Z"


def rows(bench):
    """The rows, in the order of the table."""
    home = bench.temp / "home"

    @cache
    def deep():
        return deep_folder(bench.temp / "deep", home / ".sf/agent", 40, 200)

    def render():
        folder, _ = deep()
        return [bench.binary, "render", "--protocol", "sf", "--cwd", str(folder), "--now", NOW, "--tz", "UTC", "--format", "plain"]

    def package():
        folder, _ = deep()
        if not (bench.package / "node_modules").is_dir():
            sys.exit(f"no npm packages in {bench.package}: copy package.json and package-lock.json of .ci/pi there, and run npm ci in it")
        request = {"cwd": str(folder), "agentDir": str(home / ".sf/agent"), "home": str(home), "now": NOW, "tz": "UTC"}
        asked = write(bench.temp / "request", json.dumps(request | {"tools": None, "customTools": []}))
        return [program("node", "nodejs"), str(SCRIPT), str(bench.package), str(asked)]

    what = "`render` of a folder 40 levels deep with 200 skills"
    yield bench.compare(f"{what}, over `cat` of its files", 3, render, lambda: [program("cat", "coreutils"), *deep()[1]])
    yield bench.compare(f"{what}, over the npm package", 1 / 50, render, package, 20)

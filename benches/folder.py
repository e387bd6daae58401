"""What the prompt of a folder takes that lies deep, with many skills: over reading its files, and over the released npm
package (@mariozechner/pi-coding-agent), whose prompts `.ci/compare_pi.py` compares."""
import json
import shutil
import sys
from pathlib import Path

from trees import deep_folder, write

SCRIPT = Path(__file__).resolve().parent.parent / ".ci/pi_prompts.mjs"
NOW = "2026-03-07T14:55:05Z"


def measure(package, binary, temp, results):
    """Prints the figures; `package` is the folder with the package in its `node_modules`."""
    home = Path(results.environment["HOME"])
    folder, files = deep_folder(temp / "deep", home / ".sf/agent", 40, 200)
    render = [binary, "render", "--protocol", "sf", "--cwd", str(folder), "--now", NOW, "--tz", "UTC", "--format", "plain"]
    what = "render of a folder 40 levels deep with 200 skills, over cat of the files"
    results.compare(what, render, [shutil.which("cat"), *files], 3)

    node = shutil.which("node") or sys.exit("node is not installed")
    request = {"cwd": str(folder), "agentDir": str(home / ".sf/agent"), "home": str(home), "now": NOW, "tz": "UTC"}
    asked = write(temp / "request", json.dumps(request | {"tools": None, "customTools": []}))
    prompt = [node, str(SCRIPT), str(package), str(asked)]
    results.compare("the same, over a fiftieth of the npm package's prompt of it", render, prompt, 1, 20, 1 / 50)

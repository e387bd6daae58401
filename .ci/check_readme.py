#!/usr/bin/env python3
"""Runs the first command that a document shows with its output, and compares the output.

usage: check_readme.py README.md

The command is the first line of a fenced block that begins with `$ `; the rest of the block is its output. A
line `...` stands for any lines, and `[..]` for any part of a line. The command runs without a user tier, in an
environment that does not affect the output.
"""

import difflib
import os
import re
import subprocess
import sys

KEPT = ("PATH", "HOME", "CARGO_HOME", "CARGO_INCREMENTAL", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_TARGET_DIR", "TMPDIR")


def is_shown(expected, printed):
    """Whether the output matches, apart from what the document leaves out."""
    pattern = re.escape(expected.rstrip("\n") + "\n")
    pattern = re.sub(r"^\\.\\.\\.\\?\n", r"(?:.*\\n)*?", pattern, flags=re.MULTILINE)
    pattern = pattern.replace(r"\[\.\.\]", ".*?")
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None


def main(document):
    with open(document, encoding="utf-8") as file:
        block = re.search(r"^```[^\n]*\n\$ ([^\n]+)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    if not block:
        sys.exit(f"{document}: no block begins with `$ `")
    command, expected = block.groups()
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment |= {"USER_SPACE": "none", "NO_COLOR": "1", "COLUMNS": "80"}
    print(f"$ {command}")
    run = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        sys.exit(f"status {run.returncode}\n{run.stderr}")
    if not expected.strip():
        sys.exit(f"{document} shows no output for this command")
    if not is_shown(expected, run.stdout):
        lines = difflib.unified_diff(expected.splitlines(), run.stdout.splitlines(), document, command, lineterm="")
        sys.exit("\n".join(lines))
    print(f"{len(expected.splitlines())} lines as shown")


if __name__ == "__main__":
    main(sys.argv[1])

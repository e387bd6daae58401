#!/usr/bin/env python3
"""Compares `rye-render` with the released Python package: every directive of its bundles, byte for byte.

    python3 -m venv VENV                                                                # Python 3.11
    VENV/bin/pip install ryeos==0.1.23 ryeos-core==0.1.39 ryeos-engine==0.1.23 lillux==0.2.1
    python3 .ci/compare_ryeos.py --bin target/debug/rye-render --venv VENV

`ryeos_prompts.py` builds the prompts with the package; `rye-render` finds the package through $VIRTUAL_ENV, and reads
the words that ask for outputs from it. Where the documents differ from 0.1.23, a protocol file decides. Compares
the system message, the user message and the tools (as a set). Prints the differences and a last line
`N passed, M failed`; exits with status 1 on a difference, or if nothing was compared. With `--random N`, compares the
prompts of N random projects (`ryeos_trees.py`) instead of the bundles' directives.
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

HERE = Path(__file__).resolve().parent
PROTOCOL = HERE.parent / "testdata" / "ryeos" / "ryeos.yaml"
SCRIPT = HERE / "ryeos_prompts.py"


def tools(entries, names):
    """The tools by API name, with the same field names for both sides."""
    return {entry["name"]: {to: entry.get(name) for to, name in names.items()} for entry in entries}


SENT = {"item": "_item_id", "primary": "_primary", "description": "description", "schema": "schema"}
SHOWN = {"item": "item_id", "primary": "primary", "description": "description", "schema": "input_schema"}


def view(system, user, palette):
    """The parts to compare, by name. The description of `directive_return` is not specified."""
    if "directive_return" in palette:
        palette["directive_return"]["description"] = None
    return {
        "system": system,
        "user": user,
        "tools": json.dumps(palette, indent=1, sort_keys=True, ensure_ascii=False),
    }


def expected(record):
    (message,) = record["messages"]
    return view(record["system"], message["content"], tools(record["tools"], SENT))


def rendered(binary, record, environment):
    """The prompt that `rye-render` renders for the same directive, inputs and tiers."""
    command = [binary, "render", record["directive"], "--format", "json"]
    if not record["by_version"]:
        command += ["--protocol-file", PROTOCOL, "--protocol", "ryeos"]
    command += ["--project", record["project"], "--user-space", record["user_space"], "--inputs", "-"]
    given = json.dumps(record["inputs"]).encode()
    run = subprocess.run(command, input=given, capture_output=True, env=environment, timeout=60)
    if run.returncode != 0:
        raise RuntimeError(f"exit status {run.returncode}: {run.stderr.decode(errors='replace').strip()}")
    shown = json.loads(run.stdout)
    texts = {message["role"]: message["text"] for message in shown["messages"]}
    return view(texts.get("system", ""), texts.get("user", ""), tools(shown["tools"], SHOWN))


def differences(binary, record, environment):
    """The lines of a diff, empty if nothing differs."""
    if "error" in record:
        return [f"the package fails: {record['error']}"]
    try:
        want, got = expected(record), rendered(binary, record, environment)
    except (RuntimeError, ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
        return [f"{type(error).__name__}: {error}"]
    lines = []
    for part, text in want.items():
        if text != got[part]:
            pair = text.split("\n"), got[part].split("\n")
            lines += difflib.unified_diff(*pair, f"package {part}", f"rye-render {part}", lineterm="", n=2)
    return lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bin", required=True, help="the rye-render to test")
    parser.add_argument("--venv", type=Path, required=True, help="environment with the package")
    parser.add_argument("--by-version", action="store_true", help="let the installed version choose the protocol")
    parser.add_argument("--random", type=int, default=0, help="random projects to compare")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the random projects")
    parser.add_argument("--filter", default="", help="only directives whose id contains this")
    parser.add_argument("--show", type=int, default=40, help="lines to print for each directive")
    arguments = parser.parse_args()

    venv = arguments.venv.absolute()
    binary = str(Path(arguments.bin).absolute())
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary).resolve()
        for folder in ("user", "home"):
            (scratch / folder / ".ai").mkdir(parents=True)
        # Directives read the environment, so both sides get the same one.
        environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        environment |= {"VIRTUAL_ENV": str(venv), "USER_SPACE": str(scratch / "user"), "HOME": str(scratch / "home")}
        programs = venv / ("Scripts" if os.name == "nt" else "bin")
        # The package starts `python3` for the items that it executes.
        environment["PATH"] = os.pathsep.join([str(programs), environment.get("PATH", "")])
        python = programs / ("python.exe" if os.name == "nt" else "python")
        command = [python, SCRIPT, "-o", scratch / "prompts", "--user-space", scratch / "user"]
        if arguments.random:
            command += ["--random", str(arguments.random), "--seed", str(arguments.seed), "--allow-unsigned"]
        subprocess.run(command, check=True, env=environment)
        files = sorted((scratch / "prompts").glob("*.json"))
        records = [json.loads(file.read_text(encoding="utf-8")) for file in files]
        records = [record for record in records if arguments.filter in record["directive"]]
        for record in records:
            record["by_version"] = arguments.by_version

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda record: differences(binary, record, environment), records))
    for record, lines in zip(records, found):
        if lines:
            print(f"FAIL {record['directive']} in {record['project']}")
            for line in lines[: arguments.show]:
                print(f"    {line}")
            if len(lines) > arguments.show:
                print(f"    … {len(lines) - arguments.show} more lines")
    failed = sum(bool(lines) for lines in found)
    print(f"{len(records) - failed} passed, {failed} failed")
    return 1 if failed or not records else 0


if __name__ == "__main__":
    sys.exit(main())

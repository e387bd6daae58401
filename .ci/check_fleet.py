#!/usr/bin/env python3
"""Runs the commands and questions of docs/fleet.md, and compares the answers with the page and with what was planted.

usage: .ci/check_fleet.py --bin BINARY [--write]

The Python that runs this needs the packages of .ci/fleet.txt. `--write` updates the answers on the page.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent.parent
PAGE = HERE / "docs/fleet.md"
sys.path.insert(0, str(HERE / "testdata"))
import fleet  # noqa: E402

from checks import check, end  # noqa: E402

COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUESTIONS = re.compile(r"^```sql\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
NUMBER = 1000


def equal(what, actual, expected):
    check(what, actual == expected, f"actual:   {actual}\nexpected: {expected}")


def run(commands, binary, folder):
    """Runs the commands of the page in a folder that looks like a clone."""
    for name in ("docs", "testdata"):
        (folder / name).symlink_to(HERE / name)
    for name in ("bin", "home"):
        (folder / name).mkdir()
    (folder / "bin/rye-render").symlink_to(binary.resolve())
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"PATH": path, "HOME": str(folder / "home"), "USER_SPACE": "none"}
    for command in commands:
        start = time.monotonic()
        subprocess.run(["sh", "-e", "-c", command], cwd=folder, env=environment, check=True)
        print(f"{time.monotonic() - start:.1f} s: {command.strip()}")


def planted():
    """What the generator knows: the mistakes of each repository."""
    for number in range(NUMBER):
        yield f"{fleet.TEAMS[number % len(fleet.TEAMS)]}-{number:04}", *fleet.repository(number)


def compare(answers):
    """Compares the answers with the planted mistakes, in the order of the page."""
    lost, frequent, teams, tokens, shared, unrendered = answers
    repositories = list(planted())
    with_mistake = collections.defaultdict(list)
    for name, _, mistakes in repositories:
        for mistake in +mistakes:
            with_mistake[mistake].append(name)
    of_team = lambda mistakes, team: len({  # noqa: E731
        name for mistake in mistakes for name in with_mistake[mistake] if name.startswith(f"{team}-")})

    cut = [(name, "codex", mistakes["bytes_lost"]) for name, _, mistakes in repositories if mistakes["bytes_lost"]]
    equal("lost text", lost, sorted(cut, key=lambda row: -row[2])[:5])
    counts = {code: (findings, in_repositories) for code, _, findings, in_repositories in frequent}
    rules = {"RR616": "secret", "RR101": "missing_parent", "RR718": "missing_import", "RR716": "cut"}
    for code, mistake in rules.items():
        equal(code, counts.pop(code, None), (len(with_mistake[mistake]),) * 2)
    # Every directive of the repository refers to the missing item.
    missing = [mistakes["directives"] for _, _, mistakes in repositories if mistakes["missing_item"]]
    equal("RR106", counts.pop("RR106", None), (sum(missing), len(missing)))
    # A long file is also too long for every prompt.
    equal("RR711", counts.pop("RR711", (0, 0))[1], len(with_mistake["cut"]))
    equal("no other finding", counts, {})
    references = ["missing_parent", "missing_item", "missing_import"]
    expected = [(team, of_team(["secret"], team), of_team(references, team)) for team in fleet.TEAMS]
    equal("teams", teams, expected)
    longest = max(repositories, key=lambda it: len(it[1].get("AGENTS.md", "")))[0]
    equal("most tokens", {agent: place for agent, place, _ in tokens if agent != "codex"},
          dict.fromkeys(["pi", "claude-code", "opencode"], longest))
    directives = sum(mistakes["directives"] for _, _, mistakes in repositories)
    failures = with_mistake["missing_parent"]
    holders = {name for name, _, mistakes in repositories if mistakes["directives"] > (name in failures)}
    equal("shared item", shared, [("team/rules", directives - len(failures), len(holders))])
    equal("unrendered prompts", unrendered, [("parent_not_found", len(failures), min(failures))])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    page = PAGE.read_text()
    # The length of this path counts: agents put it into their prompts.
    with tempfile.TemporaryDirectory(dir="/tmp") as temp:
        commands = [command for command in COMMANDS.findall(page) if "pip install" not in command]
        run(commands, arguments.bin, Path(temp))
        os.chdir(temp)
        database = duckdb.connect()
        start = time.monotonic()
        database.execute((HERE / "docs/examples/fleet.sql").read_text())
        print(f"{time.monotonic() - start:.1f} s: fleet.sql")
        answers = []
        for question, shown in QUESTIONS.findall(page):
            if not shown:
                database.execute(question)
                continue
            answers.append(database.sql(question).fetchall())
            text = str(database.sql(question)).strip() + "\n"
            if arguments.write:
                page = page.replace(f"{question}```\n\n```text\n{shown}", f"{question}```\n\n```text\n{text}")
            else:
                equal(f"as on the page: {question.splitlines()[0]}", text, shown)
        compare(answers)
        failures = [path for path in Path("lines/errors").iterdir() if path.stat().st_size]
        equal("commands that fail", len(failures), sum(mistakes["missing_parent"] for _, _, mistakes in planted()))
        equal("Parquet", *(database.sql(f"SELECT count(*) FROM {table}").fetchall()
                           for table in ("'findings.parquet'", "findings")))
        os.chdir(HERE)
    if arguments.write:
        PAGE.write_text(page)
    end()


if __name__ == "__main__":
    main()

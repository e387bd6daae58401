#!/usr/bin/env python3
"""Times whole processes of a release build as ratios of one run, and exits 1 when one misses its limit.

usage: benches/ratios.py [--bin target/release/rye-render] [--runs N] [--only prompts|folder|lint] [--package FOLDER]

Every ratio compares two commands that take turns, so that a busy machine slows both, and of each the runs count that
were disturbed least. What misses its limit is measured again, twice at most. What is compared, and what it may cost, is
in `prompts`, in `folder.py` and in `lint.py`.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import folder
import lint
from measure import Report, installed, over_sum, run
from trees import chain_project, crowd, directive, forest, history, long_chain, nothing_shared, two_states, write


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default="target/release/rye-render")
    parser.add_argument("--runs", type=int, default=150)
    parser.add_argument("--only", choices=("prompts", "folder", "lint"))
    parser.add_argument("--package", default="target/ci/pi", help="folder with the npm package of .ci/pi")
    arguments = parser.parse_args()
    package = Path(arguments.package).absolute()
    with tempfile.TemporaryDirectory() as scratch:
        temp = Path(scratch)
        environment = {"PATH": os.environ["PATH"], "HOME": str(temp / "home"), "LC_ALL": "C.UTF-8"}
        results = Report(environment, arguments.runs)
        binary = installed(arguments.bin, temp)
        groups = {"prompts": prompts, "folder": partial(folder.measure, package), "lint": lint.measure}
        for name, measure in groups.items():
            if arguments.only in (None, name):
                measure(binary, temp, results)
    if results.missed:
        print(f"{len(results.missed)} missed")
        sys.exit(1)


def prompts(binary, temp, results):
    """Prints the figures of prompts, explained and compared."""
    cat = shutil.which("cat")
    report, compare = results.one, results.compare

    def asked(command, project, id, form):
        return [binary, command, id, "--project", str(project), "--user-space", "none", "--format", form]

    def render(project, id):
        return asked("render", project, id, "json")

    for tools, limit in ((False, 2.0), (True, 3.5)):
        project = temp / f"chain-{tools}"
        files = chain_project(project, tools)
        with_tools = ", eight tools" if tools else ""
        what = f"render of four levels and ten items{with_tools}, over cat of the files"
        compare(what, render(project, "app/d3"), [cat, *files], limit)
        for form in ("text", "json"):
            both = (asked(command, project, "app/d3", form) for command in ("explain", "render"))
            compare(f"explain as {form} of the same{with_tools}, over render", *both, 1.3)

    write(temp / "empty.rs", "fn main() {}\n")
    subprocess.run(["rustc", "-O", "-o", str(temp / "empty"), str(temp / "empty.rs")], check=True)
    empty = installed(temp / "empty", temp)
    compare("--version, over an empty program", [binary, "--version"], [empty], 1.4)
    report("size of the binary", lambda: os.path.getsize(binary) / 1e6, 20, " MB")

    for count in (10, 10_000):
        crowd(temp / f"crowd-{count}", count)
    many, few = (render(temp / f"crowd-{count}", "app/task") for count in (10_000, 10))
    compare("render among 10,000 items nothing asks for, over 10", many, few, 1.2)

    sizes = (2_500_000, 10_000_000)
    for size in sizes:
        project = temp / f"big-{size}"
        metadata = "    <context><before>app/big</before></context>\n"
        write(project / ".ai/directives/app/task.md", directive("task", metadata=metadata))
        text = "A line of some length that goes on.\n" * (size // 36)
        write(project / ".ai/knowledge/app/big.md", "```yaml\nname: Big\n```\n\n" + text)
    small, big = (render(temp / f"big-{size}", "app/task") for size in sizes)
    report("memory for an item of 10 MB, over its size", lambda: run(big, results.environment)[1] / sizes[1], 8)
    compare("time for an item of 10 MB, over four times that of 2.5 MB", big, small, 1.5, 10, 4)

    for count in (2_500, 10_000):
        long_chain(temp / f"long-{count}", count)
    short, long = (render(temp / f"long-{count}", f"c/d{count - 1}") for count in (2_500, 10_000))
    compare("time for a chain of 10,000, over four times that of 2,500", long, short, 1.5, 10, 4)

    forest(temp / "forest", 10_000)
    rg = shutil.which("rg") or sys.exit("ripgrep is not installed: apt-get install ripgrep")
    count = [rg, "-c", "extends", str(temp / "forest/.ai")]
    chain = [binary, "chain", "--project", str(temp / "forest"), "--user-space", "none"]
    for question in (["--all"], ["--uses", "app/k7"]):
        what = f"chain {' '.join(question)} over 10,000 directives, over rg -c extends of their files"
        compare(what, chain + question, count, 3, 30)

    history(temp / "history", 10_000, 2_000)
    program = shutil.which("git") or sys.exit("git is not installed")
    grep = [program, "-C", str(temp / "history"), "grep", "-c", "extends", "HEAD~1", "HEAD"]
    diff = [binary, "diff", "--exit-zero", "--project", str(temp / "history"), "--user-space", "none", "--format", "json"]
    every = [*diff, "--all", "--rev", "HEAD~1..HEAD"]
    compare("diff --all over 10,000 directives, over git grep -c extends of both revisions", every, grep, 5, 10)
    report("memory for that", lambda: run(every, results.environment)[1] / 1e6, 300, " MB")

    project = temp / "states"
    objects = two_states(project)
    both = [*diff[:3], "--project", str(project), "--user-space", "none", "HEAD~1:app/d3", "HEAD:app/d3"]
    others = [(render(project, "app/d3"), None)] * 2 + [([program, "-C", str(project), "cat-file", "--batch"], objects)]
    report("diff of a directive at two revisions, over two renders and git cat-file --batch of the objects, added up",
           lambda: over_sum(both, others, results.environment, results.runs), 1.5)

    saved = nothing_shared(temp / "unlike", render(temp / "unlike", "app/task"))
    for form in ("text", "json", "patch"):
        words = [binary, "diff", "--exit-zero", *map(str, saved), "--format", form]
        report(f"diff as {form} of two messages of 5 MB that share nothing", lambda: run(words, results.environment)[0], 5, " s")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times whole processes of a release build as ratios of one run, and exits 1 when one misses its limit.

usage: benches/ratios.py [--bin target/release/rye-render] [--runs N]

Every ratio compares two commands that take turns, so that a busy machine slows both, and of each the runs count that
were disturbed least. What misses its limit is measured again, twice at most. What is compared, and what it may cost, is in `main`.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DEVNULL = os.open(os.devnull, os.O_RDWR)
FILES = [(os.POSIX_SPAWN_DUP2, DEVNULL, fd) for fd in (0, 1, 2)]


def run(command, environment):
    """One run: seconds of wall time and the peak of resident memory in bytes."""
    begun = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=FILES)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begun
    if status != 0:
        words = subprocess.run(command, env=environment, capture_output=True, text=True)
        sys.exit(f"{command} failed: {words.stderr}")
    return seconds, usage.ru_maxrss * 1024


def ratio(left, right, environment, runs):
    """The time of `left` over that of `right`: of each the one that a tenth of its runs keep to."""
    for command in (left, right):
        for _ in range(3):
            run(command, environment)
    times = ([], [])
    for _ in range(runs):
        for command, into in zip((left, right), times):
            into.append(run(command, environment)[0])
    left, right = (sorted(each)[runs // 10] for each in times)
    return left / right


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def installed(program, folder):
    """A copy, as people run it: what a linker has just written lies in memory in small pieces, and starts slower."""
    return shutil.copy(program, Path(folder) / f"installed-{Path(program).name}")


def directive(name, extends="", metadata="", body="Do the work, step by step.\n" * 20):
    attribute = f' extends="{extends}"' if extends else ""
    return (f'# {name}\n\n```xml\n<directive name="{name}" version="1.0.0"{attribute}>\n  <metadata>\n'
            f"    <description>One of several.</description>\n{metadata}  </metadata>\n</directive>\n```\n\n{body}")


def knowledge(name, lines=40):
    return f"```yaml\nname: {name}\ntitle: {name}\n```\n\n" + f"A line of {name} that says something of use.\n" * lines


def tool(name):
    return (f'__tool_description__ = "Does {name}"\n\nCONFIG_SCHEMA = {{"type": "object", "properties": {{"path": '
            '{"type": "string", "description": "Where"}}, "required": ["path"]}\n\n\n'
            "def execute(params, project_path):\n    return {}\n" + "# more of the tool\n" * 50)


def chain_project(root, tools):
    """A chain of four directives with ten knowledge items, and eight tools or no palette at all. Returns the files."""
    files, items = [], iter(range(10))
    for level in range(4):
        context = "".join(f"<{place}>app/k{next(items)}</{place}>" for place in (("system", "before", "after") if level < 2 else ("before", "after")))
        metadata = f"    <context>{context}</context>\n"
        if level == 3 and tools:
            metadata += "    <permissions><execute>" + "".join(f"<tool>app.t{n}</tool>" for n in range(8)) + "</execute></permissions>\n"
        extends = f"app/d{level - 1}" if level else ""
        files.append(write(root / f".ai/directives/app/d{level}.md", directive(f"d{level}", extends, metadata)))
    files += [write(root / f".ai/knowledge/app/k{n}.md", knowledge(f"K{n}")) for n in range(10)]
    if tools:
        files += [write(root / f".ai/tools/app/t{n}.py", tool(f"t{n}")) for n in range(8)]
    else:
        # Nothing granted would still mean the three primaries.
        files.append(write(root / ".ai/config/agent/resilience.yaml", "tool_preload:\n  enabled: false\n"))
    return [str(file) for file in files]


def crowd(root, count):
    """A project with one directive and `count` items that nothing asks for."""
    write(root / ".ai/directives/app/task.md", directive("task", metadata="    <context><before>app/one</before></context>\n"))
    write(root / ".ai/knowledge/app/one.md", knowledge("One"))
    for n in range(count):
        write(root / f".ai/knowledge/other/k{n}.md", knowledge(f"K{n}", 3))
        write(root / f".ai/tools/other/t{n}.py", tool(f"t{n}"))


def long_chain(root, count):
    for n in range(count):
        write(root / f".ai/directives/c/d{n}.md", directive(f"d{n}", f"c/d{n - 1}" if n else "", body="Go.\n"))


def forest(root, count):
    """Directives in a hundred folders, each of which but ten extends another and places one of fifty items."""
    def name(n):
        return f"g{n % 100}/d{n}"

    for n in range(count):
        metadata = f"    <context><before>app/k{n % 50}</before></context>\n"
        text = directive(f"d{n}", name(n // 10) if n >= 10 else "", metadata)
        write(root / f".ai/directives/{name(n)}.md", text)
    for n in range(50):
        write(root / f".ai/knowledge/app/k{n}.md", knowledge(f"K{n}"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default="target/release/rye-render")
    parser.add_argument("--runs", type=int, default=150)
    arguments = parser.parse_args()
    missed = []

    def report(what, measure, limit, unit=""):
        value = measure()
        for _ in range(2):
            if value > limit:
                value = min(value, measure())
        kept = value <= limit
        missed.extend([] if kept else [what])
        print(f"{'ok  ' if kept else 'MISS'} {value:8.2f}{unit} of at most {limit:g}{unit}  {what}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        temp = Path(folder)
        environment = {"PATH": os.environ["PATH"], "HOME": str(temp / "home"), "LC_ALL": "C.UTF-8"}
        cat = shutil.which("cat")
        binary = installed(arguments.bin, temp)

        def asked(command, project, id, form):
            return [binary, command, id, "--project", str(project), "--user-space", "none", "--format", form]

        def render(project, id):
            return asked("render", project, id, "json")

        def compare(what, left, right, limit, runs=arguments.runs, times=1):
            report(what, lambda: ratio(left, right, environment, runs) / times, limit)

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
        report("memory for an item of 10 MB, over its size", lambda: run(big, environment)[1] / sizes[1], 8)
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

    if missed:
        print(f"{len(missed)} missed")
        sys.exit(1)


if __name__ == "__main__":
    main()

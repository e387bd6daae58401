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


def run(command, environment, stdin=None):
    """One run: seconds of wall time and the peak of resident memory in bytes."""
    files = FILES if stdin is None else [(os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0), *FILES[1:]]
    begun = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=files)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begun
    if status != 0:
        words = subprocess.run(command, env=environment, capture_output=True, text=True)
        sys.exit(f"{command} failed: {words.stderr}")
    return seconds, usage.ru_maxrss * 1024


def ratio(left, right, environment, runs):
    """The time of `left` over that of `right`."""
    return over_sum(left, [(right, None)], environment, runs)


def over_sum(left, others, environment, runs):
    """The time of `left` over that of other commands, each with its input, added up: of each command the time that a
    tenth of its runs keep to."""
    commands = [(left, None), *others]
    for command in commands * 3:
        run(command[0], environment, command[1])
    times = [[] for _ in commands]
    for _ in range(runs):
        for (command, stdin), into in zip(commands, times):
            into.append(run(command, environment, stdin)[0])
    left, *others = (sorted(each)[runs // 10] for each in times)
    return left / sum(others)


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


def git(folder, *words, **more):
    """What git says; nothing of the user's configuration has a say."""
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-C", str(folder), *settings, *words]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, **more).stdout


def history(root, directives, items):
    """Two commits of directives, each of which but ten extends another and places two items; one item changes between."""
    def name(n):
        return f"g{n % 100}/d{n}"

    def item(n):
        return root / f".ai/knowledge/app/k{n}.md"

    for n in range(directives):
        context = f"<before>app/k{n % items}</before><after>app/k{n * 7 % items}</after>"
        text = directive(f"d{n}", name(n // 10) if n >= 10 else "", f"    <context>{context}</context>\n")
        write(root / f".ai/directives/{name(n)}.md", text)
    for n in range(items):
        write(item(n), knowledge(f"K{n}"))
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "before")
    write(item(1234), item(1234).read_text(encoding="utf-8").replace("something", "nothing"))
    git(root, "commit", "--quiet", "--all", "--message", "after")
    # As it is where people work: most objects in one pack.
    git(root, "repack", "--quiet", "-a", "-d")


def two_states(root):
    """The chain of four levels in two commits, between which one item changes. Returns a file with the names of all
    objects that both hold of it."""
    chain_project(root, False)
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "before")
    item = root / ".ai/knowledge/app/k3.md"
    write(item, item.read_text(encoding="utf-8").replace("something", "nothing", 5))
    git(root, "commit", "--quiet", "--all", "--message", "after")
    trees = [line.split()[2] for state in ("HEAD~1", "HEAD") for line in git(root, "ls-tree", "-r", "-t", state).splitlines()]
    tops = git(root, "rev-parse", "HEAD~1^{tree}", "HEAD^{tree}").split()
    return write(root.parent / "objects", "\n".join(dict.fromkeys(tops + trees)) + "\n")


def nothing_shared(root, renders):
    """Two saved prompts with a message of 5 MB each, which have no word in common. Returns their files."""
    write(root / ".ai/directives/app/task.md", directive("task", metadata="    <context><before>app/big</before></context>\n"))
    saved = []
    for side in ("left", "right"):
        lines = (" ".join(f"{side}{n * 7 + word}" for word in range(6)) for n in range(5_000_000 // 60))
        write(root / ".ai/knowledge/app/big.md", "```yaml\nname: Big\n```\n\n" + "\n".join(lines) + "\n")
        saved.append(write(root / f"{side}.json", subprocess.run(renders, check=True, capture_output=True, text=True).stdout))
    return saved


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

        history(temp / "history", 10_000, 2_000)
        program = shutil.which("git") or sys.exit("git is not installed")
        grep = [program, "-C", str(temp / "history"), "grep", "-c", "extends", "HEAD~1", "HEAD"]
        diff = [binary, "diff", "--exit-zero", "--project", str(temp / "history"), "--user-space", "none", "--format", "json"]
        every = [*diff, "--all", "--rev", "HEAD~1..HEAD"]
        compare("diff --all over 10,000 directives, over git grep -c extends of both revisions", every, grep, 5, 10)
        report("memory for that", lambda: run(every, environment)[1] / 1e6, 300, " MB")

        project = temp / "states"
        objects = two_states(project)
        both = [*diff[:3], "--project", str(project), "--user-space", "none", "HEAD~1:app/d3", "HEAD:app/d3"]
        others = [(render(project, "app/d3"), None)] * 2 + [([program, "-C", str(project), "cat-file", "--batch"], objects)]
        report("diff of a directive at two revisions, over two renders and git cat-file --batch of the objects, added up",
               lambda: over_sum(both, others, environment, arguments.runs), 1.5)

        saved = nothing_shared(temp / "unlike", render(temp / "unlike", "app/task"))
        for form in ("text", "json", "patch"):
            words = [binary, "diff", "--exit-zero", *map(str, saved), "--format", form]
            report(f"diff as {form} of two messages of 5 MB that share nothing", lambda: run(words, environment)[0], 5, " s")

    if missed:
        print(f"{len(missed)} missed")
        sys.exit(1)


if __name__ == "__main__":
    main()

"""The cost of rendering, explaining and comparing prompts, relative to programs that read the same files."""
import os
import subprocess
from functools import cache

from measure import installed, over_sum, program, run
from rows import Row
from trees import chain_project, crowd, directive, forest, history, knowledge, long_chain, nothing_shared, two_states, write


def rows(bench):
    """The rows, in the order of the table."""
    return [*small(bench), *large(bench), *chains(bench), *differences(bench)]


def asked(bench, command, project, id, form="json"):
    return [bench.binary, command, id, "--project", str(project), "--user-space", "none", "--format", form]


def small(bench):
    """A prompt of ordinary size, and the start of the program."""
    @cache
    def files(tools):
        return chain_project(bench.temp / f"chain-{tools}", tools)

    def command(name, tools, form="json"):
        files(tools)
        return asked(bench, name, bench.temp / f"chain-{tools}", "app/d3", form)

    for tools, limit in ((False, 1.8), (True, 2.5)):
        prompt = "a prompt of four levels and ten items" + (", with eight tools" if tools else "")
        yield bench.compare(f"`render` of {prompt}, over `cat` of its files", limit, lambda tools=tools: command("render", tools),
                            lambda tools=tools: [program("cat", "coreutils"), *files(tools)])
        for form in ("text", "json"):
            yield bench.compare(f"`explain --format {form}` of {prompt}, over `render`", 1.3,
                                lambda tools=tools, form=form: command("explain", tools, form),
                                lambda tools=tools, form=form: command("render", tools, form))
    yield bench.compare("`--version`, over an empty program", 0.8, lambda: [bench.binary, "--version"], lambda: [empty(bench)])
    yield Row("size of the program", 16, " MB", lambda: os.path.getsize(bench.binary) / 1e6)


@cache
def empty(bench):
    """A program that does nothing."""
    source = write(bench.temp / "empty.rs", "fn main() {}\n")
    subprocess.run(["rustc", "-O", "-o", str(bench.temp / "empty"), str(source)], check=True)
    return installed(bench.temp / "empty", bench.temp)


def large(bench):
    """Many unused items, and an item of 10 MB."""
    @cache
    def among(count):
        crowd(bench.temp / f"crowd-{count}", count)
        return asked(bench, "render", bench.temp / f"crowd-{count}", "app/task")

    @cache
    def big(size):
        project = bench.temp / f"big-{size}"
        metadata = "    <context><before>app/big</before></context>\n"
        write(project / ".ai/directives/app/task.md", directive("task", metadata=metadata))
        write(project / ".ai/knowledge/app/big.md", knowledge("Big", 0) + "A line of some length that goes on.\n" * (size // 36))
        return asked(bench, "render", project, "app/task")

    most, part = 10_000_000, 2_500_000
    yield bench.compare("`render` among 10,000 unused items, over 10", 1.2, lambda: among(10_000), lambda: among(10))
    yield Row("memory of `render` with an item of 10 MB, over its size", 8, "",
              lambda: run(big(most), bench.environment).peak / most)
    yield bench.compare("`render` with an item of 10 MB, over four times that with 2.5 MB", 1.5, lambda: big(most), lambda: big(part), 10, 4)


def chains(bench):
    """Chains, and all directives of a project."""
    @cache
    def chain(count):
        long_chain(bench.temp / f"long-{count}", count)
        return asked(bench, "render", bench.temp / f"long-{count}", f"c/d{count - 1}")

    @cache
    def trees():
        forest(bench.temp / "forest", 10_000)
        return bench.temp / "forest"

    def question(words):
        return [bench.binary, "chain", "--project", str(trees()), "--user-space", "none", *words]

    yield bench.compare("`render` of a chain of 10,000 directives, over four times that of 2,500", 1.5, lambda: chain(10_000),
                        lambda: chain(2_500), 10, 4)
    for words in (["--all"], ["--uses", "app/k7"]):
        yield bench.compare(f"`chain {' '.join(words)}` of 10,000 directives, over `rg -c extends` of their files", 3.5,
                            lambda words=words: question(words),
                            lambda: [program("rg", "ripgrep"), "-c", "extends", str(trees() / ".ai")], 30)


def differences(bench):
    """Comparisons of all prompts, of one, and of prompts that have nothing in common."""
    def diff(project, *words):
        return [bench.binary, "diff", "--exit-zero", "--project", str(project), "--user-space", "none", *words]

    def git(*words):
        return [program("git", "git"), "-C", *map(str, words)]

    @cache
    def changed():
        history(bench.temp / "history", 10_000, 2_000)
        return bench.temp / "history"

    def every():
        return diff(changed(), "--format", "json", "--all", "--rev", "HEAD~1..HEAD")

    what = "`diff --all` of 10,000 directives and 2,000 items of which one changed"
    yield bench.compare(f"{what}, over `git grep -c extends` of both revisions", 5, every,
                        lambda: git(changed(), "grep", "-c", "extends", "HEAD~1", "HEAD"), 10)
    yield bench.memory(f"memory of {what}", 300, every)

    @cache
    def states():
        return two_states(bench.temp / "states")

    def revisions():
        objects, project = states(), bench.temp / "states"
        renders = [(asked(bench, "render", project, "app/d3"), None)] * 2
        others = [*renders, (git(project, "cat-file", "--batch"), objects)]
        return over_sum(diff(project, "--format", "json", "HEAD~1:app/d3", "HEAD:app/d3"), others, bench.environment, bench.runs)

    yield Row("`diff` of a prompt at two revisions, over two runs of `render` and `git cat-file --batch` of the objects", 1.8, "", revisions)

    @cache
    def unlike():
        return nothing_shared(bench.temp / "unlike", asked(bench, "render", bench.temp / "unlike", "app/task"))

    for form in ("text", "json", "patch"):
        yield bench.seconds(f"`diff --format {form}` of two messages of 5 MB that share nothing", 5,
                            lambda form=form: [bench.binary, "diff", "--exit-zero", *map(str, unlike()), "--format", form])

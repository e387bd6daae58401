"""How time and memory grow with the size of each kind of input: T(2n) over T(n), at the first n that takes much longer
than starting the program.

T is the processor time of the process and its children, in user and system mode: on a busy machine, it is steadier
than wall-clock time. The time to start is not subtracted, and the minimum of several runs is used. The size is doubled
until T(n) is 200 ms, or until the program's limit is reached: then T(2n), the time at the limit, is compared with
200 ms, to check that it is small.
"""
import os
from functools import cache
from typing import Callable, NamedTuple

import shapes
from measure import apart, run
from rows import Figure, Row

ENOUGH = 0.2
"""The T(n) in seconds from which the ratio is meaningful."""

MOST_TIMES = 2.3
"""The maximum of T(2n) over T(n)."""

RUNS = 2

COLUMNS = ("n", "T(n)", "T(2n)", "memory at 2n", "memory / input")


class Class(NamedTuple):
    """A kind of input: its name, the first size, the function that writes it into a folder, the arguments of the command
    that reads it, and the largest size that the program accepts, if that ends the doubling."""

    what: str
    size: int
    shape: Callable
    words: str
    most: int = 0


LARGE = "--max-item-size 1000000000"
"""Raises the limit of 16 MB, since files of that size take less than 200 ms."""

RENDER = "render app/task --format json"
THREAD = "--event thread_continued --messages {root}/messages.json"
SAVED = "diff --exit-zero {root}/left.json {root}/right.json --format"
LINT = "lint --fail-on off"
AGENT = "render --agent {} --cwd {{root}} --format json"

CLASSES = (
    Class("`render`: bytes of a directive", 40_000_000, shapes.text, f"{RENDER} {LARGE}"),
    Class("`render`: bytes of an item", 40_000_000, shapes.item, f"{RENDER} {LARGE}"),
    Class("`render`: items that a directive requests", 8_000, shapes.items, RENDER, 20_000),
    Class("`render`: items that are suppressed", 5_000, shapes.suppressed, RENDER, 10_000),
    Class("`render`: items with a YAML header of 100 kB", 80, shapes.headers, RENDER),
    Class("`render`: directives in a chain", 12_000, shapes.chain, RENDER),
    Class("`render`: hooks", 2_000, shapes.hooked, RENDER, 4_000),
    Class("`render`: conditions of a hook", 7_000, shapes.conditions, RENDER, 14_000),
    Class("`render`: placeholders in the text of a hook", 80_000, shapes.hook_placeholders, RENDER, 200_000),
    Class("`render`: placeholders in a directive", 80_000, shapes.placeholders, RENDER, 200_000),
    Class("`render --format text`: placeholders", 80_000, shapes.placeholders, "render app/task --format text", 200_000),
    Class("`render --format plain`: placeholders", 80_000, shapes.placeholders, "render app/task --format plain", 200_000),
    Class("`render --format anthropic`: placeholders", 80_000, shapes.placeholders, "render app/task --format anthropic", 200_000),
    Class("`render --format events`: placeholders", 80_000, shapes.placeholders, "render app/task --format events", 200_000),
    Class("`render`: declared inputs", 16_000, shapes.inputs, RENDER, 32_000),
    Class("`render`: declared outputs", 16_000, shapes.outputs, RENDER, 32_000),
    Class("`render`: permissions", 10_000, shapes.permissions, RENDER, 20_000),
    Class("`render`: XML elements", 16_000, shapes.elements, RENDER, 32_000),
    Class("`render`: given inputs", 50_000, shapes.values, RENDER + " --inputs {root}/values.json", 100_000),
    Class("`render`: maps in a given list", 24_000, shapes.nested, RENDER + " --inputs {root}/values.json", 48_000),
    Class("`render`: variables", 50_000, shapes.variables, RENDER + " --env-file {root}/variables", 100_000),
    Class("`render`: tools of a palette", 8_000, shapes.tools, RENDER),
    Class("`render`: messages of a thread", 12_000, shapes.messages, f"{RENDER} {THREAD}", 24_000),
    Class("`render --format text`: messages of a thread", 12_000, shapes.messages, f"render app/task {THREAD}", 24_000),
    Class("`render --format text`: items that a directive requests", 8_000, shapes.items, "render app/task", 20_000),
    Class("`render --all`: directives", 500, shapes.forest, "render --all -o {root}-out"),
    Class("`explain`: bytes of a directive", 4_000_000, shapes.prompt, "explain app/task", 15_000_000),
    Class("`explain`: items", 8_000, shapes.items, "explain app/task", 20_000),
    Class("`explain --format json`: bytes of a directive", 4_000_000, shapes.prompt, "explain app/task --format json", 15_000_000),
    Class("`explain --format markdown`: items", 8_000, shapes.items, "explain app/task --format markdown", 20_000),
    Class("`explain --format html`: bytes of a directive", 4_000_000, shapes.prompt, "explain app/task --format html", 15_000_000),
    Class("`explain --format html`: items", 2_000, shapes.items, "explain app/task --format html", 20_000),
    Class("`explain --blame`: bytes of a directive", 1_000_000, shapes.prompt, "explain app/task --blame", 15_000_000),
    Class("`explain --blame`: items", 2_000, shapes.items, "explain app/task --blame", 20_000),
    Class("`explain --grep`: bytes of a directive", 2_000_000, shapes.prompt, "explain app/task --grep length", 15_000_000),
    Class("`explain --from`: bytes of a directive", 2_000_000, shapes.prompt,
          "explain app/task --from {root}/.ai/directives/app/task.md:200", 15_000_000),
    Class("`explain --why`: items", 8_000, shapes.items, "explain app/task --why app/k7", 20_000),
    Class("`chain --all`: directives", 16_000, shapes.forest, "chain --all"),
    Class("`chain --all --format json`: directives", 16_000, shapes.forest, "chain --all --format json"),
    Class("`chain --all --format mermaid`: directives", 16_000, shapes.forest, "chain --all --format mermaid"),
    Class("`chain --uses`: directives", 16_000, shapes.forest, "chain --uses app/k7"),
    Class("`chain`: directives in a chain", 12_000, shapes.chain, "chain app/task"),
    Class("`list`: directives", 16_000, shapes.forest, "list"),
    Class("`lock`: directives", 500, shapes.forest, "lock --file {root}-lock"),
    Class("`lint`: directives and items", 8_000, shapes.project, LINT),
    Class("`lint`: bytes of a directive", 32_000_000, shapes.text, f"{LINT} {LARGE}"),
    Class("`lint`: items that a directive requests", 8_000, shapes.items, LINT, 20_000),
    Class("`lint`: hooks", 2_000, shapes.hooked, LINT, 4_000),
    Class("`lint`: placeholders", 80_000, shapes.placeholders, LINT, 200_000),
    Class("`lint`: directives that request missing items", 4_000, shapes.missing, LINT),
    Class("`lint --format sarif`: directives that request missing items", 4_000, shapes.missing, f"{LINT} --format sarif"),
    Class("`lint`: lines with an invisible character", 800_000, shapes.strange, f"{LINT} {LARGE}"),
    Class("`diff --format text`: lines, every tenth of which differs", 115_000, shapes.two_messages, f"{SAVED} text", 230_000),
    Class("`diff --format text`: lines that all differ in a word", 115_000, shapes.unlike, f"{SAVED} text", 230_000),
    Class("`diff --format json`: lines, every tenth of which differs", 115_000, shapes.two_messages, f"{SAVED} json", 230_000),
    Class("`diff --format patch`: lines, every tenth of which differs", 115_000, shapes.two_messages, f"{SAVED} patch", 230_000),
    Class("`diff --format html`: lines, every tenth of which differs", 115_000, shapes.two_messages, f"{SAVED} html", 230_000),
    Class("`diff --format text`: messages", 12_000, shapes.two_threads, f"{SAVED} text", 24_000),
    Class("`diff --format html`: messages", 12_000, shapes.two_threads, f"{SAVED} html", 24_000),
    Class("`diff --all`: directives", 6_000, shapes.history, "diff --exit-zero --all --rev HEAD~1..HEAD --format json"),
    # The prompt holds the path of each file, so it grows with the square of the depth; a path has at most 4,096 bytes.
    Class("`render --agent codex`: folders on the way", 400, shapes.way, "render --agent codex --cwd {root}/deepest --format json", 1_000),
    Class("`render --protocol sf`: bytes of an `AGENTS.md`", 7_500_000, shapes.guidelines,
          "render --protocol sf --cwd {root} --format json", 15_000_000),
    Class("`render --protocol sf`: skills", 4_000, shapes.skills, "render --protocol sf --cwd {root} --format json"),
    Class("`render --protocol sf --format text`: messages of a thread", 12_000, shapes.messages,
          "render --protocol sf --cwd {root} --messages {root}/messages.json", 24_000),
    Class("`lint --protocol sf`: skills", 1_000, shapes.skills, LINT + " --protocol sf {root}"),
    Class("`render --agent codex`: skills", 4_000, shapes.agents_skills, AGENT.format("codex")),
    Class("`render --agent pi`: skills", 4_000, shapes.agents_skills, AGENT.format("pi"), 50_000),
    Class("`render --agent claude-code`: skills", 4_000, shapes.claude_skills, AGENT.format("claude-code")),
    Class("`render --agent claude-code`: imports", 8_000, shapes.imports, AGENT.format("claude-code"), 20_000),
    Class("`render --agent claude-code`: rules", 4_000, shapes.rules, AGENT.format("claude-code")),
    Class("`render --agent claude-code --touch`: rules", 4_000, shapes.rules, AGENT.format("claude-code") + " --touch {root}/src/a.ts"),
    Class("`render --agent opencode`: skills", 4_000, shapes.agents_skills, AGENT.format("opencode")),
    Class("`render --agent opencode`: files that globs find", 4_000, shapes.instructions, AGENT.format("opencode")),
)


def rows(bench, chosen=""):
    """A row for each class whose name contains `chosen`."""
    written = cache(lambda shape, n: tree(bench, shape, n))
    for each in CLASSES:
        if chosen in each.what:
            yield Row(each.what, MOST_TIMES, "", lambda each=each: growth(bench, each, written))


def tree(bench, shape, n):
    """A folder of size `n`, and the bytes of its files; several commands share it."""
    root = bench.temp / f"growth-{shape.__name__}-{n}"
    apart(shape, root, n)
    return root, sum(size(root))


def size(folder):
    """The bytes of each file that a command may read."""
    for entry in os.scandir(folder):
        if entry.is_file(follow_symlinks=False):
            yield entry.stat().st_size
        elif entry.name != ".git":
            yield from size(entry.path)


def usage(bench, each, n, written):
    """T and the peak memory, each the minimum of several runs."""
    command = shapes.command(bench.binary, each.words, written(each.shape, n)[0])
    runs = [run(command, bench.environment) for _ in range(RUNS)]
    return min(usage.work for usage in runs), min(usage.peak for usage in runs)


def growth(bench, each, written):
    """T(2n) of a class over T(n), or over 200 ms if a limit keeps T(n) below that."""
    n, times = each.size, usage(bench, each, each.size, written)
    while times[0] < ENOUGH and not (each.most and 4 * n > each.most):
        n *= 2
        times = usage(bench, each, n, written)
    twice, peak = usage(bench, each, 2 * n, written)
    of_files = written(each.shape, 2 * n)[1]
    more = (f"{n:,}", milliseconds(times[0]), milliseconds(twice), f"{peak / 1e6:.0f} MB", f"{peak / of_files:.1f} times")
    return Figure(twice / max(times[0], ENOUGH), more)


def milliseconds(seconds):
    return f"{seconds * 1e3:.0f} ms"

"""The peak memory for inputs close to the default limits."""
from functools import cache

import shapes
from measure import apart

ROWS = (
    ("`render` of a directive of 16 MB", shapes.text, 15_900_000, "render app/task --format json"),
    ("`render` of an item of 16 MB", shapes.item, 15_900_000, "render app/task --format json"),
    ("`explain --blame` of a directive of 16 MB", shapes.text, 15_900_000, "explain app/task --blame"),
    ("`lint` of a directive of 16 MB", shapes.text, 15_900_000, "lint --fail-on off"),
    ("`render` of a folder with an `AGENTS.md` of 16 MB", shapes.guidelines, 15_900_000, "render --protocol sf --cwd {root} --format json"),
    ("`render` of a palette of 16,000 tools", shapes.tools, 16_000, "render app/task --format json"),
    ("`render` of a thread of 25,000 messages", shapes.messages, 25_000,
     "render app/task --format json --event thread_continued --messages {root}/messages.json"),
    ("`diff` of two saved messages of 15 MB", shapes.two_messages, 230_000, "diff --exit-zero {root}/left.json {root}/right.json"),
    ("`chain --all` of 30,000 directives", shapes.forest, 30_000, "chain --all"),
)


def rows(bench):
    """The rows. Memory that belongs to a timed row is measured next to that row instead."""
    for what, shape, n, words in ROWS:
        @cache
        def written(shape=shape, n=n):
            root = bench.temp / f"memory-{shape.__name__}-{n}"
            apart(shape, root, n)
            return root

        yield bench.memory(what, 300, lambda words=words, written=written: shapes.command(bench.binary, words, written()))

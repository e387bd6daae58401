#!/usr/bin/env python3
"""Compares the time and memory of the published program with those of other programs, and exits with status 1 if a ratio is
over its limit.

usage: benches/ratios.py [options]

Every ratio compares two commands that take turns, so that a busy machine slows both, and uses the least disturbed runs
of each. A row over its limit is measured again, at most twice. Each group's module defines its rows and limits.
`--write` writes the tables to a document; `--check` measures nothing, and compares the rows and limits in a document
with those that would be measured.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import editor
import folder
import growth
import lint
import memory
import page
import prompts
import python_package
from measure import installed
from rows import Bench, measured, table

GROUPS = {
    "prompts": ("One prompt, and all prompts of a project", prompts.rows),
    "lint": ("`lint` of a large project", lint.rows),
    "editor": ("An editor in a large project", editor.rows),
    "packages": ("Agents' folders, and the released packages", lambda bench: [*folder.rows(bench), *python_package.rows(bench)]),
    "memory": ("Memory at the limits", memory.rows),
    "growth": ("Growth", growth.rows),
}
COLUMNS = {"growth": growth.COLUMNS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bin", default="target/x86_64-unknown-linux-musl/dist/rye-render")
    parser.add_argument("--runs", type=int, default=150)
    parser.add_argument("--only", choices=GROUPS, help="measure one group")
    parser.add_argument("--row", default="", help="measure the rows whose name contains this")
    parser.add_argument("--package", type=Path, default="target/ci/pi", help="folder with the npm package listed in .ci/pi")
    parser.add_argument("--venv", type=Path, default="target/ci/ryeos", help="environment with the packages listed in .ci/ryeos.txt")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to this document")
    parser.add_argument("--check", type=Path, metavar="FILE", help="compare this document's rows, and measure nothing")
    arguments = parser.parse_args()
    if arguments.write and (arguments.only or arguments.row):
        parser.error("--write requires all rows")
    with tempfile.TemporaryDirectory() as temp:
        bench = Bench(arguments.bin, temp, arguments.runs, arguments.package.absolute(), arguments.venv.absolute())
        groups = {name: list(rows(bench)) for name, (_, rows) in GROUPS.items() if arguments.only in (None, name)}
        if arguments.check:
            page.check(arguments.check, [row for rows in groups.values() for row in rows])
            return
        bench.binary = installed(arguments.bin, temp)
        figures = {name: [(row, measured(row)) for row in rows if arguments.row in row.what] for name, rows in groups.items()}
    if arguments.write:
        tables = [(GROUPS[name][0], table(COLUMNS.get(name, ()), of_group)) for name, of_group in figures.items()]
        page.write(arguments.write, tables)
    missed = [row.what for of_group in figures.values() for row, figure in of_group if figure.value > row.limit]
    if missed:
        sys.exit("1 row is over its limit" if len(missed) == 1 else f"{len(missed)} rows are over their limits")


if __name__ == "__main__":
    main()

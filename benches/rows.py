"""The rows of the tables: what is measured, its limit, and the result."""
import os
from pathlib import Path
from typing import Callable, NamedTuple

from measure import over_sum, run


class Row(NamedTuple):
    """A figure: its name, its limit with the unit, and what measures it. A row can be listed without being measured."""

    what: str
    limit: float
    unit: str
    measure: Callable

    @property
    def most(self):
        return shown(self.limit, self.unit)


class Figure(NamedTuple):
    """The result of a row; `more` fills additional columns of its table."""

    value: float
    more: tuple = ()


class Bench:
    """What all rows share: the program, a folder to write into, the environment of commands, and the number of runs."""

    def __init__(self, binary, temp, runs, package, venv):
        self.binary, self.temp, self.runs, self.package, self.venv = binary, Path(temp), runs, package, venv
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.temp / "home"), "LC_ALL": "C.UTF-8"}

    def compare(self, what, limit, left, right, runs=None, times=1):
        """The time of one command over `times` times that of another. Both are created when they are measured."""
        def measure():
            return over_sum(left(), [(right(), None)], self.environment, runs or self.runs) / times
        return Row(what, limit, "", measure)

    def row(self, what, limit, unit, measure):
        """A row that measures itself."""
        return Row(what, limit, unit, measure)

    def memory(self, what, limit, command):
        """The peak memory of a command, in MB."""
        return Row(what, limit, " MB", lambda: run(command(), self.environment).peak / 1e6)

    def seconds(self, what, limit, command):
        """The wall-clock time of a command."""
        return Row(what, limit, " s", lambda: run(command(), self.environment).seconds)


def measured(row):
    """The figure of a row. A row over its limit is measured again, at most twice."""
    def once():
        value = row.measure()
        return value if isinstance(value, Figure) else Figure(value)

    figure = once()
    for _ in range(2):
        if figure.value > row.limit:
            figure = min(figure, once())
    mark = "ok  " if figure.value <= row.limit else "MISS"
    print(f"{mark} {shown(figure.value, row.unit):>8} of at most {row.most}  {row.what}", flush=True)
    return figure


def table(columns, measured):
    """A table in Markdown; a figure above its limit is marked."""
    lines = [["what is measured", *columns, "measured", "at most", ""]]
    lines.append(["---"] * len(lines[0]))
    for row, figure in measured:
        kept = "ok" if figure.value <= row.limit else "**missed**"
        lines.append([row.what, *figure.more, shown(figure.value, row.unit), row.most, kept])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def shown(value, unit):
    """A figure with three significant digits."""
    return f"{value:.3g}{unit}" if value < 100 else f"{value:.0f}{unit}"

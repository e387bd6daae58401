"""Whole processes and what they take: wall time as ratios of one run, and memory."""
import os
import shutil
import subprocess
import sys
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


def installed(program, folder):
    """A copy, as people run it: what a linker has just written lies in memory in small pieces, and starts slower."""
    return shutil.copy(program, Path(folder) / f"installed-{Path(program).name}")


class Report:
    """What was measured, a line each, and what missed its limit."""

    def __init__(self, environment, runs):
        self.environment = environment
        self.runs = runs
        self.missed = []

    def one(self, what, measure, limit, unit=""):
        """A figure; what misses its limit is measured again, twice at most."""
        value = measure()
        for _ in range(2):
            if value > limit:
                value = min(value, measure())
        kept = value <= limit
        self.missed.extend([] if kept else [what])
        print(f"{'ok  ' if kept else 'MISS'} {value:8.2f}{unit} of at most {limit:g}{unit}  {what}", flush=True)

    def compare(self, what, left, right, limit, runs=None, times=1):
        """The time of `left` over that of so many times `right`."""
        self.one(what, lambda: ratio(left, right, self.environment, runs or self.runs) / times, limit)

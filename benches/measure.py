"""Runs processes and measures wall-clock time, processor time and memory."""
import os
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import NamedTuple

DEVNULL = os.open(os.devnull, os.O_RDWR)
FILES = [(os.POSIX_SPAWN_DUP2, DEVNULL, fd) for fd in (0, 1, 2)]


class Usage(NamedTuple):
    """The cost of one run: wall-clock seconds, processor seconds (including child processes), and peak resident memory in
    bytes."""

    seconds: float
    work: float
    peak: int


def run(command, environment, stdin=None):
    """Runs a command once."""
    files = FILES if stdin is None else [(os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0), *FILES[1:]]
    begun = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=files)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begun
    if status != 0:
        words = subprocess.run(command, env=environment, capture_output=True, text=True)
        sys.exit(f"{command} failed: {words.stderr}")
    return Usage(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def over_sum(left, others, environment, runs):
    """The time of `left` over the sum of the times of other commands, each with its input. Each time is the 10th percentile
    of the runs."""
    commands = [(left, None), *others]
    for command in commands * 3:
        run(command[0], environment, command[1])
    times = [[] for _ in commands]
    for _ in range(runs):
        for (command, stdin), into in zip(commands, times):
            into.append(run(command, environment, stdin).seconds)
    left, *others = (sorted(each)[runs // 10] for each in times)
    return left / sum(others)


def installed(program, folder):
    """Copies the program, as an installation does: a file fresh from the linker is fragmented and starts slowly."""
    return shutil.copy(program, Path(folder) / f"installed-{Path(program).name}")


def program(name, package):
    """The path of a program from this Debian package."""
    return shutil.which(name) or sys.exit(f"{name} is not installed: apt-get install {package}")


def apart(function, *arguments):
    """Calls a function in its own process: a child starts with the peak memory of its parent, so memory that this process
    used for text would count as the program's."""
    child = os.fork()
    if child == 0:
        try:
            function(*arguments)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"{function.__name__} failed")

"""Counts what a script checks."""
import sys

passed = failed = 0


def check(what, holds, shown=""):
    """`shown` is printed if it does not hold."""
    global passed, failed
    passed, failed = (passed + 1, failed) if holds else (passed, failed + 1)
    print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
    if not holds:
        print(shown, flush=True)


def end():
    """`.ci/run` knows how many checks there are."""
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)

#!/usr/bin/env python3
"""Asks rye-render about every repository in a folder, on a Dask cluster.

usage: docs/examples/fleet.py REPOSITORIES LINES

The answers are in LINES/COMMAND/REPOSITORY.jsonl, so the name of a file says which repository its lines are about.
"""
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster

# Without `--system none`, the directives of system bundles would be rendered for every repository, too.
COMMANDS = {
    "list": ["list"],
    "lint": ["lint"],
    "agents": ["agents"],
    "render": ["render", "--all", "--system", "none"],
}


def ask(repository, lines):
    for name, words in COMMANDS.items():
        command = ["rye-render", *words, "--format", "jsonl", "-o", lines / name / f"{repository.name}.jsonl"]
        # Why a command failed is one line of JSON on standard error.
        error = subprocess.run(command, cwd=repository, stderr=subprocess.PIPE).stderr
        (lines / "errors" / f"{repository.name}.{name}.jsonl").write_bytes(error)


def main():
    folder, lines = (Path(word).resolve() for word in sys.argv[1:])
    repositories = sorted(it for it in folder.iterdir() if it.is_dir())
    for name in [*COMMANDS, "errors"]:
        # Fails if the folder is there: lines of an earlier run would count again.
        (lines / name).mkdir(parents=True)
    with LocalCluster() as cluster, Client(cluster) as client:
        client.gather(client.map(ask, repositories, lines=lines))


if __name__ == "__main__":
    main()

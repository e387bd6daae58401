#!/usr/bin/env python3
"""Writes the licences of everything that is compiled into the program, for the archives of a release.

usage: .ci/release/third_party.py [FILE]     # THIRD-PARTY-LICENSES by default

The texts come from the packages; packages with the same text share it.
"""
import collections
import json
import subprocess
import sys
from pathlib import Path

NAMES = ("licen", "copying", "notice", "unlicense", "copyright")


def compiled(metadata):
    """The ids of the packages that are compiled into the program, on any system."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, waiting = set(), [metadata["resolve"]["root"]]
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_normal and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    return found


def texts(package):
    """Those in folders, too: some packages hold sources of others."""
    folder = Path(package["manifest_path"]).parent
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = (path for path in files if any(part.lower().startswith(NAMES) for part in path.relative_to(folder).parts))
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in named]


def main():
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    wanted, owners, shown, lines = compiled(metadata), collections.defaultdict(dict), {}, []
    for package in sorted(metadata["packages"], key=lambda it: (it["name"], it["version"])):
        if package["id"] not in wanted:
            continue
        name = f"{package['name']} {package['version']}"
        lines.append(f"{name}: {package['license'] or 'see below'}")
        for text in texts(package):
            # The same text may have other line breaks.
            words = " ".join(text.split())
            shown.setdefault(words, text)
            owners[words][name] = None
    parts = ["rye-render contains these packages:\n\n" + "\n".join(lines)]
    parts += [", ".join(names) + "\n\n" + shown[words] for words, names in owners.items()]
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "THIRD-PARTY-LICENSES")
    target.write_text(("\n\n" + "-" * 80 + "\n\n").join(parts) + "\n", encoding="utf-8")
    print(f"{target}: {len(lines)} packages, {len(owners)} texts")


if __name__ == "__main__":
    main()

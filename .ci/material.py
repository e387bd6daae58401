#!/usr/bin/env python3
"""Counts the findings of the rules about agents in public packages: the table in docs/lint.md.

    .ci/material.py --bin target/release/rye-render [--findings FINDINGS.json]

Downloads the packages that `.ci/material.txt` lists, once, with npm, pip and cargo. (pip runs the build backend of a
source distribution to learn its name.) Each tree of instructions in a package becomes a git repository:

- a folder with `AGENTS.md`, `CLAUDE.md` or a settings folder of an agent, unless such a folder is above it;
- copies of `skills`, `agents`, `commands` and `rules` folders that are elsewhere, as an installer would place them:
  skills in `.agents`, everything in `.claude`.

Equal findings in equal files of a package count once. `.ci/run` does not run this, since registries are not always
there.
"""

import argparse
import collections
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE.parent / "target/material"
TEXTS = {"AGENTS.md", "CLAUDE.md", "AGENTS.override.md"}
MARKS = TEXTS | {".claude", ".agents", ".codex", ".opencode", ".pi", "opencode.json", "opencode.jsonc"}
OWN = {".claude", ".agents", ".codex", ".opencode", ".pi", ".cursor", ".git", "node_modules"}
PARTS = ("skills", "agents", "commands", "rules")
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]


def fetch(kind, name, version):
    """The unpacked archive of a package."""
    place = WORK / "packages" / f"{kind}~{name.replace('/', '+')}~{version}"
    if place.exists():
        return place
    part = place.with_name(place.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    loaded = part / "loaded"
    loaded.mkdir(parents=True)
    if kind == "npm":
        command = ["npm", "pack", "--silent", "--ignore-scripts", f"{name}@{version}"]
    elif kind == "crate":
        command = ["cargo", "info", "--quiet", f"{name}@{version}"]
    else:
        form = f"--no-binary={name}" if kind == "sdist" else "--only-binary=:all:"
        command = ["python3", "-m", "pip", "download", "--quiet", "--no-deps", form, f"{name}=={version}"]
    variables = {**os.environ, "CARGO_HOME": str(part / "loaded")}
    subprocess.run(command, cwd=loaded, env=variables, check=True, stdout=subprocess.DEVNULL)
    archives = [it for it in loaded.rglob("*") if it.suffix in (".tgz", ".gz", ".whl", ".crate")]
    archive = max(archives, key=os.path.getsize)
    if archive.suffix == ".whl":
        zipfile.ZipFile(archive).extractall(part / "tree")
    else:
        tarfile.open(archive).extractall(part / "tree", filter="data")
    tree = part / "tree"
    inner = list(tree.iterdir())
    (inner[0] if len(inner) == 1 else tree).rename(place)
    shutil.rmtree(part)
    return place


def copy(source, target):
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules"))


def trees(package, place):
    """Makes the repositories of a package; those in `.agents` and `.claude` copies end so."""
    made, tops, wholes = [], [], set()

    def new(end=""):
        made.append(place / f"{package.name}^{len(made)}{end}")
        return made[-1]

    for folder, folders, files in os.walk(package):
        folder = Path(folder)
        folders[:] = sorted(it for it in folders if it not in (".git", "node_modules"))
        if OWN & set(folder.relative_to(package).parts):
            continue
        marks = MARKS & {*folders, *files}
        is_below = any(folder.is_relative_to(top) for top in tops)
        if marks and "SKILL.md" not in files and not (is_below and marks <= TEXTS):
            tops.append(folder)
            copy(folder, new())
        parts = [part for part in PARTS if part in folders and any((folder / part).rglob("*.md"))]
        if len(parts) > 1:
            wholes.add(folder)
            target = new(".claude")
            for part in parts:
                copy(folder / part, target / ".claude" / part)
        skills = [it for it in folders if (folder / it / "SKILL.md").exists()]
        if skills and folder.name == "skills":
            for end in (".agents",) if folder.parent in wholes else (".agents", ".claude"):
                target = new(end)
                for skill in skills:
                    copy(folder / skill, target / end / "skills" / skill)
    for tree in made:
        for command in (["init", "--quiet"], ["add", "--all", "--force"], ["commit", "--quiet", "--message", "x"]):
            subprocess.run([*GIT, *command], cwd=tree, check=True, stderr=subprocess.DEVNULL)
    return made


def lint(binary, tree, home):
    others = "codex,opencode,pi"
    agents = {".claude": "claude-code", ".agents": others}.get(tree.suffix, f"claude-code,{others}")
    command = [binary, "lint", "--agent", agents, "--format", "json", "--fail-on", "off"]
    start = time.monotonic()
    ran = subprocess.run(command, cwd=tree, env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, capture_output=True)
    if ran.returncode:
        raise SystemExit(f"{tree}: status {ran.returncode}\n{ran.stderr.decode()}")
    return time.monotonic() - start, [(tree, finding) for finding in json.loads(ran.stdout)["findings"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=Path)
    parser.add_argument("--findings", type=Path, help="write the findings, to judge them")
    asked = parser.parse_args()
    lines = [line.split() for line in (HERE / "material.txt").read_text().splitlines()]
    packages = [fetch(*line) for line in lines]
    place, home = WORK / "trees", WORK / "home"
    shutil.rmtree(place, ignore_errors=True)
    home.mkdir(exist_ok=True)
    made = [tree for package in packages for tree in trees(package, place)]
    with ThreadPoolExecutor() as pool:
        ran = list(pool.map(lambda tree: lint(asked.bin.resolve(), tree, home), made))
    distinct = {}
    for tree, finding in (row for _, rows in ran for row in rows):
        source = finding["source"] or {}
        file = tree / (source.get("path") or ".")
        text = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else str(tree)
        said = finding["message"].split(" (for ")[0]
        key = (finding["code"], tree.name.split("^")[0], file.name, text, source.get("start"), said)
        distinct.setdefault(key, {"tree": tree.name, **finding})
    if asked.findings:
        asked.findings.write_text(json.dumps(list(distinct.values()), indent=1))
    rules = collections.Counter(key[0] for key in distinct)
    slowest = max(seconds for seconds, _ in ran)
    print(f"{len(packages)} packages, {len(made)} trees, {len(distinct)} findings, slowest run {slowest:.1f} s")
    print("\n".join(f"{rule} {count}" for rule, count in sorted(rules.items())))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the program for Windows under Wine, and compares it with the one of this system.

usage: .ci/check_windows.py --bin PROGRAM.exe --other PROGRAM

The project lies on a drive with back slashes; its items have the line ends of Windows.
"""
import argparse
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from checks import check, end

HERE = Path(__file__).resolve().parent.parent
PI = "@earendil-works/pi-coding-agent"
SHIM = f'#!/bin/sh\nexec node  "$basedir/node_modules/{PI}/dist/cli.js" "$@"\n'
# Debian's Wine lacks this system library, from which the standard library takes random numbers.
RANDOM = """#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=lambda path: Path(path).resolve(), required=True)
    parser.add_argument("--other", type=lambda path: Path(path).resolve(), required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        temp = Path(folder).resolve()
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(temp / "home"), "WINEPREFIX": str(temp / "wine"), "WINEDEBUG": "-all",
            "USER_SPACE": "none", "XDG_RUNTIME_DIR": str(temp),
        }
        (temp / "home").mkdir()
        subprocess.run(["wineboot", "--init"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        (temp / "random.c").write_text(RANDOM)
        (temp / "bin").mkdir()
        subprocess.run(["x86_64-w64-mingw32-gcc", "-shared", "-o", temp / "bin/bcryptprimitives.dll", temp / "random.c", "-ladvapi32"], check=True)
        program = shutil.copy(given.bin, temp / "bin")
        drive = temp / "wine/drive_c"
        project = drive / "code/shop"
        shutil.copytree(HERE / "testdata/documents/shop", project)
        for path in (project / ".ai").rglob("*.md"):
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

        def run(*words, cwd=project, **more):
            def one(*command):
                done = subprocess.run(command, cwd=cwd, env={**environment, **more}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")
            return one("wine", str(program), *words), one(str(given.other), *words)

        def same(what, *words, status=0, **more):
            (code, out, errors), (other_code, other, _) = run(*words, **more)
            holds = code == other_code == status and out == other and out
            check(what, holds, f"{code} {other_code} {errors}\n{out[:600]}\n{other[:600]}")

        same("the demo", "render", "rye/demo/hello", "--format", "plain")
        same("a prompt of a project", "render", "deploy", "-i", "target=staging", "--format", "plain")
        same("with the origin of every part", "render", "deploy", "-i", "target=staging")
        same("the items", "list")
        same("findings", "lint", "--format", "concise", status=1)
        same("a prompt by the path of its file", "render", ".ai/directives/deploy.md", "-i", "target=staging", "--format", "plain")
        (code, out, errors), _ = run("render", r".ai\directives\deploy.md", "-i", "target=staging", "--format", "plain")
        check("and with back slashes", code == 0 and out, errors)
        (code, _, errors), _ = run("render", "deploy", "-i", "target=staging", "--format", "plain", "-o", r"C:\prompt.txt")
        check("a file on a drive is written", code == 0 and (drive / "prompt.txt").exists(), errors)
        (code, _, errors), _ = run("render", "absent")
        check("an unknown directive has the status of a failure", code == 2 and "absent" in errors, errors)

        blog = drive / "code/blog"
        (blog / "site").mkdir(parents=True)
        (blog / ".git").mkdir()
        (blog / "AGENTS.md").write_bytes(b"Use tabs.\r\n")
        (blog / "site/AGENTS.md").write_bytes(b"Measure each page.\r\n")
        npm = drive / "npm"
        (npm / "node_modules" / PI / "dist").mkdir(parents=True)
        (npm / "pi").write_text(SHIM)
        (npm / "node_modules" / PI / "package.json").write_text(json.dumps({"name": PI, "version": "1.0.0"}))
        (npm / "node_modules" / PI / "dist/cli.js").write_text("")
        (code, out, errors), _ = run("agents", "--format", "json", cwd=blog / "site", WINEPATH=r"C:\npm")
        found = json.loads(out) if code == 0 else {}
        text = json.dumps(found)
        check("agents read the files of both folders", "/C:/code/blog/AGENTS.md" in text and "/C:/code/blog/site/AGENTS.md" in text, errors + text)
        check("and the release of npm is found", "/C:/npm/node_modules" in text and '"1.0.0"' in text, text)
        (code, out, errors), _ = run("lint", "--agent", "codex", "--show-files", cwd=blog / "site")
        check("their files are checked", code == 0 and out.splitlines() == [br"C:\code\blog\AGENTS.md", b"AGENTS.md"], errors + out.decode())
        (code, out, errors), _ = run("render", "--agent", "codex", "--format", "plain", "--role", "user", cwd=blog / "site")
        check("the prompt of an agent has both", code == 0 and b"Use tabs." in out and b"Measure each page." in out, errors + out.decode())
    end()


if __name__ == "__main__":
    main()

"""A project with two mistakes in one directive, and what the command line says about it: what an editor must show."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

SHOP = Path(__file__).resolve().parent.parent / "testdata/documents/shop"
DIRECTIVE = ".ai/directives/deploy.md"


class Check:
    def __init__(self):
        self.passed = self.failed = 0

    def that(self, what, holds, *shown):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"FAIL {what}:", *(str(it)[:700] for it in shown))

    def equal(self, what, found, expected):
        self.that(what, found == expected, found, "expected", expected)

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def hover_of(page, text):
    """The hover that Monaco shows over the line with `text`. A pointer that arrives while the editor is busy shows nothing."""
    hover = page.locator(".monaco-hover:visible", has_text="prompts that the file can change")
    for seconds in range(1, 10):
        page.mouse.move(0, 0)
        page.locator(".view-line span", has_text=re.compile(text.replace(" ", "."))).last.hover()
        page.wait_for_timeout(1_000 * seconds)
        if hover.is_visible():
            break
    return hover.inner_text().replace("\xa0", " ")


class Project:
    def __init__(self, program, folder):
        self.program, self.folder = program.resolve(), Path(folder).resolve() / "shop"
        shutil.copytree(SHOP, self.folder)
        self.environment = {**os.environ, "NO_COLOR": "1", "HOME": str(folder), "COLUMNS": "100"}
        self.path = self.folder / DIRECTIVE
        entry, end = "<before>deploy/rules</before>", "at the first alarm."
        text = self.path.read_text("utf-8")
        assert entry in text and end in text
        # The second entry has a fix, and the emoji is one, two or four units wide.
        self.text = text.replace(entry, entry + entry).replace(end, "at the first alarm 😀 {input:missing}.")
        self.path.write_text(self.text, "utf-8")

    def run(self, *words, text=None):
        command = [self.program, *words]
        run = subprocess.run(command, cwd=self.folder, env=self.environment, input=text, capture_output=True, encoding="utf-8")
        assert run.returncode in (0, 1), run.stderr
        return run.stdout

    def findings(self, text, encoding):
        """The code, message and range of each finding in the directive, counted in units of an encoding."""
        report = json.loads(self.run("lint", "--format=json", "--stdin-filename", DIRECTIVE, text=text))
        lines = text.split("\n")
        size = {"utf-8": 1, "utf-16": 2}[encoding]

        def place(line, column):
            before = lines[line - 1][: column - 1]
            return line - 1, len(before.encode("utf-8" if size == 1 else "utf-16-le")) // size

        found = []
        for it in report["findings"]:
            at = it["source"]
            if at["path"] == DIRECTIVE:
                message = "\n".join(part for part in (it["message"], it["help"]) if part)
                found.append((it["code"], message, *place(at["line"], at["column"]), *place(at["end_line"], at["end_column"])))
        assert found
        return sorted(found)

    def fixed(self, text):
        return self.run("lint", "--fix", "--stdin-filename", DIRECTIVE, text=text)

    def explained(self, line):
        """What a hover says about a line of the directive, after its own first line."""
        environment, self.environment = self.environment, {**self.environment, "COLUMNS": "76"}
        shown = self.run("explain", "deploy", "--placeholders", "--from", f"{DIRECTIVE}:{line}")
        self.environment = environment
        return shown.strip()

    def prompt(self):
        return self.run("render", "deploy", "--placeholders")

    def line(self, mark):
        """The number of the first line with a text, and the column of that text, from 0."""
        return next((number, line.index(mark)) for number, line in enumerate(self.text.split("\n")) if mark in line)

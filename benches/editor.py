"""A session of an editor in a large project: what its user waits for, and the memory of the server."""
import json
import subprocess
import time
from functools import cache

import lint
from measure import run

LEAF = ".ai/directives/g99/d9999.md"
SHARED = ".ai/knowledge/app/shared.md"


class Editor:
    """An editor that reports changes on disk, and waits for the diagnostics of its document."""

    def __init__(self, bench, root):
        self.root = root
        self.server = subprocess.Popen([bench.binary, "lsp"], env=bench.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
        self.send({"id": 1, "method": "initialize", "params": {"rootUri": root.as_uri(), "capabilities": capabilities}})
        self.until(lambda message: message.get("id") == 1)
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.server.stdin.flush()

    def until(self, is_meant):
        while True:
            length = int(self.server.stdout.readline().split(b":")[1])
            self.server.stdout.readline()
            message = json.loads(self.server.stdout.read(length))
            if is_meant(message):
                return message

    def shown(self, method, path, **params):
        """The seconds until the diagnostics of a document are there."""
        uri = (self.root / path).as_uri()
        begun = time.perf_counter()
        self.send({"method": f"textDocument/{method}", "params": {"textDocument": {"uri": uri, **params.pop("document")}, **params}})
        self.until(lambda message: message.get("params", {}).get("uri") == uri)
        return time.perf_counter() - begun

    def open(self, path):
        text = (self.root / path).read_text()
        return self.shown("didOpen", path, document={"languageId": "markdown", "version": 1, "text": text})

    def edits(self, path, count):
        """The seconds of each of these edits, which add a line and remove it again."""
        text = (self.root / path).read_text()
        texts = (text + "One more line.\n" * (n % 2) for n in range(count))
        return [self.shown("didChange", path, document={"version": n + 2}, contentChanges=[{"text": it}]) for n, it in enumerate(texts)]

    def memory(self):
        """The resident memory of the server in MB."""
        with open(f"/proc/{self.server.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1e3

    def end(self):
        self.server.kill()
        self.server.wait()


def rows(bench):
    """The rows, in the order of the table."""
    @cache
    def tree():
        root = bench.temp / "editor"
        lint.project(root)
        lint.write(root / SHARED, lint.knowledge("shared"))
        for n in range(9_000, 10_000):
            path = root / f".ai/directives/g{n // 100}/d{n}.md"
            path.write_text(path.read_text().replace("<context>", "<context><before>app/shared</before>"))
        return root

    def first():
        opened, processes = [], []
        for _ in range(10):
            editor = Editor(bench, tree())
            opened.append(editor.open(LEAF))
            editor.end()
            command = [bench.binary, "lint", "--project", str(tree()), "--fail-on", "off", str(tree() / LEAF)]
            processes.append(run(command, bench.environment).seconds)
        return min(opened) / min(processes)

    def edits(path, count):
        editor = Editor(bench, tree())
        editor.open(path)
        seconds = sorted(editor.edits(path, count))
        editor.end()
        return seconds[int(count * 0.95) - 1] * 1e3

    def memory():
        editor = Editor(bench, tree())
        editor.open(LEAF)
        editor.edits(LEAF, 500)
        half = editor.memory()
        editor.edits(LEAF, 500)
        whole = editor.memory()
        editor.end()
        return half, whole

    both = cache(memory)
    what = f"of {lint.DIRECTIVES:,} directives and {lint.ITEMS:,} items"
    yield bench.row(f"first diagnostics of a file {what}, over `lint` of it", 2, "", first)
    yield bench.row("an edit of a directive there, the 95th percentile of 200", 50, " ms", lambda: edits(LEAF, 200))
    yield bench.row("an edit of an item in 1,000 of the prompts, the 95th percentile of 40", 300, " ms", lambda: edits(SHARED, 40))
    yield bench.row("memory of the server after 1,000 edits", 200, " MB", lambda: both()[1])
    yield bench.row("growth of its memory in the last 500", 5, " MB", lambda: both()[1] - both()[0])

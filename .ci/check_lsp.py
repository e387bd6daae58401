#!/usr/bin/env python3
"""Asks `rye-render lsp` with the client of `pytest-lsp`, as three editors: with what each of them says that it can do.

    python3 -m venv ENV && ENV/bin/pip install --requirement .ci/lsp_python.txt
    ENV/bin/python .ci/check_lsp.py --bin target/debug/rye-render

The answers are those of the command line for the same text, and `pytest-lsp` warns of an answer that the editor would not
understand. Prints a last line `N passed, M failed`; exits with status 1 on a failure.
"""

import argparse
import asyncio
import sys
import tempfile
import warnings
from pathlib import Path

from editor_project import Check, DIRECTIVE, Project
from lsprotocol import types as lsp
from pytest_lsp import client_capabilities, make_test_lsp_client

# Each editor, the encoding of positions that it and the server agree on, and whether it asks for diagnostics. Neovim, which
# does, watches no files for servers.
EDITORS = [("neovim@0.11", "utf-8", True), ("visual_studio_code", "utf-16", False), ("emacs", "utf-8", False)]


class Editor:
    """One document in one editor."""

    def __init__(self, client, project, encoding, pulls):
        self.client, self.project, self.encoding, self.pulls = client, project, encoding, pulls
        self.uri, self.text, self.version = project.path.as_uri(), project.text, 1
        self.document = lsp.TextDocumentIdentifier(self.uri)
        self.published = asyncio.Queue()
        self.listen()

    def units(self, text):
        return len(text.encode()) if self.encoding == "utf-8" else len(text.encode("utf-16-le")) // 2

    def position(self, offset):
        before = self.text[:offset]
        return lsp.Position(before.count("\n"), self.units(before[before.rfind("\n") + 1 :]))

    def offset(self, position):
        """The only place with this position."""
        start = sum(len(line) + 1 for line in self.text.split("\n")[: position.line])
        end = (self.text + "\n").index("\n", start)
        return next(at for at in range(start, end + 1) if self.units(self.text[start:at]) == position.character)

    def edited(self, edits):
        text = self.text
        for edit in sorted(edits, key=lambda edit: self.offset(edit.range.start), reverse=True):
            text = text[: self.offset(edit.range.start)] + edit.new_text + text[self.offset(edit.range.end) :]
        return text

    def at(self, mark, after=0):
        return {"text_document": self.document, "position": self.position(self.text.index(mark) + after)}

    def listen(self, shown=None):
        """Keeps each notification, since several may arrive at once."""
        if shown:
            self.published.put_nowait(shown)
        self.client.protocol.wait_for_notification("textDocument/publishDiagnostics", self.listen)

    async def diagnostics(self):
        if self.pulls:
            report = await self.client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(self.document))
            return report.items
        while True:
            shown = await self.published.get()
            if (shown.uri, shown.version) == (self.uri, self.version):
                return shown.diagnostics

    async def opened(self):
        document = lsp.TextDocumentItem(self.uri, "markdown", self.version, self.text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        return await self.diagnostics()

    async def changed(self, offset, length, new):
        span = lsp.Range(self.position(offset), self.position(offset + length))
        change = lsp.TextDocumentContentChangePartial(span, new)
        self.text, self.version = self.text[:offset] + new + self.text[offset + length :], self.version + 1
        document = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
        return await self.diagnostics()

    async def actions(self, span, kind):
        context = lsp.CodeActionContext([], only=[kind])
        return await self.client.text_document_code_action_async(lsp.CodeActionParams(self.document, span, context))


def shown(diagnostics):
    places = [(it.range.start.line, it.range.start.character, it.range.end.line, it.range.end.character) for it in diagnostics]
    return sorted((it.code, it.message, *place) for it, place in zip(diagnostics, places))


async def ask(name, encoding, pulls, project, check):
    client = make_test_lsp_client()
    watched = []

    @client.feature("client/registerCapability")
    def _(params):
        watched.extend(registration.method for registration in params.registrations)

    await client.start_io(str(project.program), "lsp", cwd=project.folder.parent, env=project.environment)
    folder = lsp.WorkspaceFolder(project.folder.as_uri(), "shop")
    hello = lsp.InitializeParams(client_capabilities(name), workspace_folders=[folder])
    able = (await client.initialize_session(hello)).capabilities
    check.equal(f"{name}: the encoding", able.position_encoding, encoding)
    check.equal(f"{name}: whether it is asked for diagnostics", able.diagnostic_provider is not None, pulls)
    editor = Editor(client, project, encoding, pulls)

    found = await editor.opened()
    check.equal(f"{name}: diagnostics", shown(found), project.findings(editor.text, encoding))
    check.equal(f"{name}: watched files", watched, [] if pulls else ["workspace/didChangeWatchedFiles"])
    # Behind the emoji, where encodings differ.
    missing = editor.text.index("missing")
    found = await editor.changed(missing, len("missing"), "lost")
    check.equal(f"{name}: diagnostics after an edit", shown(found), project.findings(editor.text, encoding))
    check.that(f"{name}: the edit counts", any("lost" in it.message for it in found), found)

    twice = next(it for it in found if it.code == "RR108")
    actions = await editor.actions(twice.range, lsp.CodeActionKind.QuickFix)
    check.equal(f"{name}: quick fixes", [action.title for action in actions], ["Remove the entry", "Allow RR108 here"])
    expected = project.fixed(editor.text)
    check.equal(f"{name}: the fix", editor.edited(actions[0].edit.changes[editor.uri]), expected)
    codes = [code for code, *_ in project.findings(editor.text, encoding)]
    allowed = [code for code, *_ in project.findings(editor.edited(actions[1].edit.changes[editor.uri]), encoding)]
    check.equal(f"{name}: the comment that allows it", sorted([*allowed, "RR108"]), codes)
    whole = lsp.Range(lsp.Position(0, 0), editor.position(len(editor.text)))
    actions = await editor.actions(whole, lsp.CodeActionKind.SourceFixAll)
    check.equal(f"{name}: all fixes", [editor.edited(action.edit.changes[editor.uri]) for action in actions], [expected])

    project.path.write_text(editor.text, "utf-8")
    hover = await client.text_document_hover_async(lsp.HoverParams(**editor.at("Watch the error")))
    explained = project.explained(project.line("Watch the error")[0] + 1)
    check.that(f"{name}: hover", "stands in 1 of 2 prompts" in hover.contents.value and explained in hover.contents.value, hover)
    target = await client.text_document_definition_async(lsp.DefinitionParams(**editor.at("deploy/rules", 3)))
    check.equal(f"{name}: definition", target.uri, (project.folder / ".ai/knowledge/deploy/rules.md").as_uri())
    offered = await client.text_document_completion_async(lsp.CompletionParams(**editor.at("deploy/rules", len("deploy/"))))
    check.equal(f"{name}: completion", sorted(it.label for it in offered), ["deploy/freeze", "deploy/rules"])

    (lens,) = await client.text_document_code_lens_async(lsp.CodeLensParams(editor.document))
    check.that(f"{name}: code lens", lens.command.title.startswith("deploy: "), lens)
    run = lsp.ExecuteCommandParams(lens.command.command, arguments=lens.command.arguments)
    check.equal(f"{name}: the prompt", await client.workspace_execute_command_async(run), project.prompt())
    await client.shutdown_session()
    check.equal(f"{name}: the end", client._server.returncode, 0)
    await client.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to test")
    arguments = parser.parse_args()
    check = Check()
    for name, encoding, pulls in EDITORS:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            asyncio.run(asyncio.wait_for(ask(name, encoding, pulls, Project(arguments.bin, folder), check), 60))
            check.equal(f"{name}: warnings", [str(warning.message) for warning in warned], [])
    return check.end()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compiles the extension for Zed as Zed does, asks it in a WebAssembly host for the program, and starts that program.

    VENV/bin/python .ci/check_zed.py --bin target/debug/rye-render --build FOLDER

VENV has the packages of `.ci/zed.txt`, and FOLDER is for what Cargo builds. The host gives the extension no more than Zed
does. Prints a last line `N passed, M failed`; exits with status 1 on a failure.
"""

import argparse
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from editor_project import Check
from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker, ResourceHost, ResourceType, Variant

TOP = Path(__file__).resolve().parent.parent
EXTENSION = TOP / "editors/zed"
TARGET = "wasm32-wasip2"
WORKTREE, PROJECT, STORE = range(3)


def built(folder):
    """The component, and the package with the interface of Zed."""
    own = ["--locked", "--manifest-path", EXTENSION / "Cargo.toml"]
    subprocess.run(["cargo", "build", "--quiet", *own, "--target", TARGET, "--target-dir", folder], check=True)
    metadata = subprocess.run(["cargo", "metadata", *own, "--format-version=1"], check=True, stdout=subprocess.PIPE).stdout
    [interface] = [it for it in json.loads(metadata)["packages"] if it["name"] == "zed_extension_api"]
    return (folder / TARGET / "debug/rye_render_zed.wasm").read_bytes(), interface


def world(interface):
    """The names of what an extension exports."""
    folder = Path(interface["manifest_path"]).parent
    [used] = re.findall(r'path: "(.+)"', (folder / "src/extension_api.rs").read_text("utf-8"))
    return sorted(re.findall(r"^\s*export ([\w-]+): func", (folder / used / "extension.wit").read_text("utf-8"), re.MULTILINE))


class Zed:
    """What Zed gives to an extension: the settings, and a folder with a search path."""

    def __init__(self, engine, component, settings, path):
        self.settings, self.path = settings, path
        wasi = WasiConfig()
        wasi.env = [("PWD", "/")]
        self.store = Store(engine)
        self.store.set_wasi(wasi)
        linker = Linker(engine)
        linker.add_wasip2()
        with linker.root() as root:
            for name, number in (("worktree", WORKTREE), ("project", PROJECT), ("key-value-store", STORE)):
                root.add_resource(name, ResourceType.host(number), lambda *_: None)
            root.add_func("[method]worktree.id", self.id)
            root.add_func("[method]worktree.which", self.which)
            root.add_func("get-settings", self.get)
        self.instance = linker.instantiate(self.store, component)
        self.call("init-extension")

    # A function must drop what it borrows.
    def id(self, store, worktree):
        worktree.drop(store)
        return 1

    def which(self, store, worktree, name):
        worktree.drop(store)
        return shutil.which(name, path=self.path)

    def get(self, _store, _location, category, key):
        nothing = dict.fromkeys(("binary", "initialization_options", "settings"))
        return Variant("ok", json.dumps({**nothing, **self.settings.get(category, {}).get(key, {})}))

    def call(self, name, *arguments):
        return self.instance.get_func(self.store, name)(self.store, *arguments)

    def command(self, server):
        """The command that starts a language server, or why there is none."""
        answer = self.call("language-server-command", server, ResourceHost.borrow(1, WORKTREE))
        return answer if isinstance(answer, str) else [answer.command, *answer.args]


def message(method, **content):
    body = json.dumps({"jsonrpc": "2.0", "method": method, **content})
    return f"Content-Length: {len(body)}\r\n\r\n{body}"


def initialized(command, folder):
    """The name that a server answers with."""
    talk = message("initialize", id=1, params={"processId": None, "rootUri": Path(folder).as_uri(), "capabilities": {}})
    talk += message("initialized", params={}) + message("shutdown", id=2) + message("exit")
    run = subprocess.run(command, cwd=folder, input=talk.encode(), stdout=subprocess.PIPE, timeout=60, check=True)
    answer, _ = json.JSONDecoder().raw_decode(run.stdout.decode().split("\r\n\r\n", 1)[1])
    return answer["id"], answer["result"]["serverInfo"]["name"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="the rye-render to start")
    parser.add_argument("--build", type=Path, required=True, help="folder for what Cargo builds")
    arguments = parser.parse_args()
    check = Check()
    manifest = tomllib.loads((EXTENSION / "extension.toml").read_text("utf-8"))
    version = tomllib.loads((TOP / "Cargo.toml").read_text("utf-8"))["package"]["version"]
    check.equal("the version", manifest["version"], version)
    package = tomllib.loads((EXTENSION / "Cargo.toml").read_text("utf-8"))["package"]
    check.equal("the version of the package", package["version"], version)

    code, interface = built(arguments.build.resolve())
    # Zed reads the version of the interface from here before it loads a component.
    [numbers] = re.findall(rb"\x0fzed:api-version(.{6})", code, re.DOTALL)
    check.equal("the version of the interface", ".".join(map(str, struct.unpack(">3H", numbers))), interface["version"])
    engine = Engine()
    component = Component(engine, code)
    check.equal("exports", sorted(component.type.exports(engine)), world(interface))

    [server] = manifest["language_servers"]
    [documented] = re.findall(r"^### Zed\n.*?^```json\n(.*?)^```", (TOP / "docs/editors.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    settings = json.loads(documented)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "rye-render"
        program.symlink_to(arguments.bin.resolve())
        found = Zed(engine, component, {}, folder).command(server)
        check.equal("the program on the search path", found, [str(program), "lsp"])
        check.equal("it answers", initialized(found, folder), (1, "rye-render"))
        binary = settings["lsp"][server]["binary"]
        named = Zed(engine, component, settings, folder).command(server)
        check.equal("the program of the settings", named, [binary["path"], *binary["arguments"]])
    missing = Zed(engine, component, {}, "").command(server)
    check.that("how to install it", "`cargo install --locked rye-render`" in missing, missing)
    check.that("which settings name it", json.loads(re.search("{.*}", missing)[0]) == settings, missing, settings)
    return check.end()


if __name__ == "__main__":
    sys.exit(main())

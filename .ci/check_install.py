#!/usr/bin/env python3
"""Installs the program from local files in every way that a release offers, and renders the demo with each.

usage: .ci/check_install.py --archives DIR --packages DIR --tools DIR --backend DIR --bin PROGRAM

`--archives` has what `dist build` wrote, `--packages` what `.ci/release/packages.py` wrote, `--tools` is an environment with
uv, pipx and pre-commit, `--backend` has the wheel of setuptools, and the demo is what PROGRAM prints. Nothing is fetched: npm
asks a server in this process.
"""
import argparse
import base64
import hashlib
import http.server
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading
import time
import tomllib
from pathlib import Path

from checks import check, end

HERE = Path(__file__).resolve().parent.parent
TARGET = "x86_64-unknown-linux-musl"
STATIC = f"rye-render-{TARGET}"
DEMO = ["render", "rye/demo/hello", "--format", "plain"]
# In seconds, from an empty environment to the first output: three times what it may take, for a busy machine.
FIRST_OUTPUT = 9
INSTALLED_HOOK = 30
# In bytes.
LARGEST_WHEEL, LARGEST_PROGRAM = 9_000_000, 16_000_000


def run(*words, cwd=None, **environment):
    # Without a compiler: every way must do without.
    path = os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if not Path(folder, "cargo").exists())
    environment = {**os.environ, "PATH": path, **{name: str(value) for name, value in environment.items()}}
    words = [str(word) for word in words]
    if not shutil.which(words[0], path=path):
        return 127, f"{words[0]} is missing\n"
    done = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    return done.returncode, done.stdout


class Registry(http.server.ThreadingHTTPServer):
    """Answers npm with the packages in a folder."""

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Answer)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.files, self.packages = {}, {}
        for path in folder.glob("*.tgz"):
            with tarfile.open(path) as archive:
                about = json.load(archive.extractfile("package/package.json"))
            content = path.read_bytes()
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
            about["dist"] = {"tarball": f"{self.address}/{path.name}", "integrity": integrity}
            self.files[f"/{path.name}"] = content
            self.packages["/" + about["name"].replace("/", "%2f")] = {
                "name": about["name"], "dist-tags": {"latest": about["version"]}, "versions": {about["version"]: about},
            }
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        file, package = self.server.files.get(self.path), self.server.packages.get(self.path)
        content = file or json.dumps(package or {"error": "not found"}).encode()
        self.send_response(200 if file or package else 404)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser()
    for name in ("archives", "packages", "tools", "backend", "bin"):
        parser.add_argument(f"--{name}", type=lambda path: Path(path).resolve(), required=True)
    given = parser.parse_args()
    version = re.search(r'^version = "(.*)"', (HERE / "Cargo.toml").read_text(), re.M)[1]
    _, demo = run(given.bin, *DEMO)
    assert "Identity" not in demo and len(demo) > 1_000, demo
    tools = given.tools / "bin"

    def renders(what, *program, since=None, cwd=None, **environment):
        status, out = run(*program, *DEMO, cwd=cwd, **environment)
        check(f"{what} renders the demo", status == 0 and out == demo, out[:400])
        if since is not None:
            took = time.monotonic() - since
            check(f"{what}: {took:.1f} s to the first output", took <= FIRST_OUTPUT)

    with tempfile.TemporaryDirectory() as folder:
        temp = Path(folder)

        status, out = run("sha256sum", "--check", f"{STATIC}.tar.xz.sha256", cwd=given.archives)
        check(f"{STATIC}.tar.xz has its checksum", status == 0, out)
        with tarfile.open(given.archives / f"{STATIC}.tar.xz") as archive:
            archive.extractall(temp, filter="data")
        inside = {path.relative_to(temp / STATIC).as_posix() for path in (temp / STATIC).rglob("*")}
        wanted = {"LICENSE", "THIRD-PARTY-LICENSES", "completions/_rye-render", "man/rye-render-lint.1", "README.md"}
        check("and licences, completions and the manual", wanted <= inside, sorted(wanted - inside))
        metadata = tomllib.loads((HERE / "Cargo.toml").read_text())["package"]["metadata"]["binstall"]
        filled = {key: re.sub(r"{ (\w+) }", lambda name: {"target": TARGET, "version": version, "repo": ""}.get(name[1], "rye-render"), metadata[key])
                  for key in ("pkg-url", "bin-dir")}
        found = filled["pkg-url"].endswith(f"/{STATIC}.tar.xz") and (temp / filled["bin-dir"]).is_file()
        check("cargo binstall is told where the program is", found, filled)
        program = temp / STATIC / "rye-render"
        renders(STATIC, program)
        # The allocator would say its version, too, if it looked for variables.
        status, out = run(program, "--version", MIMALLOC_VERBOSE="1")
        commit = subprocess.run(["git", "log", "-1", "--abbrev=9", "--format=%h %cs"], cwd=HERE, stdout=subprocess.PIPE, text=True)
        check("and names its commit", out == f"rye-render {version} ({commit.stdout.strip()})\n", out)
        size = program.stat().st_size
        check(f"and has {size:,} bytes", size <= LARGEST_PROGRAM)
        shutil.copy(given.packages / "rye-render.sha256", program.parent)
        status, out = run(program, "self-check")
        check("and is one of the release", status == 0 and f"{STATIC}/rye-render" in out, out)

        # An empty root is an image from scratch.
        static = temp / STATIC / "rye-render"
        root = temp / "root"
        root.mkdir()
        shutil.copy(static, root)
        renders("the static program alone", "chroot", root, "/rye-render")
        image = temp / "image"
        image.mkdir()
        shutil.copy(static, image)
        shutil.copy(HERE / "Containerfile", image)
        buildah = ["buildah", "--storage-driver", "vfs", "--root", temp / "storage", "--runroot", temp / "runroot"]
        status, out = run(*buildah, "bud", "--isolation", "chroot", "--quiet", "--tag", "rye-render", image)
        check("the image is built", status == 0, out)
        _, container = run(*buildah, "from", "rye-render")
        renders("the image", *buildah, "run", "--isolation", "chroot", container.strip(), "--", "/rye-render")
        _, out = run(*buildah, "inspect", "--type", "image", "--format", "{{.OCIv1.Config.Entrypoint}}", "rye-render")
        check("and starts it", out.strip() == "[/rye-render]", out)

        # The script fetches the archive from where the variable says.
        home = temp / "home"
        status, out = run("sh", given.archives / "rye-render-installer.sh", HOME=home, CARGO_HOME=home / ".cargo",
                          RYE_RENDER_DOWNLOAD_URL=given.archives.as_uri(), INSTALLER_NO_MODIFY_PATH=1)
        check("the shell installer ends well", status == 0, out)
        renders("the shell installer's program", home / ".cargo/bin/rye-render")

        [wheel] = (given.packages / "wheels").glob("*musllinux*_x86_64.whl")
        check(f"the wheel has {wheel.stat().st_size:,} bytes", wheel.stat().st_size <= LARGEST_WHEEL)
        offline = {"PIP_NO_INDEX": 1, "PIP_FIND_LINKS": wheel.parent, "PIP_DISABLE_PIP_VERSION_CHECK": 1,
                   "UV_NO_INDEX": 1, "UV_FIND_LINKS": wheel.parent, "UV_PYTHON_DOWNLOADS": "never"}
        run("python3", "-m", "venv", temp / "venv")
        since = time.monotonic()
        status, out = run(temp / "venv/bin/python", "-m", "pip", "install", "rye-render", **offline)
        check("pip installs it", status == 0, out)
        renders("pip's program", temp / "venv/bin/rye-render", since=since)
        uv = {"UV_TOOL_DIR": temp / "uv", "UV_TOOL_BIN_DIR": temp / "uv-bin", "UV_CACHE_DIR": temp / "uv-cache", **offline}
        since = time.monotonic()
        status, out = run(tools / "uv", "tool", "install", "rye-render", **uv)
        check("uv installs it", status == 0, out)
        renders("uv's program", temp / "uv-bin/rye-render", since=since)
        status, out = run(tools / "pipx", "install", "rye-render", PIPX_HOME=temp / "pipx", PIPX_BIN_DIR=temp / "pipx-bin", **offline)
        check("pipx installs it", status == 0, out)
        renders("pipx's program", temp / "pipx-bin/rye-render")

        project = temp / "project"
        (project / ".ai/directives").mkdir(parents=True)
        (project / ".ai/directives/deploy.md").write_text("No block.\n")
        shutil.copy(HERE / "docs/examples/pre-commit-config.yaml", project / ".pre-commit-config.yaml")
        run("git", "init", "--quiet", cwd=project)
        run("git", "add", "--all", cwd=project)
        since = time.monotonic()
        status, out = run(tools / "pre-commit", "run", "--all-files", cwd=project, PRE_COMMIT_HOME=temp / "pre-commit",
                          **{**offline, "PIP_FIND_LINKS": f"{wheel.parent} {given.backend}"})
        check("hooks from a wheel find a mistake", status == 1 and "RR001" in out and out.count("Skipped") == 1, out)
        took = time.monotonic() - since
        check(f"after {took:.0f} s, with its installation", took <= INSTALLED_HOOK)

        registry = Registry(given.packages / "npm")
        project = temp / "npm"
        project.mkdir()
        npm = {"npm_config_registry": registry.address, "npm_config_cache": temp / "npm-cache", "HOME": home,
               "npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}
        since = time.monotonic()
        renders("npx", "npx", "--yes", "--loglevel", "error", "rye-render", since=since, cwd=project, **npm)
        status, out = run("npm", "install", "rye-render", cwd=project, **npm)
        check("npm installs it", status == 0, out)
        renders("npm's program", project / "node_modules/.bin/rye-render", cwd=project)
        status, out = run(project / "node_modules/.bin/rye-render", "render", "absent", cwd=project)
        check("and passes the status on", status == 2, out)
        shutil.rmtree(project / "node_modules/@rye-render")
        status, out = run(project / "node_modules/.bin/rye-render", "--version", cwd=project)
        check("and says what is missing without the package of this system", status == 2 and "linux-x64 is not installed" in out, out)

    end()


if __name__ == "__main__":
    main()

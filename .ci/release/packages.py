#!/usr/bin/env python3
"""Makes the packages of a release from its archives. Nothing is compiled.

usage: .ci/release/packages.py ARCHIVES OUT

ARCHIVES has `rye-render-TARGET.tar.xz` or `.zip` for some of the targets below. OUT gets

    wheels/*.whl         for pip, uv and pipx
    npm/*.tgz            the package `rye-render`, and one for each system
    rye-render.sha256    the checksums of the programs, for `rye-render self-check`

Needs `maturin` and `wheel` in the environment of this Python, and `npm`.
"""
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
TOOLS = Path(sys.executable).parent

# Linux's packages have the static program, which runs on every distribution.
TARGETS = {
    "x86_64-unknown-linux-musl": ("manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux", "x64"),
    "aarch64-unknown-linux-musl": ("manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux", "arm64"),
    "x86_64-apple-darwin": ("macosx_10_12_x86_64", "darwin", "x64"),
    "aarch64-apple-darwin": ("macosx_11_0_arm64", "darwin", "arm64"),
    "x86_64-pc-windows-msvc": ("win_amd64", "win32", "x64"),
}
OTHERS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]


def run(*command, cwd=TOP):
    subprocess.run([str(word) for word in command], cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def unpacked(archives, target):
    """What the archive for a target has for every package, by name; nothing without an archive."""
    names = ["rye-render.exe" if "windows" in target else "rye-render", "LICENSE", "THIRD-PARTY-LICENSES"]
    folder = f"rye-render-{target}"
    tar, zipped = archives / f"{folder}.tar.xz", archives / f"{folder}.zip"
    if tar.exists():
        with tarfile.open(tar) as archive:
            return {name: archive.extractfile(f"{folder}/{name}").read() for name in names}
    if zipped.exists():
        with zipfile.ZipFile(zipped) as archive:
            # `dist` puts the files of a ZIP archive at its top.
            at = "" if names[0] in archive.namelist() else f"{folder}/"
            return {name: archive.read(at + name) for name in names}
    return {}


def write(path, content):
    """A file that may be run, as the program is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)


def wheel(tags, files, information, out):
    """`information` is the `.dist-info` folder, which is the same for every system but for the tags."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        inside = folder / information.name
        shutil.copytree(information, inside)
        lines = [line for line in (inside / "WHEEL").read_text().splitlines() if line and not line.startswith("Tag: ")]
        lines += [f"Tag: py3-none-{tag}" for tag in tags.split(".")]
        (inside / "WHEEL").write_text("\n".join(lines) + "\n")
        name, *licences = files
        write(folder / information.name.replace(".dist-info", ".data") / "scripts" / name, files[name])
        for licence in licences:
            (inside / "licenses" / licence).write_bytes(files[licence])
        run(TOOLS / "wheel", "pack", folder, "--dest-dir", folder)
        [packed] = folder.glob("*.whl")
        # As small as the format allows.
        with zipfile.ZipFile(packed) as loose, zipfile.ZipFile(out / packed.name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as tight:
            for file in loose.infolist():
                tight.writestr(file, loose.read(file), zipfile.ZIP_DEFLATED, 9)


def npm(description, files, out):
    """Packs one npm package. `description` is its package.json, `files` the paths and contents of the others."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for path, content in files.items():
            write(folder / path, content)
        (folder / "package.json").write_text(json.dumps(description, indent=2) + "\n")
        run("npm", "pack", folder, "--pack-destination", out, "--silent", "--ignore-scripts", cwd=folder)


def main():
    archives, out = (Path(argument).resolve() for argument in sys.argv[1:])
    package = tomllib.loads((TOP / "Cargo.toml").read_text())["package"]
    version, common = package["version"], {key: package[key] for key in ("version", "description", "license")}
    common["repository"] = {"type": "git", "url": f"git+{package['repository']}.git"}
    wheels, packed = out / "wheels", out / "npm"
    shutil.rmtree(out, ignore_errors=True)
    for folder in (wheels, packed):
        folder.mkdir(parents=True)
    checksums = []
    with tempfile.TemporaryDirectory() as metadata:
        run(TOOLS / "maturin", "pep517", "write-dist-info", "--metadata-directory", metadata)
        [information] = Path(metadata).glob("*.dist-info")
        for target in [*TARGETS, *OTHERS]:
            files = unpacked(archives, target)
            if not files:
                print(f"{target}: no archive")
                continue
            name, *licences = files
            checksums.append(f"{hashlib.sha256(files[name]).hexdigest()}  rye-render-{target}/{name}\n")
            if target in TARGETS:
                tags, system, processor = TARGETS[target]
                wheel(tags, files, information, wheels)
                about = {"name": f"@rye-render/{system}-{processor}", **common, "os": [system], "cpu": [processor]}
                npm(about, {f"bin/{name}": files[name], **{licence: files[licence] for licence in licences}}, packed)
            print(f"{target}: {len(files[name]):,} bytes")
    systems = {f"@rye-render/{system}-{processor}": version for _, system, processor in TARGETS.values()}
    about = {"name": "rye-render", **common, "bin": {"rye-render": "bin/rye-render.js"}, "engines": {"node": ">=18"}}
    files = {name: (TOP / name).read_bytes() for name in ("README.md", "LICENSE")}
    files["bin/rye-render.js"] = (HERE / "rye-render.js").read_bytes()
    npm({**about, "optionalDependencies": systems}, files, packed)
    (out / "rye-render.sha256").write_text("".join(checksums))


if __name__ == "__main__":
    main()

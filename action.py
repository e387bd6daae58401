"""Checks a pull request on GitHub or a merge request on GitLab with a released rye-render.

action.yml and docs/examples/gitlab-ci.yml run this file. Each input of action.yml is an environment variable here:
`max-lost` is RYE_RENDER_MAX_LOST. The release is the one of the Cargo.toml beside this file.
"""
import hashlib
import http.client
import io
import json
import lzma
import os
import platform
import re
import secrets
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path
from typing import NamedTuple

ENV = os.environ
ON_GITLAB = "GITLAB_CI" in ENV
# No archive, no program and no answer of a forge is larger, in bytes.
LARGEST = 200_000_000
# Lines of errors in a comment.
MOST_LINES = 20


class Failure(Exception):
    """What ends the check, in a sentence for its reader."""


class Forge(NamedTuple):
    log: str        # the format of lint for the log
    files: list     # other formats of lint, with their files
    base: str       # what a pull request is compared with, if there is one
    history: str    # the setting that fetches it
    comments: str   # the address of the comments, if there is a pull request
    edit: tuple     # the method and the address of one comment
    headers: dict
    viewer: tuple   # the request that says who writes the comments, and where its answer has the name
    author: tuple   # where a comment has that name
    most: int       # characters of a comment
    permission: str


def setting(name, default=""):
    return ENV.get(f"RYE_RENDER_{name}", "").strip() or default


def github():
    event = json.loads(Path(ENV["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = (event.get("pull_request") or {}).get("number")
    issues = f"{ENV['GITHUB_API_URL']}/repos/{ENV['GITHUB_REPOSITORY']}/issues"
    base = ENV.get("GITHUB_BASE_REF")
    return Forge(
        log="github",
        files=[],
        base=f"origin/{base}" if base else "",
        history="`fetch-depth: 0` of actions/checkout",
        comments=f"{issues}/{number}/comments?" if number else "",
        edit=("PATCH", f"{issues}/comments/"),
        headers={"Authorization": f"Bearer {setting('TOKEN')}", "Accept": "application/vnd.github+json"},
        # `GET /user` refuses the token of a workflow.
        viewer=("POST", ENV["GITHUB_GRAPHQL_URL"], {"query": "{viewer{login}}"}, ("data", "viewer", "login")),
        author=("user", "login"),
        most=65_536,
        permission="`permissions: {pull-requests: write}`, which pull requests from forks never have",
    )


def gitlab():
    api, number = ENV["CI_API_V4_URL"], ENV.get("CI_MERGE_REQUEST_IID")
    notes = f"{api}/projects/{ENV['CI_PROJECT_ID']}/merge_requests/{number}/notes"
    return Forge(
        log="concise",
        files=[("gitlab", "gl-code-quality-report.json")],
        base=ENV.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", ""),
        history="`GIT_DEPTH: 0`",
        comments=f"{notes}?sort=asc&order_by=created_at&" if number else "",
        edit=("PUT", f"{notes}/"),
        headers={"PRIVATE-TOKEN": setting("TOKEN")},
        viewer=("GET", f"{api}/user", None, ("username",)),
        author=("author", "username"),
        most=1_000_000,
        permission="a project access token with the scope `api` in the variable RYE_RENDER_TOKEN",
    )


def say(level, text):
    """A message of this file: `notice`, `warning` or `error`."""
    text = "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in text)
    print(f"{level}: {text}" if ON_GITLAB else f"::{level} title=rye-render::{text.replace('%', '%25')}", flush=True)


def show(text):
    """Text of others, in which the runner must not look for commands."""
    if text.strip():
        end = secrets.token_hex(16)
        print(text.rstrip("\n") if ON_GITLAB else f"::stop-commands::{end}\n{text.rstrip()}\n::{end}::", flush=True)


def request(method, address, body=None, headers=()):
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(address, data, {"User-Agent": "rye-render"}, method=method)
    if data is not None:
        asked.add_header("Content-Type", "application/json")
    # A redirection may lead to another host, which must not see the token.
    for name, value in dict(headers).items():
        asked.add_unredirected_header(name, value)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        return bounded(answer)


def bounded(file):
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Failure(f"more than {LARGEST} bytes")
    return data


def targets():
    """The names of the builds for this machine, the best first."""
    known = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
    cpu = known.get(platform.machine().lower())
    if sys.platform == "win32":
        return ["x86_64-pc-windows-msvc"]
    if cpu and sys.platform == "darwin":
        return [f"{cpu}-apple-darwin"]
    if cpu and sys.platform == "linux":
        # The build for glibc is faster, but a system may be too old for it.
        libraries = ["gnu", "musl"] if platform.libc_ver()[0] == "glibc" else ["musl"]
        return [f"{cpu}-unknown-linux-{library}" for library in libraries]
    raise Failure(f"there is no release for {sys.platform} on {platform.machine()}")


def archives():
    """The folder or address of the archives."""
    manifest = (Path(__file__).resolve().parent / "Cargo.toml").read_text(encoding="utf-8")
    of = dict(re.findall(r'^(version|repository) = "([^"]*)"', manifest, re.MULTILINE))
    if setting("ARCHIVES"):
        return setting("ARCHIVES")
    if "repository" not in of:
        raise Failure("Cargo.toml names no repository with releases: set `archives`")
    return f"{of['repository']}/releases/download/v{setting('VERSION', of['version']).lstrip('v')}"


def download(source, name):
    if "://" not in source:
        try:
            return Path(source, name).read_bytes()
        except OSError as error:
            raise Failure(f"cannot read {name} in `archives`: {error.strerror}") from None
    for wait in (1, 4, 0):
        try:
            return request("GET", f"{source}/{urllib.parse.quote(name)}")
        except (OSError, ValueError, http.client.HTTPException) as error:
            if not wait or getattr(error, "code", 500) < 500:
                raise Failure(f"cannot download {source}/{name}: {error}") from None
        time.sleep(wait)


def program_in(archive, stem, data):
    """The program, read without unpacking anything else."""
    names = [f"{stem}/rye-render", f"{stem}/rye-render.exe", "rye-render.exe"]
    try:
        if archive.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as files:
                for name in set(names) & set(files.namelist()):
                    return bounded(files.open(name))
        else:
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:xz") as files:
                for file in files:
                    if file.isfile() and file.name in names:
                        return bounded(files.extractfile(file))
    except (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, EOFError) as error:
        raise Failure(f"{archive} is damaged: {error}") from None
    raise Failure(f"{archive} contains no program")


def install(folder):
    source = archives()
    for target in targets():
        stem = f"rye-render-{target}"
        archive = f"{stem}.zip" if "windows" in target else f"{stem}.tar.xz"
        data, digest = download(source, archive), download(source, f"{archive}.sha256")
        if hashlib.sha256(data).hexdigest() != digest.decode("utf-8", "replace")[:64].lower():
            raise Failure(f"{archive} does not have the digest of {archive}.sha256")
        program = folder / ("rye-render.exe" if "windows" in target else "rye-render")
        program.write_bytes(program_in(archive, stem, data))
        program.chmod(0o755)
        try:
            shown = run([program, "--version"], folder)
        except OSError:
            continue
        if shown.returncode == 0:
            print(f"{shown.stdout.strip()} ({target})", flush=True)
            return program
    raise Failure("no release runs on this machine")


def run(command, folder):
    # Nothing that is started needs the token.
    environment = {name: value for name, value in ENV.items() if name != "RYE_RENDER_TOKEN"}
    return subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", errors="replace")


def lint(program, folder, forge, agents):
    """The exit status, and the number of findings."""
    command = [program, "lint", *agents]
    if setting("FAIL_ON"):
        command.append(f"--fail-on={setting('FAIL_ON')}")
    done = run([*command, f"--format={forge.log}"], folder)
    # Every line is a command to the runner, or a finding; `lint` escapes the text of others.
    print(done.stdout, end="", flush=True)
    show(done.stderr)
    statuses = [done.returncode]
    for name, file in forge.files + ([("sarif", setting("SARIF"))] if setting("SARIF") else []):
        written = program.parent / f"report.{name}"
        statuses.append(run([*command, f"--format={name}", f"--output={written}"], folder).returncode)
        if written.exists():
            put(written, Path(file))
    if any(status not in (0, 1) for status in statuses):
        say("error", "`rye-render lint` failed")
    return worst(statuses), done.stdout.count("\n")


def put(written, file):
    """Moves a report to where the user wants it. A link in the change must not lead it elsewhere."""
    whole = Path(os.path.abspath(file))
    if Path.cwd() in whole.parents and whole.resolve() != whole:
        raise Failure(f"`{file}` is behind a link")
    whole.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(written, whole)


def worst(statuses):
    """A process that a signal ended has a negative status."""
    return max(2 if status < 0 else status for status in statuses)


def fork_point(base, folder, forge):
    """The commit from which the pull request branched off."""
    if base.startswith("-"):
        raise Failure("the base is not a revision")
    found = run(["git", "rev-parse", "--verify", f"{base}^{{commit}}"], folder)
    if found.returncode == 0:
        found = run(["git", "merge-base", found.stdout.strip(), "HEAD"], folder)
    if found.returncode != 0:
        reason = found.stderr.partition("\n")[0] or "git found none"
        raise Failure(f"no history from `{base}` to HEAD: set {forge.history} ({reason})")
    return found.stdout.strip()


def compare(program, folder, forge, agents, base, file):
    """The exit status, whether a prompt changes, and the report, of which the details may be left out."""
    base = fork_point(base, folder, forge)
    command = [program, "diff", "--all", f"--rev={base}...HEAD", *agents]
    done = run([*command, "--format=stat"], folder)
    show(done.stdout)
    if done.returncode == 0:
        return 0, False, "No prompt changes.\n", ""
    limits = [f"--{name}={setting(key)}" for name, key in
              (("max-token-growth", "MAX_TOKEN_GROWTH"), ("max-lost", "MAX_LOST")) if setting(key)]
    done = run([*command, "--format=markdown", f"--output={file}", *(limits or ["--exit-zero"])], folder)
    show(done.stderr)
    status, head = worst([done.returncode]), ""
    if status == 2 and is_repair(run([*command, "--format=json"], folder).stdout):
        # The limits hold for all other prompts.
        status = 1 if re.search(r"^warning\[(prompt_grew|text_lost)\]", done.stderr, re.MULTILINE) else 0
    if status == 1:
        say("error", f"a prompt exceeds a limit: {' '.join(limits)}")
        head = f"**A prompt exceeds a limit**: `{' '.join(limits).replace('`', '')}`\n\n{quoted(done.stderr)}\n"
    elif status != 0:
        say("error", "`rye-render diff` failed")
        head = f"**Not every prompt can be compared**:\n\n{quoted(done.stderr)}\n"
    settings = run(["git", "diff", "--name-only", base, "HEAD", "--", ":(top,glob)**/rye-render.yaml"], folder)
    if settings.stdout:
        say("notice", "this change also changes the settings of rye-render, with which it was checked")
        head += "This change also changes the settings with which it was checked.\n\n"
    details = file.read_text(encoding="utf-8") if file.exists() else ""
    return status, True, head, details


def is_repair(difference):
    """Whether every prompt that cannot be compared has its errors in the base alone."""
    try:
        failed = json.loads(difference)["failed"]
    except (ValueError, LookupError):
        return False
    return bool(failed) and not any(one["errors"]["right"] for one in failed)


def quoted(text):
    lines = text.strip().split("\n")
    more = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    text = "\n".join(line[:300] for line in lines[:MOST_LINES] + more)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}\n"


def length(text):
    """In the units in which both forges count, or in smaller ones."""
    return len(text.encode("utf-16-le")) // 2


def fitted(head, details, most):
    """As much of a report as a comment holds."""
    if length(head + details) < most:
        return head + details
    note = f"\n**The rest is left out**, since a comment holds at most {most:,} characters. The log has a summary.\n"
    room = most - 1 - length(head + note)
    while details and length(details) > room:
        details = details[:details.rstrip("\n").rfind("\n") + 1]
    if details.rfind("\n<details>\n") > details.rfind("\n</details>\n"):
        details = details[:details.rfind("\n<details>\n") + 1]
    return head + details + note


def inside(value, keys):
    for key in keys:
        value = value[key]
    return value


def comment(forge, marker, text, create):
    """Updates the comment, or creates one."""
    def ask(method, address, body=None):
        return json.loads(request(method, address, body, forge.headers))

    try:
        method, address, body, name = forge.viewer
        viewer = inside(ask(method, address, body), name)
        for page in range(1, 1000):
            found = ask("GET", f"{forge.comments}per_page=100&page={page}")
            for one in found:
                # Anybody can write the marker.
                if one["body"].startswith(marker) and inside(one, forge.author) == viewer:
                    method, address = forge.edit
                    ask(method, f"{address}{int(one['id'])}", {"body": text})
                    return
            if len(found) < 100:
                break
        if create:
            ask("POST", forge.comments.split("?")[0], {"body": text})
    except urllib.error.HTTPError as error:
        need = f": it needs {forge.permission}" if error.code in (401, 403, 404) else ""
        say("notice", f"no comment, since the forge answered {error.code}{need}")
    except (OSError, ValueError, LookupError, TypeError, AttributeError, http.client.HTTPException) as error:
        say("warning", f"no comment: {error or type(error).__name__}")


def append(variable, text):
    if ENV.get(variable):
        with open(ENV[variable], "a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def main():
    # On Windows, a program in the working folder, which a change can add, would be started before one on the path.
    ENV["NoDefaultCurrentDirectoryInExePath"] = "1"
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    statuses, findings, changed = [0], 0, False
    out = Path(tempfile.mkdtemp(prefix="rye-render-", dir=ENV.get("RUNNER_TEMP")))
    report = out / "report.md"
    try:
        forge = gitlab() if ON_GITLAB else github()
        folder = Path(setting("FOLDER", ".")).resolve()
        if not folder.is_dir():
            raise Failure("`folder` is not a folder")
        agents = [f"--agent={setting('AGENTS')}"] if setting("AGENTS") else []
        program = install(out)
        append("GITHUB_PATH", f"{out}\n")
        status, findings = lint(program, folder, forge, agents)
        statuses.append(status)
        base = setting("BASE", forge.base)
        if base:
            status, changed, head, details = compare(program, folder, forge, agents, base, report)
            statuses.append(status)
            report.write_bytes((head + details).encode())
            append("GITHUB_STEP_SUMMARY", head + details)
            if forge.comments and setting("COMMENT", "true") == "true":
                # One comment for each use of this file in a repository.
                key = hashlib.sha256(os.fsencode(f"{setting('FOLDER')}\n{setting('AGENTS')}")).hexdigest()[:12]
                marker = f"<!-- rye-render {key} -->\n"
                comment(forge, marker, fitted(marker + head, details, forge.most), create=changed)
    except (Failure, OSError, ValueError, LookupError) as error:
        say("error", str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {error}")
        statuses.append(2)
    file = report if report.exists() else ""
    append("GITHUB_OUTPUT", f"findings={findings}\nchanged={str(changed).lower()}\nstatus={worst(statuses)}\nreport={file}\n")
    sys.exit(worst(statuses))


if __name__ == "__main__":
    main()

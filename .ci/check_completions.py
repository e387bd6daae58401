#!/usr/bin/env python3
"""Checks what bash, zsh and fish do after Tab, each in its own terminal.

The shells find a wrapper named `rye-render`. It passes completion requests to the program, and otherwise prints its
arguments, which show what the shell completed. A shell that is not installed is skipped, or fails with `--all`.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

PROMPT = "READY> "
# Seconds to wait for output.
PATIENCE = 10

DIRECTIVE = """# {name}
```xml
<directive name="{name}" version="1.0.0">
  <metadata><description>It says {name}</description></metadata>
  <inputs>
    <input name="target" required="true">Where to</input>
    <input name="ticket">Why</input>
  </inputs>
</directive>
```
"""
KNOWLEDGE = "---\nname: {name}\n---\n\nText.\n"

FILES = {
    "project/.ai/directives/deploy.md": DIRECTIVE.format(name="deploy"),
    "project/.ai/directives/team/release.md": DIRECTIVE.format(name="release"),
    # A shell that runs part of the name would create a file.
    "project/.ai/directives/odd/a; touch pwned.md": DIRECTIVE.format(name="odd"),
    "project/.ai/directives/odd2/\x1b[31mred.md": DIRECTIVE.format(name="odd"),
    "project/.ai/directives/odd2/x\ny.md": DIRECTIVE.format(name="odd"),
    "project/.ai/directives/odd2/plain.md": DIRECTIVE.format(name="odd"),
    "project/.ai/knowledge/rules/oncall.md": KNOWLEDGE.format(name="oncall"),
    "project/.ai/knowledge/rules/friday.md": KNOWLEDGE.format(name="friday"),
    "project/notes.txt": "",
    "other/.ai/directives/elsewhere.md": DIRECTIVE.format(name="elsewhere"),
}

# The typed text, with `\t` for Tab, and the arguments that the program then receives.
RUN = {
    "a command": ("ren\tx", ["render", "x"]),
    "a flag": ("render deploy --placeh\t", ["render", "deploy", "--placeholders"]),
    "a value of a flag": ("render deploy --format anth\t", ["render", "deploy", "--format", "anthropic"]),
    "a value after =": ("render deploy --format=anth\t", ["render", "deploy", "--format=anthropic"]),
    "a directive": ("render dep\t", ["render", "deploy"]),
    "a directive in a folder": ("explain team/\t", ["explain", "team/release"]),
    "a directive of another project": (
        "render --project ../other els\t", ["render", "--project", "../other", "elsewhere"]),
    "a directive at a revision": ("diff HEAD:dep\t", ["diff", "HEAD:deploy"]),
    "an input, with = and no space": ("render deploy -i tar\teu", ["render", "deploy", "-i", "target=eu"]),
    "another input": ("render deploy -i target=eu -i t\tx", ["render", "deploy", "-i", "target=eu", "-i", "ticket=x"]),
    "a knowledge item": ("chain --uses rules/o\t", ["chain", "--uses", "rules/oncall"]),
    "a knowledge item after =": (
        "render deploy --with-context before=rules/f\t", ["render", "deploy", "--with-context", "before=rules/friday"]),
    "a rule by name": ("lint --explain suppress_ba\t", ["lint", "--explain", "suppress_base_name"]),
    "a rule after a comma": ("lint --ignore RR001,suppress_ba\t", ["lint", "--ignore", "RR001,suppress_base_name"]),
    "a hook": ("render deploy --without-hook ctx_env\t", ["render", "deploy", "--without-hook", "ctx_environment"]),
    "an agent": ("explain --agent pi\t@1", ["explain", "--agent", "pi@1"]),
    "the release of an agent": ("explain --agent codex@0.16\t9.0", ["explain", "--agent", "codex@0.169.0"]),
    "the agent of a side": ("diff . . --left-agent co\t", ["diff", ".", ".", "--left-agent", "codex"]),
    "a file": ("lint no\t", ["lint", "notes.txt"]),
    "a name that a shell could run": ("render odd/\t", ["render", "odd/a; touch pwned"]),
    "a name next to names with terminal escapes": ("render odd2/\t", ["render", "odd2/plain"]),
}

# The typed text, and what the shell then shows.
SHOWN = {
    "the commands": ("\t\t", ["render", "explain", "diff", "lint", "list", "lock", "chain", "init", "schema"]),
    "the directives": ("render \t\t", ["deploy", "team/release", "rye/demo/hello"]),
    "the inputs": ("render deploy -i \t\t", ["target=", "ticket="]),
    "the knowledge": ("chain --uses rules/\t\t", ["oncall", "friday"]),
    "the rules": ("lint --explain RR10\t\t", ["RR101", "RR105", "RR109"]),
    "the agents": ("explain --agent \t\t", ["codex", "pi", "sf"]),
    "the releases of an agent": ("explain --agent codex@\t\t", ["0.130.0", "0.169.0"]),
    "the protocols": ("render deploy --protocol \t\t", ["rye-1", "rye-2", "rye-3", "sf"]),
}

BASH = """PS1='{prompt}'
bind 'set show-all-if-ambiguous on'
bind 'set enable-bracketed-paste off'
bind 'set page-completions off'
source <(rye-render completions bash)
"""
ZSH = """PS1='{prompt}'
unsetopt beep
bindkey -e
autoload -U compinit && compinit -u -D
source <(rye-render completions zsh)
"""
FISH = """function fish_prompt; echo -n '{prompt}'; end
function fish_greeting; end
rye-render completions fish | source
"""


def commands(home):
    """The command that starts each shell, with its startup file."""
    (home / "bashrc").write_text(BASH.format(prompt=PROMPT))
    (home / ".zshrc").write_text(ZSH.format(prompt=PROMPT))
    (home / "config.fish").write_text(FISH.format(prompt=PROMPT))
    return {
        "bash": ["bash", "--noprofile", "--rcfile", str(home / "bashrc"), "-i"],
        "zsh": ["zsh", "-d", "-i"],
        "fish": ["fish", "--no-config", "--init-command", f"source {home}/config.fish", "-i"],
    }


class Terminal:
    """A shell, and what it has written so far."""

    def __init__(self, command, environment, folder):
        self.raw = b""
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        # Wide and tall enough that nothing is paged.
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 120, 160, 0, 0))

    def seen(self):
        """The output without escape sequences."""
        text = self.raw.decode(errors="replace")
        text = re.sub(r"\x1b\][^\x07\x1b]*(\x07|\x1b\\)", "", text)
        return re.sub(r"\x1b(\[[0-9;?<=>]*[ -/]*[@-~]|[()][0-9A-B]|[=>78M])", "", text)

    def until(self, done):
        """Reads until `done` holds for the output; returns False on a timeout."""
        deadline = time.monotonic() + PATIENCE
        while not done(self.seen()):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.file], [], [], left)[0]:
                return False
            try:
                self.raw += os.read(self.file, 65536)
            except OSError:
                return done(self.seen())
        return True

    def type(self, text):
        for part in re.split("(\t)", text):
            os.write(self.file, part.encode())
            # A person does not type while the shell completes.
            if part == "\t":
                self.settle()

    def settle(self):
        """Reads until the shell is quiet."""
        while select.select([self.file], [], [], 0.5)[0]:
            try:
                self.raw += os.read(self.file, 65536)
            except OSError:
                return

    def close(self):
        os.close(self.file)
        try:
            os.kill(self.process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.process, 0)


def project(root, program):
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for folder in ["home", "bin"]:
        (root / folder).mkdir()
    wrapper = root / "bin" / "rye-render"
    wrapper.write_text(
        "#!/bin/sh\n"
        f'if [ -n "$RYE_RENDER_COMPLETE" ] || [ "$1" = completions ]; then exec "{program}" "$@"; fi\n'
        "printf 'RAN'; for word; do printf '<%s>' \"$word\"; done; printf 'END\\n'\n"
    )
    wrapper.chmod(0o755)
    for folder in ["project"]:
        subprocess.run(["git", "init", "-q", str(root / folder)], check=True)


def check(command, root, what, typed, done):
    """Types one line into a new shell; returns what is wrong, if anything."""
    environment = {
        "PATH": f"{root / 'bin'}:{os.environ['PATH']}", "HOME": str(root / "home"), "ZDOTDIR": str(root / "home"),
        "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
    }
    terminal = Terminal(command, environment, root / "project")
    try:
        if not terminal.until(lambda seen: PROMPT in seen):
            return f"{what}: the shell did not start: {terminal.seen()!r}"
        terminal.settle()
        before = len(terminal.seen())
        terminal.type("rye-render " + typed)
        held = terminal.until(lambda seen: done(seen[before:]))
        if b"\x1b[31mred" in terminal.raw:
            return f"{what}: a name reached the terminal unescaped"
        return None if held else f"{what}: {typed!r} showed {terminal.seen()[before:]!r}"
    finally:
        terminal.close()


def checks(command, root):
    """The result of each check in one shell: an error, or None."""
    for what, (typed, arguments) in RUN.items():
        expected = "RAN" + "".join(f"<{argument}>" for argument in arguments) + "END"
        yield check(command, root, what, typed + "\r", lambda seen, expected=expected: expected in seen)
    for what, (typed, names) in SHOWN.items():
        def shown(seen, names=names, typed=typed):
            return all(name in seen.replace("rye-render " + typed.strip("\t"), "", 1) for name in names)
        yield check(command, root, what, typed, shown)
    if (root / "project" / "pwned").exists():
        yield "a name was run"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="the program")
    parser.add_argument("--all", action="store_true", help="fail unless every shell is installed")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        project(root, Path(arguments.bin).resolve())
        for shell, command in commands(root / "home").items():
            if shutil.which(command[0]) is None:
                print(f"{shell}: skipped, because it is not installed")
                failed |= arguments.all
                continue
            outcomes = list(checks(command, root))
            wrong = [outcome for outcome in outcomes if outcome]
            for outcome in wrong:
                print(f"{shell}: {outcome}")
            print(f"{shell}: {len(outcomes) - len(wrong)} passed, {len(wrong)} failed", flush=True)
            failed |= bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

"""The time to render the prompts of agents in deep folders, relative to reading their files and to the released npm
packages. `.ci/compare_pi.py`, `.ci/compare_codex.py` and `.ci/compare_pi_agent.py` compare the prompts."""
import importlib
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

from measure import over_sum, program
from trees import agents_folder, deep_folder, write

SCRIPT = Path(__file__).resolve().parent.parent / ".ci/pi_prompts.mjs"
NOW = "2026-03-07T14:55:05Z"


def rows(bench):
    """The rows, in the order of the table."""
    home = bench.temp / "home"

    @cache
    def deep():
        return deep_folder(bench.temp / "deep", home / ".sf/agent", 40, 200)

    def render():
        folder, _ = deep()
        return [bench.binary, "render", "--protocol", "sf", "--cwd", str(folder), "--now", NOW, "--tz", "UTC", "--format", "plain"]

    def package():
        folder, _ = deep()
        if not (bench.package / "node_modules").is_dir():
            sys.exit(f"no npm packages in {bench.package}: copy package.json and package-lock.json of .ci/pi there, and run npm ci in it")
        request = {"cwd": str(folder), "agentDir": str(home / ".sf/agent"), "home": str(home), "now": NOW, "tz": "UTC"}
        asked = write(bench.temp / "request", json.dumps(request | {"tools": None, "customTools": []}))
        return [program("node", "nodejs"), str(SCRIPT), str(bench.package), str(asked)]

    what = "`render` of a folder 40 levels deep with 200 skills"
    yield bench.compare(f"{what}, over `cat` of its files", 3, render, lambda: [program("cat", "coreutils"), *deep()[1]])
    yield bench.compare(f"{what}, over the npm package", 1 / 50, render, package, 20)
    yield from of_agents(bench)
    yield lint_row(bench)


def of_agents(bench):
    """The rows of agents in a large repository."""
    home = bench.temp / "home"

    @cache
    def repository():
        return agents_folder(bench.temp / "repository", home, levels=12, files=10_000, rules=500)

    def render(agent):
        return [bench.binary, "render", "--agent", agent, "--format", "plain", "--cwd", str(repository()[1])]

    def render_rules(*touched):
        source = repository()[0]
        words = [word for file in touched for word in ("--touch", str(source / file))]
        return [bench.binary, "render", "--agent", "claude-code", "--format", "plain", "--cwd", str(source), *words]

    def cat(agent):
        return [program("cat", "coreutils"), *map(str, repository()[2][agent])]

    where = "in a folder 12 levels deep among 10,000 files"
    for agent, limit in (("codex", 2.5), ("claude-code", 4), ("opencode", 3.5)):
        yield bench.compare(f"`render --agent {agent}` {where}, over `cat` of its files", limit,
                            lambda agent=agent: render(agent), lambda agent=agent: cat(agent))
    yield bench.compare(f"`agents` {where}, over `render --agent codex`", 4.5,
                        lambda: [bench.binary, "agents", str(repository()[1])], lambda: render("codex"))
    yield bench.compare("`render --agent claude-code --touch` of a file among 10,000 files and 500 rules, over the same without it", 1.5,
                        lambda: render_rules("part7/file3.ts"), render_rules)
    for what, own in (("the command of the npm package", "node_modules/.bin/codex"),
                      ("the program in the npm package", "node_modules/@openai/codex-*/vendor/*/bin/codex")):
        yield bench.compare(f"`render --agent codex` {where}, over {what}", 1 / 10,
                            lambda: render("codex"), lambda own=own: codex_dump(bench, own, home, repository()[1]), 20)
    yield bench.compare(f"`render --agent pi` {where}, over the npm package", 1 / 60,
                        lambda: render("pi"), lambda: pi_request(bench, home, repository()[1]), 20)
    for agent in ("claude-code", "opencode"):
        yield bench.compare(f"`render --agent {agent}` {where}, over a request of the npm package, recorded", 1 / 50,
                            lambda agent=agent: render(agent), lambda agent=agent: recorded(bench, agent, home, repository()[1]), 5)


def lint_row(bench):
    """`lint` of a repository for four agents, over what reads the same: the instruction files, and the names of all."""
    @cache
    def repository():
        root = bench.temp / "tracked"
        files = [write(root / f"part{n}/AGENTS.md", f"# Part {n}\n\n" + f"Keep part {n} small.\n" * 20) for n in range(300)]
        for n in range(10_000 - len(files)):
            write(root / f"part{n % 300}/file{n}.ts", "export {}\n")
        for words in (["init", "--quiet"], ["add", "--all"]):
            subprocess.run(["git", "-C", str(root), *words], check=True, env=bench.environment)
        return root, files

    def measure():
        root, files = repository()
        lint = [bench.binary, "lint", "--agent", "claude-code,codex,opencode,pi", "--fail-on", "off", str(root)]
        count = [program("rg", "ripgrep"), "-c", "part", *map(str, files)]
        names = [program("git", "git"), "-C", str(root), "ls-files"]
        return over_sum(lint, [(count, None), (names, None)], bench.environment, 30)

    return bench.row("`lint` of 10,000 tracked files with 300 instruction files for four agents, over `rg -c` of those and `git ls-files`",
                     8, "", measure)


def comparison(name):
    """A module of `.ci`."""
    folder = str(SCRIPT.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def installed(bench, name):
    """The folder with the npm package that is listed in `.ci/NAME`."""
    folder = bench.package.parent / name
    if not (folder / "node_modules").is_dir():
        sys.exit(f"no npm packages in {folder}: copy package.json and package-lock.json of .ci/{name} there, and run npm ci in it")
    return folder


def started(folder, environment, command):
    """A command in a folder, with more variables."""
    return [program("env", "coreutils"), "-C", str(folder), *(f"{name}={value}" for name, value in environment.items()), *map(str, command)]


def codex_dump(bench, own, home, folder):
    """The package prints its prompt itself. It waits for a network; a proxy that leads nowhere ends that."""
    own = next(installed(bench, "codex").glob(own))
    return started(folder, {"HOME": home, "HTTPS_PROXY": "http://127.0.0.1:9"}, [own, "debug", "prompt-input"])


def recorded(bench, agent, home, folder):
    """`record` answers the first request of the package, which then ends."""
    package, own, given = comparison("compare_recorded").AGENTS[agent]
    command = [bench.binary, "record", agent, "--", installed(bench, "recorded") / "node_modules" / package / own, *given]
    return started(folder, {"HOME": home, "HTTPS_PROXY": "http://127.0.0.1:9"}, command)


@cache
def server():
    return comparison("compare_pi_agent").Server()


def pi_request(bench, home, folder):
    """The package sends its request to a server in this process."""
    pi, package = comparison("compare_pi_agent"), installed(bench, "pi_agent")
    model = {"providers": {"local": {"baseUrl": f"http://127.0.0.1:{server().server_port}/0/v1", "api": "openai-completions",
                                     "apiKey": "none", "models": [{"id": "m"}]}}}
    write(home / ".pi/agent/models.json", json.dumps(model))
    command = [package / pi.NODE, package / pi.PACKAGE / pi.PROGRAM, "-p", "--provider", "local", "--model", "m", "--no-session", "Hello"]
    return started(folder, {"PI_OFFLINE": "1"}, command)

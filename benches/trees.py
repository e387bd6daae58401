"""Projects of many shapes and sizes."""
import os
import subprocess
from pathlib import Path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def directive(name, extends="", metadata="", body="Do the work, step by step.\n" * 20):
    attribute = f' extends="{extends}"' if extends else ""
    return (f'# {name}\n\n```xml\n<directive name="{name}" version="1.0.0"{attribute}>\n  <metadata>\n'
            f"    <description>One of several.</description>\n{metadata}  </metadata>\n</directive>\n```\n\n{body}")


def knowledge(name, lines=40):
    return f"```yaml\nname: {name}\ntitle: {name}\n```\n\n" + f"A line of {name} that says something of use.\n" * lines


def tool(name):
    return (f'__tool_description__ = "Does {name}"\n\nCONFIG_SCHEMA = {{"type": "object", "properties": {{"path": '
            '{"type": "string", "description": "Where"}}, "required": ["path"]}\n\n\n'
            "def execute(params, project_path):\n    return {}\n" + "# more of the tool\n" * 50)


def chain_project(root, tools):
    """A chain of four directives with ten knowledge items, and eight tools or no palette at all. Returns the files."""
    files, items = [], iter(range(10))
    for level in range(4):
        context = "".join(f"<{place}>app/k{next(items)}</{place}>" for place in (("system", "before", "after") if level < 2 else ("before", "after")))
        metadata = f"    <context>{context}</context>\n"
        if level == 3 and tools:
            metadata += "    <permissions><execute>" + "".join(f"<tool>app.t{n}</tool>" for n in range(8)) + "</execute></permissions>\n"
        extends = f"app/d{level - 1}" if level else ""
        files.append(write(root / f".ai/directives/app/d{level}.md", directive(f"d{level}", extends, metadata)))
    files += [write(root / f".ai/knowledge/app/k{n}.md", knowledge(f"K{n}")) for n in range(10)]
    if tools:
        files += [write(root / f".ai/tools/app/t{n}.py", tool(f"t{n}")) for n in range(8)]
    else:
        # Without permissions, the palette still has its three primary tools.
        files.append(write(root / ".ai/config/agent/resilience.yaml", "tool_preload:\n  enabled: false\n"))
    return [str(file) for file in files]


def deep_folder(root, agent, levels, skills):
    """A folder `levels` below the root, with instructions at each level, and skills in the agent's folder. Returns the
    folder, and all files of its prompt."""
    rules = "- A rule that somebody wrote down because it was broken once.\n" * 10
    files, folder = [], root
    for level in range(levels):
        folder = folder / f"level{level}"
        files.append(write(folder / "AGENTS.md", f"# Rules of level {level}\n\n{rules}"))
    for n in range(skills):
        matter = f"---\nname: skill-{n}\ndescription: Does the work of number {n}. Use it when somebody asks for such work.\n---\n"
        files.append(write(agent / f"skills/skill-{n}/SKILL.md", f"{matter}\n# What to do\n\n" + "Do this, then that.\n" * 60))
    return folder, [str(file) for file in files]


def crowd(root, count):
    """A project with one directive and `count` unused items."""
    write(root / ".ai/directives/app/task.md", directive("task", metadata="    <context><before>app/one</before></context>\n"))
    write(root / ".ai/knowledge/app/one.md", knowledge("One"))
    for n in range(count):
        write(root / f".ai/knowledge/other/k{n}.md", knowledge(f"K{n}", 3))
        write(root / f".ai/tools/other/t{n}.py", tool(f"t{n}"))


def long_chain(root, count):
    for n in range(count):
        write(root / f".ai/directives/c/d{n}.md", directive(f"d{n}", f"c/d{n - 1}" if n else "", body="Go.\n"))


def forest(root, count):
    """Directives in a hundred folders. All but ten extend another; each uses one of fifty items."""
    def name(n):
        return f"g{n % 100}/d{n}"

    for n in range(count):
        metadata = f"    <context><before>app/k{n % 50}</before></context>\n"
        text = directive(f"d{n}", name(n // 10) if n >= 10 else "", metadata)
        write(root / f".ai/directives/{name(n)}.md", text)
    for n in range(50):
        write(root / f".ai/knowledge/app/k{n}.md", knowledge(f"K{n}"))


def hooks(count, ids):
    """A `hooks.yaml` with `count` hooks that fetch `app/rules`. Their conditions alternate between one directive, an
    input, and all directives but one. Every tenth hook fetches the item that an input names."""
    conditions = ("{{path: directive, op: eq, value: {id}}}", "{{path: inputs.target, op: ne, value: {id}}}",
                  "{{not: {{path: directive, op: eq, value: {id}}}}}")
    text = "hooks:\n"
    for n in range(count):
        condition = conditions[n % len(conditions)].format(id=ids[-1 - n])
        item = '"app/${inputs.topic}"' if n % 10 == 9 else "app/rules"
        text += (f"  - id: h{n}\n    event: thread_started\n    position: before\n    condition: {condition}\n"
                 f"    action: {{primary: fetch, item_type: knowledge, item_id: {item}}}\n")
    return text


def agents_folder(root, home, levels, files, rules):
    """A repository with instructions of all agents on the way to a deep folder, and many other files in `src`, which has
    rules for claude-code. Returns `src`, the deep folder, and the files that each agent sends there."""
    text = "Keep the functions of this folder small, and name them by what they do.\n" * 8
    loaded = {"codex": [], "claude-code": [], "opencode": []}
    folder = root
    for level in range(levels + 1):
        agents = write(folder / "AGENTS.md", f"# Level {level}\n\n{text}")
        claude = write(folder / "CLAUDE.md", f"# Level {level}\n\n{text}\nSee @notes.md for more.\n")
        loaded["codex"].append(agents)
        loaded["opencode"].insert(0, agents)
        loaded["claude-code"] += [claude, write(folder / "notes.md", f"# Notes of level {level}\n\n{text}")]
        folder = folder / f"level{level}" if level < levels else folder
    for n in range(20):
        loaded["claude-code"].append(write(root / f".claude/rules/always{n}.md", f"# Rule {n}\n\n{text}"))
        loaded["opencode"].append(write(root / f"docs/guide{n}.md", f"# Guide {n}\n\n{text}"))
    for n in range(rules):
        write(root / f"src/.claude/rules/scoped{n}.md", f"---\npaths:\n  - /part{n}/**/*.ts\n---\n\n# Rule {n}\n\n{text}")
    loaded["opencode"].append(write(root / "opencode.json", '{"$schema": "https://opencode.ai/config.json", "instructions": ["docs/*.md"]}\n'))
    loaded["codex"].append(write(home / ".codex/AGENTS.md", text))
    for n in range(files):
        write(root / f"src/part{n % 500}/file{n // 500}.ts", f"export const a{n} = {n};\n")
    git(root, "init", "--quiet", "--initial-branch", "main")
    return root / "src", folder, loaded


def git(folder, *words, **more):
    """The output of git, run without the user's configuration."""
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-C", str(folder), *settings, *words]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, **more).stdout


def history(root, directives, items):
    """Two commits of directives. All but ten extend another; each uses two items. One item changes in between."""
    def name(n):
        return f"g{n % 100}/d{n}"

    def item(n):
        return root / f".ai/knowledge/app/k{n}.md"

    for n in range(directives):
        context = f"<before>app/k{n % items}</before><after>app/k{n * 7 % items}</after>"
        text = directive(f"d{n}", name(n // 10) if n >= 10 else "", f"    <context>{context}</context>\n")
        write(root / f".ai/directives/{name(n)}.md", text)
    for n in range(items):
        write(item(n), knowledge(f"K{n}"))
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "before")
    changed = item(min(1_234, items - 1))
    write(changed, changed.read_text(encoding="utf-8").replace("something", "nothing"))
    git(root, "commit", "--quiet", "--all", "--message", "after")
    # As in most repositories, nearly all objects are in one pack.
    git(root, "repack", "--quiet", "-a", "-d")


def two_states(root):
    """The chain of four levels in two commits. One item changes in between. Returns a file with the ids of all objects
    in both."""
    chain_project(root, False)
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "before")
    item = root / ".ai/knowledge/app/k3.md"
    write(item, item.read_text(encoding="utf-8").replace("something", "nothing", 5))
    git(root, "commit", "--quiet", "--all", "--message", "after")
    trees = [line.split()[2] for state in ("HEAD~1", "HEAD") for line in git(root, "ls-tree", "-r", "-t", state).splitlines()]
    tops = git(root, "rev-parse", "HEAD~1^{tree}", "HEAD^{tree}").split()
    return write(root.parent / "objects", "\n".join(dict.fromkeys(tops + trees)) + "\n")


def nothing_shared(root, renders):
    """Two saved prompts with a message of 5 MB each and no word in common. Returns their files."""
    write(root / ".ai/directives/app/task.md", directive("task", metadata="    <context><before>app/big</before></context>\n"))
    saved = []
    for side in ("left", "right"):
        lines = (" ".join(f"{side}{n * 7 + word}" for word in range(6)) for n in range(5_000_000 // 60))
        write(root / ".ai/knowledge/app/big.md", "```yaml\nname: Big\n```\n\n" + "\n".join(lines) + "\n")
        saved.append(write(root / f"{side}.json", subprocess.run(renders, check=True, capture_output=True, text=True).stdout))
    return saved

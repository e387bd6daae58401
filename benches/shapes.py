"""Projects, folders and files of different sizes: each function writes one with `n` of something into a folder."""
import json

import lint
import trees
from trees import directive, hooks, knowledge, tool, write

LINE = "A line of some length that goes on.\n"


def task(root, context="", permissions="", declared="", body="Do the work.\n"):
    """The directive `app/task`; the palette is off, since it has three tools even without permissions."""
    metadata = f"    <context>{context}</context>\n" if context else ""
    metadata += f"    <permissions><execute>{permissions}</execute></permissions>\n" if permissions else ""
    text = directive("task", metadata=metadata, body=body).replace("</directive>", f"{declared}</directive>")
    write(root / ".ai/directives/app/task.md", text)
    write(root / ".ai/config/agent/resilience.yaml", "tool_preload:\n  enabled: false\n")


def text_of(size):
    return LINE * (size // len(LINE))


def text(root, n):
    """`n` bytes of text."""
    task(root, body=text_of(n))


def item(root, n):
    """An item of `n` bytes."""
    task(root, context="<before>app/big</before>")
    write(root / ".ai/knowledge/app/big.md", knowledge("big", 0) + text_of(n))


def items(root, n, suppress=""):
    """`n` items."""
    task(root, context="".join(f"<before>app/k{k}</before>{suppress.format(k=k)}" for k in range(n)))
    for k in range(n):
        write(root / f".ai/knowledge/app/k{k}.md", knowledge(f"K{k}", 3))


def suppressed(root, n):
    """`n` items that are requested and suppressed."""
    items(root, n, "<suppress>app/k{k}</suppress>")


def headers(root, n):
    """`n` items with a YAML header of 100 kB."""
    header = "".join(f"key{k}: a value of some length, number {k}\n" for k in range(2_200))
    task(root, context="".join(f"<before>app/k{k}</before>" for k in range(n)))
    for k in range(n):
        write(root / f".ai/knowledge/app/k{k}.md", f"```yaml\nname: K{k}\ntitle: K{k}\n{header}```\n\nText.\n")


def chain(root, n):
    """A chain of `n` directives, the last one being `app/task`."""
    trees.long_chain(root, n - 1)
    task(root)
    file = root / ".ai/directives/app/task.md"
    write(file, file.read_text(encoding="utf-8").replace('version="1.0.0"', f'version="1.0.0" extends="c/d{n - 2}"'))


def hooked(root, n, rules="For ${inputs.target}.\n"):
    """`n` hooks, each with a condition."""
    task(root)
    write(root / ".ai/knowledge/app/rules.md", knowledge("rules", 3) + rules)
    write(root / ".ai/config/agent/hooks.yaml", hooks(n, [f"app/d{k}" for k in range(n)]))


def conditions(root, n):
    """A hook with `n` conditions."""
    hooked(root, 1)
    rows = "".join(f"        - {{path: directive, op: eq, value: app/d{k}}}\n" for k in range(n))
    write(root / ".ai/config/agent/hooks.yaml",
          "hooks:\n  - id: h\n    event: thread_started\n    position: before\n    condition:\n      any:\n"
          f"{rows}    action: {{primary: fetch, item_type: knowledge, item_id: app/rules}}\n")


def hook_placeholders(root, n):
    """`n` placeholders in the text of a hook."""
    hooked(root, 3, "On ${model} for ${directive}.\n" * (n // 2))


def placeholders(root, n):
    """`n` placeholders in a directive."""
    declared = '  <inputs>\n    <input name="x" default="y">X</input>\n  </inputs>\n'
    task(root, declared=declared, body="Take {input:x} and {env:HOME}.\n" * (n // 2))


def prompt(root, n):
    """`n` bytes of text with a placeholder in every twentieth line."""
    declared = '  <inputs>\n    <input name="x" default="y">X</input>\n  </inputs>\n'
    lines = LINE * 19 + "Take {input:x} here.\n"
    task(root, declared=declared, body=lines * (n // len(lines)))


def inputs(root, n):
    """`n` declared inputs, each of which is shown."""
    declared = "".join(f'    <input name="i{k}" default="value {k}">The number {k}</input>\n' for k in range(n))
    task(root, declared=f"  <inputs>\n{declared}  </inputs>\n", body="".join(f"Take {{input:i{k}}}.\n" for k in range(n)))


def outputs(root, n):
    """`n` declared outputs."""
    declared = "".join(f'    <output name="o{k}" required="true">The number {k}</output>\n' for k in range(n))
    task(root, declared=f"  <outputs>\n{declared}  </outputs>\n")


def permissions(root, n):
    """`n` permissions."""
    granted = "".join(f"<tool>app.t{k}</tool>" for k in range(n))
    task(root, permissions=granted)


def elements(root, n):
    """`n` XML elements without meaning."""
    task(root, declared="".join(f'  <other a="{k}">text</other>\n' for k in range(n)))


def values(root, n):
    """A file with a value for each of `n` inputs."""
    task(root)
    write(root / "values.json", json.dumps({f"i{k}": f"value {k}" for k in range(n)}))


def nested(root, n):
    """A file with a list of `n` maps for one input."""
    task(root, body="Take {input:x}.\n")
    write(root / "values.json", json.dumps({"x": [{"a": k, "b": f"value {k}"} for k in range(n)]}))


def variables(root, n):
    """A file with `n` variables, each of which is shown."""
    task(root, body="".join(f"Take {{env:V{k}}}.\n" for k in range(n)))
    write(root / "variables", "".join(f"V{k}=value {k}\n" for k in range(n)))


def tools(root, n):
    """`n` tools in a palette that has room for them."""
    task(root, permissions="<tool>app.*</tool>")
    write(root / ".ai/config/agent/resilience.yaml", "tool_preload:\n  enabled: true\n  max_tokens: 100000000\n")
    for k in range(n):
        write(root / f".ai/tools/app/t{k}.py", tool(f"t{k}"))


def thread(n, said=lambda k: "says something"):
    """`n` messages, the last of which is the user's."""
    role = lambda k: "assistant" if (n - k) % 2 == 0 else "user"
    return json.dumps([{"role": role(k), "content": f"Message {k} of a thread {said(k)}."} for k in range(n)])


def messages(root, n):
    """A thread of `n` messages."""
    task(root)
    write(root / "messages.json", thread(n))


def two_threads(root, n):
    """Two saved threads of `n` messages, every tenth of which differs."""
    for side in ("left", "right"):
        write(root / f"{side}.json", thread(n, lambda k: side if k % 10 == 0 else "alike"))


def missing(root, n):
    """`n` directives that each request two missing items."""
    for k in range(n):
        context = f"    <context><before>app/missing{k}</before><after>other/none{k}</after></context>\n"
        write(root / f".ai/directives/g{k // 100}/d{k}.md", directive(f"d{k}", metadata=context, body="Go.\n"))


def project(root, n):
    """`n` directives of a large project, and a fifth as many items."""
    lint.project(root, directives=n, items=n // 5)


def strange(root, n):
    """`n` lines with an invisible character."""
    task(root, body="A line with a\u200bcharacter.\n" * n)


def two_messages(root, n, differ=lambda k: k % 10 == 0):
    """Two saved messages of `n` lines, every tenth of which differs."""
    for side in ("left", "right"):
        lines = (f"Line {k} says something {side if differ(k) else 'alike'} to whoever reads on.\n" for k in range(n))
        said = {"messages": [{"role": "user", "content": "".join(lines)}]}
        write(root / f"{side}.json", json.dumps(said))


def unlike(root, n):
    """Two saved messages of `n` lines, each of which differs in one word."""
    two_messages(root, n, lambda k: True)


def history(root, n):
    """Two commits of `n` directives. One item, which ten of them use, changes in between."""
    trees.history(root, n, n // 5)


def guidelines(root, n):
    """Instructions of `n` bytes."""
    write(root / "AGENTS.md", text_of(n))


def skills_of(folder):
    """What writes `n` skills into a folder."""
    def skills(root, n):
        for k in range(n):
            matter = f"---\nname: skill-{k}\ndescription: Does the work of number {k}. Use it when somebody asks for such work.\n---\n"
            write(root / f"{folder}/skill-{k}/SKILL.md", f"{matter}\n# What to do\n\n" + "Do this, then that.\n" * 6)
        write(root / "AGENTS.md", text_of(100))
    skills.__name__ = f"skills_of{folder.replace('/', '_')}"
    return skills


skills = skills_of(".sf/skills")
agents_skills = skills_of(".agents/skills")
claude_skills = skills_of(".claude/skills")


def way(root, n):
    """Instructions in `n` folders, each in the one before; `deepest` leads to the last."""
    (root / ".git").mkdir(parents=True)
    folder = root
    for k in range(n):
        folder /= "d"
        write(folder / "AGENTS.md", f"Rule {k} says something to whoever reads on.\n")
    (root / "deepest").symlink_to(folder)


def imports(root, n):
    """Instructions of claude-code that import `n` files."""
    write(root / "CLAUDE.md", "".join(f"See @notes/n{k}.md for more.\n" for k in range(n)))
    for k in range(n):
        write(root / f"notes/n{k}.md", f"Note {k} says something to whoever reads on.\n")


def rules(root, n):
    """`n` rules of claude-code, every second of which waits for a file."""
    write(root / "src/a.ts", "")
    for k in range(n):
        matter = f"---\npaths: /src/part{k}/**\n---\n" if k % 2 else ""
        write(root / f".claude/rules/r{k}.md", f"{matter}Rule {k} says something to whoever reads on.\n")


def instructions(root, n):
    """Settings of opencode whose globs find `n` files."""
    write(root / "opencode.json", json.dumps({"instructions": ["guides/**/*.md"]}))
    for k in range(n):
        write(root / f"guides/g{k % 100}/n{k}.md", f"Guide {k} says something to whoever reads on.\n")


def forest(root, n):
    """`n` directives in trees of at most ten levels; each uses one of fifty items."""
    trees.forest(root, n)


def command(binary, words, root):
    """A command for the files in `root`: for the project there, unless the command names files."""
    words = words.split()
    if not {"--cwd", "{root}", "{root}/left.json"} & {*words}:
        words += ["--project", "{root}", "--user-space", "none"]
    return [binary, *(word.format(root=root) for word in words)]

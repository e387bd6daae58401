"""Random directive projects for `compare_ryeos.py`.

Each combines what a prompt can be made of: metadata elements, a chain, hooks of each kind and primary, knowledge items
of all shapes, pipes and paths, limits in three tiers. The same seed writes the same projects.
"""

import json
import random

DIRECTIVE = "app/task"
INPUTS = {"who": "Zoë", "key": "ONE", "items": ["a", {"deep": [1, 2.5]}], "text": '{"k": 1, "k": 2}', "n": 3, "yes": True, "none": None}
ITEMS = ["app/one", "app/two", "app/three", "four", "rye/agent/core/protocol/sign", "app/gone"]
PATHS = ["inputs.who", "inputs.items[0]", "inputs..items[1].deep[0]", "inputs.items[-1]", 'inputs["who"]', "...",
         "limits..turns", "limits.spend", "model", "directive", "depth", "inputs.none", "inputs.yes", "inputs.n",
         "inputs.items", "nowhere", ".directive.", "inputs. who", "max_turns", "capabilities_summary", "category"]
PIPES = ["json", "length", "keys", "upper", "lower", "from_json", "Upper", "", "json | length", "from_json | keys"]
BODIES = ["Plain text.", "\n\n  Indented.\n", "", "   \n", "About {input:who}.", "{input:gone?}{input:gone|left}!"]


def placeholder(pick):
    expression = pick(PATHS)
    if pick([True, False]):
        expression += pick([" || ", "||"]) + pick(PATHS)
    for _ in range(pick([0, 0, 1, 1, 2])):
        pipe = pick(PIPES)
        # `length` of a number and `from_json` of other text end the thread.
        if "from_json" in pipe:
            expression = "inputs.text"
        elif "length" in pipe and "json" not in pipe:
            expression = pick(["inputs.who", "inputs.items", "directive"])
        expression += pick([" | ", "|"]) + pipe
    return "${" + pick(["", " "]) + expression + "}"


def text(pick):
    return pick(BODIES) + pick(["", "", f"Is {placeholder(pick)} and {placeholder(pick)}.", placeholder(pick)])


def knowledge(pick):
    metadata = pick(["name: Other Name", "name: x\ncategory: app\ntags: [a, b]", "error: gone", "content: From a key.",
                     "a: [", "- list", "body: From the block.", "raw: Raw.\nversion: 2", ""])
    return pick([
        f"```yaml\n{metadata}\n```\n{text(pick)}\n",
        f"# Title\n\n```yaml\n{metadata}\n```\n\n{text(pick)}\n",
        f"---\nname: front\n---\n{text(pick)}\n",
        f"<!-- note -->\n---\nname: front\n---\n{text(pick)}\n",
        f"{text(pick)}\n",
        f"name: pure\nbody: {json.dumps(text(pick))}\n",
        "name: pure\nbody: null\n",
        "name: pure\nbody: |\n  Two\n  lines.\nerror: gone\n",
        f"```python\nprint(1)\n```\n{text(pick)}\n",
        "",
    ])


def condition(pick):
    compared = pick(["op: exists", "value: Zoë", "op: contains, value: a", "op: ne, value: 3", "op: in, value: [a, 25]"])
    plain = f"{{path: {json.dumps(pick(PATHS))}, {compared}}}"
    return pick(["{}", "{}", "{}", plain, f"{{not: {plain}}}", f"{{any: [{plain}, {{path: model, value: general}}]}}"])


def hook(pick, number):
    item = pick([pick(ITEMS), pick(ITEMS), "app/${inputs..key | lower}", "${inputs.gone || inputs.who}", "knowledge:app/one"])
    action = {"primary": pick(["execute", "execute", "fetch", "fetch", "sign", "load"]), "item_id": item,
              "kind": pick(["knowledge", "knowledge", "knowledge", "directive", "config", "tool"]),
              "item_type": pick(["knowledge", "knowledge", "", "thing"])}
    if action["kind"] == "directive" and action["primary"] == "fetch":
        action["item_id"] = "app/parent"
    if pick([True] * 5 + [False]) is False:
        return f"  - {{id: route{number}, event: resolve_extends, condition: {condition(pick)}, action: {{set_extends: app/parent}}}}\n"
    kept = {key: value for key, value in action.items() if key == "item_id" or pick([True] * 6 + [False])}
    event = pick(["build_system_prompt", "thread_started", "thread_started"])
    settings = pick(["", "layer: 1, ", "position: after, ", "wrap: false, ", "position: after, layer: 5, "])
    return f"  - {{id: h{number}, event: {event}, {settings}condition: {condition(pick)}, action: {json.dumps(kept)}}}\n"


def directive(pick, name, extends):
    context = "".join(f"<{tag}>{pick(ITEMS)}</{tag}>" for tag in ("system", "before", "after", "suppress") if pick([True, False]))
    parts = [
        f"<description>Do {name}.</description>",
        "<category>app</category>",
        pick(["", '<model tier="fast" />', '<model tier="general" id="m-1" />']),
        pick(["", '<runtime timeout="30" />', "<runtime><python>3.11</python></runtime>"]),
        pick(["", '<limits turns="7" />', '<limits turns="8" spend="0.5" />', '<limits tokens="10" depth="2" />']),
        pick(["", "<permissions><execute><tool>rye.file-system.*</tool></execute></permissions>",
              "<permissions><fetch>*</fetch></permissions>", '<permissions>*<acknowledge risk="unrestricted">Yes</acknowledge></permissions>',
              "<permissions><execute><knowledge>*</knowledge></execute><sign>*</sign></permissions>"]),
        f"<context>{context}</context>" if context else "",
        pick(["", f'<hooks><hook id="own" event="thread_started"><condition path=\'{pick(PATHS)}\' op="exists"/>'
              f'<action primary="execute" kind="knowledge" item_id="{pick(ITEMS)}"/></hook></hooks>']),
    ]
    outputs = pick(["", '<outputs><output name="done" type="boolean" required="true">Finished</output></outputs>'])
    body = pick(["Do the work for {input:who}.", "<process>\nGo: ${inputs.who} {input:gone|none}\n</process>"])
    head = f'<directive name="{name}" version="1.0.0"{extends}>'
    return f"# {name}\n\n```xml\n{head}\n<metadata>{''.join(parts)}</metadata>\n{outputs}\n</directive>\n```\n\n{body}\n"


def files(seed, number):
    """The files of a project and of its user space, by path."""
    pick = random.Random(f"{seed}:{number}").choice
    limits = lambda: "limits: {defaults: {" + pick(["turns: 11", "spend: 1.25", "turns: 3, spend: null", "extra: 9"]) + "}}\n"
    tree = {
        "project/.ai/directives/app/task.md": directive(pick, "task", pick(["", ' extends="app/parent"', ' extends="rye/agent/core/base"'])),
        "project/.ai/directives/app/parent.md": directive(pick, "parent", ""),
        "project/.ai/config/agent/hooks.yaml": "hooks:\n" + "".join(hook(pick, number) for number in range(5)),
    }
    for item in ("app/one", "app/two", "app/three", "four"):
        tree[f"{pick(['project', 'project', 'user'])}/.ai/knowledge/{item}.{pick(['md', 'md', 'md', 'yaml'])}"] = knowledge(pick)
    for tier in ("project", "user"):
        if pick([True, False]):
            tree[f"{tier}/.ai/config/agent/resilience.yaml"] = limits()
    if pick([True, False]):
        tree["user/.ai/config/agent/hooks.yaml"] = "hooks:\n" + hook(pick, "user")
    if pick([True, False]):
        tree["project/.ai/config/agent/hook_conditions.yaml"] = "context_hooks:\n" + hook(pick, "context")
    return tree


def write(folder, seed, count):
    """Writes `count` projects, and returns their folders, each with a `project` and a `user` space."""
    roots = [folder / f"{number:04}" for number in range(count)]
    for number, root in enumerate(roots):
        for path, content in files(seed, number).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content, encoding="utf-8")
        (root / "user" / ".ai").mkdir(parents=True, exist_ok=True)
    return roots

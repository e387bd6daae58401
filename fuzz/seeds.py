"""Writes the first inputs of every target, from the files of the tests.

    seeds.py CORPUS CASES...

CASES are folders of cases: a folder with `case.json` in it, or with `.ai` in it or below it, is a project.
"""

import hashlib
import json
import pathlib
import sys

LARGEST = 20_000


def write(corpus, target, data):
    if isinstance(data, str):
        data = data.encode()
    if len(data) > LARGEST:
        return
    folder = corpus / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ("seed-" + hashlib.sha256(data).hexdigest()[:16])).write_bytes(data)


def below(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def joined(files):
    """The files of an input, as the targets split them."""
    parts = []
    for name, data in files:
        parts.append(b"=== " + name.encode() + b"\n" + data + (b"" if data.endswith(b"\n") else b"\n"))
    return b"".join(parts)


def tier(folder, prefix):
    return [(prefix + str(path.relative_to(folder)), path.read_bytes()) for path in below(folder) if path.suffix != ".json"]


def text(value):
    return value if isinstance(value, str) else json.dumps(value)


def request(case):
    lines = ["directive " + case["directive"], "protocol " + case.get("protocol", "rye-3")]
    lines += [f"input {name}={text(value)}" for name, value in (case.get("inputs") or {}).items()]
    lines += [f"env {name}={value}" for name, value in (case.get("env") or {}).items()]
    return ("\n".join(lines) + "\n").encode()


def project(corpus, files):
    for target in ("render", "lint"):
        write(corpus, target, joined(files))
    directives = [(name, data) for name, data in files if name.startswith(".ai/directives/")]
    changed = [("then:" + name, data.replace(b"e", b"ee", 3) + b"\nmore\n") for name, data in directives[:1]]
    write(corpus, "diff", joined(files + changed))


def file(corpus, path):
    data = path.read_bytes()
    parts = path.parts
    write(corpus, "signatures", data)
    if path.suffix == ".md":
        write(corpus, "fence", data)
        write(corpus, "knowledge" if "knowledge" in parts else "xml", data)
    if path.suffix in (".yaml", ".yml"):
        write(corpus, "yaml", data)
    if "tools" in parts:
        write(corpus, "tools", data)
    if ".ai" in parts:
        kind = parts.index(".ai") + 2
        write(corpus, "ids", "/".join(parts[kind:]).rsplit(".", 1)[0])


def case(corpus, folder):
    asked = json.loads((folder / "case.json").read_text())
    if (folder / "fs").is_dir():
        files = tier(folder / "fs", "")
        for name, key in (("tools", "tools_file"), ("extensions", "mods")):
            value = asked.get(key)
            if isinstance(value, str) and (folder / value).is_file():
                files.append((name, (folder / value).read_bytes()))
            elif value:
                files.append((name, json.dumps(value).encode()))
        write(corpus, "agents", joined(files))
    elif "directive" in asked:
        files = [("request", request(asked))]
        files += tier(folder / "project", "") + tier(folder / "user", "user:")
        system = folder / "system"
        files += [(f"system:{path.relative_to(bundle)}", path.read_bytes())
                  for bundle in (sorted(system.iterdir()) if system.is_dir() else []) if bundle.is_dir()
                  for path in below(bundle)]
        project(corpus, files)


def units(corpus, path):
    """Rows of test vectors."""
    for row in json.loads(path.read_text()):
        if not isinstance(row, dict):
            continue
        if path.stem == "conditions":
            write(corpus, "conditions", json.dumps(row["condition"]) + "\n=====\n" + json.dumps(row["doc"]))
        elif path.stem.startswith("interpolate"):
            values = {"inputs": row.get("inputs") or {}, "env": row.get("env") or {}, "context": row.get("context")}
            values["inputs"] = values["inputs"] or (row.get("context") or {}).get("inputs") or {}
            write(corpus, "interpolation", (row.get("text") or row.get("template") or "") + "\n=====\n" + json.dumps(values))
        elif path.stem == "yaml_scalars":
            write(corpus, "yaml", row["yaml"])
        elif path.stem == "directive_parse":
            write(corpus, "xml", row["text"])
        elif path.stem == "knowledge_parse":
            write(corpus, "knowledge", row["text"])


def transcripts(corpus, folder):
    sent = [path.read_text() for path in below(folder) if path.suffix in (".json", ".jsonl") and path.name != "case.json"]
    sent = [text for text in sent if len(text) < LARGEST // 2]
    for one, other in zip(sent, sent[1:] + sent[:1]):
        write(corpus, "diff_saved", one + "\n=====\n" + one.replace("e", "ee", 3))
        write(corpus, "diff_saved", one + "\n=====\n" + other)


# Inputs that no file of the tests contains.
EXTRA = {
    "conditions": ['{path: text, op: regex, value: "(a+)+$"}\n=====\n{text: aaaaaaaaab}',
                   "{any: [{path: a.b, op: in, value: [1, 2]}, {not: {path: c, op: exists}}]}\n=====\n{a: {b: 2}}"],
    "interpolation": ['{env:A:x} {input:a|b} ${inputs.a} ${inputs.b || c}\n=====\n{"inputs": {"a": 1}, "env": {"A": "y"}, "context": {"c": 2}}'],
    "ids": ["a/b", "../a", "./a.md", "c:/x", "a//b", "a\\b"],
    "tools": ['CONFIG_SCHEMA = {"type": "object", "a": [1, -2.5, None, True, "x" "y"]}\n__tool_description__ = """d"""\n',
              'export const CONFIG_SCHEMA = {type: "object", a: [1, -2.5, null, `x`],};\n',
              "config_schema: {type: object}\ndescription: d\n"],
    "diff_saved": ['{"messages": [{"role": "user", "content": "a\\nb"}], "model": "m"}\n=====\n'
                   '{"system": "s", "messages": [{"role": "user", "content": [{"type": "text", "text": "a\\nc"}]}]}',
                   '{"event_type": "system_prompt", "payload": {"text": "a"}}\n=====\n{"contents": [{"role": "user", "parts": [{"text": "a"}]}]}'],
    "agents": ["=== work/app/AGENTS.md\nRules.\n=== work/app/.sf/SYSTEM.md\nYou.\n=== work/app/.sf/skills/a/SKILL.md\n---\n"
           "name: a\ndescription: >-\n  what it\n  does\n---\nText\n=== tools\n"
           "tools: [{name: t, description: d, promptSnippet: s, promptGuidelines: [g], parameters: {type: object}}]\n"
           "=== extensions\nprompts: [[{append: x, message: m, set_active_tools: [read]}]]\ncontext: [{drop: '^a+$', inject: {role: user, text: i}}]\n"],
}


def main():
    corpus, folders = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    for target, inputs in EXTRA.items():
        for data in inputs:
            write(corpus, target, data)
    for folder in folders:
        for path in sorted(folder.rglob("case.json")):
            case(corpus, path.parent)
        for path in sorted(folder.rglob("_units/*.json")):
            units(corpus, path)
        for ai in sorted(folder.rglob(".ai")):
            if not (ai.parent.parent / "case.json").is_file():
                project(corpus, tier(ai.parent, ""))
        for path in below(folder):
            file(corpus, path)
        transcripts(corpus, folder)


main()

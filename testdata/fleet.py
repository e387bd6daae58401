#!/usr/bin/env python3
"""Writes many small repositories with known mistakes, for docs/fleet.md.

usage: testdata/fleet.py FOLDER NUMBER

Half of them are projects of directives, and half have instructions for coding agents.
"""
import collections
import sys
from pathlib import Path

TEAMS = ["data", "mobile", "payments", "search", "web"]
# What codex sends of the instructions of a folder, in bytes.
BUDGET = 32768
# Not a key of anyone.
KEY = "AKIA" + "ODZDOCIS2JHTLGMX"
DIRECTIVE = """# {title}

```xml
<directive name="{name}" version="1.0.0"{extends}>
  <metadata>
    <description>{title} the service</description>
    <category></category>
    <author>platform</author>
    <model tier="fast"/>
    <context><before>team/rules</before>{more}</context>
    <permissions><execute><tool>rye.file-system.read</tool></execute></permissions>
  </metadata>
</directive>
```

{title} the service, and report what you did.
"""
RULES = """```yaml
name: rules
title: Rules
entry_type: reference
category: team
version: "1.0.0"
author: platform
description: What holds in every repository
tags: [team]
```

Ask before you delete data.{secret}
"""


def instructions(number, rules):
    lines = (f"- Part {part} of service {number} has its own tests: run suite {part} before you push.\n"
             for part in range(rules))
    return f"# Service {number}\n\n{''.join(lines)}"


def repository(number):
    """The files of a repository, and the mistakes in it."""
    files, planted = {}, collections.Counter()

    def every(step, first, mistake):
        is_planted = number % step == first
        planted[mistake] += is_planted
        return is_planted

    if number % 2 == 0:
        secret = f" The key is {KEY}." if every(96, 10, "secret") else ""
        more = "<before>team/oncall</before>" if every(38, 4, "missing_item") else ""
        extends = ' extends="team/base"' if every(46, 6, "missing_parent") else ""
        files[".ai/knowledge/team/rules.md"] = RULES.format(secret=secret)
        for name in ["deploy", "review", "triage"][:1 + number % 3]:
            files[f".ai/directives/{name}.md"] = DIRECTIVE.format(
                title=name.title(), name=name, extends=extends if name == "deploy" else "", more=more)
            planted["directives"] += 1
    else:
        # Each long file has another length.
        rules = 460 + number // 10 if every(49, 7, "cut") else 5
        files["AGENTS.md"] = text = instructions(number, rules)
        planted["bytes_lost"] += max(0, len(text) - BUDGET)
        if number % 4 == 1:
            lost = "See @docs/oncall.md for who to call.\n" if every(21, 5, "missing_import") else ""
            files["CLAUDE.md"] = f"@AGENTS.md\n\n{lost}"
    return files, planted


def main():
    folder, total = Path(sys.argv[1]), collections.Counter()
    for number in range(int(sys.argv[2])):
        files, planted = repository(number)
        total += planted
        for path, text in files.items():
            path = folder / f"{TEAMS[number % len(TEAMS)]}-{number:04}" / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    print(", ".join(f"{count} {what}" for what, count in sorted(total.items())))


if __name__ == "__main__":
    main()

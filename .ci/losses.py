"""Compares the states of instruction files and skills with what a released agent sends of them."""

import os
import re

# What a word can follow without another value of the key.
DESCRIPTION = re.compile(rb"^description: *['\"]?(?=[A-Za-z])", re.MULTILINE)
NAMES = {"agents.md", "agents.override.md", "claude.md", "claude.local.md", "notes.md", "context.md"}


def mark(tree):
    """Adds a word that no other file has to the end of each instruction file that has text, and to the description of each
    skill. Returns the words by path."""
    words = {}
    for path, content in tree.files.items():
        name, word = path.split("/")[-1], f"word{len(words):03}"
        if not isinstance(content, (str, bytes)):
            continue
        text = content.encode() if isinstance(content, str) else content
        if name.lower() in NAMES and text.strip():
            marked = text + f"\n{word}".encode()
        elif name == "SKILL.md":
            marked = DESCRIPTION.sub(lambda key: key[0] + f"{word} ".encode(), text, count=1)
        else:
            continue
        if marked != text:
            words[path], tree.files[path] = word, marked
    return words


def losses(words, files, sent, tree, top):
    """A line for each word that is sent, or not, against the state of its file; `files` are those of the JSON."""
    states = {}
    for file in files:
        # A skill may be listed without its description.
        state = file["state"] if file["state"] != "listed" or file["why"] is None else f"listed, {file['why']}"
        states.setdefault(os.path.realpath(file["path"]), set()).add(state)
    lines = []
    for path, word in words.items():
        known = states.get(os.path.realpath(top / path), set())
        folder = path.rpartition("/")[0]
        # Agents look for this name on the way to the working folder.
        is_due = path.endswith("AGENTS.md") and f"{tree.cwd}/".startswith(f"{folder}/" if folder else "")
        if (word in sent) != bool({"loaded", "listed"} & known) or (is_due and not known):
            what = "sent" if word in sent else "not sent"
            lines.append(f"the word of {path} is {what}, and its state is {', '.join(sorted(known)) or 'unknown'}")
    return lines

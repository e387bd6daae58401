"""Compares the states of instruction files with what a released agent sends of them."""

import os

NAMES = {"agents.md", "agents.override.md", "claude.md", "claude.local.md", "notes.md", "context.md"}


def mark(tree):
    """Ends each instruction file that has text with a word that no other file has. Returns the words by path."""
    words = {}
    for path, content in tree.files.items():
        if path.split("/")[-1].lower() in NAMES and isinstance(content, (str, bytes)):
            text = content.encode() if isinstance(content, str) else content
            if text.strip():
                words[path] = f"word{len(words):03}"
                tree.files[path] = text + f"\n{words[path]}".encode()
    return words


def losses(words, files, sent, tree, top):
    """A line for each file that is sent to its end, or not, against its state; `files` are those of the JSON."""
    states = {}
    for file in files:
        states.setdefault(os.path.realpath(file["path"]), set()).add(file["state"])
    lines = []
    for path, word in words.items():
        known = states.get(os.path.realpath(top / path), set())
        folder = path.rpartition("/")[0]
        # Agents look for this name on the way to the working folder.
        is_due = path.endswith("AGENTS.md") and f"{tree.cwd}/".startswith(f"{folder}/" if folder else "")
        if (word in sent) != ("loaded" in known) or (is_due and not known):
            what = "sent" if word in sent else "not sent"
            lines.append(f"the end of {path} is {what}, and its state is {', '.join(sorted(known)) or 'unknown'}")
    return lines

"""File trees for which two programs build the system prompt of an agent: hand-picked ones and random ones.

They exclude what `sf` does not specify, or deliberately does differently from the released package:
- links that reach a skills folder again under a different name, such as circular ones: `sf` enters each real folder once;
- folders that contain ignore files and whose own names look like patterns, which the package treats as patterns;
- a repeated or unknown name in the list of tools, which is an error;
- a SYSTEM.md or APPEND_SYSTEM.md that is a folder, which is an error: the package uses its path as the text;
- an unclosed single-quoted string that ends in two single quotes, which the package's YAML parser reads as closed;
- the time zones GMT and Etc/GMT, which `sf` calls UTC, and future times, on which zone databases disagree.
"""

import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Link:
    """A link; a target without a leading slash is relative to the link."""

    target: str


FOLDER = object()


@dataclass
class Tree:
    """The arguments of a prompt, and its files: text, bytes, links or folders, by path from the top of the tree."""

    name: str
    files: dict
    cwd: str = "work/app"
    home: str = "home"
    agent: str = "home/.pi/agent"
    tools: list | None = None
    custom: list = field(default_factory=list)
    now: str = "2026-03-07T14:55:05Z"
    tz: str = "America/Chicago"

    def lay_out(self, top):
        """Writes the tree below a folder."""
        for path, content in self.files.items():
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            if content is FOLDER:
                (top / path).mkdir(exist_ok=True)
            elif isinstance(content, Link):
                (top / path).symlink_to(content.target)
            else:
                (top / path).write_bytes(content.encode() if isinstance(content, str) else content)
        for path in (self.cwd, self.home, self.agent):
            (top / path).mkdir(parents=True, exist_ok=True)


def skill(name, description="What it is for.", more=""):
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n\n# What to do\n"


def telling():
    """Trees that each show one rule."""
    agent, app = "home/.pi/agent", "work/app"
    skills = f"{agent}/skills"
    good = skill("good")
    return [
        Tree("nothing", {}),
        Tree("empty SYSTEM.md hides the agent's", {f"{app}/.pi/SYSTEM.md": "", f"{agent}/SYSTEM.md": "No."}),
        Tree("blank SYSTEM.md counts", {f"{app}/.pi/SYSTEM.md": " \n", f"{app}/AGENTS.md": "a"}),
        Tree("dangling SYSTEM.md is absent", {f"{app}/.pi/SYSTEM.md": Link("gone"), f"{agent}/SYSTEM.md": "Yes."}),
        Tree("empty addition", {f"{app}/.pi/APPEND_SYSTEM.md": "", f"{agent}/APPEND_SYSTEM.md": "No."}),
        Tree("blank addition", {f"{app}/.pi/APPEND_SYSTEM.md": "\n"}),
        Tree("SYSTEM.md above the folder does not count", {"work/.pi/SYSTEM.md": "No.", f"{app}/SYSTEM.md": "No."}),
        Tree("both names", {f"{app}/AGENTS.md": "", f"{app}/CLAUDE.md": "No.", "work/CLAUDE.md": "Yes."}),
        Tree("a folder is skipped", {f"{app}/AGENTS.md/x": "", f"{app}/CLAUDE.md": "Yes."}),
        Tree("both are folders", {f"{app}/AGENTS.md/x": "", f"{app}/CLAUDE.md/x": ""}),
        Tree("a broken link is skipped, a valid one counts", {
            f"{app}/AGENTS.md": Link("gone"), f"{app}/CLAUDE.md": Link("../../notes.md"), "notes.md": "Yes.",
            "work/AGENTS.md": Link("AGENTS.md"), "work/CLAUDE.md": "A link to itself is skipped, too.",
        }),
        Tree("a context file with arbitrary bytes", {f"{app}/AGENTS.md": b"\xef\xbb\xbfa\r\nb\rc\xff\xe2\x82d\xf0\x9f\x98\0"}),
        Tree("the agent's folder is the working folder", {"home/AGENTS.md": "home", f"{agent}/AGENTS.md": "agent"}, cwd=agent),
        Tree("below the agent's folder", {f"{agent}/CLAUDE.md": "a", f"{agent}/x/AGENTS.md": "b"}, cwd=f"{agent}/x"),
        Tree("the folder is a link", {"real/AGENTS.md": "a", "link": Link("real"), "real/in/x": ""}, cwd="link/in"),
        Tree("the agent's folder is also the project's `.pi`", {"home/.pi/skills/a/SKILL.md": good}, cwd="home", agent="home/.pi"),
        Tree("roots", {
            f"{app}/.pi/skills/p/SKILL.md": skill("p"), f"{app}/.agents/skills/q/SKILL.md": skill("q"),
            "work/.agents/skills/r/SKILL.md": skill("r"), f"{skills}/s/SKILL.md": skill("s"),
            "home/.agents/skills/t/SKILL.md": skill("t"), ".agents/skills/u/SKILL.md": skill("u"),
        }),
        Tree("a repository ends the search", {"work/.git": "gitdir: x", ".agents/skills/u/SKILL.md": skill("u")}),
        Tree("a dangling .git does not end the search", {"work/.git": Link("gone"), ".agents/skills/u/SKILL.md": skill("u")}),
        Tree("below the home folder", {"home/.agents/skills/t/SKILL.md": skill("t"), f"{skills}/s/SKILL.md": good}, cwd="home/x/y"),
        Tree("the working folder is the home folder", {"home/.agents/skills/t/SKILL.md": skill("t"), f"{skills}/s/SKILL.md": good}, cwd="home"),
        Tree("loose files", {
            f"{skills}/a.md": skill("a"), f"{skills}/SKILL.md": skill("s"), f"{skills}/b.MD": skill("b"),
            f"{skills}/d/c.md": skill("c"), f"{skills}/.hidden.md": skill("h"), f"{skills}/e.md/SKILL.md": skill("e"),
            f"{skills}/n.md": "---\ndescription: without a name\n---",
        }),
        Tree("below a skill", {
            f"{skills}/a/SKILL.md": skill("a"), f"{skills}/a/b/SKILL.md": skill("b"), f"{skills}/a/skill.md": skill("c"),
            f"{skills}/a/node_modules/x/SKILL.md": skill("x"), f"{skills}/.git/x/SKILL.md": skill("y"),
        }),
        Tree("names are sorted by bytes", {f"{skills}/{name}/SKILL.md": skill(f"'{name}'") for name in "é Z a B _ 1 Ω 😀 ￼".split()}),
        Tree("the first skill with a given name wins", {
            f"{app}/.pi/skills/x/SKILL.md": skill("same", more="disable-model-invocation: true\n"),
            f"{skills}/y/SKILL.md": skill("same"), f"{skills}/z/SKILL.md": skill("z"),
        }),
        Tree("the same file again", {
            f"{skills}/a/SKILL.md": "---\ndescription: d\n---", f"{skills}/b/SKILL.md": Link("../a/SKILL.md"), f"{skills}/c": Link("a"),
            f"{skills}/d": Link("gone"), f"{skills}/e": Link("../../../../more"), "more/f/SKILL.md": skill("f"),
        }),
        Tree("circular links", {f"{skills}/a/SKILL.md": skill("a"), f"{skills}/a/zz": Link(".."), f"{skills}/z/z": Link("z")}),
        Tree("a root that is a link", {"home/.agents": Link("../more"), "more/skills/f/SKILL.md": skill("f")}),
        Tree("a root that is a file", {f"{skills}": good, "home/.agents/skills/f/SKILL.md": skill("f")}),
        Tree("names and descriptions are escaped", {f"{skills}/a&b'<\">/SKILL.md": skill("'a&amp;<b>'", "'it''s \"<x>\" & y'")}),
        Tree("quotes that are not closed", {f"{skills}/a/SKILL.md": skill("a", "'x"), f"{skills}/b/SKILL.md": skill("b", '"x')}),
        Tree("ignore files", {
            f"{skills}/.gitignore": "# no\n\ndraft-*\n!draft-good\nBIG/\nx/y\n*.tmp.md\n/first\n", f"{skills}/.ignore": "!draft-b\n",
            f"{skills}/.fdignore": "draft-c  \n\\!odd\n\\#hash\n",
            **{f"{skills}/{name}/SKILL.md": skill(f"'{name}'") for name in (
                "draft-a", "draft-b", "draft-c", "draft-good", "big", "x/y", "x/z", "!odd", "#hash", "first", "d/draft-a")},
            f"{skills}/a.tmp.md": skill("tmp"), f"{skills}/d/.ignore": "inner\n!draft-a\n", f"{skills}/d/inner/SKILL.md": skill("inner"),
            f"{skills}/inner/SKILL.md": skill("inner2"),
        }),
        Tree("skills need the read tool", {f"{skills}/a/SKILL.md": skill("a")}, tools=["bash", "edit"]),
        Tree("skills need the read tool with a base, too", {f"{skills}/a/SKILL.md": skill("a"), f"{agent}/SYSTEM.md": "x"}, tools=[]),
        Tree("all tools", {}, tools=["read", "bash", "edit", "write", "grep", "find", "ls"]),
        Tree("no tools", {}, tools=[]),
        Tree("read and ls", {}, tools=["ls", "read"]),
        Tree("tools of an extension", {}, custom=CUSTOM),
        Tree("a different order", {}, custom=CUSTOM, tools=["find", "two", "bash", "one", "three", "read", "four", "five"]),
    ]


CUSTOM = [
    {"name": "one", "description": "  does\n\tone\u00a0thing\ufeff ", "promptGuidelines": [" Be concise in your responses\n", "", "a\n b"]},
    {"name": "two", "description": "d", "promptSnippet": " "},
    {"name": "three", "promptSnippet": "three\u0085\u200b.", "promptGuidelines": ["Use bash for file operations like ls, rg, find"]},
    {"name": "four", "description": ""},
    {"name": "five", "description": "five", "promptSnippet": "", "promptGuidelines": ["a\n b", "c"]},
    {"name": "read", "description": "Reads in a way of its own"},
    {"name": "find", "promptSnippet": "Finds", "description": "no"},
]

FOLDERS = [
    "app", "src", "a b", "it's", 'say "x"', "a&b", "<x>", "é", "日本", "😀", "$1", "{x}", "A", "x.md", " lead", "`x`",
    "a\\b",
]
TEXTS = [
    "", " ", "\n", "one line", "Ends here.\n", "a\r\nb\r\n", "a\rb", "\ufeffwith a mark\n", "{{x}} ${x} $& $1 %s\n",
    "## Head\n\n---\n", b"broken \xff\xfe\n", b"cut \xe2\x82", b"\xed\xa0\x80 \xf5 \xc0\xaf\n", b"\0\x1b[31m\n",
    "\u2028\u0085\u200b\n", "  indented\n\n\n",
]
KEYS = [
    "name: {}", "name:   {}  ", "name : {}", '"name": {}', "'name': {}", "? name\n: {}", "name: {} # x", "name:\n  {}",
    "NAME: {}",
]
NAMES = [
    "{}", "'{}'", '"{}"', "{}-x", "", "''", "null", "~", "5", "true", "[a]", "{{a: b}}", "Yes", "2026-01-02", "a--b",
    "-", "1e3", "0x1F", "0", "a: b", "é", "'it''s'", '"\\u0041\\n"', "*x", "&x {}", "!!str 5", "!x {}", "|\n  {}",
    ">-\n  {}\n  more", "@x", "`x`", "%x", "0o17", "+1", ".5", ".inf", "-.INF", "0b11", "1_000", "false", "no", "a #b",
    "a# b", "[", "'", "]", "a\tb", "\ta", ".nan", "-0", "007", "12:30:45", "<<", "=", "x\u00a0",
]
DESCRIPTIONS = [
    "{}", "What {} is for.", "'quoted {}'", '"quoted \\"{}\\" \\t \\x41 \\u00e9 \\U0001F600 \\/ \\_ \\N"', "a: b", "",
    "null", "~", "''", '"  "', "' x '", "5", "[a, b]", "{{a: b}}", "yes", "true", "|\n  first\n  second\n",
    "|-\n  first\n\n  second\n", "|+\n  first\n\n\n", ">\n  folded\n  line\n\n  next\n    more\n  less\n",
    ">-\n  a\n  b", ">+\n  a\n\n", "|2\n    two\n  three\n", "over\n  several\n  lines\n\n  and more",
    '"over\n  several\n\n  lines \\\n  joined"', "'over\n  several\n\n  lines'", "a #not: a comment", "a # comment",
    "# comment", "& <b> \"c\" 'd'", "&amp;", "*star", "&anchor text", "!!str 5", "!!int 5", "!tag text", "-", "- a",
    "?", "? a", ": a", ":a", "a:b", "http://x/y?z#w", "@at", "`tick`", "%percent", "\\n", "\ttab", "a\ttab", "é日本😀",
    "\u00a0", "\u2028", "x\u0085y", "\ufeffx", "...", "--- x", "{}, {}", "{{", "}}", "]", '"unclosed', '"bad \\q"',
    "|bad\n  x", "| # comment\n  x", ">1\n x", "a\n b: c", "a\nb", "{}" + " long" * 300, "&a *a", "*missing",
    "2026-01-02", "1e3", ".nan", "0", "false", "[]", "{{}}", "!!null x", "!!bool true", "'a'b", '"a" b', "a 'b'",
    "  |\n  x", "|\n\n  x\n", "|\n   x\n  y\n", ">\n\n  x\n\n\n  y\n", "|\n  x\n \n  y", "|\n\tx", "|\n  x\n# c",
]
HIDING = [
    "true", "True", "TRUE", "false", "yes", "on", "'true'", "1", "", "null", "tRue", "!!bool true", "true # x",
    "[true]",
]
EXTRAS = [
    "", "", "", "license: MIT\n", "metadata:\n  a: b\n  c: [1, 2]\n", "# comment\n", "\n", "allowed-tools: a b\n",
    "name: again\n", "description: again\n", "just text\n", "- a\n", "\tx: y\n", "x:\ty\n", "x: &a 1\ny: *a\n",
    "<<: {{description: merged}}\n".replace("{{", "{").replace("}}", "}"), "x: [a,\n  b]\n", "x: [a,\nb]\n",
    "%YAML 1.2\n", "...\n", "x: 'a\n", " indented: x\n", "? [complex]\n: x\n", "1: x\n", "x: !!binary aGk=\n",
    "x: !!set {a, b}\n", "null: x\n", "x: @a\n", "a: b: c\n", "x:y\n", "x: y: z\n", "'x': y\n",
]
OPENINGS = ["---\n"] * 12 + ["---\r\n", "---x", "--- ", "----\n", "\ufeff---\n", "\n---\n", " ---\n", "---", "---\n\n", "--\n"]
CLOSINGS = ["---\n"] * 12 + ["---", "----\n", "---x\n", "...\n", " ---\n", "---\r\n", ""]
IGNORED = [
    "*", "!*", "{}", "!{}", "{}/", "*.md", "!*.md", "SKILL.md", "# {}", "", "  ", "{}*", "?{}", "**/{}", "{}/**",
    "[a-c]*", "[!a-c]*", "\\{}", "{} ", "{}/SKILL.md", "a/{}", "!a/{}", "/{}", "!/{}", "/a/{}", " {}", "{}.md",
]
ZONES = [
    "UTC", "Etc/UTC", "Europe/London", "Europe/Dublin", "Europe/Berlin", "Europe/Lisbon", "Atlantic/Azores",
    "America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles",
    "America/Anchorage", "America/Halifax", "America/St_Johns", "America/Sao_Paulo", "America/Havana",
    "America/Mexico_City", "Pacific/Honolulu", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia", "Asia/Kolkata",
    "Asia/Kathmandu", "Asia/Tehran", "Asia/Tokyo", "Australia/Lord_Howe", "Australia/Adelaide", "Africa/Casablanca",
    "Africa/Abidjan", "Antarctica/Troll", "Etc/GMT+5", "America/Puerto_Rico", "America/Toronto",
]
BUILT_IN = ["read", "bash", "edit", "write", "grep", "find", "ls"]


def randoms(count, seed):
    """`count` random trees, the same for the same seed."""
    return [Random(random.Random(f"{seed}-{index}")).tree(f"random {index}") for index in range(count)]


class Random:
    """Builds a random tree."""

    def __init__(self, chance):
        self.chance = chance
        self.files = {}

    def pick(self, values):
        return self.chance.choice(values)

    def is_so(self, probability):
        return self.chance.random() < probability

    def tree(self, name):
        folders = ["home"] if self.is_so(0.3) else []
        folders += [self.pick(FOLDERS) for _ in range(self.chance.randint(1, 6))]
        cwd = "/".join(folders)
        agent = self.pick(["home/.pi/agent"] * 6 + [cwd, "agent x", f"{cwd}/.pi"])
        self.instructions(cwd, agent)
        self.bases(cwd, agent)
        self.skills(cwd, agent)
        custom = self.chance.sample(CUSTOM, self.chance.randint(0, 4)) if self.is_so(0.4) else []
        known = list(dict.fromkeys(BUILT_IN + [tool["name"] for tool in custom]))
        tools = self.chance.sample(known, self.chance.randint(0, len(known))) if self.is_so(0.5) else None
        return Tree(name, self.files, cwd, "home", agent, tools, custom, *self.clock())

    def clock(self):
        year, month, day = self.chance.randint(1990, 2025), self.chance.randint(1, 12), self.chance.randint(1, 28)
        if self.is_so(0.4):
            # Around the weeks in which clocks change.
            month, day = self.pick([(3, 8), (3, 9), (3, 30), (3, 31), (4, 5), (10, 1), (10, 26), (11, 1), (11, 2)])
        hour, minute, second = (self.chance.randint(0, most) for most in (23, 59, 59))
        fraction = self.pick(["", ".999", ".5"])
        return f"{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z", self.pick(ZONES)

    def put(self, path, content):
        """Adds an entry, unless one is already at or below its path, or a file or link is above it."""
        parts = path.split("/")
        above = ("/".join(parts[:end]) for end in range(1, len(parts)))
        if not any(self.files.get(folder, FOLDER) is not FOLDER for folder in above):
            if not any(known == path or known.startswith(f"{path}/") for known in self.files):
                self.files[path] = content

    def instructions(self, cwd, agent):
        parts = cwd.split("/")
        folders = ["/".join(parts[:end]) for end in range(len(parts) + 1)] + [agent]
        for folder in folders:
            for name, often in (("AGENTS.md", 0.4), ("CLAUDE.md", 0.4), ("agents.md", 0.05), ("AGENTS.MD", 0.05)):
                if self.is_so(often):
                    self.put(f"{folder}/{name}".lstrip("/"), self.file())
            if self.is_so(0.1):
                self.put(f"{folder}/.git".lstrip("/"), self.pick([FOLDER, "gitdir: x", Link("gone")]))

    def file(self):
        """The content at a path: mostly text."""
        if self.is_so(0.8):
            return self.text()
        target = self.pick(["gone", ".", "AGENTS.md", "CLAUDE.md", "/", "other.md"])
        return self.pick([FOLDER, Link(target)])

    def text(self):
        pieces = [self.pick(TEXTS) for _ in range(self.pick([1, 1, 1, 2, 4]))]
        return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)

    def bases(self, cwd, agent):
        for folder in (f"{cwd}/.pi", agent, "home/.pi"):
            for name in ("SYSTEM.md", "APPEND_SYSTEM.md"):
                if self.is_so(0.2):
                    self.put(f"{folder}/{name}", self.text() if self.is_so(0.9) else Link("gone"))

    def skills(self, cwd, agent):
        parts = cwd.split("/")
        above = [f"{'/'.join(parts[:end])}/.agents/skills".lstrip("/") for end in range(len(parts) + 1)]
        for root in [f"{cwd}/.pi/skills", *above, f"{agent}/skills", "home/.agents/skills"]:
            if self.is_so(0.5):
                self.root(root)

    def root(self, root):
        """A skills folder. A link points outside the folder, or to a name that sorts before its own; the comment at the top of
        this file says why."""
        names = self.chance.sample(["a", "b", "c", "d-e", "f--g", "H", "i j", "k&l", "é", "x.md", "node_modules", ".hid"], self.chance.randint(0, 5))
        for name in names:
            folder = f"{root}/{name}"
            self.put(f"{folder}/SKILL.md", self.skill(name))
            if self.is_so(0.3):
                inner = self.pick(["a", "inner", "SKILL.md"])
                self.put(f"{folder}/{inner}/SKILL.md", self.skill(inner))
            if self.is_so(0.15):
                self.ignore_file(folder)
        for name in ("loose.md", "SKILL.md", "README.MD", "0.md", "notes.txt"):
            if self.is_so(0.15):
                self.put(f"{root}/{name}", self.skill("skills"))
        if self.is_so(0.3):
            self.ignore_file(root)
        if self.is_so(0.2):
            self.put(f"{root}/j", Link(self.pick(["../elsewhere", "gone", "j"])))
            self.put(f"{root}/../elsewhere/m/SKILL.md", self.skill("m"))
        if self.is_so(0.2):
            self.put(f"{root}/z/SKILL.md", Link(f"../{names[0] if names else 'gone'}/SKILL.md"))

    def ignore_file(self, folder):
        lines = [self.pick(IGNORED).format(self.pick(["a", "b", "c", "inner", "H", "loose", "d-e"])) for _ in range(self.chance.randint(0, 4))]
        self.put(f"{folder}/{self.pick(['.gitignore', '.ignore', '.fdignore'])}", self.pick(["\n", "\r\n"]).join(lines))

    def skill(self, name):
        if self.is_so(0.03):
            return self.text()
        is_plain = self.is_so(0.4)
        lines = []
        if self.is_so(0.8):
            key, value = ("name: {}", "{}") if is_plain else (self.pick(KEYS), self.pick(NAMES))
            lines.append(key.format(value.format(name)) + "\n")
        if self.is_so(0.95):
            value = self.pick(DESCRIPTIONS)
            lines.append(f"description: {value.format(name, name)}\n")
        if self.is_so(0.2):
            lines.append(f"disable-model-invocation: {self.pick(HIDING)}\n")
        lines.append("" if is_plain else self.pick(EXTRAS))
        self.chance.shuffle(lines)
        text = self.pick(OPENINGS) + "".join(lines) + self.pick(CLOSINGS) + "\nBody.\n"
        return text.replace("\n", self.pick(["\n"] * 8 + ["\r\n", "\r"]))

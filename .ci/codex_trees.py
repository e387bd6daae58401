"""Random file trees for which `codex` and `rye-render` build the prompt.

They exclude what `rye-render` deliberately does not do: rules of commands beyond calls with literals, and settings whose
effect is only the agent's own text.
"""

import random

from pi_trees import FOLDER, FOLDERS, Link, Random, Tree

NAMES_OF_FILES = ["AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "agents.md", "NOTES.md"]
SETTINGS = [
    'project_doc_fallback_filenames = ["CLAUDE.md", " NOTES.md ", "a/b", ""]\n',
    *["project_doc_max_bytes = {}\n"] * 4,
    'developer_instructions = "one\\ntwo"\n', "developer_instructions = '''\n\nraw\n'''\n", 'developer_instructions = " "\n',
    'instructions = "base"\n', 'model_context_window = {}\n', 'sandbox_mode = "workspace-write"\n', 'approval_policy = "never"\n',
]
USERS = ['project_root_markers = ["top.txt", ".git"]\n', "project_root_markers = []\n", 'project_root_markers = ["conf/root"]\n']
TABLES = [
    "[skills.bundled]\nenabled = false\n", "[skills]\ninclude_instructions = false\n",
    '[[skills.config]]\nname = "a"\nenabled = false\n[[skills.config]]\nname = " kit:b "\nenabled = false\n',
    '[[skills.config]]\nname = "imagegen"\nenabled = false\n',
]
RULES = [
    'prefix_rule(pattern=["a", ["b", "c"]])\n', 'prefix_rule(pattern=[["é", "x\\"y"], "z"], decision="allow")\n',
    'prefix_rule(pattern=["rm"], decision="forbidden")\n', "# none\n", 'prefix_rule(pattern=["make"])\nprefix_rule(pattern=["ls", "-l"])\n',
    "".join(f'prefix_rule(pattern=["word{n}", "é{n}"])\n' for n in range(101)),
]
MANIFESTS = ['{"name": "kit"}', '{"name": " "}', "{}", "[]", '{"name": 1}', '{"name": "a", "name": "b"}', "\ufeff{}", '{"name": null}']
POLICIES = [
    "policy:\n  allow_implicit_invocation: false\n", "policy:\n  allow_implicit_invocation: no\n", "policy: {products: [chatgpt]}\n",
    "policy: {products: [codex, atlas]}\n", "policy: {products: [Codex]}\n", "policy: {products: []}\n", "policy:\n", "interface: 1\n", "",
]


def randoms(count, seed):
    """`count` random trees, the same for the same seed."""
    return [RandomCodex(random.Random(f"{seed}-{index}")).tree(f"random {index}") for index in range(count)]


class RandomCodex(Random):
    def tree(self, name):
        # The settings are TOML, in which a path with a quote or a backslash would need escapes.
        names = [folder for folder in FOLDERS if not set(folder) & set('"\\`')]
        folders = (["home"] if self.is_so(0.15) else []) + [self.pick(names) for _ in range(self.chance.randint(1, 5))]
        cwd, dot = "/".join(folders), "home/.codex"
        chain = ["/".join(folders[:end]) for end in range(len(folders) + 1)]
        for folder in chain + [dot]:
            for file in NAMES_OF_FILES:
                if self.is_so(0.25):
                    self.put(f"{folder}/{file}".lstrip("/"), self.file())
            if self.is_so(0.25):
                self.repository(f"{folder}/.git".lstrip("/"))
            for marker in ("top.txt", "conf/root"):
                if self.is_so(0.1):
                    self.put(f"{folder}/{marker}".lstrip("/"), "")
            if self.is_so(0.3):
                self.put(f"{folder}/.codex/config.toml".lstrip("/"), self.settings(self.pick(SETTINGS)))
            if self.is_so(0.2):
                self.put(f"{folder}/.codex/rules/p.rules".lstrip("/"), self.pick(RULES))
            for skills in (".codex/skills", ".agents/skills"):
                if self.is_so(0.3):
                    self.root(f"{folder}/{skills}".lstrip("/"))
        user = "".join(self.pick(SETTINGS) if self.is_so(0.6) else "" for _ in range(1)) + (self.pick(USERS) if self.is_so(0.3) else "")
        tables = self.pick(TABLES) if self.is_so(0.4) else ""
        for folder in chain:
            if self.is_so(0.4):
                tables += f'[projects."@ROOT@/{folder}"]\ntrust_level = "{self.pick(["trusted", "trusted", "untrusted"])}"\n'.replace('/"]', '"]')
        self.files["home/.codex/config.toml"] = self.settings(user) + tables
        if self.is_so(0.5):
            self.put(f"{dot}/rules/a.rules", self.pick(RULES))
        for root in (f"{dot}/skills", "home/.agents/skills"):
            if self.is_so(0.5):
                self.root(root)
        return Tree(name, self.files, cwd, "home", dot)

    def settings(self, text):
        return text.replace("{}", str(self.pick([0, 1, 7, 40, 300, 3000, 20000])))

    def repository(self, git):
        self.put(f"{git}/HEAD" if self.is_so(0.5) else git, self.pick(["ref: refs/heads/main\n"]) if self.is_so(0.8) else FOLDER)

    def root(self, root):
        for name in self.chance.sample(["a", "b", "c", "d-e", "H", "i j", "é", ".hid", "x/y", "x/y/z"], self.chance.randint(0, 5)):
            self.put(f"{root}/{name}/SKILL.md", self.skill(name))
            if self.is_so(0.15):
                self.put(f"{root}/{name}/{self.pick(['.codex-plugin', '.claude-plugin'])}/plugin.json", self.pick(MANIFESTS))
            if self.is_so(0.15):
                self.put(f"{root}/{name}/agents/openai.yaml", self.pick(POLICIES))
        if self.is_so(0.2):
            self.put(f"{root}/j", Link(self.pick(["../elsewhere", "gone", "j", "."])))
            self.put(f"{root}/../elsewhere/m/SKILL.md", self.skill("m"))
        if self.is_so(0.1):
            self.put(f"{root}/k/SKILL.md", Link("../a/SKILL.md"))

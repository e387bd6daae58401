"""What a runner of GitHub or GitLab does for .ci/check_action.py: it clones, starts steps, and reads their log."""
import json
import re
import shutil
import subprocess
import time

import yaml

from forge import TOKEN


def evaluated(text, contexts):
    """A value of action.yml, in which only names are expressions."""
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: contexts.get(found[1], ""), str(text))


def commands(log):
    """The commands that GitHub's runner finds in a log, and whether text of others was exempt from that."""
    found, stopped = [], None
    for line in log.split("\n"):
        one = re.match(r"\s*::([\w-]+)(?: ([^:]*(?:%3A[^:]*)*))?::(.*)", line) or re.search(r"##\[([\w-]+)(?: ([^]]*))?\](.*)", line)
        if stopped:
            stopped = None if one and one[1] == stopped else stopped
        elif one and one[1] == "stop-commands":
            stopped = one[3]
        elif one:
            found.append((one[1], one[2] or "", one[3]))
    return found


class Repository:
    """A bare repository with a base, and a working copy in which to change it."""

    def __init__(self, folder, git, base):
        self.git, self.base, self.bare, self.work = git, base, folder / "bare.git", folder / "work"
        folder.mkdir()
        git(folder, "init", "--quiet", "--bare", "--initial-branch", base, str(self.bare))
        git(folder, "init", "--quiet", str(self.work))
        git(self.work, "remote", "add", "origin", self.bare.as_uri())
        git(self.work, "checkout", "--quiet", "-B", base)

    def write(self, name, text):
        file = self.work / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def push(self, branch):
        self.git(self.work, "add", "--all")
        self.git(self.work, "commit", "--quiet", "--allow-empty", "--message", "Change")
        self.git(self.work, "push", "--quiet", "--force", "origin", f"HEAD:refs/heads/{branch}")

    def branch(self):
        self.git(self.work, "checkout", "--quiet", "-B", "change", f"refs/heads/{self.base}")

    def propose(self):
        """Pushes the working copy as a pull request, with the merge that GitHub would test."""
        self.push("change")
        self.git(self.work, "push", "--quiet", "--force", "origin", "HEAD:refs/pull/7/merge")

    def clone(self, folder, depth):
        """What actions/checkout does, with `fetch-depth`."""
        shutil.rmtree(folder, ignore_errors=True)
        self.git(folder.parent, "init", "--quiet", str(folder))
        self.git(folder, "remote", "add", "origin", self.bare.as_uri())
        branches = ["+refs/heads/*:refs/remotes/origin/*"] if depth == 0 else [f"--depth={depth}"]
        self.git(folder, "fetch", "--quiet", *branches[depth == 0:], "origin", *branches[:depth == 0],
                 "+refs/pull/7/merge:refs/remotes/pull/7/merge")
        self.git(folder, "checkout", "--quiet", "--detach", "refs/remotes/pull/7/merge")


class Done:
    def __init__(self, status, log, seconds=0.0, outputs=None, summary="", path=""):
        self.status, self.log, self.seconds = status, log, seconds
        self.outputs, self.summary, self.path = outputs or {}, summary, path

    def named(self, name):
        return [one for one in commands(self.log) if one[0] == name]


class Runs:
    """Runs the action in a fresh clone."""

    def __init__(self, temp, environment, forge, action):
        self.temp, self.environment, self.forge, self.action = temp, environment, forge, action
        self.description = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))
        self.number = 0

    def bash(self, program, folder, environment):
        """The status, and standard output and error as a log has them."""
        script = self.temp / "step.sh"
        script.write_text(program, encoding="utf-8")
        words = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
        done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def github(self, repository, depth=0, event="pull_request", **inputs):
        self.number += 1
        runner, folder = self.temp / f"runner{self.number}", self.temp / "shop"
        runner.mkdir()
        repository.clone(folder, depth)
        number = {"pull_request": {"number": 7}} if event == "pull_request" else {}
        (runner / "event.json").write_text(json.dumps(number))
        files = {name: runner / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        known = {key.replace("-", "_"): key for key in self.description["inputs"]}
        contexts = {"github.token": TOKEN}
        for key, one in self.description["inputs"].items():
            contexts[f"inputs.{key}"] = evaluated(one.get("default", ""), contexts)
        contexts.update({f"inputs.{known[key]}": value for key, value in inputs.items()})
        environment = {
            **self.environment, **{name: str(file) for name, file in files.items()},
            "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(self.action), "GITHUB_API_URL": self.forge.address,
            "GITHUB_GRAPHQL_URL": f"{self.forge.address}/graphql", "GITHUB_EVENT_PATH": str(runner / "event.json"),
            "GITHUB_REPOSITORY": "owner/shop", "GITHUB_WORKSPACE": str(folder), "RUNNER_TEMP": str(runner),
            "GITHUB_BASE_REF": repository.base if event == "pull_request" else "",
        }
        (step,) = self.description["runs"]["steps"]
        assert step["shell"] == "bash" and "${{" not in step["run"]
        begin = time.monotonic()
        values = {name: evaluated(value, contexts) for name, value in step["env"].items()}
        status, log = self.bash(step["run"], folder, {**environment, **values})
        seconds = time.monotonic() - begin
        text = {name: file.read_text(encoding="utf-8") if file.exists() else "" for name, file in files.items()}
        raw = dict(line.split("=", 1) for line in text["GITHUB_OUTPUT"].splitlines())
        contexts.update({f"steps.{step['id']}.outputs.{name}": value for name, value in raw.items()})
        outputs = {name: evaluated(one["value"], contexts) for name, one in self.description["outputs"].items()}
        assert str(status) == outputs["status"], log
        return Done(status, log, seconds, outputs, text["GITHUB_STEP_SUMMARY"], text["GITHUB_PATH"].strip())

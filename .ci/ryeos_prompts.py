#!/usr/bin/env python3
"""Writes what the released Python package sends to a model, one JSON file for each of its directives.

Runs inside an environment that has the package installed:

    pip install ryeos==0.1.23 ryeos-core==0.1.39 ryeos-engine==0.1.23 lillux==0.2.1    # Python 3.11
    python ryeos_prompts.py -o OUT

The package's own code does all the work, from the entry point of a managed thread to the call to the model. Two parts
are replaced: the choice of a provider, and the provider itself, which records its arguments and stops. A thread
without tools, which the package would refuse, continues. No model is called and nothing is sent.
Each directive runs in an empty project with an empty user space; a required input NAME has the value
`sample value for NAME`.

With `--random N`, each of N random projects with its user space (`ryeos_trees.py`) takes the place of a directive.

A file holds `directive`, `inputs`, `project`, `user_space`, and either `error` or `system`, `messages` and `tools`.
"""

import argparse
import asyncio
import importlib.metadata
import json
import logging
import os
import sys
import tempfile
import traceback
from pathlib import Path

import ryeos_trees

THREADS = ".ai/tools/rye/agent/threads"
RUNTIME = ".ai/tools/rye/core/runtimes/python/lib"
EXTENSIONS = [".py", ".yaml", ".yml", ".js", ".ts", ".sh"]


def bundles():
    """The folders that contain `.ai`, in the package's order: by name of the entry point."""
    points = sorted(importlib.metadata.entry_points(group="rye.bundles"), key=lambda point: point.name)
    return [Path(point.load()()["root_path"]) for point in points]


class Captured(BaseException):
    """Ends a thread at its first call to the model; no handler for `Exception` stops it."""

    def __init__(self, system, messages, tools):
        super().__init__("captured")
        self.system, self.messages, self.tools = system, messages, tools


class Tools(list):
    """A list that is true even when it is empty."""

    def __bool__(self):
        return True


class Recorder:
    """Stands in for the provider."""

    supports_streaming = False
    tool_use_mode = "native"

    def __init__(self, model, **_ignored):
        self.model = model

    async def create_completion(self, messages, tools, system_prompt=""):
        raise Captured(system_prompt, messages, tools)


class Package:
    """The package's managed thread, with a provider that only records."""

    def __init__(self, system):
        """`system`: bundle roots that replace the installed ones, except for the one with the parsers."""
        installed = bundles()
        home = next(root for root in installed if (root / THREADS / "thread_directive.py").is_file())
        runtime = next(root for root in installed if (root / RUNTIME).is_dir())
        sys.path.insert(0, str(runtime / RUNTIME))
        from module_loader import load_module

        if system:
            self.replace_bundles([*system, runtime])
        threads = home / THREADS
        self.thread = load_module(threads / "thread_directive.py")
        if system:
            self.thread._TOOLS_ROOT = system[0] / ".ai" / "tools"
        resolver = load_module("adapters/provider_resolver", anchor=threads)
        resolver.resolve_provider = lambda model, **_ignored: (model, "recorder", {"tool_type": "http"})
        load_module("adapters/http_provider", anchor=threads).HttpProvider = Recorder
        self.put_in_order(load_module("loaders/tool_schema_loader", anchor=threads))

    @staticmethod
    def put_in_order(schemas):
        """Makes two changes to the tools that the package finds, so that prompts can be compared."""
        # A thread without any tools is refused just before the prompt is built. Here it continues.
        preload = schemas.preload_tool_schemas

        def preload_any_number(*positional, **named):
            result = preload(*positional, **named)
            return {**result, "tool_defs": Tools(result["tool_defs"])}

        schemas.preload_tool_schemas = preload_any_number

        # Which tools fit into the budget depends on the order of the file system, and on that of a set of extensions,
        # which differs from run to run. Here, tools are sorted by path, and extensions have a fixed order.
        listed = Path.rglob
        Path.rglob = lambda folder, pattern: iter(sorted(listed(folder, pattern), key=lambda path: path.as_posix()))
        resolve = schemas._resolve_tools_for_pattern

        def resolve_in_order(pattern, search_paths, extensions, *rest):
            rank = {extension: at for at, extension in enumerate(EXTENSIONS)}
            ordered = sorted(extensions, key=lambda extension: (rank.get(extension, len(rank)), extension))
            return resolve(pattern, search_paths, [""] if pattern.endswith("/*") else ordered, *rest)

        schemas._resolve_tools_for_pattern = resolve_in_order

    @staticmethod
    def replace_bundles(roots):
        from rye.utils import path_utils

        path_utils._system_spaces_cache = [
            path_utils.BundleInfo(str(index), "0", root, None, str(index)) for index, root in enumerate(roots)
        ]

    @staticmethod
    def sample_inputs(file):
        """A value for each required input of a directive."""
        from rye.utils.parser_router import ParserRouter

        declared = ParserRouter().parse("markdown/xml", file.read_text(encoding="utf-8")).get("inputs") or []
        return {entry["name"]: f"sample value for {entry['name']}" for entry in declared if entry.get("required")}

    def run(self, directive, inputs, project):
        """What the model would receive."""
        parameters = {"directive_id": directive, "inputs": inputs}
        try:
            refused = asyncio.run(self.thread.execute(parameters, str(project)))
        except Captured as sent:
            return {"system": sent.system, "messages": sent.messages, "tools": list(sent.tools)}
        except Exception as error:  # every error of the package is a result
            return {"error": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}
        return {"error": refused.get("error") or "the model was not called"}


def directives(roots):
    """Id and file of every directive; an earlier bundle shadows a later one."""
    found = {}
    for root in roots:
        folder = root / ".ai" / "directives"
        for file in sorted(folder.rglob("*.md")):
            found.setdefault(file.relative_to(folder).with_suffix("").as_posix(), file)
    return sorted(found.items())


def runs(arguments, package, user_space):
    """Name, directive, inputs, project and user space of each prompt."""
    if arguments.random:
        for root in ryeos_trees.write(arguments.output / "trees", arguments.seed, arguments.random):
            yield root.name, ryeos_trees.DIRECTIVE, ryeos_trees.INPUTS, root / "project", root / "user"
        return
    wanted = [(arguments.directive, None)] if arguments.directive else directives(arguments.system or bundles())
    for directive, file in wanted:
        name = directive.replace("/", "__")
        inputs = arguments.inputs or (package.sample_inputs(file) if file else {})
        yield name, directive, inputs, arguments.project or arguments.output / "projects" / name, user_space


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for the JSON files")
    parser.add_argument("--directive", help="only this directive")
    parser.add_argument("--inputs", type=json.loads, help="its inputs as JSON, instead of samples")
    parser.add_argument("--project", type=Path, help="a project instead of an empty one")
    parser.add_argument("--user-space", type=Path, help="a user space instead of an empty one; the package writes to it")
    parser.add_argument("--system", type=Path, action="append", default=[], help="a bundle root, instead of the installed ones")
    parser.add_argument("--allow-unsigned", action="store_true", help="let the package accept unsigned items")
    parser.add_argument("--random", type=int, default=0, help="random projects, instead of a project")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the random projects")
    arguments = parser.parse_args()

    logging.disable(logging.CRITICAL)
    os.environ.pop("RYE_PARENT_THREAD_ID", None)
    os.environ.pop("RYE_SIGNING_KEY_DIR", None)
    os.environ.pop("RYE_DEV_MODE", None)
    if arguments.allow_unsigned:
        os.environ["RYE_DEV_MODE"] = "1"
    arguments.output = arguments.output.resolve()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        user_space = (arguments.user_space or Path(temporary) / "user").resolve()
        # The package signs its records of a thread with a key that it creates in the user space.
        os.environ["USER_SPACE"] = str(user_space)

        package = Package([root.resolve() for root in arguments.system])
        for name, directive, inputs, project, user_space in runs(arguments, package, user_space):
            os.environ["USER_SPACE"] = str(user_space)
            (project / ".ai").mkdir(parents=True, exist_ok=True)
            record = {"directive": directive, "inputs": inputs, "project": str(project), "user_space": str(user_space)}
            record |= package.run(directive, inputs, project)
            text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
            (arguments.output / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

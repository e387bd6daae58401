#!/usr/bin/env python3
"""Validates request bodies against the types of the official Python SDKs.

    python3 -m venv VENV && VENV/bin/pip install -r .ci/providers.txt
    VENV/bin/python .ci/validate_providers.py --bin target/debug/rye-render
    VENV/bin/python .ci/validate_providers.py FILE.anthropic.json FILE.openai.json FILE.gemini.json

With `--bin`, the bodies are those that the program writes for a small project. A file's name must include its provider.
Each body must be valid, and many corrupted copies of it must be rejected; otherwise a type that accepts anything would
go unnoticed. Prints a last line `N passed, M failed`; exits with status 1 on a failure, or if there was no body.
"""

import argparse
import copy
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import anthropic.types
import openai.types.chat.completion_create_params
from google.genai import types as gemini
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from typing_extensions import is_typeddict

# The values of these keys are JSON Schemas of tools, in which any key is valid.
SCHEMA_KEYS = {"input_schema", "parameters", "parametersJsonSchema"}


def strict(annotation: Any, seen: set[int]) -> Any:
    """A type in which every `TypedDict` rejects undeclared keys, and lists must be lists.

    The SDKs use `Iterable`, which pydantic validates lazily and which accepts a string as a list of strings.
    """
    if is_typeddict(annotation):
        if id(annotation) not in seen:
            seen.add(id(annotation))
            if "__pydantic_config__" not in vars(annotation):
                annotation.__pydantic_config__ = ConfigDict(extra="forbid")
            hints = get_type_hints(annotation, include_extras=True)
            annotation.__annotations__ = {name: strict(hint, seen) for name, hint in hints.items()}
        return annotation
    origin, arguments = get_origin(annotation), get_args(annotation)
    if not arguments or origin is Literal:
        return annotation
    if origin is Annotated:
        return Annotated[(strict(arguments[0], seen), *arguments[1:])]
    arguments = tuple(strict(argument, seen) for argument in arguments)
    if origin in (Union, UnionType):
        return Union[arguments]
    if origin is Iterable:
        return list[arguments]
    return origin[arguments if len(arguments) > 1 else arguments[0]]


class GeminiBody(BaseModel):
    """`GenerateContentRequest` of the API, composed of SDK types, since the SDK splits it into parameters."""

    model_config = ConfigDict(extra="forbid")

    systemInstruction: gemini.Content | None = None
    contents: list[gemini.Content]
    tools: list[gemini.Tool] | None = None


ADAPTERS = {
    "anthropic": TypeAdapter(strict(anthropic.types.MessageCreateParams, set())),
    "openai": TypeAdapter(strict(openai.types.chat.completion_create_params.CompletionCreateParams, set())),
    "gemini": TypeAdapter(GeminiBody),
}


def validate(provider: str, body: Any) -> None:
    """Raises `ValidationError` or `ValueError` for a body that the provider's types reject."""
    ADAPTERS[provider].validate_json(json.dumps(body), strict=True)
    # The APIs require these, although the types of the SDKs do not.
    for schema in tool_schemas(body):
        if not isinstance(schema, dict) or schema.get("type") != "object":
            raise ValueError(f"a tool's schema is not an object schema: {schema!r}")
    if provider == "gemini" and any(content.get("role") not in ("user", "model") for content in body["contents"]):
        raise ValueError("a role is neither `user` nor `model`")


def tool_schemas(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in SCHEMA_KEYS:
                yield item
            else:
                yield from tool_schemas(item)
    elif isinstance(value, list):
        for item in value:
            yield from tool_schemas(item)


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The path of every key of a body, except in tool schemas."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        if isinstance(value, dict):
            yield (*path, key)
        if key not in SCHEMA_KEYS:
            yield from places(item, (*path, key))


def corruptions(body: Any) -> Iterator[tuple[str, Any]]:
    """For every key, the body with that key renamed, and with its value replaced by one of a different type."""
    for path in places(body):
        for what in ("renamed", "retyped"):
            corrupted = copy.deepcopy(body)
            parent = corrupted
            for step in path[:-1]:
                parent = parent[step]
            value = parent.pop(path[-1])
            if what == "renamed":
                parent[f"{path[-1]}_"] = value
            else:
                parent[path[-1]] = 17 if not isinstance(value, int) else "17"
            yield f"{'.'.join(map(str, path))} {what}", corrupted


def check(file: Path) -> str | None:
    """Why the file is rejected, or None."""
    provider = next((name for name in ADAPTERS if f".{name}." in file.name), None)
    if provider is None:
        return f"the name includes no provider; name it FILE.{{{','.join(ADAPTERS)}}}.json"
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        validate(provider, body)
    except (OSError, ValueError, ValidationError) as error:
        return str(error)
    for what, corrupted in corruptions(body):
        try:
            validate(provider, corrupted)
        except (ValueError, ValidationError):
            continue
        return f"the types accept a corrupted body: {what}"
    return None


# A project with one directive, which has a system message, an input, outputs, and tools with varied JSON Schemas.
PROJECT = {
    ".ai/directives/deploy.md": """# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Rolls out</description>
    <model id="some-model"/>
    <permissions><execute><tool>project.*</tool></execute></permissions>
    <context><system>project/rules</system></context>
  </metadata>
  <inputs><input name="target" required="true">Where</input></inputs>
  <outputs><output name="report" required="true">What happened</output></outputs>
</directive>
```

Roll out to {input:target}: "quoted", back\\slash, \u20ac, \U0001f600.
""",
    ".ai/knowledge/project/rules.md": "```yaml\nname: Rules\n```\n\nNever deploy on a Friday.\n",
    ".ai/tools/project/roll-out.yaml": """description: Rolls out
config_schema:
  type: object
  properties:
    target: {oneOf: [{type: string, pattern: "^a"}, {type: "null"}], default: null}
    steps: {type: array, items: {type: integer, minimum: 1}, maxItems: 3}
    how: {enum: [fast, slow], const: fast}
  required: [target]
  additionalProperties: false
""",
    ".ai/tools/project/untyped.yaml": "description: ''\nconfig_schema: {properties: {a: {}}}\n",
}
THREAD = [
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "answer"},
    {"role": "user", "content": "second"},
]

# The keys that each body must have, so that an empty body does not pass.
KEYS = {
    "anthropic": {"model", "max_tokens", "system", "messages", "tools"},
    "openai": {"model", "messages", "tools"},
    "gemini": {"systemInstruction", "contents", "tools"},
}


def render(binary: Path, folder: Path) -> list[Path]:
    """Writes the request bodies for the project into a folder, and returns their files."""
    for name, text in PROJECT.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "thread.json").write_text(json.dumps(THREAD), encoding="utf-8")
    resumed = ["--event", "thread_continued", "--messages", str(folder / "thread.json")]
    files = []
    for name, arguments in [("fresh", []), ("resumed", resumed)]:
        for provider, keys in KEYS.items():
            file = folder / f"{name}.{provider}.json"
            command = [binary.resolve(), "render", "deploy", "--project", folder, "--user-space", "none"]
            command += ["--system", "none", "--input", "target=staging", "--format", provider, *arguments]
            run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)
            if run.returncode != 0:
                sys.exit(f"{file.name}: status {run.returncode}\n{run.stderr}")
            if json.loads(run.stdout).keys() != keys:
                sys.exit(f"{file.name}: it does not have the keys {sorted(keys)}\n{run.stdout}")
            file.write_text(run.stdout, encoding="utf-8")
            files.append(file)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, help="the program whose bodies are validated")
    parser.add_argument("files", nargs="*", type=Path, help="request bodies")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = arguments.files + (render(arguments.bin, Path(folder)) if arguments.bin else [])
        failures = {file: reason for file in files if (reason := check(file)) is not None}
    for file, reason in failures.items():
        print(f"{file}: {reason}", file=sys.stderr)
    print(f"{len(files) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main())

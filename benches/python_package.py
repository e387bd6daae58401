"""The time to render a directive of the released Python package (ryeos), relative to that package.
`.ci/compare_ryeos.py` compares the prompts."""
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

from measure import over_sum
from rows import Row

SCRIPT = Path(__file__).resolve().parent.parent / ".ci/ryeos_prompts.py"
DIRECTIVE = "rye/agent/core/base"


def rows(bench):
    """The only row. Both programs find the bundles of the package without a flag."""
    environment = bench.environment | {"VIRTUAL_ENV": str(bench.venv), "USER_SPACE": str(bench.temp / "python/user")}

    @cache
    def project():
        folder = bench.temp / "python/project"
        (folder / ".ai").mkdir(parents=True)
        (bench.temp / "python/user/.ai").mkdir(parents=True)
        return str(folder)

    def package():
        python = bench.venv / "bin/python"
        if not python.exists():
            sys.exit(f"no Python packages in {bench.venv}: python3 -m venv {bench.venv}, then {python} -m pip install -r .ci/ryeos.txt")
        out = bench.temp / "python/out"
        return [str(python), str(SCRIPT), "-o", str(out), "--directive", DIRECTIVE, "--project", project(),
                "--user-space", environment["USER_SPACE"]]

    def measure():
        command = package()
        subprocess.run(command, env=environment, check=True)
        (made,) = (bench.temp / "python/out").glob("*.json")
        if "error" in (said := json.loads(made.read_text(encoding="utf-8"))):
            sys.exit(f"the package built no prompt: {said['error']}")
        render = [bench.binary, "render", DIRECTIVE, "--project", project(), "--format", "json"]
        return over_sum(render, [(command, None)], environment, 10)

    what = f"`render` of a directive from the Python package (`{DIRECTIVE}`), over the package"
    yield Row(what, 1 / 25, "", measure)

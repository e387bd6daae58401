"""The cost of `lint` on a large project: unsigned, signed, on one thread and on two, ten times as large, with many hooks,
and with long chains."""
import base64
import hashlib
import subprocess
import sys
from functools import cache

from measure import program
from trees import directive, hooks, knowledge, long_chain, write

DIRECTIVES, ITEMS = 10_000, 2_000


def with_hooks(root, ids, count):
    """Writes `count` hooks, and the item that they fetch."""
    write(root / ".ai/knowledge/app/rules.md", knowledge("rules", 3) + "For ${inputs.target}.\n")
    write(root / ".ai/config/agent/hooks.yaml", hooks(count, ids))
    return root


def project(root, times=1, sign=lambda text, region: text, directives=DIRECTIVES, count=10, items=ITEMS):
    """Writes hooks, items, and directives in folders of a hundred. All but ten directives extend another; each uses one item
    and grants tools."""
    def name(n):
        return f"g{n // 100}/d{n}"

    for n in range(directives * times):
        metadata = (f"    <category>g{n // 100}</category>\n    <context><before>app/k{n % (items * times)}</before></context>\n"
                    "    <permissions><execute><tool>rye.file-system.*</tool></execute></permissions>\n")
        text = directive(f"d{n}", name(n // 10) if n >= 10 else "", metadata)
        region = text[text.index("<directive"):text.rindex("</directive>") + len("</directive>")]
        write(root / f".ai/directives/{name(n)}.md", sign(text, region))
    for n in range(items * times):
        text = knowledge(f"k{n}")
        write(root / f".ai/knowledge/app/k{n}.md", sign(text, text))
    return with_hooks(root, [name(n) for n in range(directives * times)], count)


def is_clean(command, environment):
    """Exits if the project has a finding at warning or above, since most projects have few."""
    words = subprocess.run([*command, "--fail-on", "warning"], env=environment, capture_output=True, text=True)
    if words.returncode != 0:
        sys.exit(f"{command} has findings: {words.stdout[-2000:]}{words.stderr}")


def signer(home):
    """A function that signs as the documents say, with a new key that the user tier of `home` trusts."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    except ImportError:
        sys.exit("the package cryptography, which signs items, is not installed: pip install cryptography")
    key = Ed25519PrivateKey.generate()
    pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    mark = hashlib.sha256(pem).hexdigest()[:16]
    write(home / f".ai/config/keys/trusted/{mark}.toml",
          f'fingerprint = "{mark}"\nowner = "bench"\n\n[public_key]\npem = """\n{pem.decode()}"""\n')

    def sign(text, region):
        digest = hashlib.sha256(region.encode()).hexdigest()
        made = base64.urlsafe_b64encode(key.sign(digest.encode())).decode()
        return f"<!-- rye:signed:2026-01-01T00:00:00Z:{digest}:{made}:{mark} -->\n{text}"

    return sign


def rows(bench):
    """The rows, in the order of the table."""
    home = bench.temp / "home"
    makers = {
        "unsigned": project,
        "signed": lambda root: project(root, sign=signer(home)),
        "ten times": lambda root: project(root, times=10),
        "ten hooks": lambda root: project(root, directives=2_000),
        "many hooks": lambda root: project(root, directives=2_000, count=200),
        "chain 1,000": lambda root: long_chain(root, 1_000),
        "chain 4,000": lambda root: long_chain(root, 4_000),
    }

    @cache
    def tree(name):
        root = bench.temp / f"lint-{name}"
        makers[name](root)
        if name == "signed":
            is_clean(words(root, home), bench.environment)
        return root

    def words(root, user="none"):
        return [bench.binary, "lint", "--project", str(root), "--user-space", str(user)]

    def lint(name, user="none"):
        return [*words(tree(name), user), "--fail-on", "off"]

    def count(name):
        return [program("rg", "ripgrep"), "-c", "directive", str(tree(name) / ".ai")]

    def on(threads):
        return ["/usr/bin/env", f"RAYON_NUM_THREADS={threads}", *lint("unsigned")]

    what = f"`lint` of {DIRECTIVES:,} directives and {ITEMS:,} items"
    of_files = "over `rg -c directive` of their files"
    # The processor limits `lint`, and reading files limits `rg`, so the ratio varies by a quarter between machines.
    yield bench.compare(f"{what}, {of_files}", 5, lambda: lint("unsigned"), lambda: count("unsigned"), 30)
    yield bench.compare(f"{what} that are signed, {of_files}", 13, lambda: lint("signed", home), lambda: count("signed"), 20)
    yield bench.compare(f"{what} on two threads, over one (1 / 1.3)", 1 / 1.3,
                        lambda: on(2), lambda: on(1), 20)
    yield bench.memory(f"memory of {what}", 200, lambda: lint("unsigned"))
    yield bench.compare("`lint` of ten times that project, over the project", 12, lambda: lint("ten times"), lambda: lint("unsigned"), 3)
    yield bench.compare("`lint` of 2,000 directives with 200 hooks, over ten hooks", 3, lambda: lint("many hooks"), lambda: lint("ten hooks"), 10)
    yield bench.compare("`lint` of a chain of 4,000 directives, over four times that of 1,000", 1.5, lambda: lint("chain 4,000"),
                        lambda: lint("chain 1,000"), 10, 4)

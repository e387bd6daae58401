"""What `lint` takes over a large project: unsigned, signed, on one thread and on two, ten times as large, with many hooks,
and with long chains."""
import base64
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from measure import run
from trees import directive, hooks, knowledge, long_chain, write

DIRECTIVES, ITEMS = 10_000, 2_000


def with_hooks(root, ids, count):
    """Writes so many hooks, and the item that they ask for."""
    write(root / ".ai/knowledge/app/rules.md", knowledge("rules", 3) + "For ${inputs.target}.\n")
    write(root / ".ai/config/agent/hooks.yaml", hooks(count, ids))
    return root


def project(root, times=1, sign=lambda text, region: text, directives=DIRECTIVES, count=10):
    """Ten hooks, and directives in folders of a hundred, of which all but ten extend another one; each places one of the items, which are
    a fifth as many, and grants tools."""
    def name(n):
        return f"g{n // 100}/d{n}"

    for n in range(directives * times):
        metadata = (f"    <category>g{n // 100}</category>\n    <context><before>app/k{n % (ITEMS * times)}</before></context>\n"
                    "    <permissions><execute><tool>rye.file-system.*</tool></execute></permissions>\n")
        text = directive(f"d{n}", name(n // 10) if n >= 10 else "", metadata)
        region = text[text.index("<directive"):text.rindex("</directive>") + len("</directive>")]
        write(root / f".ai/directives/{name(n)}.md", sign(text, region))
    for n in range(ITEMS * times):
        text = knowledge(f"k{n}")
        write(root / f".ai/knowledge/app/k{n}.md", sign(text, text))
    return with_hooks(root, [name(n) for n in range(directives * times)], count)


def is_clean(command, environment):
    """Ends the program where a project has a finding at warning or above, as most projects have few."""
    words = subprocess.run([*command, "--fail-on", "warning"], env=environment, capture_output=True, text=True)
    if words.returncode != 0:
        sys.exit(f"{command} has findings: {words.stdout[-2000:]}{words.stderr}")


def signer(home):
    """A function that signs as the documents say, by a new key that the user tier of `home` trusts."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    except ImportError:
        sys.exit("the package cryptography is not installed, which signs items: pip install cryptography")
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


def measure(binary, folder, results):
    """Prints the figures."""
    home = Path(results.environment["HOME"])
    rg = shutil.which("rg") or sys.exit("ripgrep is not installed: apt-get install ripgrep")
    trees = {
        "unsigned": project(folder / "unsigned"),
        "signed": project(folder / "signed", sign=signer(home)),
        "ten times": project(folder / "large", times=10),
        "ten hooks": project(folder / "ten-hooks", directives=2_000),
        "many hooks": project(folder / "many-hooks", directives=2_000, count=200),
    }
    for count in (1_000, 4_000):
        long_chain(folder / f"chain-{count}", count)
        trees[count] = folder / f"chain-{count}"

    def words(name, user="none"):
        return [binary, "lint", "--project", str(trees[name]), "--user-space", str(user)]

    is_clean(words("signed", home), results.environment)

    def lint(name, user="none"):
        return [*words(name, user), "--fail-on", "off"]

    def count(name):
        return [rg, "-c", "directive", str(trees[name] / ".ai")]

    what = f"lint of {DIRECTIVES:,} directives and {ITEMS:,} items"
    results.compare(f"{what}, over rg -c directive of their files", lint("unsigned"), count("unsigned"), 4, 30)
    results.compare(f"the same where all are signed, over rg likewise", lint("signed", home), count("signed"), 10, 20)
    results.compare(f"{what} on two threads, over one",
                    ["/usr/bin/env", "RAYON_NUM_THREADS=2", *lint("unsigned")],
                    ["/usr/bin/env", "RAYON_NUM_THREADS=1", *lint("unsigned")], 1 / 1.4, 20)
    results.one("memory for that", lambda: run(lint("unsigned"), results.environment)[1] / 1e6, 200, " MB")
    results.compare("lint of ten times the project, over the project", lint("ten times"), lint("unsigned"), 12, 3)
    results.compare("lint of 2,000 directives with 200 hooks, over ten hooks", lint("many hooks"), lint("ten hooks"), 3, 10)
    results.compare("lint of a chain of 4,000, over four times that of 1,000", lint(4_000), lint(1_000), 1.5, 10, 4)

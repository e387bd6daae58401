"""The tables in a document, between two marks."""
import os
import platform
import re
import sys

BEGIN = "<!-- Measured: `benches/ratios.py --write` writes what follows. -->\n"
END = "<!-- End of the measured part. -->\n"


def write(file, tables):
    """Replaces the tables in the document."""
    text = file.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    parts = "".join(f"\n## {title}\n\n{table}" for title, table in tables)
    file.write_text(f"{before}{BEGIN}\n{machine()}\n{parts}\n{END}{after}", encoding="utf-8")


def machine():
    """Describes the machine of the measurements."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    kernel = re.match(r"[\d.]*\d", platform.release()).group()
    return f"On {os.cpu_count()} cores ({platform.machine()}) with {memory:.0f} GB of memory, {platform.system()} {kernel}:"


def check(file, rows):
    """Exits if the rows or limits in the document differ from those that are measured."""
    text = file.read_text(encoding="utf-8").split(BEGIN)[-1].split(END)[0]
    lines = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in text.splitlines() if line.startswith("| ")]
    shown = [(line[0], line[-2]) for line in lines if line[0] not in ("what is measured", "---")]
    wanted = [(row.what, row.most) for row in rows]
    if shown != wanted:
        other = [f"only {'measured' if row in wanted else 'shown'}: {row}" for row in {*shown} ^ {*wanted}]
        sys.exit("\n".join([*sorted(other), f"{file} does not show the rows that are measured: benches/ratios.py --write {file}"]))
    print(f"{file} shows the {len(rows)} rows that are measured")

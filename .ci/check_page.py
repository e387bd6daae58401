#!/usr/bin/env python3
"""Opens pages of `explain --format html` and `diff --format html` in Chromium and uses them as a reader would.

    python3 -m venv VENV && VENV/bin/pip install -r .ci/browser.txt
    VENV/bin/python .ci/check_page.py --bin target/debug/rye-render [--screenshots FOLDER]

The pages show an ordinary project, a resumed thread, and a project whose text tries to break out of the page; the
`diff` pages compare each of them before and after some edits. The checks are those that only a browser can make: Tab
reaches every layer, and the panel shows its source; lines are side by side when they should be, and match the prompts;
a line of 80 characters fits at 1,280 pixels; the page sends no request; nothing scrolls sideways; the search moves the
focus; all text is readable in both colour schemes; no text of a prompt becomes markup. The last line is
`N passed, M failed`. Exits with 1 on a failure, or if there is no Chromium.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
SHOP = HERE.parent / "testdata" / "documents" / "shop"
SIZES = {
    "desktop": {"width": 1280, "height": 900},
    "tablet": {"width": 820, "height": 900},
    "phone": {"width": 360, "height": 740},
}
CONTRAST = 4.5

# Text that a browser might interpret as markup, script or direction.
HOSTILE = (
    "\n  <script>window.pwned = 1; alert(1)</script>\n</script></style></title></textarea></template><!-- --!> -->]]>\n"
    "<img src=https://evil.example/x onerror='window.pwned=1'><svg onload=\"window.pwned=1\"><base href='//evil.example'>\n"
    '"\'`><a href="javascript:window.pwned=1">x</a> &lt;b&gt; &amp;amp; &#x3c; {{ 7 * 7 }} {% raw %} ${nothing} %s\n'
    "access_level != '\u202e \u2066// if admin\u2069 \u2066' \u061c\u200e\u200f\ufeff \u2028 \u2029 \x1b[31mred\x7f\x85\x01\U000e0041\n"
    "שלום עולם <b>مرحبا</b> 日本語 👩‍👩‍👧 e\u0301 \ufffe \U0010ffff\ttab\n" + "long" * 500 + "\n\n\n  end  "
)


def hidden(character):
    code = ord(character)
    return character not in "\n\t" and (
        code < 0x20
        or 0x7F <= code <= 0x9F
        or code in (0x61C, 0x200E, 0x200F, 0xFEFF)
        or 0x2028 <= code <= 0x202E
        or 0x2066 <= code <= 0x206F
        or 0xE0000 <= code <= 0xE007F
    )


def visible(text):
    """The text with invisible characters shown as the program shows them."""
    return "".join(f"<U+{ord(c):04X}>" if hidden(c) else c for c in text)


def write(folder, files):
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


def hostile_project(folder):
    """A project whose names, text, reasons and schemas are all hostile."""
    name = 'x"><script>window.pwned=1<!--'
    quoted = json.dumps(name)
    # Some characters are not allowed in XML or YAML, and reach a prompt only in the body of an item.
    plain = "".join(c for c in HOSTILE if c in "\n\t" or ord(c) >= 0x20 and c not in "\ufffe")
    items = [f"evil/item-{number}" for number in range(12)]
    write(
        folder,
        {
            ".ai/directives/evil.md": (
                '```xml\n<directive name="evil" version="1">\n<metadata><description>&lt;script>window.pwned=1&lt;/script></description>\n'
                "<permissions><execute><tool>evil.*</tool></execute></permissions><context>\n<system>evil/text</system><system>evil/&lt;img src=x></system>\n"
                + "".join(f"<before>{item}</before>\n" for item in items)
                + "<after>evil/empty</after><suppress>&quot;>&lt;script>window.pwned=1&lt;/script></suppress></context></metadata>\n"
                '<inputs><input name="a&quot;&lt;b>" default="&lt;script>window.pwned=1&lt;/script>">x</input><input name="t" default="v">x</input></inputs>\n'
                '<outputs><output name="o">&lt;/script>&lt;script>window.pwned=1&lt;/script></output></outputs>\n</directive>\n```\n'
                + plain
                + "{input:t} and {input:t}\n"
            ),
            ".ai/knowledge/evil/text.md": f"```yaml\nname: text\nversion: '1'\n```\n{plain}",
            ".ai/knowledge/evil/empty.md": "```yaml\nname: empty\nversion: '1'\n```\n",
            **{
                f".ai/knowledge/{item}.md": f"```yaml\nname: item\nversion: '1'\n```\n\n{item}: {plain[:200]}"
                for item in items
            },
            ".ai/config/agent/hooks.yaml": (
                f"hooks:\n  - id: {quoted}\n    event: thread_started\n    condition: {{path: directive, op: contains, value: {quoted}}}\n"
                "    action: {primary: fetch, item_type: knowledge, item_id: evil/text}\n"
                f"  - id: {json.dumps(name + ' in')}\n    event: thread_started\n    action: {{primary: fetch, item_type: knowledge, item_id: evil/text}}\n"
            ),
            ".ai/tools/evil/tool.yaml": (
                f"version: '1'\ndescription: {json.dumps('</script><script>window.pwned=1</script>' + name)}\n"
                f"config_schema: {{type: object, properties: {{{quoted}: {{type: string, description: {quoted}}}}}}}\n"
            ),
        },
    )
    return "evil", []


def shop_project(folder):
    shutil.copytree(SHOP, folder, dirs_exist_ok=True)
    return "deploy", ["--input", "target=staging", "--context-window", "8000"]


def thread_project(folder):
    """A resumed thread, whose earlier messages anyone may have written."""
    texts = ["first " + HOSTILE + "\0\r", "</div></section></article>" + HOSTILE, "last"]
    messages = [{"role": role, "content": text} for role, text in zip(["user", "assistant", "user"], texts)]
    write(
        folder,
        {
            ".ai/directives/talk.md": '```xml\n<directive name="talk" version="1"><metadata/></directive>\n```\n\nTalk.\n',
            "messages.json": json.dumps(messages),
        },
    )
    return "talk", [
        "--event",
        "thread_continued",
        "--previous-thread",
        "T1",
        "--messages",
        str(folder / "messages.json"),
    ]


def edit(folder):
    """Changes the files of a project in several ways."""
    for index, path in enumerate(sorted((folder / ".ai").rglob("*.md"))):
        head, fence, body = path.read_bytes().decode().partition("\n```\n")
        if index % 3 != 1:
            body = body.rstrip("\n") + "\nOne line more, with <ins>marks</ins> & hidden\u202e ones.\n"
        if index % 3 != 0:
            body = re.sub(r"([a-z]+) ([a-z]+)", "\\1 and <b>then</b>\u2066 \\2", body, count=1)
        path.write_bytes(f"{head}{fence}{body}".encode())
    messages = folder / "messages.json"
    if messages.exists():
        text = messages.read_text(encoding="utf-8")
        messages.write_text(text.replace("first ", "second ").replace("last", "last <b>of</b> all\\nof them"))


PROJECTS = {"shop": shop_project, "hostile": hostile_project, "thread": thread_project}

# Finds text on a page with too little contrast.
LOW_CONTRAST = (HERE / "contrast.js").read_text(encoding="utf-8")

WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""


class Checks:
    """Counts the checks, and prints what failed."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, what, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: {str(detail)[:1500]}")


def run(binary, folder, arguments):
    command = [binary, *arguments, "--project", folder, "--user-space", "none"]
    done = subprocess.run(command, capture_output=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{arguments[:2]}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


class Opened:
    """A page in its own browser context, with a record of its requests and errors."""

    def __init__(self, browser, path, **options):
        self.context = browser.new_context(**options)
        self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.requests, self.errors = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.errors.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.url = path.as_uri()
        self.page.goto(self.url)

    def did_nothing_else(self, check, name):
        left = [url for url in self.requests if url.split("#")[0] != self.url and not url.startswith("data:")]
        check(f"{name}: no other request is sent", not left, left)
        check(f"{name}: the console stays empty", not self.errors, self.errors)
        check(f"{name}: the policy holds", self.page.evaluate("window.violations") == [], "violations")
        check(f"{name}: no script in the prompt ran", self.page.evaluate("typeof window.pwned") == "undefined")
        self.context.close()


def place(source):
    return f"{source['tier']} {source['path']}:{source['line']}"


def field(page, name):
    return page.text_content(f'#origin [data-field="{name}"]')


def is_sideways(page):
    return page.evaluate("document.scrollingElement.scrollWidth > innerWidth")


def texts(check, name, page, prompt):
    """The messages equal the prompt, character for character."""
    shown = page.eval_on_selector_all(".text", "all => all.map(one => one.textContent)")
    expected = [visible(message["text"]) for message in prompt["messages"]]
    check(
        f"{name}: the messages are exact",
        shown == expected,
        [(a, b) for a, b in zip(shown, expected) if a != b] or len(shown),
    )
    wrong = page.evaluate(
        """[...document.querySelectorAll('.text *')].filter(one =>
        !one.matches('section.layer, div.between, span.s, span.s > span.hidden')).map(one => one.outerHTML.slice(0, 80))"""
    )
    check(f"{name}: nothing in a message is markup", not wrong, wrong)
    bare = page.evaluate(
        "[...document.querySelectorAll('.text')].flatMap(one => [...one.childNodes]).filter(one => one.nodeType !== 1).length"
    )
    check(f"{name}: all text has an origin", bare == 0, bare)


def keyboard(check, name, page, prompt):
    """Tab reaches every layer, and the panel shows its source."""
    reached = {}
    page.evaluate("document.activeElement.blur()")
    for _ in range(5000):
        page.keyboard.press("Tab")
        at = page.evaluate("document.activeElement === document.body ? null : document.activeElement.id")
        if at is None:
            break
        if re.fullmatch(r"L\d+", at or "") and at not in reached:
            reached[at] = {key: field(page, key) for key in ["name", "from", "asked", "size"]}
            if len(reached) == len(prompt["layers"]):
                break
    check(
        f"{name}: Tab reaches every layer",
        len(reached) == len(prompt["layers"]),
        f"{len(reached)} of {len(prompt['layers'])}",
    )
    for index, layer in enumerate(prompt["layers"]):
        panel = reached.get(f"L{index}", {"name": None, "from": "", "asked": "", "size": ""})
        check(
            f"{name}: the panel names {layer['id']}",
            panel["name"] == visible(layer["name"]).replace("\n", "<U+000A>"),
            panel,
        )
        source = (layer["item"] or {}).get("source")
        if source and layer["kind"] == "directive":
            check(
                f"{name}: the panel shows the file of {layer['id']}",
                re.match(re.escape(f"{source['tier']} {source['path']}:") + r"\d", panel["from"]),
                panel,
            )
        elif source and "line" in source:
            check(
                f"{name}: the panel shows the position of {layer['id']}",
                re.match(re.escape(place(source)) + r"(-\d+)?$", panel["from"]),
                panel,
            )
        else:
            check(f"{name}: the panel says why {layer['id']} has no position", panel["from"] != "", panel)
        declared = (layer["declared_by"] or {}).get("source")
        if declared and "line" in declared:
            check(f"{name}: the panel shows what requested {layer['id']}", panel["asked"] == place(declared), panel)


def use(check, name, page):
    """Pointer, keys and links lead from text to plan and back."""
    focus = "document.activeElement.id"
    page.focus("#L0")
    page.keyboard.press("j")
    check(f"{name}: j goes to a segment", page.evaluate("document.activeElement.matches('#L0 > .s')"))
    origin = page.evaluate("document.activeElement.dataset.origin")
    check(f"{name}: the panel shows the segment's origin", field(page, "origin") == origin and origin, origin)
    page.keyboard.press("Enter")
    check(f"{name}: Enter pins the panel", page.evaluate("document.querySelector('#origin').matches('.pinned')"))
    page.keyboard.press("p")
    check(f"{name}: p goes to the plan", page.evaluate("document.activeElement.hash") == "#L0")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{focus} === 'L0'")
    check(f"{name}: a row leads to its layer", page.evaluate(focus) == "L0")
    page.keyboard.press("Escape")
    last = page.locator(".layer").last
    last.scroll_into_view_if_needed()
    last.locator(".s").last.hover()
    check(
        f"{name}: the panel follows the pointer",
        field(page, "origin") == last.locator(".s").last.get_attribute("data-origin"),
    )
    last.locator(".s").last.click()
    page.mouse.move(3, 300)
    check(f"{name}: a click pins the panel", field(page, "name") == last.get_attribute("data-name"))
    page.keyboard.press("Escape")


def search(check, name, page, prompt):
    """The search finds text across segments and moves the focus."""
    page.keyboard.press("/")
    check(f"{name}: / goes to the search", page.evaluate("document.activeElement.id") == "search")
    index = len(prompt["layers"]) - 1
    # Text across the first boundary between two segments, in the last layer that has one.
    wanted = page.evaluate("""() => {
        for (const layer of [...document.querySelectorAll('.layer')].reverse()) {
            const border = [...layer.children].find(one => one.nextElementSibling && /\\S$/.test(one.textContent) && /^\\S/.test(one.nextElementSibling.textContent));
            if (border) return [layer.id, border.textContent.slice(-12) + border.nextElementSibling.textContent.slice(0, 12)];
        }
        const layer = [...document.querySelectorAll('.layer')].findLast(one => one.textContent.trim());
        return [layer.id, layer.textContent.trim().slice(0, 20)];
    }""")
    page.fill("#search", wanted[1])
    check(
        f"{name}: the search counts",
        re.fullmatch(r"[1-9]\d* found", page.text_content("#count")),
        page.text_content("#count"),
    )
    found = []
    for key in ["Enter", "n", "n", "n"]:
        page.keyboard.press(key)
        found.append(page.evaluate("document.activeElement.id"))
    check(f"{name}: the search moves the focus to the layer", wanted[0] in found, (wanted, found))
    check(
        f"{name}: the search highlights hits",
        page.evaluate("CSS.highlights.get('hit').size > 0 && CSS.highlights.get('current').size === 1"),
    )
    page.fill("#search", prompt["layers"][index]["name"])
    page.keyboard.press("Enter")
    check(
        f"{name}: the search finds names",
        re.fullmatch(r"1 of \d+", page.text_content("#count")),
        page.text_content("#count"),
    )
    page.fill("#search", "no such text \\ [")
    page.keyboard.press("Enter")
    check(
        f"{name}: the search reports no hit",
        page.text_content("#count") == "0 found",
        page.text_content("#count"),
    )
    page.fill("#search", "")


def looks(check, name, page, scheme):
    """All text can be read, at rest, under the pointer, with the panel open and everything unfolded."""

    def contrast(state):
        found = page.evaluate(LOW_CONTRAST, CONTRAST)
        check(f"{name}, {scheme}, {state}: contrast", found["seen"] > 20 and not found["low"], found)

    contrast("at rest")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.fill("#search", "e")
    page.focus("#L0")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    contrast("in use")
    page.keyboard.press("Escape")
    page.locator(".layer").last.locator(".s").last.hover()
    contrast("under the pointer")
    page.focus("#plan li a")
    contrast("in the plan")


def measure(check, name, page):
    """A line of 80 characters fits on one line, even in the layer with the widest margin."""
    lines = page.evaluate(
        """() => {
            const layer = document.querySelector(".layer").cloneNode(false);
            layer.className = "layer k-directive";
            layer.textContent = "m".repeat(80);
            document.querySelector(".text").append(layer);
            const range = document.createRange();
            range.selectNodeContents(layer);
            const lines = range.getClientRects().length;
            layer.remove();
            return lines;
        }"""
    )
    check(f"{name}: 80 characters fit on a line", lines == 1, lines)


def check_page(check, browser, name, page_path, prompt, screenshots):
    def shot(page, what):
        if screenshots:
            page.screenshot(path=screenshots / f"{name}-{what}.png")

    opened = Opened(browser, page_path, viewport=SIZES["desktop"])
    texts(check, name, opened.page, prompt)
    measure(check, name, opened.page)
    shot(opened.page, "desktop-light")
    keyboard(check, name, opened.page, prompt)
    use(check, name, opened.page)
    shot(opened.page, "desktop-held")
    search(check, name, opened.page, prompt)
    opened.did_nothing_else(check, name)

    for scheme in ["light", "dark"]:
        opened = Opened(browser, page_path, viewport=SIZES["desktop"], color_scheme=scheme, reduced_motion="reduce")
        looks(check, name, opened.page, scheme)
        shot(opened.page, f"desktop-{scheme}-used")
        moving = (
            "document.getAnimations().length || getComputedStyle(document.documentElement).scrollBehavior !== 'auto'"
        )
        check(f"{name}: nothing moves", not opened.page.evaluate(moving))
        opened.did_nothing_else(check, f"{name}, {scheme}")

    for size, viewport in SIZES.items():
        opened = Opened(browser, page_path, viewport=viewport, has_touch=size == "phone", is_mobile=size == "phone")
        check(f"{name}, {size}: nothing scrolls sideways", not is_sideways(opened.page))
        shot(opened.page, f"{size}")
        opened.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        opened.page.focus("#L0")
        opened.page.keyboard.press("j")
        opened.page.wait_for_timeout(400)
        check(f"{name}, {size}: nothing scrolls sideways with the panel", not is_sideways(opened.page))
        check(f"{name}, {size}: the panel is visible", opened.page.locator("#origin .title").is_visible())
        shot(opened.page, f"{size}-panel")
        opened.page.emulate_media(media="print")
        check(f"{name}, {size}: in print there is no panel", not opened.page.locator("#origin").is_visible())
        check(f"{name}, {size}: nothing is wider than the paper", not is_sideways(opened.page))
        opened.did_nothing_else(check, f"{name}, {size}")

    context = browser.new_context(java_script_enabled=False, viewport=SIZES["desktop"])
    page = context.new_page()
    page.goto(page_path.as_uri())
    check(
        f"{name}: the page is readable without scripts",
        page.locator("#L0").is_visible() and not page.locator("#search").is_visible(),
    )
    page.click('#plan a[href="#L0"]')
    check(f"{name}: anchors work without scripts", page.url.endswith("#L0"), page.url)
    context.close()


def layer_lines(prompt):
    """The lines of every layer, as a page shows them."""
    texts = ["" for _ in prompt["layers"]]
    for message in prompt["messages"]:
        for segment in message["segments"]:
            if segment["layer"] is not None:
                texts[segment["layer"]] += segment["text"]
    return sorted([visible(line) for line in text.removesuffix("\n").split("\n")] for text in texts if text)


SHOWN_LINES = """(marks) => [...document.querySelectorAll('#layers .card')].map((card) =>
    [...card.querySelectorAll(marks)].map((line) => line.querySelector('b').textContent)).filter((lines) => lines.length)"""
UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"
# For each change with lines on both sides, whether they are side by side.
BESIDE = """[...document.querySelectorAll('.run:has(.d):has(.a)')].map((run) => {
    const [was, is] = ['.d', '.a'].map((one) => run.querySelector(one).getBoundingClientRect());
    return was.top === is.top && was.right <= is.left + 1;
})"""


def compared(check, name, page, left, right):
    """The lines of both sides are those of the prompts, character for character."""
    for side, prompt, marks in [("left", left, ".c, .d"), ("right", right, ".c, .a")]:
        shown, expected = sorted(page.evaluate(SHOWN_LINES, marks)), layer_lines(prompt)
        differ = [(a, b) for a, b in zip(shown, expected) if a != b] or (len(shown), len(expected))
        check(f"{name}: the lines of the {side} side are exact", shown == expected, differ)
    wrong = page.evaluate("""[...document.querySelectorAll('.lines b *')].filter((one) =>
        !one.matches('del, ins, span.hidden')).map((one) => one.outerHTML.slice(0, 80))""")
    check(f"{name}: nothing in a line is markup", not wrong, wrong)
    words = page.evaluate("document.querySelectorAll('.d del, .a ins').length")
    check(f"{name}: changed words are marked", words > 0)


def walk(check, name, page):
    """Keys reach every card, open it, switch the layout and search."""
    focused = "document.activeElement.closest('.card')?.id"
    cards = page.eval_on_selector_all(".card", "all => all.map(one => one.id)")
    reached = set()
    for _ in range(5000):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        reached.add(page.evaluate(focused))
    check(f"{name}: Tab reaches every card", reached >= set(cards), set(cards) - reached)
    differing = page.eval_on_selector_all(".card:not(.same)", "all => all.map(one => one.id)")
    page.evaluate("document.activeElement.blur()")
    found = []
    for _ in differing:
        page.keyboard.press("j")
        found.append(page.evaluate(focused))
    check(f"{name}: j goes to each card that differs", found == differing, (found, differing))
    page.keyboard.press("k")
    check(f"{name}: k goes back", page.evaluate(focused) == differing[-2:][0], differing)
    opened = "document.activeElement.parentElement.open"
    before = page.evaluate(opened)
    page.keyboard.press("Enter")
    check(f"{name}: Enter folds", page.evaluate(opened) != before)
    page.keyboard.press("Enter")
    check(f"{name}: lines are one below the other", not any(page.evaluate(BESIDE)))
    page.keyboard.press("s")
    beside = page.evaluate(BESIDE)
    check(f"{name}: s puts them side by side", beside and all(beside), beside)
    page.keyboard.press("/")
    wanted = page.evaluate("[...document.querySelectorAll('.lines b')].findLast(one => one.textContent.trim()).textContent")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = false")
    page.fill("#search", wanted.strip()[:40])
    page.keyboard.press("Enter")
    count = page.text_content("#count")
    check(f"{name}: the search finds lines", re.fullmatch(r"1 of [1-9]\d*", count), (wanted, count))
    check(f"{name}: the search opens the card of a hit", page.evaluate("document.activeElement.closest('details')?.open"))


def check_difference(check, browser, name, page_path, prompts, screenshots):
    """Checks a page of `diff`; `prompts` holds both sides if the page compares a single prompt."""

    def shot(page, what):
        if screenshots:
            page.screenshot(path=screenshots / f"{name}-{what}.png")

    opened = Opened(browser, page_path, viewport=SIZES["desktop"])
    if prompts:
        compared(check, name, opened.page, *prompts)
    walk(check, name, opened.page)
    opened.did_nothing_else(check, name)

    for scheme in ["light", "dark"]:
        opened = Opened(browser, page_path, viewport=SIZES["desktop"], color_scheme=scheme, reduced_motion="reduce")
        page = opened.page
        shot(page, f"desktop-{scheme}")
        for form in ["unified", "split"]:
            page.check(f"#{form}")
            page.evaluate(UNFOLD)
            page.fill("#search", "e")
            found = page.evaluate(LOW_CONTRAST, CONTRAST)
            check(f"{name}, {scheme}, {form}: contrast", found["seen"] > 20 and not found["low"], found)
        opened.did_nothing_else(check, f"{name}, {scheme}")

    for size, viewport in SIZES.items():
        opened = Opened(browser, page_path, viewport=viewport, has_touch=size == "phone", is_mobile=size == "phone")
        page = opened.page
        check(f"{name}, {size}: nothing scrolls sideways", not is_sideways(page))
        shot(page, size)
        page.evaluate(UNFOLD)
        check(f"{name}, {size}: nothing scrolls sideways with everything open", not is_sideways(page))
        check(f"{name}, {size}: the switch is visible if there is room", page.locator("#split").is_visible() == (size != "phone"))
        page.evaluate("document.querySelector('#split').checked = true")
        check(f"{name}, {size}: lines are side by side if there is room", all(page.evaluate(BESIDE)) == (size != "phone"))
        check(f"{name}, {size}: nothing scrolls sideways in split view", not is_sideways(page))
        shot(page, f"{size}-split")
        page.emulate_media(media="print")
        check(f"{name}, {size}: nothing is wider than the paper", not is_sideways(page))
        check(f"{name}, {size}: in print there is no bar", not page.locator(".bar").is_visible())
        opened.did_nothing_else(check, f"{name}, {size}")

    context = browser.new_context(java_script_enabled=False, viewport=SIZES["desktop"])
    page = context.new_page()
    page.goto(page_path.as_uri())
    check(
        f"{name}: the page is readable without scripts",
        page.locator(".card:not(.same) .lines").first.is_visible() and not page.locator("#search").is_visible(),
    )
    page.check("#split")
    run = page.locator(".run:has(.d):has(.a)").first
    was, now = run.locator(".d").first.bounding_box(), run.locator(".a").first.bounding_box()
    check(f"{name}: the switch works without scripts", was["y"] == now["y"] and was["x"] < now["x"], (was, now))
    context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the program")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the browser")
    parser.add_argument("--screenshots", type=Path, help="folder for screenshots")
    arguments = parser.parse_args()
    if not arguments.chromium:
        sys.exit("Chromium not found: apt-get install chromium")
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    binary = str(Path(arguments.bin).resolve())
    check = Checks()
    with tempfile.TemporaryDirectory() as root, sync_playwright() as playwright:
        # The sandbox needs privileges that a container may not give; the pages are our own.
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        print(f"Chromium {browser.version}")
        for name, make in PROJECTS.items():
            folder = Path(root) / name
            folder.mkdir()
            directive, typed = make(folder)
            rendered = [argument for argument in typed if argument not in ("--context-window", "8000")]
            prompt = json.loads(
                run(
                    binary,
                    folder,
                    ["render", directive, "--format", "json", "--redact", "inputs", "--redact", "env", *rendered],
                )
            )
            html = run(binary, folder, ["explain", directive, "--format", "html", *typed])
            check(
                f"{name}: the same arguments give the same bytes",
                html == run(binary, folder, ["explain", directive, "--format", "html", *typed]),
            )
            page_path = Path(root) / f"{name}.html"
            page_path.write_bytes(html)
            check_page(check, browser, name, page_path, prompt, arguments.screenshots)

            redacted = ["--redact", "inputs", "--redact", "env"]
            saved = Path(root) / f"{name}.json"
            saved.write_bytes(json.dumps(prompt).encode())
            before = Path(root) / f"{name}-before"
            shutil.copytree(folder, before, symlinks=True)
            edit(folder)
            edited = json.loads(run(binary, folder, ["render", directive, "--format", "json", *redacted, *rendered]))
            compare = ["diff", str(saved), directive, "--format", "html", "--exit-zero", *redacted, *rendered]
            html = run(binary, folder, compare)
            check(f"{name}-diff: the same arguments give the same bytes", html == run(binary, folder, compare))
            page_path = Path(root) / f"{name}-diff.html"
            page_path.write_bytes(html)
            check_difference(check, browser, f"{name}-diff", page_path, (prompt, edited), arguments.screenshots)

            tiers = ["--left-project", str(before), "--right-project", str(folder)]
            html = run(binary, folder, ["diff", "--all", *tiers, "--format", "html", "--exit-zero"])
            page_path = Path(root) / f"{name}-all.html"
            page_path.write_bytes(html)
            check_difference(check, browser, f"{name}-all", page_path, None, arguments.screenshots)
        browser.close()
    print(f"{check.passed} passed, {check.failed} failed")
    sys.exit(1 if check.failed or not check.passed else 0)


if __name__ == "__main__":
    main()

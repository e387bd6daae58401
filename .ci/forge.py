"""A local stand-in for the addresses of GitHub and GitLab that action.py asks, and for releases."""
import hashlib
import io
import json
import platform
import re
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TARGET = f"{platform.machine()}-unknown-linux-{'gnu' if platform.libc_ver()[0] == 'glibc' else 'musl'}"
ARCHIVE = f"rye-render-{TARGET}.tar.xz"
TOKEN = "the-token"
BOT = "github-actions[bot]"


def pack(folder, name, add):
    """An archive with its digest, as a release has them."""
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / name, "w:xz", preset=1) as archive:
        add(archive)
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / f"{name}.sha256").write_text(f"{digest} *{name}\n")
    return folder


def entry(archive, name, data, mode=0o644):
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), mode
    archive.addfile(info, io.BytesIO(data))


def release(archive, binary):
    entry(archive, f"rye-render-{TARGET}/completions/rye-render", b"not the program")
    archive.add(binary, f"rye-render-{TARGET}/rye-render")


def lying(archive, binary):
    link = tarfile.TarInfo(f"rye-render-{TARGET}/rye-render")
    link.type, link.linkname = tarfile.SYMTYPE, "/bin/true"
    archive.addfile(link)
    archive.add(binary, "../rye-render")


class Forge(ThreadingHTTPServer):
    def __init__(self, archives):
        super().__init__(("127.0.0.1", 0), Answers)
        self.archives = archives
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.comments = []
        self.read_only = False
        self.moved = False  # whether the comments are elsewhere
        self.busy = 0       # how often a download fails before it works
        self.requests = []  # method, path, whether the token came with it
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def reset(self, comments=()):
        self.comments, self.requests = list(comments), []
        self.read_only, self.moved, self.busy = False, False, 0

    def add(self, author, body):
        self.comments.append({"id": len(self.comments) + 1, "user": {"login": author}, "author": {"username": author}, "body": body})
        return self.comments[-1]

    def written(self):
        return [method for method, path, _ in self.requests if method != "GET" and path != "/graphql"]

    def bodies(self):
        return [one["body"] for one in self.comments if one["user"]["login"] == BOT]


class Answers(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send(self, status, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def answer(self):
        forge, url = self.server, urlsplit(self.path)
        token = TOKEN in (self.headers.get("Authorization", "").removeprefix("Bearer "), self.headers.get("PRIVATE-TOKEN"))
        forge.requests.append((self.command, url.path, token))
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        asked = (self.command, url.path)
        # GitHub answers a download with a redirection to another host.
        if found := re.fullmatch(r"/owner/tool/releases/download/(v0\.1\.0/.*)", url.path):
            if forge.busy:
                forge.busy -= 1
                return self.send(503, {})
            return self.send(302, b"", Location=f"/elsewhere/{found[1]}")
        if found := re.fullmatch(r"/elsewhere/v0\.1\.0/([\w.-]+)", url.path):
            file = forge.archives / found[1]
            return self.send(200, file.read_bytes()) if file.exists() else self.send(404, {})
        if not token:
            return self.send(401, {})
        if asked == ("POST", "/graphql") and body == {"query": "{viewer{login}}"}:
            return self.send(200, {"data": {"viewer": {"login": BOT}}})
        if asked == ("GET", "/api/v4/user"):
            return self.send(200, {"username": BOT})
        every = url.path in ("/repos/owner/shop/issues/7/comments", "/api/v4/projects/3/merge_requests/7/notes")
        if every and forge.moved:
            return self.send(302, b"", Location="/elsewhere/comments")
        if every and self.command == "GET":
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
            return self.send(200, forge.comments[(page - 1) * size:page * size])
        if forge.read_only:
            return self.send(403, {"message": "Resource not accessible by integration"})
        if len(body["body"].encode("utf-16-le")) // 2 > 65_536:
            return self.send(422, {"message": "body is too long (maximum is 65536 characters)"})
        if every and self.command == "POST":
            return self.send(201, forge.add(BOT, body["body"]))
        one = re.fullmatch(r"PATCH /repos/owner/shop/issues/comments/(\d+)|PUT /api/v4/projects/3/merge_requests/7/notes/(\d+)",
                           " ".join(asked))
        if one:
            found = forge.comments[int(one[1] or one[2]) - 1]
            found["body"] = body["body"]
            return self.send(200, found)
        return self.send(404, {})

    do_GET = do_POST = do_PATCH = do_PUT = answer

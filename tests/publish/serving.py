"""A static host on this machine: sends the policy as a header too, packs text as gzip, and counts bytes on the wire."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types records"
)
"""What every page of the site must live with; the pages themselves state it in a meta element."""

TEXT = frozenset({".css", ".csv", ".html", ".js", ".json", ".svg", ".txt", ".xml"})
"""What hosts pack."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An answer: `path` is relative to the site's folder, `size` is that of the body on the wire, in bytes."""

    path: str
    status: int
    size: int


@dataclass(frozen=True, slots=True)
class Served:
    """A site that is being served. `url` ends in "/"; `taken` grows with each answer."""

    url: str
    taken: list[Taken] = field(default_factory=list)


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """Serve the folder until the context ends."""
    taken: list[Taken] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Host, taken=taken, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield Served(f"http://127.0.0.1:{server.server_port}/", taken)
        finally:
            server.shutdown()
            thread.join()


class _Host(SimpleHTTPRequestHandler):
    """One answer a connection, so that nothing is left open."""

    def __init__(self, *arguments: Any, taken: list[Taken], directory: str) -> None:
        self._taken = taken
        super().__init__(*arguments, directory=directory)

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).lstrip("/")
        file = Path(self.translate_path(self.path))
        if file.is_dir():
            file, path = file / "index.html", f"{path}index.html"
        if not file.is_file():
            self._taken.append(Taken(path, 404, 0))
            self.send_error(404)
            return
        body = file.read_bytes()
        packs = file.suffix in TEXT and "gzip" in self.headers.get("Accept-Encoding", "")
        if packs:
            body = gzip.compress(body, 6, mtime=0)
        self._taken.append(Taken(path, 200, len(body)))
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        if packs:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Nothing: the list tells."""

"""A real browser, and visits to pages in which everything that went wrong is written down."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    Response,
    sync_playwright,
)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""What the browser is called on one system or another."""

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

PHONE, DESK = 390, 1440
"""Widths in CSS pixels."""

Scheme = Literal["light", "dark"]


def found_browser() -> str | None:
    """The path of a Chromium on this machine."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A Chromium without a window; the test is skipped where there is none."""
    path = found_browser()
    if path is None:
        pytest.skip(f"no {', '.join(NAMES[:3])} on the path; on Debian it comes with `apt-get install chromium`")
    with sync_playwright() as playwright:
        # As root the browser's own sandbox can't work; it meets no page here that is not ours.
        own = ("--no-sandbox",) if os.geteuid() == 0 else ()
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *own])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A page in a browser that knows nothing yet, and all that it asked for and complained of."""

    page: Page
    home: str
    # Without slots: Playwright keeps what it knows of a listener on the listener.
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Open another page of the same site by its path in the folder, and wait until all of it is there."""
        self.page.goto(self.home + path, wait_until="load")

    def check(self) -> None:
        """Fails where anything went wrong, or anything was asked of another place than the site."""
        left = [url for url in self.requests if not url.startswith((self.home, "data:", "blob:"))]
        assert not left, f"asked for what is not in the site's folder: {left}"
        assert not self.complaints, "\n".join(self.complaints)

    def scrolls_sideways(self) -> str | None:
        """What is wider than the window, None where the page is not."""
        told: str | None = self.page.evaluate(_TOO_WIDE)
        return told

    # What a listener hears

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status} for {response.url}")

    def _failed(self, request: Request) -> None:
        # A download ends the navigation that it began as.
        if "ERR_ABORTED" not in (request.failure or ""):
            self.complaints.append(f"{request.failure} for {request.url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.complaints.append(f"{message.type} in {self.page.url}: {message.text}")

    def _interrupted(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog in {self.page.url}: {dialog.message}")
        dialog.dismiss()


_TOO_WIDE = """() => {
  const page = document.scrollingElement;
  if (page.scrollWidth <= innerWidth) return null;
  const all = [...document.querySelectorAll("body *")];
  const wide = all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
  const names = wide.slice(0, 8).map((one) => `${one.localName}.${one.getAttribute("class")}`);
  return `${page.scrollWidth} of ${innerWidth} px: ${names.join(", ")}`;
}"""


class Visits:
    """Opens pages for one test and checks all of them when it ends."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._open: list[tuple[BrowserContext, Visit]] = []

    def __call__(
        self,
        home: str | Path,
        path: str = "index.html",
        *,
        scheme: Scheme = "light",
        width: int = DESK,
        height: int = 900,
        reduced_motion: bool = True,
        javascript: bool = True,
        before: Callable[[Page], Any] | None = None,
    ) -> Visit:
        """Open the page at `path` of the site in a folder, or at a URL that ends in "/"; `before` sees it empty."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            java_script_enabled=javascript,
        )
        page = context.new_page()
        visit = Visit(page, f"{home.as_uri()}/" if isinstance(home, Path) else home)
        page.set_default_timeout(15_000)
        page.on("request", visit._asked)
        page.on("response", visit._answered)
        page.on("requestfailed", visit._failed)
        page.on("console", visit._said)
        page.on("pageerror", lambda error: visit.complaints.append(f"error in {page.url}: {error}"))
        page.on("dialog", visit._interrupted)
        page.on("popup", lambda popup: visit.complaints.append(f"popup: {popup.url}"))
        self._open.append((context, visit))
        if before is not None:
            before(page)
        visit.go(path)
        return visit

    def close(self) -> None:
        """Close all of them; fails where one of them has something to complain of."""
        try:
            for _, visit in self._open:
                visit.check()
        finally:
            for context, _ in self._open:
                context.close()
            self._open.clear()

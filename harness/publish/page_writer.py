"""Writes pages and files of a site where they changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from harness.errors import Interrupted
from harness.publish.drafts import fingerprint_of

if TYPE_CHECKING:
    from harness.publish.page import Figure, Page
    from harness.publish.render import Renderer
    from harness.publish.site_facts import SiteFacts
    from harness.publish.site_folder import SiteFolder

__all__ = ["PageWriter"]


class PageWriter:
    """Writes into `folder` what `renderer` makes of pages. `rendered` counts the pages that changed, `pages` all.

    `stop` is asked between files.
    """

    def __init__(self, folder: SiteFolder, renderer: Renderer, site: SiteFacts, stop: Callable[[], bool]) -> None:
        self.folder = folder
        self.rendered = 0
        self.pages = 0
        self._renderer = renderer
        self._site = site
        self._stop = stop

    def heed_stop(self) -> None:
        """Interrupted once a stop is asked for."""
        if self._stop():
            raise Interrupted("stopped while the site was written; publish again to go on")

    def page(self, page: Page) -> None:
        """Render the page and draw its figures, each unless it stands there as it would come out."""
        self.heed_stop()
        self.pages += 1
        for figure in page.figures:
            self._figure(figure)
        # Above the seasons the menu leads to the newest one. All else that pages show of a site is in the ledger's key.
        newest = None if "/" in page.path else self._site.newest
        fingerprint = fingerprint_of(page.template, dict(page.content), newest)
        if not self.folder.keep_if_current(page.path, fingerprint):
            self.folder.write(page.path, self._renderer.render(page), fingerprint)
            self.rendered += 1

    def _figure(self, figure: Figure) -> None:
        fingerprint = fingerprint_of(figure.paths, figure.shows)
        stand = [self.folder.keep_if_current(path, fingerprint) for path in figure.paths]
        if not all(stand):
            for path, data in figure.draw().items():
                self.folder.write(path, data, fingerprint)

    def file(self, path: str, pieces: Iterator[bytes]) -> None:
        """Write a file whose content is cheaper to make than to tell whether it changed, where it did."""
        self.heed_stop()
        self.folder.write_changed(path, pieces)

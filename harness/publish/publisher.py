"""Publishing: writes what changed of a league's site, in an order that never shows a page before what it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harness import __version__
from harness.errors import StoreError
from harness.publish import addresses
from harness.publish.assets_made import asset_files, assets, made_with
from harness.publish.drafts import fingerprint_of
from harness.publish.feeds import league_feed
from harness.publish.page_writer import PageWriter
from harness.publish.pages import about_page, front_page, seasons_page
from harness.publish.pages.match import viewer_page
from harness.publish.picture import preview
from harness.publish.render import Renderer
from harness.publish.season_reading import summary_of
from harness.publish.season_site import SeasonSite
from harness.publish.shards import shard_notes
from harness.publish.site_facts import PastSeason, SeasonFacts, SeasonSummary, SiteFacts
from harness.publish.site_folder import open_site_folder
from harness.publish.sitemap import sitemap_files

if TYPE_CHECKING:
    from pathlib import Path

    from harness.league import League
    from harness.publish.site_folder import SiteFolder
    from harness.store import SeasonRow, Store

__all__ = ["Published", "publish"]

_MOST_TRIES = 3
"""Times that a season is written in one publish, where it is changed meanwhile each time."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a publish did: the site's `files` and how many of them were `written` now, its `pages` and how many of them
    were `rendered`, and how many files were `removed`.

    Pages of past seasons in which nothing changed are not looked at and not counted among `pages`.
    """

    files: int
    written: int
    removed: int
    pages: int
    rendered: int


def _never() -> bool:
    return False


def publish(league: League, store: Store, out: Path, stop: Callable[[], bool] = _never) -> Published:
    """Bring the site in the folder `out` up to date with the rounds of the league that are over.

    The folder is made if it is not there. Only what changed is rendered, though what the pages show is read anew: that
    takes time in proportion to the newest season. Each file is replaced in one piece, and a page comes after what it
    needs. StoreError where the league has no season; BadInput for a folder that holds
    something else or can't be written; HarnessFailure where the machine fails meanwhile, Interrupted once `stop` is
    true: the same call goes on from there.
    """
    rows = store.seasons(league.name)
    if not rows:
        raise StoreError(f"no season of {league.name} has been announced; begin with harness run-league")
    site = SiteFacts(
        league=league.name,
        site_url=league.site_url,
        newest=rows[-1].number,
        publish_stderr=league.publish_stderr,
        harness=__version__,
        assets=assets(),
    )
    # The newest season's number is left out: pages of the past don't show it.
    key = fingerprint_of(made_with(), site.site_url, site.publish_stderr)
    with open_site_folder(out, site.league, key) as folder:
        for path, content in asset_files().items():
            if folder.has(path):
                folder.keep(path)
            else:
                folder.write(path, content)
        writer = PageWriter(folder, Renderer(site), site, stop)
        _Site(store, site, writer).publish(rows)
        folder.finish()
        return Published(folder.files, folder.written, folder.removed, writer.pages, writer.rendered)


class _Site:
    """All seasons, the oldest first, and then the pages above them."""

    def __init__(self, store: Store, site: SiteFacts, writer: PageWriter) -> None:
        self._store = store
        self._site = site
        self._writer = writer
        self._folder: SiteFolder = writer.folder
        self._summaries: list[SeasonSummary] = []
        self._past: dict[str, tuple[PastSeason, ...]] = {}

    def publish(self, rows: Sequence[SeasonRow]) -> None:
        """Write what changed."""
        for row in rows[:-1]:
            self._publish_past(row)
        newest = self._publish_season(rows[-1])
        self._summaries.append(summary_of(newest))
        self._publish_top(newest)

    def _publish_season(self, row: SeasonRow) -> SeasonFacts:
        """Write a season's pages, and once more where somebody changed what had been read of it already."""
        tries = 0
        while True:
            season = SeasonSite(self._store, row, self._site, self._writer)
            before = season.settled()
            facts = season.publish(self._past)
            tries += 1
            if tries == _MOST_TRIES or season.settled() == before:
                return facts
            row = self._store.season(row.league, row.number) or row

    def _publish_past(self, row: SeasonRow) -> None:
        """A season that has a successor: it is read only if something of it changed after its end."""
        season = SeasonSite(self._store, row, self._site, self._writer)
        note = f"season-{row.number}"
        told = fingerprint_of(season.fingerprint(), self._past)
        known = _outcome_of(self._folder.noted(note), told)
        if known is None or not self._folder.keep_all(addresses.season_folder(row.number) + "/"):
            known = _outcome(self._publish_season(row))
            self._folder.note(note, {"told": told, "summary": asdict(known[0]), "bots": known[1]})
        self._folder.keep_note(note)
        self._folder.keep_notes(shard_notes(row.number))
        summary, bots = known
        self._summaries.append(summary)
        for bot, (rank, mu) in bots.items():
            line = PastSeason(row.number, rank, summary.bots, mu)
            self._past[bot] = (line, *self._past.get(bot, ()))

    def _publish_top(self, newest: SeasonFacts) -> None:
        """What stands above the seasons; the ladder that everyone opens first comes last."""
        site, writer = self._site, self._writer
        seasons = tuple(reversed(self._summaries))
        writer.page(viewer_page())
        writer.page(about_page(newest))
        writer.page(seasons_page(seasons))
        writer.file(addresses.PREVIEW, iter((preview(site, newest),)))
        writer.file(addresses.FEED, iter((league_feed(site, newest, seasons),)))
        if site.site_url is not None:
            dates = {addresses.season_folder(each.number): each.ended for each in seasons}
            paths = sorted({*self._folder.paths(".html"), addresses.LADDER})
            pages = [(path, dates.get(path.partition("/")[0], "")) for path in paths]
            for path, content in sitemap_files(site.site_url, pages):
                writer.file(path, iter((content,)))
        writer.page(front_page(newest))


_Outcome = tuple[SeasonSummary, dict[str, tuple[int | None, float]]]
"""What later seasons tell of one: its line, and by bot its rank and μ."""


def _outcome(season: SeasonFacts) -> _Outcome:
    lines = (line.standing for line in season.lines)
    return summary_of(season), {one.bot: (one.rank, one.mu) for one in lines if one.games}


def _outcome_of(note: Any, told: str) -> _Outcome | None:
    """What was noted of a season, None where that is no more true or can't be read."""
    try:
        if note["told"] != told:
            return None
        fields = {**note["summary"], "champions": tuple(note["summary"]["champions"])}
        bots = {str(bot): (rank if rank is None else int(rank), float(mu)) for bot, (rank, mu) in note["bots"].items()}
        return SeasonSummary(**fields), bots
    except (AttributeError, KeyError, TypeError, ValueError):
        return None

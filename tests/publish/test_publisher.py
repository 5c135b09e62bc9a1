"""Publishing again and again: what is written anew, what stays, and that nothing is shown too early."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from harness.errors import Interrupted, StoreError
from harness.league import check_season, load_league, read_lines
from harness.publish import Published, publish
from harness.publish.season_sums import ROUND_LINES
from harness.ratings import MatchRanks
from harness.store import Store, open_store
from tests.publish.made_site import (
    NOT_YET,
    PLAIN,
    PRIVATE,
    Made,
    MadeBot,
    MadeSeason,
    add_version,
    written_league,
)


@pytest.fixture
def league(tmp_path: Path) -> Made:
    return written_league(tmp_path, PLAIN, form="ladder", seats=(3,), rounds=9)


@pytest.fixture
def store(league: Made) -> Iterator[Store]:
    with open_store(league.store) as store:
        yield store


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


def files(site: Path) -> dict[str, str]:
    """By path, a hash of each file that readers see."""
    return {
        path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in site.rglob("*")
        if path.is_file() and ".publish" not in path.parts
    }


def test_a_round_without_a_match_that_counts_has_a_page_all_the_same(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 3, matches=2)
    for number in (1, 2):
        store.void(season.id, 2, number, "the wrong edition")
    publish(league.league, store, site)
    assert "No match of this round counts" in (site / "season-1/rounds/2.html").read_text()


def test_a_round_of_many_matches_has_parts(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 1, matches=2 * ROUND_LINES + 2)
    for number in (ROUND_LINES + 1, ROUND_LINES + 2):
        store.void(season.id, 1, number, "a wrong deck")
    publish(league.league, store, site)
    assert sorted(path.name for path in (site / "season-1/rounds").iterdir()) == ["1-2.html", "1.html"]
    for name in ("1.html", "1-2.html"):
        text = (site / "season-1/rounds" / name).read_text()
        assert "1-2.html" in text
        assert "1-3.html" not in text


def season_of(league: Made, store: Store, rounds: int, number: int = 1, matches: int = 6) -> MadeSeason:
    season = MadeSeason(league.league, store, number, PLAIN)
    for _ in range(rounds):
        season.play(matches)
    return season


def test_a_league_without_a_season_has_no_site(league: Made, store: Store, site: Path) -> None:
    with pytest.raises(StoreError, match=r"no season of caves .* begin with harness run-league"):
        publish(league.league, store, site)
    assert not site.exists()


def test_publishing_again_writes_nothing(league: Made, store: Store, site: Path) -> None:
    season_of(league, store, 2)
    first = publish(league.league, store, site)
    assert first.written == first.files == len(files(site))
    assert first.pages == first.rendered
    before = {path: path.stat().st_ino for path in site.rglob("*.html")}
    again = publish(league.league, store, site)
    assert (again.written, again.removed, again.files, again.rendered) == (0, 0, first.files, 0)
    assert {path: path.stat().st_ino for path in site.rglob("*.html")} == before


def test_a_season_published_round_by_round_is_the_same_as_at_once(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 0)
    publish(league.league, store, site)
    for _ in range(3):
        season.play(10)
        publish(league.league, store, site)
    season.end()
    publish(league.league, store, site)
    at_once = site.with_name("at-once")
    publish(league.league, store, at_once)
    due = files(at_once)
    assert {path: told for path, told in files(site).items() if path in due} == due


def test_a_further_round_leaves_full_pages_and_other_rounds_alone(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 2, matches=30)
    publish(league.league, store, site)
    before = files(site)
    season.play(2)
    publish(league.league, store, site)
    after = files(site)
    same = {path for path in before if before[path] == after.get(path)}
    lists = {path for path in before if path.startswith("season-1/matches/")}
    assert len(lists) >= 5
    assert {*lists, "season-1/rounds/1.html"} <= same
    # The round before has a link to the new one.
    assert "season-1/rounds/2.html" not in same
    assert before["index.html"] != after["index.html"]


def test_whatever_befalls_a_league_its_site_is_as_if_published_at_once(
    league: Made, store: Store, site: Path, tmp_path: Path
) -> None:
    """New versions, voidings, a disqualification, a season cut short unplayed, a new one: compared after each."""
    first = season_of(league, store, 2)

    def compared(what: str) -> None:
        publish(league.league, store, site)
        publish(league.league, store, site)
        at_once = tmp_path / what
        publish(league.league, store, at_once)
        shown, due = files(site), files(at_once)
        left = {path for path in shown if path not in due}
        # Named for their content, they go with a later change.
        assert all("/replays/" in path for path in left), what
        assert {path: shown.get(path) for path in due} == due, what

    compared("two rounds")
    store.enter(first.id, "ada", add_version(store, MadeBot("ada", "Ada the second", "Grace"), 1), 3)
    first.play(6)
    compared("a new version")
    store.void(first.id, 1, 2, "a wrong deck")
    compared("a void match")
    first.end()
    compared("the end")
    MadeSeason(league.league, store, 2, PLAIN).end()
    compared("a season that nobody played")
    third = season_of(league, store, 1, number=3)
    compared("a third season")
    store.void(first.id, 2, 1, "a late discovery")
    compared("a late voiding")
    store.disqualify(third.id, "eve", 2, "two processes in one")
    third.play(6)
    compared("a disqualification")


def test_an_unplayed_season_has_no_champion(league: Made, store: Store, site: Path) -> None:
    MadeSeason(league.league, store, 1, PLAIN).end()
    publish(league.league, store, site)
    for page in ("seasons.html", "season-1/index.html", "feed.xml"):
        text = (site / page).read_text().lower()
        assert "won by" not in text
        assert "champion</dt>" not in text
        assert ">ada<" not in text or page == "season-1/index.html"


def test_a_new_version_leaves_old_rounds_and_lists_alone(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 2, matches=30)
    publish(league.league, store, site)
    before = files(site)
    store.enter(season.id, "ada", add_version(store, PLAIN[0], 1), 3)
    publish(league.league, store, site)
    after = files(site)
    changed = {path for path in before if before[path] != after[path]}
    assert "season-1/bots/ada.html" in changed
    assert not [path for path in changed if path.startswith(("season-1/rounds/", "season-1/matches/"))]


def test_a_late_voiding_is_seen_everywhere(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 2)
    publish(league.league, store, site)
    assert "1/1/3" in (site / "season-1/data/matches.csv").read_text()
    store.void(season.id, 1, 3, "a wrong deck")
    publish(league.league, store, site)
    assert "1/1/3" not in (site / "season-1/data/matches.csv").read_text()
    assert "a wrong deck" in (site / "season-1/index.html").read_text()


def test_a_voiding_in_the_middle_of_a_publish_is_on_all_pages_or_on_none(
    league: Made, store: Store, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = season_of(league, store, 2)
    asked = store.match_ranks

    def voided_first(season_id: str) -> Iterator[MatchRanks]:
        monkeypatch.undo()
        store.void(season.id, 1, 2, "in between")
        return asked(season_id)

    monkeypatch.setattr(store, "match_ranks", voided_first)
    publish(league.league, store, site)
    at_once = site.with_name("at-once")
    publish(league.league, store, at_once)
    due = files(at_once)
    assert {path: told for path, told in files(site).items() if path in due} == due


def test_a_past_season_is_left_alone_until_something_of_it_changes(league: Made, store: Store, site: Path) -> None:
    first = season_of(league, store, 2)
    first.end()
    second = season_of(league, store, 1, number=2)
    counted = publish(league.league, store, site)
    store.record_keys = _never(store.record_keys, "caves/1")  # type: ignore[method-assign]
    second.play(6)
    later = publish(league.league, store, site)
    assert later.pages < counted.pages
    del store.record_keys  # type: ignore[method-assign]
    before = files(site)
    store.void(first.id, 1, 2, "a late discovery")
    publish(league.league, store, site)
    changed = {path for path, told in files(site).items() if before.get(path) != told}
    assert "season-1/index.html" in changed
    # The bots of the second season tell what they came to in the first.
    assert any(path.startswith("season-2/bots/") for path in changed)


def _never(asked: Callable[..., object], season_id: str) -> Callable[..., object]:
    def ask(which: str, last_round: int) -> object:
        assert which != season_id
        return asked(which, last_round)

    return ask


def test_a_file_that_somebody_removed_comes_back(league: Made, store: Store, site: Path) -> None:
    season_of(league, store, 2).end()
    season_of(league, store, 1, number=2)
    publish(league.league, store, site)
    before = files(site)
    for path in ("season-1/rounds/1.html", "season-2/match.html", "seasons.html", "season-2/data/ladder.csv"):
        (site / path).unlink()
    for found in (*site.glob("season-*/replays/*"), *site.glob("assets/*")):
        found.unlink()
    publish(league.league, store, site)
    assert files(site) == before


def test_a_stopped_publish_goes_on(league: Made, store: Store, site: Path) -> None:
    season_of(league, store, 3)
    publish(league.league, store, site.with_name("whole"))
    for most in (1, 7, 30):
        with pytest.raises(Interrupted, match="publish again to go on"):
            publish(league.league, store, site, _after(most))
    publish(league.league, store, site)
    assert files(site) == files(site.with_name("whole"))


def _after(times: int) -> Callable[[], bool]:
    """A stop that comes when it has been asked for so often."""
    asked = count()
    return lambda: next(asked) >= times


def test_nothing_of_an_open_round_is_shown(made: Made, site: Path) -> None:
    with open_store(made.store, write=False) as store:
        assert list(store.records("caves/2", finished_rounds_only=False)) != list(store.records("caves/2"))
        publish(made.league, store, site)
    text = everything(site)
    assert NOT_YET not in text
    row = season_row(made, 2)
    assert row not in text
    assert f"caves/2/{5}/" not in text
    assert not list((site / "season-2" / "rounds").glob("5*"))


def season_row(made: Made, number: int) -> str:
    """The secret of a season."""
    with open_store(made.store, write=False) as store:
        row = store.season("caves", number)
        assert row is not None
        return row.secret


def everything(site: Path) -> str:
    """All text of a site, that of its shards and packed files too."""
    texts = []
    for path in site.rglob("*"):
        if path.is_file() and ".publish" not in path.parts:
            data = path.read_bytes()
            if path.suffix == ".gz":
                data = gzip.decompress(data)
            elif path.parent.name == "replays":
                from tests.publish.test_shards import opened

                data = repr(opened(path)).encode()
            texts.append(data.decode("utf-8", "replace"))
    return "\n".join(texts)


def test_the_secret_is_shown_once_the_season_is_over(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 1)
    secret = season.row.secret
    publish(league.league, store, site)
    assert secret not in everything(site)
    assert season.row.commitment in (site / "season-1/index.html").read_text()
    season.end()
    publish(league.league, store, site)
    assert secret in (site / "season-1/index.html").read_text()


def test_the_seasons_file_verifies(league: Made, store: Store, site: Path) -> None:
    season = season_of(league, store, 2, matches=2)
    publish(league.league, store, site)
    assert not (site / "season-1/season.jsonl.gz").exists()
    season.end()
    publish(league.league, store, site)
    with (site / "season-1/season.jsonl.gz").open("rb") as file:
        report = check_season(read_lines(file, "season"), "season")
    assert (report.problem, report.records) == (None, 4)


@pytest.mark.parametrize("shown", [False, True])
def test_stderr_is_shown_only_where_the_league_says_so(tmp_path: Path, site: Path, shown: bool) -> None:
    more = "publish_stderr = true" if shown else ""
    made = written_league(tmp_path, PLAIN, form="ladder", seats=(3,), rounds=9, more=more)
    with open_store(made.store) as store:
        season = MadeSeason(made.league, store, 1, PLAIN)
        season.play(12, forfeits=0.2)
        assert store.faults(season.id)
        publish(made.league, store, site)
    assert (PRIVATE in everything(site)) == shown


def test_a_site_url_makes_addresses_whole(tmp_path: Path, site: Path) -> None:
    made = written_league(
        tmp_path, PLAIN, form="ladder", seats=(3,), rounds=9, more='site_url = "https://bots.example.org/caves"'
    )
    with open_store(made.store) as store:
        season_of(made, store, 1)
        publish(made.league, store, site)
    assert "<loc>https://bots.example.org/caves/index.html</loc>" in (site / "sitemap.xml").read_text()
    assert 'content="https://bots.example.org/caves/preview.png"' in (site / "index.html").read_text()
    assert load_league(made.file).site_url == "https://bots.example.org/caves/"


def test_without_a_site_url_there_is_no_sitemap(league: Made, store: Store, site: Path) -> None:
    season_of(league, store, 1)
    published = publish(league.league, store, site)
    assert isinstance(published, Published)
    assert not (site / "sitemap.xml").exists()
    assert "og:image" not in (site / "index.html").read_text()

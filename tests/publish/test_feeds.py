"""The feeds, read by the rules of RFC 4287."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest

from harness.publish.feeds import bot_feed, league_feed
from harness.publish.site_facts import VersionFacts
from tests.publish.made_facts import (
    BEGUN,
    CLOSED,
    ENDED,
    PLACED,
    SITE,
    VERSIONS,
    bot_facts,
    fault,
    line,
    season,
    standing,
    summary,
)

ATOM = "{http://www.w3.org/2005/Atom}"
ADA = line(standing("ada", 1, 31.0), "Ada of the deep", "Grace")


def read(feed: bytes) -> ElementTree.Element:
    """The feed's root, once it keeps the rules."""
    root = ElementTree.fromstring(feed)
    assert root.tag == f"{ATOM}feed"
    for one in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(one.findall(f"{ATOM}{name}")) == 1, name
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", one.findtext(f"{ATOM}updated") or "")
        assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", one.findtext(f"{ATOM}id") or "")
        assert (one.findtext(f"{ATOM}title") or "").strip()
        links = one.findall(f"{ATOM}link")
        assert [link.get("rel") for link in links].count("alternate") == 1
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    ids = [element.text for element in root.iter(f"{ATOM}id")]
    assert len(ids) == len(set(ids))
    moments = [datetime.fromisoformat(one.findtext(f"{ATOM}updated") or "") for one in root.findall(f"{ATOM}entry")]
    assert moments == sorted(moments, reverse=True)
    if moments:
        assert datetime.fromisoformat(root.findtext(f"{ATOM}updated") or "") == moments[0]
    return root


def entries(root: ElementTree.Element) -> list[tuple[str, str, str, str]]:
    """(title, updated, text, address) of each."""
    found = []
    for entry in root.findall(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        content = entry.find(f"{ATOM}content")
        assert content is not None
        assert content.get("type") == "text"
        assert not len(content)
        found.append(
            (
                entry.findtext(f"{ATOM}title") or "",
                entry.findtext(f"{ATOM}updated") or "",
                (content.text or "").replace("\u00a0", " "),
                link.get("href") or "",
            )
        )
    return found


def test_the_league_feed_tells_rounds_and_seasons_the_newest_first():
    past = summary(1, champions=("ada", "cyd"), begun="2026-02-01T08:00:00Z", ended="2026-02-02T08:00:00Z")
    told = entries(read(league_feed(SITE, season(), [summary(2), past])))
    assert told == [
        (
            "Season 2 is won by bob",
            ENDED,
            "3 bots, 3 rounds, 30 matches.",
            "season-2/index.html",
        ),
        (
            "Round 3 of season 2 is over",
            CLOSED[2],
            "10 matches, 2 faults. In front: ada (31.0 ± 2.0), bob (27.5 ± 2.9).",
            "season-2/rounds/3.html",
        ),
        (
            "Round 2 of season 2 is over",
            CLOSED[1],
            "10 matches, 1 fault. In front: ada (31.0 ± 2.0), bob (27.5 ± 2.9).",
            "season-2/rounds/2.html",
        ),
        (
            "Round 1 of season 2 is over",
            CLOSED[0],
            "10 matches, 0 faults. In front: ada (31.0 ± 2.0), bob (27.5 ± 2.9).",
            "season-2/rounds/1.html",
        ),
        ("Season 2 is announced", BEGUN, "3 rounds planned.", "season-2/index.html"),
        (
            "Season 1 is won by ada and cyd",
            "2026-02-02T08:00:00Z",
            "3 bots, 3 rounds, 30 matches.",
            "season-1/index.html",
        ),
        ("Season 1 is announced", "2026-02-01T08:00:00Z", "3 rounds planned.", "season-1/index.html"),
    ]


def test_a_season_that_runs_has_no_champion():
    told = entries(read(league_feed(SITE, season(rounds=0, ended=False), [summary(2, champions=(), ended="")])))
    assert [title for title, *_ in told] == ["Season 2 is announced"]


def test_a_practice_season_is_called_that():
    told = entries(read(league_feed(SITE, season(), [replace(summary(2), practice=True)])))
    assert all("practice" in text for title, _, text, _ in told if title.startswith("Season"))


def test_where_the_site_stands_is_told_where_it_is_known():
    root = read(league_feed(PLACED, season(), [summary(2)]))
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links == {
        "self": "https://caves.example/ladder/feed.xml",
        "alternate": "https://caves.example/ladder/index.html",
    }
    assert all(address.startswith("https://caves.example/ladder/season-2/") for *_, address in entries(root))
    root = read(bot_feed(PLACED, season(), bot_facts(ADA)))
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links["self"] == "https://caves.example/ladder/season-2/feeds/ada.xml"


def test_else_links_lead_from_the_feed_to_the_page():
    root = read(bot_feed(SITE, season(), bot_facts(ADA, faults=(fault("ada"),))))
    stands = "file:///site/season-2/feeds/ada.xml"
    assert {urljoin(stands, link.get("href") or "") for link in root.iter(f"{ATOM}link")} == {
        "file:///site/season-2/bots/ada.html",
        "file:///site/season-2/match.html#r2m5",
    }
    assert all(link.get("rel") != "self" for link in root.iter(f"{ATOM}link"))


def test_ids_stay_when_the_site_gets_its_place_and_when_more_happens():
    def ids(feed: bytes) -> set[str | None]:
        return {element.text for element in read(feed).iter(f"{ATOM}id")}

    here = ids(league_feed(SITE, season(rounds=2, ended=False), [summary(2, champions=(), ended="")]))
    assert here == ids(league_feed(PLACED, season(rounds=2, ended=False), [summary(2, champions=(), ended="")]))
    assert here < ids(league_feed(SITE, season(), [summary(2)]))


def test_another_season_of_the_same_name_has_other_ids():
    def ids(begun: str) -> set[str | None]:
        facts = replace(season(), begun=begun)
        feeds = (league_feed(SITE, facts, [summary(2, begun=begun)]), bot_feed(SITE, facts, bot_facts(ADA)))
        entry_ids = (entry.findtext(f"{ATOM}id") for feed in feeds for entry in read(feed).findall(f"{ATOM}entry"))
        return set(entry_ids)

    assert not ids(BEGUN) & ids("2026-03-01T08:00:01Z")


def test_the_same_facts_give_the_same_bytes():
    assert league_feed(SITE, season(), [summary(2)]) == league_feed(SITE, season(), [summary(2)])
    assert bot_feed(SITE, season(), bot_facts(ADA)) == bot_feed(SITE, season(), bot_facts(ADA))


def test_the_newest_fifty_are_kept():
    facts = season(ended=False)
    rounds = tuple(
        replace(facts.rounds[0], number=number, closed=f"2026-03-02T10:{number // 60:02}:{number % 60:02}Z")
        for number in range(1, 81)
    )
    told = entries(read(league_feed(SITE, replace(facts, rounds=rounds), [summary(2, champions=(), ended="")])))
    assert len(told) == 50
    assert told[0][0] == "Round 80 of season 2 is over"
    assert told[-1][0] == "Round 31 of season 2 is over"


def test_a_bots_feed_tells_what_happened_to_it():
    versions = (
        VersionFacts(1, VERSIONS["ada"], "entered"),
        VersionFacts(2, "e" * 64, "entered"),
        VersionFacts(3, "e" * 64, "benched"),
        VersionFacts(4, "e" * 64, "let-in"),
    )
    bot = bot_facts(ADA, versions=versions, faults=(fault("ada", 2, 6, kind="timeout"), fault("ada", 2, 5)))
    told = entries(read(bot_feed(SITE, season(), bot)))
    assert [(title, moment) for title, moment, _, _ in told] == [
        ("ada ends season 2 as 1st of 3", ENDED),
        ("ada is let in again", CLOSED[2]),
        ("ada has a fault in round 2: timeout", CLOSED[1]),
        ("ada has a fault in round 2: bad-message", CLOSED[1]),
        ("ada is benched", CLOSED[1]),
        (f"ada plays with a new version, {'e' * 12}", CLOSED[0]),
        (f"ada enters with version {'a' * 12}", BEGUN),
    ]
    texts = {title: text for title, _, text, _ in told}
    assert texts["ada has a fault in round 2: bad-message"] == (
        "Round 2, match 5, game 1, expedition 3, turn 9: it wrote something that is no message of the protocol. "
        "To mend: write one JSON object a line to stdout and nothing else; print debugging text to stderr. "
        "Expected: a decision Got: hello"
    )
    assert "private words" not in str(texts)
    assert texts["ada ends season 2 as 1st of 3"] == "Rating 31.0 ± 2.0 after 40 games."


def test_the_end_tells_the_official_table_too_and_who_has_no_rank():
    bob = bot_facts(line(standing("bob", 2, 27.5, 1.5)))
    [end, *_] = entries(read(bot_feed(SITE, season(), bob)))
    assert end[2].endswith("In the official table 1st, with 95 % 1st–2nd.")
    cyd = bot_facts(line(standing("cyd", None, 20.0, state="disqualified")))
    [end, *_] = entries(read(bot_feed(SITE, season(), cyd)))
    assert end[0] == "cyd ends season 2 not ranked"


def test_a_bots_feed_changes_only_when_something_happened_to_it():
    before = bot_feed(SITE, season(rounds=2, ended=False), bot_facts(ADA))
    played_on = bot_facts(line(standing("ada", 2, 29.0, games=60, matches=30), "Ada of the deep", "Grace"))
    after = season(rounds=3, ended=False)
    assert bot_feed(SITE, after, played_on) == before
    assert bot_feed(SITE, after, replace(played_on, faults=(fault("ada", 3),))) != before


def test_a_version_for_a_later_round_waits_until_its_time_is_known():
    versions = (VersionFacts(1, VERSIONS["ada"], "entered"), VersionFacts(4, "e" * 64, "entered"))
    bot = bot_facts(ADA, versions=versions)
    assert len(entries(read(bot_feed(SITE, season(rounds=2, ended=False), bot)))) == 1
    assert len(entries(read(bot_feed(SITE, season(rounds=3, ended=False), bot)))) == 2


def test_a_store_that_never_learnt_a_time_gives_a_feed_all_the_same():
    facts = season(rounds=1, ended=False)
    facts = replace(facts, begun="", rounds=(replace(facts.rounds[0], closed=""),))
    read(league_feed(SITE, facts, [summary(2, champions=(), begun="", ended="")]))
    read(bot_feed(SITE, facts, bot_facts(ADA)))


HOSTILE = [
    "<script>alert(1)</script>",
    "]]><entry/>",
    "a\x00b\x0b\x1b[31mred",
    "\ud800 \ufffe \uffff \U0001ffff",
    "abc\u202egnp",
    "\r\n\t&amp;&#0;",
    "W" * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_bot_wrote_stays_text_that_xml_can_hold(text):
    feed = bot_feed(SITE, season(), bot_facts(ADA, faults=(fault("ada", got=text),)))
    root = read(feed)
    assert {element.tag.removeprefix(ATOM) for element in root.iter()} == {
        "feed", "id", "title", "updated", "author", "name", "link", "entry", "content",
    }  # fmt: skip
    content = "".join(root.itertext())
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufffe\uffff]", content)
    assert len(feed) < 12_000


def test_markup_arrives_as_it_was_written():
    root = read(bot_feed(SITE, season(), bot_facts(ADA, faults=(fault("ada", got=HOSTILE[0]),))))
    assert "Got: <script>alert(1)</script>" in "".join(root.itertext())

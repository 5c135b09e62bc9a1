"""Atom feeds (RFC 4287): what happened in the league, and to one bot. The same facts give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree import ElementTree

from harness.protocol import visible
from harness.publish import addresses
from harness.publish.render import fixed, plural
from harness.publish.site_facts import BotFacts, SeasonFacts, SeasonSummary, SiteFacts
from harness.publish.words import listed, ordinal, rank_interval, reach
from harness.referee import happened, mend
from harness.store import FaultRow

__all__ = ["MOST_ENTRIES", "bot_feed", "league_feed"]

MOST_ENTRIES = 50
"""The newest are kept."""

_TITLE, _TEXT = 120, 2000
"""The longest title and the longest text of an entry, in characters."""

_ATOM = "http://www.w3.org/2005/Atom"

_NAMES: UUID = uuid5(NAMESPACE_URL, "tag:tacora,2026:feed")

_NO_TIME = "1970-01-01T00:00:00Z"
"""Stands where a store never learnt when something happened: a feed must give a time."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 forbids, escaped or not."""


@dataclass(frozen=True, slots=True)
class _Event:
    """What happened: `key` tells it from all else in its season, `page` is where to read on."""

    key: str
    moment: str
    title: str
    text: str
    page: str


def league_feed(site: SiteFacts, season: SeasonFacts, seasons: Iterable[SeasonSummary]) -> bytes:
    """Seasons announced and over, and the rounds of `season`, the newest; the newest events first."""
    key = _season_key(site, season.begun, season.number)
    events = [(key, event) for event in _round_events(season)]
    events += [event for each in seasons for event in _season_events(site, each)]
    title = f"{site.league}: rounds and seasons"
    return _feed(site, addresses.FEED, addresses.LADDER, site.league, title, events)


def bot_feed(site: SiteFacts, season: SeasonFacts, bot: BotFacts) -> bytes:
    """What happened to a bot in a season: how it entered or left, its faults, its rank at the end.

    It changes only when something did; who has played another round without any of this keeps their feed.
    """
    name = bot.line.standing.bot
    path = addresses.bot_feed(season.number, name)
    page = addresses.bot_page(season.number, name)
    key = _season_key(site, season.begun, season.number)
    events = [(key, event) for event in _bot_events(season, bot, page)]
    title = f"{name} in {site.league}, season {season.number}"
    return _feed(site, path, page, f"{key}/bot/{name}", title, events)


def _season_key(site: SiteFacts, begun: str, number: int) -> str:
    # With the time of its beginning: many leagues have the name of a sample, and a first season.
    return f"{site.league}/{number}/{begun}"


def _season_events(site: SiteFacts, season: SeasonSummary) -> Iterator[tuple[str, _Event]]:
    key = _season_key(site, season.begun, season.number)
    page = addresses.season_page(season.number)
    practice = " It is a practice season: its decks are known beforehand." if season.practice else ""
    yield (
        key,
        _Event(
            "announced",
            season.begun,
            f"Season {season.number} is announced",
            f"{plural(season.rounds_planned, 'round', 'rounds')} planned.{practice}",
            page,
        ),
    )
    if season.ended:
        won = f"won by {listed(season.champions)}" if season.champions else "over without a winner"
        played = (
            f"{plural(season.bots, 'bot', 'bots')}, {plural(season.rounds_over, 'round', 'rounds')}, "
            f"{plural(season.matches, 'match', 'matches')}."
        )
        yield key, _Event("over", season.ended, f"Season {season.number} is {won}", f"{played}{practice}", page)


def _round_events(season: SeasonFacts) -> Iterator[_Event]:
    for each in season.rounds:
        text = f"{plural(each.matches, 'match', 'matches')}, {plural(each.faults, 'fault', 'faults')}."
        if each.leaders:
            text += (
                f" In front: {', '.join(f'{bot} ({fixed(mu, 1)} {reach(sigma)})' for bot, mu, sigma in each.leaders)}."
            )
        yield _Event(
            f"round/{each.number}",
            _closed(season, each.number),
            f"Round {each.number} of season {season.number} is over",
            text,
            addresses.round_page(season.number, each.number),
        )


def _bot_events(season: SeasonFacts, bot: BotFacts, page: str) -> Iterator[_Event]:
    name = bot.line.standing.bot
    known: set[str] = set()
    for change in bot.versions:
        if change.from_round > len(season.rounds) + 1:
            break  # its time will be that of the end of a round that isn't over
        title = _change_in_words(name, change.act, change.version, known)
        known.add(change.version)
        moment = _closed(season, change.from_round - 1)
        text = f"From round {change.from_round} on; version {change.version}."
        yield _Event(f"bot/{name}/{change.from_round}/{change.act}/{change.version}", moment, title, text, page)
    for fault in reversed(bot.faults):
        yield _fault_event(season, fault)
    standing = bot.line.standing
    if season.ended:
        rank = "not ranked" if standing.rank is None else f"as {ordinal(standing.rank)} of {len(season.lines)}"
        text = (
            f"Rating {fixed(standing.mu, 1)} {reach(standing.sigma)} after {plural(standing.games, 'game', 'games')}."
        )
        official = next((line for line in season.official if line.bot == name and line.rank is not None), None)
        if official is not None and official.rank is not None:
            between = rank_interval(official.rank_low, official.rank_high)
            text += f" In the official table {ordinal(official.rank)}, with 95 % {between}."
        yield _Event(
            f"bot/{name}/end",
            season.ended,
            f"{name} ends season {season.number} {rank}",
            text,
            page,
        )


def _change_in_words(name: str, act: str, version: str, known: set[str]) -> str:
    if act == "entered":
        return (
            f"{name} enters with version {version[:12]}"
            if not known
            else (
                f"{name} plays with a new version, {version[:12]}"
                if version not in known
                else f"{name} plays again with version {version[:12]}"
            )
        )
    return {
        "let-in": f"{name} is let in again",
        "benched": f"{name} is benched",
        "withdrawn": f"{name} is withdrawn",
        "disqualified": f"{name} is disqualified",
    }.get(act, f"{name}: {act}")


def _fault_event(season: SeasonFacts, fault: FaultRow) -> _Event:
    where = fault.fault
    text = (
        f"Round {fault.round}, match {fault.number}, game {where['game']}, expedition {where['expedition']}, turn "
        f"{where['turn']}: {happened(fault.kind)}."
    )
    advice = mend(fault.kind)
    if advice:
        text += f" To mend: {advice}."
    for name in ("expected", "got"):
        if where[name]:
            text += f" {name.capitalize()}: {visible(where[name], 300)}"
    return _Event(
        f"fault/{fault.match}/{fault.seat}",
        _closed(season, fault.round),
        f"{fault.bot} has a fault in round {fault.round}: {fault.kind}",
        text,
        addresses.match_address(season.number, fault.round, fault.number),
    )


def _closed(season: SeasonFacts, number: int) -> str:
    """When that round was over, or as much of it as is known; before the first round, when the season began."""
    return next(
        (each.closed for each in reversed(season.rounds) if each.number <= number and each.closed), season.begun
    )


def _feed(site: SiteFacts, path: str, page: str, key: str, title: str, events: Sequence[tuple[str, _Event]]) -> bytes:
    """The document; the events in the order in which they happened, as far as their moments don't tell."""
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    newest = sorted(events, key=lambda event: _sortable(event[1].moment))[-MOST_ENTRIES:][::-1]
    _add(feed, "id", _urn(key))
    _add(feed, "title", _told(title, _TITLE))
    _add(feed, "updated", (newest[0][1].moment if newest else "") or _NO_TIME)
    _add(ElementTree.SubElement(feed, "author"), "name", _told(site.league, _TITLE))
    if site.site_url is not None:
        _link(feed, "self", site.site_url + quote(path), "application/atom+xml")
    _link(feed, "alternate", _address(site, path, page), "text/html")
    for season_key, event in newest:
        entry = ElementTree.SubElement(feed, "entry")
        _add(entry, "id", _urn(f"{season_key}/{event.key}"))
        _add(entry, "title", _told(event.title, _TITLE))
        _add(entry, "updated", event.moment or _NO_TIME)
        _link(entry, "alternate", _address(site, path, event.page), "text/html")
        _add(entry, "content", _told(event.text, _TEXT)).set("type", "text")
    document: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _sortable(moment: str) -> datetime:
    return datetime.fromisoformat(moment or _NO_TIME)


def _urn(key: str) -> str:
    """Made of what happened, not of where the site stands, so that it stays when the site moves."""
    return uuid5(_NAMES, key).urn


def _address(site: SiteFacts, path: str, page: str) -> str:
    """Absolute where the site's place is known, else from where the feed stands."""
    address, mark, place = page.partition("#")
    return (addresses.root_of(path) if site.site_url is None else site.site_url) + quote(address) + mark + quote(place)


def _told(text: str, limit: int) -> str:
    return _NOT_XML.sub("\ufffd", visible(text, limit))


def _link(parent: ElementTree.Element, rel: str, href: str, kind: str) -> None:
    ElementTree.SubElement(parent, "link", {"rel": rel, "type": kind, "href": href})


def _add(parent: ElementTree.Element, name: str, text: str) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, name)
    element.text = text
    return element

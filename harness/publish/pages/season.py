"""A season's page: what it is, how far it is, who won it, and all that it takes to check that nobody cheated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.protocol import visible
from harness.publish import addresses
from harness.publish.data_files import DATA_FILES
from harness.publish.page import Page
from harness.publish.pages.match_rows import profile_of
from harness.publish.pages.parameter_words import TIERS, division_count, limit_rows, rating_rows
from harness.publish.pages.season_words import progress, what_it_is
from harness.publish.render import fixed, number, plural
from harness.publish.site_facts import BotProfile, RoundFacts, SeasonFacts
from harness.publish.words import day, minute, rank_interval
from harness.ratings import PLAYS, Strength

__all__ = ["MOST_ENTRIES", "MOST_ROUNDS", "season_page"]

MOST_ROUNDS = 30
"""Rounds that the page lists, the newest ones; all are in the file rounds.csv."""

MOST_ENTRIES = 200
"""Entries that the page lists; all are in the file bots.csv."""

REASON_LIMIT = 300
"""Characters shown of a reason that the organiser wrote."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round that is over. `address` is that of its matches, "" where none counts."""

    number: int
    size: int
    matches: str
    faults: str
    results: str
    evidence: str
    closed: str
    moment: str
    address: str


@dataclass(frozen=True, slots=True)
class Champion:
    """Who won, and how sure its rank is; both texts are "" where nobody was ranked."""

    profile: BotProfile
    strength: str
    rank: str


@dataclass(frozen=True, slots=True)
class VoidView:
    """A match that does not count."""

    match: str
    reason: str
    bots: tuple[str, ...]


def season_page(season: SeasonFacts) -> Page:
    """The page of a season."""
    rounds = season.rounds[-MOST_ROUNDS:]
    content: dict[str, Any] = {
        "season_number": season.number,
        "state": season.state,
        "practice": season.practice,
        "what": what_it_is(season),
        "progress": progress(season),
        "dates": _dates(season),
        "champions": _champions(season),
        "sizes": season.sizes if len(season.by_size) > 1 else (),
        "divisions": _divisions(season),
        "commitment": season.commitment,
        "secret": season.secret,
        "stated_seed": _stated_seed(season),
        "results": season.results,
        "evidence": season.evidence,
        "entries": tuple(sorted(season.profiles.values(), key=lambda profile: profile.bot))[:MOST_ENTRIES],
        "entered": len(season.profiles),
        "rounds": tuple(_round_row(season.number, each) for each in reversed(rounds)),
        "rounds_over": len(season.rounds),
        "tiers": _tiers(season),
        "anchors": season.anchors,
        "platform": visible(season.platform, 200),
        "voids": tuple(
            VoidView(f"Round {void.round}, match {void.number}", visible(void.reason, REASON_LIMIT), void.bots)
            for void in season.voids
        ),
        "out": tuple((line.profile, line.standing.state) for line in season.lines if line.standing.state != PLAYS),
        "facts": _facts(season),
        "limits": limit_rows(season.config.get("limits", {})),
        "rating": rating_rows(season.config.get("rating", {})),
        "downloads": _downloads(season.number),
    }
    return Page(addresses.season_page(season.number), "season.html", content)


def _dates(season: SeasonFacts) -> tuple[tuple[str, str, str], ...]:
    """What happened when: a word, the day, the moment for programs."""
    named = (("Announced", season.begun), ("Ended", season.ended))
    return tuple((word, day(moment), moment) for word, moment in named if moment)


def _champions(season: SeasonFacts) -> tuple[Champion, ...]:
    """Who won, with how strong the official table says that it is."""
    strengths = {line.bot: line for line in season.official if line.rank == 1}
    return tuple(_champion(profile_of(season.profiles, bot), strengths.get(bot)) for bot in season.champions)


def _champion(profile: BotProfile, line: Strength | None) -> Champion:
    if line is None:
        return Champion(profile, "", "")
    return Champion(
        profile,
        f"{fixed(line.strength, 1)} (95\u00a0%: {fixed(line.low, 1)} to {fixed(line.high, 1)})",
        rank_interval(line.rank_low, line.rank_high),
    )


def _divisions(season: SeasonFacts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The divisions with their bots, in the order of the ladder, and those in none."""
    if not division_count(season):
        return ()
    order = [line.standing.bot for line in season.lines]
    order += sorted(set(season.divisions) - set(order))
    found: dict[int, list[str]] = {each: [] for each in sorted(set(season.divisions.values()))}
    for bot in order:
        found.setdefault(season.divisions.get(bot, 0), []).append(bot)
    outside = found.pop(0, [])
    named = [(f"Division {each}", tuple(bots)) for each, bots in found.items()]
    return (*named, ("In none: newcomers", tuple(outside))) if outside else tuple(named)


def _stated_seed(season: SeasonFacts) -> str:
    seed = season.config.get("seed")
    return "" if seed is None else visible(str(seed), 80)


def _round_row(season: int, each: RoundFacts) -> RoundRow:
    return RoundRow(
        number=each.number,
        size=each.size,
        matches=number(each.matches),
        faults=number(each.faults),
        results=each.results,
        evidence=each.evidence,
        closed=minute(each.closed),
        moment=each.closed,
        address=addresses.round_page(season, each.number) if each.matches else "",
    )


def _tiers(season: SeasonFacts) -> tuple[tuple[str, str, str], ...]:
    """Tiers of the matches, the strongest first: name, matches, what it promises."""
    known = list(TIERS)
    order = sorted(season.tiers, key=lambda tier: (known.index(tier) if tier in TIERS else len(known), tier))
    return tuple(
        (visible(tier, 40), plural(season.tiers[tier], "match", "matches"), TIERS.get(tier, "")) for tier in order
    )


def _facts(season: SeasonFacts) -> tuple[tuple[str, str], ...]:
    """What the league file says, beyond limits and ratings, as names and values."""
    config, edition = season.config, season.edition
    same = "yes" if config.get("format_options", {}).get("same_author") else "no"
    forfeits = config.get("max_forfeits")
    rows = [
        ("Format", season.format),
        (
            "Seats",
            ", ".join(map(str, config["seats"])) + (", a round each in turn" if len(config["seats"]) > 1 else ""),
        ),
        ("Games a match", number(config["games"])),
        ("Rounds planned", number(season.rounds_planned)),
        ("Edition", str(edition["name"])),
        ("Expeditions a game", str(edition["expeditions"])),
        ("Treasures", ", ".join(map(str, edition["treasures"]))),
        ("Hazards", ", ".join(f"{hazard['copies']} {hazard['kind']}" for hazard in edition["hazards"])),
        ("Relics", ", ".join(map(str, edition["relics"])) or "none"),
        ("Bots of one author at a table", same),
        ("Bots are told each other's names", "yes" if config.get("names_shown") else "no"),
        ("Forfeits before a bot is benched", "not limited" if forfeits is None else f"more than {forfeits}"),
        ("Containment demanded", str(config.get("require") or "none in particular")),
    ]
    return tuple((name, visible(value, 200)) for name, value in rows)


def _downloads(season: int) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Files for programs: what is in them, and each form by name with its address."""
    files: list[tuple[str, tuple[str, ...]]] = [
        (what, (f"{name}.csv", f"{name}.json")) for name, what in DATA_FILES.items()
    ]
    files.append(("matches that count, a line a seat", ("matches.csv",)))
    return tuple((what, tuple((name, addresses.data_file(season, name)) for name in names)) for what, names in files)

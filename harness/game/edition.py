"""An edition of the game as a frozen value, the four built-in ones, and reading one from data."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar

from harness.errors import EditionError

__all__ = [
    "BUILT_IN",
    "DEFAULT_EDITION",
    "KIND_PATTERN",
    "MAX_CARDS",
    "MAX_EXPEDITIONS",
    "MAX_KINDS",
    "MAX_NAME",
    "MAX_SEATS",
    "MAX_VALUE",
    "MIN_COPIES",
    "MIN_SEATS",
    "Edition",
    "Hazard",
    "built_in",
    "edition_from_json",
]

RelicEntry = Literal["start", "expedition"]
RelicValue = Literal["order", "printed"]
TieBreak = Literal["none", "relics"]
Word = TypeVar("Word", bound=str)

DEFAULT_EDITION: Final = "iello-2016"

# The bounds of the contract ("An edition as data").
MAX_NAME: Final = 64
"""The longest name of an edition, in characters; at least one."""
MAX_EXPEDITIONS: Final = 10
"""The most expeditions of a game; at least one."""
MIN_SEATS: Final = 3
"""The fewest seats at a table."""
MAX_SEATS: Final = 8
"""The most seats at a table."""
MAX_CARDS: Final = 120
"""The most cards of a deck, hence of treasures, of relics and of one hazard too."""
MAX_KINDS: Final = 12
"""The most kinds of hazards."""
MIN_COPIES: Final = 2
"""The fewest cards of one kind of hazard: the second busts."""
MAX_VALUE: Final = 999
"""The greatest value of a treasure or relic; the least is 0."""
KIND_PATTERN: Final = r"[a-z-]{1,24}"
"""The word for a kind of hazard, as a regular expression for the whole of it."""

_EXACT: Final = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Hazard:
    """One kind of hazard and how many identical cards of it there are."""

    kind: str
    copies: int


@dataclass(frozen=True, slots=True)
class Edition:
    """What a game is played with; card ids follow the order of `treasures`, `hazards` and `relics`.

    Built by hand it is not checked; `edition_from_json` is the door for data from outside.
    """

    name: str
    expeditions: int
    min_seats: int
    max_seats: int
    treasures: tuple[int, ...]
    hazards: tuple[Hazard, ...]
    relics: tuple[int, ...]
    relic_entry: RelicEntry
    relic_value: RelicValue
    tie_break: TieBreak

    def to_json(self) -> dict[str, Any]:
        """The contract's object, keys in the contract's order."""
        return {
            "name": self.name,
            "expeditions": self.expeditions,
            "min_seats": self.min_seats,
            "max_seats": self.max_seats,
            "treasures": list(self.treasures),
            "hazards": [{"kind": hazard.kind, "copies": hazard.copies} for hazard in self.hazards],
            "relics": list(self.relics),
            "relic_entry": self.relic_entry,
            "relic_value": self.relic_value,
            "tie_break": self.tie_break,
        }


# The values in common use for all four; see rules.md of the contract, "Editions".
_TREASURES: Final = (1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17)


def _three_each(*kinds: str) -> tuple[Hazard, ...]:
    return tuple(Hazard(kind, 3) for kind in kinds)


_INCAN: Final = _three_each("mummy", "snake", "spiders", "rocks", "fire")
_EDITIONS: Final = (
    Edition(
        name="iello-2016",
        expeditions=5,
        min_seats=3,
        max_seats=8,
        treasures=_TREASURES,
        hazards=_three_each("spiders", "snakes", "lava", "boulders", "rams"),
        relics=(5, 5, 5, 10, 10),
        relic_entry="start",
        relic_value="order",
        tie_break="none",
    ),
    Edition(
        name="schmidt-2005",
        expeditions=5,
        min_seats=3,
        max_seats=8,
        treasures=_TREASURES,
        hazards=_three_each("snake", "scorpion", "cave-in", "gas", "explosion"),
        relics=(),
        relic_entry="start",
        relic_value="order",
        tie_break="none",
    ),
    Edition(
        name="incan-gold-2006",
        expeditions=5,
        min_seats=3,
        max_seats=8,
        treasures=_TREASURES,
        hazards=_INCAN,
        relics=(5, 5, 5, 10, 10),
        relic_entry="expedition",
        relic_value="order",
        tie_break="relics",
    ),
    Edition(
        name="incan-gold-2020",
        expeditions=5,
        min_seats=3,
        max_seats=8,
        treasures=_TREASURES,
        hazards=_INCAN,
        relics=(5, 7, 8, 10, 12),
        relic_entry="expedition",
        relic_value="printed",
        tie_break="relics",
    ),
)

BUILT_IN: Final[Mapping[str, Edition]] = MappingProxyType({edition.name: edition for edition in _EDITIONS})


def built_in(name: str) -> Edition:
    """The built-in edition of that name; EditionError names the known ones."""
    edition = BUILT_IN.get(name)
    if edition is None:
        known = ", ".join(BUILT_IN)
        raise EditionError("", f"edition {_shown(name)} is not built in; the built-in ones are {known}")
    return edition


def edition_from_json(data: object, where: str = "edition") -> Edition:
    """Reads the contract's object; EditionError names the field, after `where`, and the bound that it breaks."""
    fields = _object(data, Edition.__slots__, where)
    name = fields["name"]
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME or _has_surrogate(name):
        raise EditionError(f"{where}.name", f"must be a text of 1 to {MAX_NAME} characters, is {_shown(name)}")
    min_seats = _whole(fields["min_seats"], MIN_SEATS, MAX_SEATS, f"{where}.min_seats")
    edition = Edition(
        name=name,
        expeditions=_whole(fields["expeditions"], 1, MAX_EXPEDITIONS, f"{where}.expeditions"),
        min_seats=min_seats,
        max_seats=_whole(fields["max_seats"], min_seats, MAX_SEATS, f"{where}.max_seats"),
        treasures=_values(fields["treasures"], f"{where}.treasures"),
        hazards=_hazards(fields["hazards"], f"{where}.hazards"),
        relics=_values(fields["relics"], f"{where}.relics"),
        relic_entry=_one_of(fields["relic_entry"], ("start", "expedition"), f"{where}.relic_entry"),
        relic_value=_one_of(fields["relic_value"], ("order", "printed"), f"{where}.relic_value"),
        tie_break=_one_of(fields["tie_break"], ("none", "relics"), f"{where}.tie_break"),
    )
    _check_whole_deck(edition, where)
    original = BUILT_IN.get(name)
    if original is not None and original != edition:
        differing = next(key for key in Edition.__slots__ if getattr(edition, key) != getattr(original, key))
        raise EditionError(
            f"{where}.{differing}",
            f"is not that of the built-in edition {name}; keep the built-in data or give the edition a name of its own",
        )
    return edition


def _check_whole_deck(edition: Edition, where: str) -> None:
    copies = sum(hazard.copies for hazard in edition.hazards)
    cards = len(edition.treasures) + copies + len(edition.relics)
    if cards > MAX_CARDS:
        raise EditionError(where, f"has {cards} cards, at most {MAX_CARDS} are allowed")
    # One hazard leaves with each bust; with this many a last expedition still can't reach the end of the deck.
    spare = copies - len(edition.hazards)
    if spare < edition.expeditions:
        raise EditionError(
            f"{where}.hazards",
            f"the sum of copies - 1 over the kinds is {spare} and must be at least "
            f"the number of expeditions, {edition.expeditions}, or the deck could run out",
        )


def _hazards(data: object, where: str) -> tuple[Hazard, ...]:
    hazards: list[Hazard] = []
    seen: dict[str, int] = {}
    for index, item in enumerate(_list(data, MAX_KINDS, "kinds", where)):
        place = f"{where}[{index}]"
        fields = _object(item, Hazard.__slots__, place)
        kind = fields["kind"]
        if not isinstance(kind, str) or re.fullmatch(KIND_PATTERN, kind) is None:
            raise EditionError(f"{place}.kind", f"must be a word of 1 to 24 letters a-z and -, is {_shown(kind)}")
        if kind in seen:
            raise EditionError(
                f"{place}.kind", f"{_shown(kind)} stands already at {where}[{seen[kind]}]; kinds are unique"
            )
        seen[kind] = index
        hazards.append(Hazard(kind, _whole(fields["copies"], MIN_COPIES, MAX_CARDS, f"{place}.copies")))
    return tuple(hazards)


def _values(data: object, where: str) -> tuple[int, ...]:
    items = _list(data, MAX_CARDS, "cards", where)
    return tuple(_whole(item, 0, MAX_VALUE, f"{where}[{index}]") for index, item in enumerate(items))


def _object(data: object, known: Sequence[str], where: str) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise EditionError(where, f"must be an object with the fields {', '.join(known)}, is {_shown(data)}")
    for key in data:
        if key not in known:
            nearest = difflib.get_close_matches(str(key)[:64], known, n=1, cutoff=0.0)[0]
            raise EditionError(where, f"unknown field {_shown(key)}; did you mean {nearest!r}?")
    for key in known:
        if key not in data:
            raise EditionError(f"{where}.{key}", "is missing; an edition states every field")
    return data


def _list(data: object, most: int, what: str, where: str) -> list[object]:
    if not isinstance(data, list):
        raise EditionError(where, f"must be a list, is {_shown(data)}")
    if len(data) > most:
        raise EditionError(where, f"has {len(data)} {what}, at most {most} are allowed")
    return data


def _whole(data: object, least: int, most: int, where: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or not least <= data <= most:
        raise EditionError(where, f"must be a whole number from {least} to {most}, is {_shown(data)}")
    return data


def _one_of(data: object, words: tuple[Word, ...], where: str) -> Word:
    for word in words:
        if data == word:
            return word
    raise EditionError(where, f"must be {' or '.join(map(repr, words))}, is {_shown(data)}")


def _has_surrogate(text: str) -> bool:
    # A lone surrogate has no UTF-8 form, so the edition would have no hash.
    return any("\ud800" <= character <= "\udfff" for character in text)


def _shown(data: object) -> str:
    """What was found, short whatever it is."""
    if isinstance(data, str):
        return ascii(data) if len(data) <= MAX_NAME else f"{data[:MAX_NAME]!a}… ({len(data)} characters)"
    if data is None or isinstance(data, bool):
        return {None: "null", True: "true", False: "false"}[data]
    if isinstance(data, int):
        return str(data) if abs(data) <= _EXACT else "a number beyond 2^53"
    if isinstance(data, float):
        return repr(data)
    if isinstance(data, dict):
        return "an object"
    return "a list" if isinstance(data, list) else f"a {type(data).__name__}"

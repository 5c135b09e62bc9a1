"""Everything random, derived from text with SHAKE-256: deals, rolls, seeds of seats, matches and seasons, pairings.

All pure functions. Seeds are 32 lower-case hex digits; games, expeditions, rounds and cards count from 1, seats from 0;
words are 64-bit, unsigned, big-endian. The names of the texts are those of the contract ("Seeds").
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256, shake_256
from struct import unpack
from typing import Final, TypeVar

__all__ = [
    "PairStream",
    "commitment",
    "deal_order",
    "is_seed",
    "match_seed",
    "opaque_word",
    "pair_stream",
    "roll_words",
    "season_seed",
    "seat_seed",
    "seed_from_text",
    "tie_key",
]

T = TypeVar("T")

_SEED: Final = re.compile(r"[0-9a-f]{32}")
_WORDS: Final = 1 << 64


def is_seed(text: str) -> bool:
    """Whether the text is a seed as it stands: exactly 32 lower-case hex digits."""
    return _SEED.fullmatch(text) is not None


def seed_from_text(text: str) -> str:
    """The rule of `--seed`: a seed is taken as it is, any other text stands for a digest of it."""
    return text if is_seed(text) else shake_256(b"text/" + text.encode("utf-8")).hexdigest(16)


def deal_order(n: int, seed: str, game: int, expedition: int) -> tuple[int, ...]:
    """All n card ids in the order of that expedition; its deck is this, filtered to the cards now in the deck."""
    words = _words(f"deal/{seed}/{game}/{expedition}", n)
    # A stable sort of ascending ids: equal words are ordered by id.
    return tuple(sorted(range(n), key=words.__getitem__))


def roll_words(n: int, seed: str, game: int, expedition: int, seat: int) -> tuple[int, ...]:
    """The first n words of a seat's rolls in that expedition; that of the question at the k-th card is at k − 1.

    The roll in [0, 1) that a word stands for is its upper 53 bits, divided by 2^53.
    """
    return _words(f"roll/{seed}/{game}/{expedition}/{seat}", n)


def seat_seed(seed: str, seat: int) -> int:
    """The seat's own seed, below 2^53."""
    return _words(f"seat/{seed}/{seat}", 1)[0] >> 11


def match_seed(season_seed: str, season: int, round_: int, number: int) -> str:
    """The seed of a season's match."""
    return _hex(f"match/s{season}/r{round_}/n{number}/{season_seed}", 16)


def opaque_word(seed: str) -> str:
    """What bots are told as the match's name, 16 hex digits; it tells nothing of league or round."""
    return _hex(f"id/{seed}", 8)


def season_seed(secret: str, entries: Iterable[tuple[str, str]]) -> str:
    """The season's seed from its secret and the (bot id, version) pairs at the opening of round 1, in any order."""
    pairs = sorted([bot, version] for bot, version in entries)
    # With strings and lists only, this is the RFC 8785 form.
    form = json.dumps(pairs, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return _hex(f"season/{secret}/{sha256(form).hexdigest()}", 16)


def commitment(secret: str) -> str:
    """What is published of a season's secret before entries close."""
    return sha256(secret.encode("ascii")).hexdigest()


def tie_key(seed: str, game: int, version: str) -> str:
    """Orders tied seats of a game for the rating: ascending by this key."""
    return sha256(f"tie/{seed}/{game}/{version}".encode("ascii")).hexdigest()


def pair_stream(season_seed: str, round_: int) -> PairStream:
    """The draws for the pairings of a round."""
    return PairStream(f"pair/{season_seed}/{round_}")


class PairStream:
    """The words of a text's endless SHAKE-256 digest, eight bytes each, in order."""

    __slots__ = ("_digest", "_next", "_words")

    def __init__(self, text: str) -> None:
        self._digest = shake_256(text.encode("ascii"))
        self._words: tuple[int, ...] = ()
        self._next = 0

    def word(self) -> int:
        """The next word."""
        if self._next == len(self._words):
            # A longer digest starts with the shorter one, so asking for twice as much keeps the place.
            count = 2 * len(self._words) or 64
            self._words = unpack(f">{count}Q", self._digest.digest(8 * count))
        word = self._words[self._next]
        self._next += 1
        return word

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1, all equally likely.

        Draws words until one lies below the greatest multiple of n that is at most 2^64, and takes it modulo n. At
        least one word is drawn, also for n = 1. ValueError unless 1 ≤ n ≤ 2^64.
        """
        if not 1 <= n <= _WORDS:
            raise ValueError(f"can't draw below {n}")
        bound = _WORDS - _WORDS % n
        while (word := self.word()) >= bound:
            pass
        return word % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A copy in random order (Fisher–Yates): for i from the last index down to 1, swap i with below(i + 1)."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def _words(text: str, n: int) -> tuple[int, ...]:
    return unpack(f">{n}Q", shake_256(text.encode("ascii")).digest(8 * n))


def _hex(text: str, size: int) -> str:
    return shake_256(text.encode("ascii")).hexdigest(size)

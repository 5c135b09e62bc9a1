"""The ratings that a season file comes to, by the `trueskill` package alone."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import trueskill

Line = dict[str, Any]
Numbers = tuple[float, float]

CHANGED = 0.4
"""How far a new version may have moved, in starting σ: its variance grows by that squared, up to the start's."""


def ratings_of(lines: Sequence[Line]) -> dict[str, Numbers]:
    """By bot (μ, σ) after the season, of all that were entered."""
    ratings, _ = _rated(lines)
    return ratings


def ratings_after(lines: Sequence[Line]) -> list[list[Numbers]]:
    """For each match that counts, in order, (μ, σ) after it by seat."""
    _, history = _rated(lines)
    return history


def _rated(lines: Sequence[Line]) -> tuple[dict[str, Numbers], list[list[Numbers]]]:
    header, *body, _ = lines
    parameters = {name: float(value) for name, value in header["rating"].items()}
    environment = trueskill.TrueSkill(
        mu=parameters["mu"],
        sigma=parameters["sigma"],
        beta=parameters["beta"],
        tau=parameters["tau"],
        draw_probability=parameters["draw"],
        backend=_exact(),
    )
    new = (parameters["mu"], parameters["sigma"])
    ratings = {bot: new for line in body for bot, _ in line.get("entries", [])}
    versions: dict[str, str] = {}
    for bot, version, mu, sigma in header.get("starts", []):
        ratings[bot], versions[bot] = (float(mu), float(sigma)), version
    voided = {line["void"] for line in body if "void" in line}
    history = []
    for record in body:
        if "timing" in record and record["match"] not in voided:
            for seat in record["seats"]:
                bot, version = seat["bot"], seat["version"]
                if versions.setdefault(bot, version) != version:
                    mu, sigma = ratings[bot]
                    wider = math.sqrt(sigma**2 + (CHANGED * new[1]) ** 2)
                    ratings[bot], versions[bot] = (mu, max(sigma, min(wider, new[1]))), version
            _rate_match(environment, ratings, record)
            history.append([ratings[seat["bot"]] for seat in record["seats"]])
    return ratings, history


def _exact() -> tuple[Any, Any, Any]:
    """The normal distribution by the standard library: exact to the double, unlike the package's own."""

    def cdf(x: float, mu: float = 0, sigma: float = 1) -> float:
        return math.erfc((mu - x) / (sigma * math.sqrt(2))) / 2

    def pdf(x: float, mu: float = 0, sigma: float = 1) -> float:
        return math.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))

    return cdf, pdf, NormalDist().inv_cdf


def _rate_match(environment: Any, ratings: dict[str, Numbers], record: Line) -> None:
    out = {fault["seat"]: fault["game"] for fault in record["faults"]}
    seats = record["seats"]
    for number, game in enumerate(record["games"], start=1):
        taking_part = [seat for seat in range(len(seats)) if out.get(seat, number) >= number]
        if len(taking_part) < 2 or all(out.get(seat) == number for seat in taking_part):
            continue

        def place(seat: int, number: int = number, ranks: Sequence[int] = game["ranks"]) -> tuple[int, str, str]:
            tie = _hashed(f"tie/{record['seed']}/{number}/{seats[seat]['version']}")
            # One version under two names has it twice.
            return ranks[seat], tie, _hashed(f"{tie}/{seats[seat]['bot']}")

        order = sorted(taking_part, key=place)
        bots = [seats[seat]["bot"] for seat in order]
        groups = [(environment.create_rating(*ratings[bot]),) for bot in bots]
        rated = environment.rate(groups, ranks=[game["ranks"][seat] for seat in order])
        ratings.update({bot: (rating.mu, rating.sigma) for bot, (rating,) in zip(bots, rated, strict=True)})


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()

"""The ratings that a season file comes to, by the `trueskill` package alone."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import trueskill

from tests.second.season import Line, is_record


def ratings_of(lines: Sequence[Line]) -> dict[str, tuple[float, float]]:
    """By bot (μ, σ) after the season; a bot's version must stay the same."""
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
    voided = {line["void"] for line in body if "void" in line}
    for record in body:
        if is_record(record) and record["match"] not in voided:
            _rate_match(environment, ratings, record)
    return ratings


def _exact() -> tuple[Any, Any, Any]:
    """The normal distribution by the standard library: exact to the double, unlike the package's own."""

    def cdf(x: float, mu: float = 0, sigma: float = 1) -> float:
        return math.erfc((mu - x) / (sigma * math.sqrt(2))) / 2

    def pdf(x: float, mu: float = 0, sigma: float = 1) -> float:
        return math.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))

    return cdf, pdf, NormalDist().inv_cdf


def _rate_match(environment: Any, ratings: dict[str, tuple[float, float]], record: Line) -> None:
    out = {fault["seat"]: fault["game"] for fault in record["faults"]}
    seats = record["seats"]
    for number, game in enumerate(record["games"], start=1):
        taking_part = [seat for seat in range(len(seats)) if out.get(seat, number) >= number]
        if sum(out.get(seat, number + 1) > number for seat in taking_part) < 2:
            continue

        def place(seat: int, number: int = number, ranks: Sequence[int] = game["ranks"]) -> tuple[int, str]:
            tie = f"tie/{record['seed']}/{number}/{seats[seat]['version']}"
            return ranks[seat], hashlib.sha256(tie.encode("ascii")).hexdigest()

        order = sorted(taking_part, key=place)
        bots = [seats[seat]["bot"] for seat in order]
        groups = [(environment.create_rating(*ratings[bot]),) for bot in bots]
        rated = environment.rate(groups, ranks=[game["ranks"][seat] for seat in order])
        ratings.update({bot: (rating.mu, rating.sigma) for bot, (rating,) in zip(bots, rated, strict=True)})

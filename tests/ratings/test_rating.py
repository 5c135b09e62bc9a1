"""Ratings and parameters refuse what can't be rated with and read back as they were written."""

from __future__ import annotations

import math

import pytest

from harness.ratings import Parameters, Rating


@pytest.mark.parametrize(("mu", "sigma"), [(math.nan, 1), (math.inf, 1), (0, 0), (25, -8.3), (25, math.nan)])
def test_a_rating_is_finite_with_a_width_above_zero(mu: float, sigma: float) -> None:
    with pytest.raises(ValueError):
        Rating(mu, sigma)


def test_negative_zero_is_zero() -> None:
    assert math.copysign(1, Rating(-0.0, 1).mu) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("draw", 0.0),
        ("draw", 9e-5),
        ("draw", 0.91),
        ("draw", 1.0),
        ("draw", math.nan),
        ("sigma", 0.0),
        ("beta", -1.0),
        ("beta", 1e7),
        ("tau", -0.1),
        ("tau", math.nan),
        ("mu", 0.0),
        ("mu", math.inf),
    ],
)
def test_parameters_out_of_bounds_are_refused_by_name(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        Parameters(**{field: value})


def test_parameters_are_decimal_strings_that_read_back() -> None:
    parameters = Parameters(mu=25, sigma=25 / 3)
    assert parameters.to_json() == {
        "mu": "25.0",
        "sigma": "8.333333333333334",
        "beta": "8.333333333333334",
        "tau": "0.0",
        "draw": "0.03",
    }
    assert Parameters.from_json(parameters.to_json()) == parameters


def test_parameters_that_are_no_numbers_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"^tau: 'none' is no decimal number"):
        Parameters.from_json({**Parameters().to_json(), "tau": "none"})


@pytest.mark.parametrize("field", ["sigma", "beta"])
def test_a_spread_too_small_to_rate_with_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=rf"^{field}: .* is too small to rate with"):
        Parameters(**{field: 1e-308})

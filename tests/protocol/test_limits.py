"""The eight limits: defaults of the contract, bounds, unknown names."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from harness.protocol import Limits


def test_defaults_are_those_of_the_contract() -> None:
    assert Limits().to_json() == {
        "start_ms": 10000,
        "move_ms": 100,
        "bank_ms": 5000,
        "stall_ms": 10000,
        "wait_ms": 60000,
        "memory_mb": 512,
        "processes": 64,
        "disk_mb": 64,
    }
    assert list(Limits().to_json()) == [
        "start_ms",
        "move_ms",
        "bank_ms",
        "stall_ms",
        "wait_ms",
        "memory_mb",
        "processes",
        "disk_mb",
    ]


def test_reads_back_and_compares_by_value() -> None:
    limits = Limits(move_ms=7, memory_mb=64)
    assert Limits.model_validate(limits.to_json()) == limits
    assert hash(Limits()) == hash(Limits.model_validate({}))
    assert Limits.model_validate({"move_ms": 7.0}).move_ms == 7


@pytest.mark.parametrize(
    "data",
    [
        {"move": 100},
        {"move_ms": -1},
        {"move_ms": "100"},
        {"move_ms": True},
        {"move_ms": 0.5},
        {"move_ms": None},
        {"start_ms": 0},
        {"stall_ms": 0},
        {"memory_mb": 0},
        {"processes": 0},
        {"disk_mb": 0},
        {"bank_ms": 10**12},
        {"memory_mb": 2**53},
    ],
)
def test_refuses(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Limits.model_validate(data)


def test_is_frozen() -> None:
    with pytest.raises(ValidationError):
        Limits().move_ms = 1

"""The eight limits of a match, as a league states them and `match_start` carries them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from harness.protocol.whole import Between

__all__ = ["Limits", "LimitsData"]

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_TEBIBYTE_MB = 1 << 20


class Limits(BaseModel):
    """What each bot of a match may use: milliseconds (`_ms`), MiB (`_mb`) and a number of processes.

    Every field has the contract's default; an unknown field is refused. `start_ms`, `move_ms` and `bank_ms` are
    CPU time, `stall_ms` and `wait_ms` wall time. Raises `pydantic.ValidationError`.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    start_ms: Annotated[int, Between(1, _HOUR_MS)] = Field(
        default=10_000, description="CPU until `ready`; three times as much of wall time"
    )
    move_ms: Annotated[int, Between(0, _HOUR_MS)] = Field(default=100, description="CPU that is free for each decision")
    bank_ms: Annotated[int, Between(0, _DAY_MS)] = Field(default=5_000, description="CPU beyond `move_ms`, a match")
    stall_ms: Annotated[int, Between(1, _HOUR_MS)] = Field(default=10_000, description="wall time without an answer")
    wait_ms: Annotated[int, Between(0, _DAY_MS)] = Field(default=60_000, description="waits beyond `move_ms`, a match")
    memory_mb: Annotated[int, Between(1, _TEBIBYTE_MB)] = Field(default=512, description="MiB of memory")
    processes: Annotated[int, Between(1, 32_768)] = Field(default=64, description="processes and threads at one time")
    disk_mb: Annotated[int, Between(1, _TEBIBYTE_MB)] = Field(
        default=64, description="MiB of the private scratch folder"
    )

    def to_json(self) -> dict[str, Any]:
        """The contract's object, all eight fields in its order."""
        return self.model_dump()


class LimitsData(Limits):
    """Limits as a message or record carries them: all eight are there, what a reader does not know is ignored."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="ignore", json_schema_extra={"required": list(Limits.model_fields)}
    )

    def model_post_init(self, _context: object) -> None:
        """Refuse what left a field to its default."""
        missing = [name for name in Limits.model_fields if name not in self.model_fields_set]
        if missing:
            raise ValueError(f"{missing[0]} is missing")

"""A whole number of the contract: no boolean, of magnitude below 2^53; 3.0 counts as 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

__all__ = ["MAX_WHOLE", "Between", "Count", "Number", "Whole"]

MAX_WHOLE = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Between:
    """Annotates an int of a model: whole, from `least` to `most`."""

    least: int
    most: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Bounds within the conversion, so that they stand in the JSON Schema too."""
        bounded = core_schema.int_schema(strict=True, ge=self.least, le=self.most)
        return core_schema.no_info_before_validator_function(_from_float, bounded)


def _from_float(value: object) -> object:
    # Not in the strict reader alone: a record may also come from other readers of JSON.
    if type(value) is float and value.is_integer():
        return int(value)
    return value


Whole = Annotated[int, Between(-MAX_WHOLE, MAX_WHOLE)]
Count = Annotated[int, Between(0, MAX_WHOLE)]
Number = Annotated[int, Between(1, MAX_WHOLE)]

"""The published schemas: complete, of one dialect, and saying what the contract says."""

from __future__ import annotations

import json
from typing import Any

from harness.protocol import FAULT_KINDS, Limits, schemas


def test_every_contract_has_a_schema() -> None:
    assert set(schemas()) == {
        *("match_start", "decide", "expedition_end", "game_end", "match_end", "ready", "decision"),
        *("edition", "limits", "replay", "season-header", "season-entries", "season-void", "season-footer"),
    }


def test_schemas_are_plain_json_of_one_dialect() -> None:
    for schema in schemas().values():
        assert json.loads(json.dumps(schema)) == schema
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["type"] == "object"


def test_every_reference_leads_somewhere() -> None:
    def references(part: Any) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return own + [found for value in part.values() for found in references(value)]
        return [found for value in part for found in references(value)] if isinstance(part, list) else []

    for schema in schemas().values():
        for reference in references(schema):
            assert reference.removeprefix("#/$defs/") in schema["$defs"]


def test_what_is_required() -> None:
    found = schemas()
    assert found["decision"]["required"] == ["type", "turn", "action"]
    assert found["decision"]["properties"]["action"]["enum"] == ["continue", "leave"]
    assert found["decision"]["properties"]["turn"]["type"] == "integer"
    assert found["decision"]["properties"]["turn"]["minimum"] == 1
    assert len(found["decide"]["required"]) == 23
    assert len(found["edition"]["required"]) == 10
    for name, field in (("replay", "fixture"), ("season-footer", "secret")):
        assert field not in found[name]["required"]
        assert "null" not in str(found[name]["properties"][field])
        assert "default" not in found[name]["properties"][field]
    assert found["replay"]["$defs"]["LimitsData"]["required"] == list(Limits().to_json())
    assert found["replay"]["$defs"]["Fault"]["properties"]["kind"]["enum"] == list(FAULT_KINDS)


def test_messages_may_hold_more_and_limits_of_a_league_may_not() -> None:
    found = schemas()
    assert found["limits"]["additionalProperties"] is False
    assert found["limits"].get("required") is None
    for name in ("decision", "ready", "match_start", "replay"):
        assert found[name].get("additionalProperties", True) is True

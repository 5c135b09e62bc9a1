"""The messages as models, the line codec, the strict reader and the records: what bots and other programs build on."""

from __future__ import annotations

from harness.protocol.canonical import canonical, compact, digest_of
from harness.protocol.codec import (
    MATCH_END,
    BadMessage,
    DecisionReply,
    ReadyReply,
    Reply,
    TurnEncoder,
    encode_game_end,
    encode_match_start,
    known_replies,
    read_reply,
)
from harness.protocol.gunzip import TooLarge, gunzip
from harness.protocol.limits import Limits
from harness.protocol.lines import LineSplitter, LineTooLong
from harness.protocol.messages import Decide, Decision, ExpeditionEnd, GameEnd, MatchEnd, MatchStart, Ready
from harness.protocol.names import ID_PATTERN, MatchName
from harness.protocol.record_types import (
    FaultRecord,
    FixtureReference,
    GameRecord,
    Record,
    SandboxRecord,
    SeatRecord,
    TimingRecord,
)
from harness.protocol.regular_file import open_regular, read_regular
from harness.protocol.replay import (
    FAULT_KINDS,
    MAX_GOT,
    MAX_REPLAY,
    REPLAY_FORMAT,
    digest_without,
    outcome_of,
    read_replay,
    replay_problem,
    write_replay,
)
from harness.protocol.schema import schemas
from harness.protocol.season import SEASON_FORMAT, Chains, read_season_line
from harness.protocol.strict import NotIJson, read_strict
from harness.protocol.strict_toml import NotToml, read_toml
from harness.protocol.visible import csv_cell, visible

__all__ = [
    "FAULT_KINDS",
    "ID_PATTERN",
    "MATCH_END",
    "MAX_GOT",
    "MAX_REPLAY",
    "REPLAY_FORMAT",
    "SEASON_FORMAT",
    "BadMessage",
    "Chains",
    "Decide",
    "Decision",
    "DecisionReply",
    "ExpeditionEnd",
    "FaultRecord",
    "FixtureReference",
    "GameEnd",
    "GameRecord",
    "Limits",
    "LineSplitter",
    "LineTooLong",
    "MatchEnd",
    "MatchName",
    "MatchStart",
    "NotIJson",
    "NotToml",
    "Ready",
    "ReadyReply",
    "Record",
    "Reply",
    "SandboxRecord",
    "SeatRecord",
    "TimingRecord",
    "TooLarge",
    "TurnEncoder",
    "canonical",
    "compact",
    "csv_cell",
    "digest_of",
    "digest_without",
    "encode_game_end",
    "encode_match_start",
    "gunzip",
    "known_replies",
    "open_regular",
    "outcome_of",
    "read_regular",
    "read_replay",
    "read_reply",
    "read_season_line",
    "read_strict",
    "read_toml",
    "replay_problem",
    "schemas",
    "visible",
    "write_replay",
]

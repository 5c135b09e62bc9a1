"""Tables, migrations and the few named questions asked of them, on SQLite and PostgreSQL."""

from __future__ import annotations

from harness.store.address import default_url, is_there
from harness.store.lock import RunLock
from harness.store.opening import open_store
from harness.store.rows import (
    Act,
    Applied,
    BotText,
    Entry,
    EntryChange,
    FaultRow,
    HistoryRow,
    RecordKey,
    RoundRating,
    RoundRow,
    SeasonRow,
    SeasonTimes,
    VersionRow,
    VoidRow,
)
from harness.store.store import Store

__all__ = [
    "Act",
    "Applied",
    "BotText",
    "Entry",
    "EntryChange",
    "FaultRow",
    "HistoryRow",
    "RecordKey",
    "RoundRating",
    "RoundRow",
    "RunLock",
    "SeasonRow",
    "SeasonTimes",
    "Store",
    "VersionRow",
    "VoidRow",
    "default_url",
    "is_there",
    "open_store",
]

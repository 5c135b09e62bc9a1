"""A folder that shows one record: the viewer's page with the record beside it. It opens from disk, without a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.publish import addresses
from harness.publish.assets_made import asset_files, assets
from harness.publish.pages.match import replay_index
from harness.publish.render import environment
from harness.publish.shards import shard_script

__all__ = ["replay_folder"]

_RECORD = "record.js"


def replay_folder(record: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The files of the folder by path, `viewer.html` last, which is the one to open.

    `record` is a `tacora-replay/1` that `read_replay` took.
    """
    made = assets()
    for path, content in asset_files().items():
        if path in (made.style, made.viewer):
            yield path, content
    yield _RECORD, shard_script([dict(record)])
    page = environment().get_template("viewer_alone.html")
    told = {"match": record["match"], "record_script": _RECORD, "replay_index": replay_index()}
    yield addresses.VIEWER, page.render(assets=made, **told).encode("utf-8", "replace")

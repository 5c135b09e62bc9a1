"""The web ladder: pages, assets, replay viewer. Asks the store only its named questions."""

from __future__ import annotations

from harness.publish.addresses import LADDER, VIEWER
from harness.publish.live import LiveSite
from harness.publish.publisher import Published, publish
from harness.publish.replay_folder import replay_folder

__all__ = ["LADDER", "VIEWER", "LiveSite", "Published", "publish", "replay_folder"]

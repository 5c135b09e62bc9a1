"""The public face of the room: what other rooms and the bots' authors may lean on."""

from __future__ import annotations

import harness.bots


def test_exported_names() -> None:
    promised = """
        Bot Built Home Housing Manifest SAMPLE_PREFIX bot_from_archive bot_from_word build is_sample leagues_root
        load_bot sample_names samples_root version_of
    """
    assert sorted(harness.bots.__all__) == sorted(promised.split())
    assert all(hasattr(harness.bots, name) for name in harness.bots.__all__)

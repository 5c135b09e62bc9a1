"""The public face of the room: what other rooms may lean on."""

from __future__ import annotations

import sandbox


def test_exported_names() -> None:
    promised = """
        BACKENDS BARE Backend Breach FirstAndLast Limits MACHINE_ERRNOS PASSABLE Probe Process SandboxError
        StartFailed TIERS Usage backend become_subreaper end_strays probe remove_leftovers remove_tree scratch_folder
        start_time sweep system_path
    """
    assert sorted(sandbox.__all__) == sorted(promised.split())
    assert all(hasattr(sandbox, name) for name in sandbox.__all__)

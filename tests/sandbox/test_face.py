"""The public face of the room: what other rooms may lean on."""

from __future__ import annotations

import sandbox


def test_exported_names() -> None:
    promised = """
        Backend FirstAndLast Limits MACHINE_ERRNOS Probe Process SandboxError StartFailed Usage backend
        become_subreaper probe remove_tree scratch_folder start_time sweep system_path
    """
    assert sorted(sandbox.__all__) == sorted(promised.split())
    assert all(hasattr(sandbox, name) for name in sandbox.__all__)

"""Which sandbox backend bots run in: what was asked for, what is demanded of it, and whether the bots are trusted."""

from __future__ import annotations

from harness.errors import BadInput
from sandbox import Backend, backend, probe

__all__ = ["AUTO", "backend_names", "choose_backend"]

AUTO = "auto"
"""The word for the strongest backend that may be used."""

_UNCONTAINED = "bare"
"""The tier that holds no bot back: only bots that are trusted may run there."""


def backend_names() -> tuple[str, ...]:
    """The words that choose a backend: `auto`, then those there are, the strongest first."""
    return (AUTO, *(found.backend for found in probe()))


def choose_backend(wanted: str, *, require: str | None, trusted: bool, what: str, to_trust: str) -> Backend:
    """The backend to run with: `wanted`, one of `backend_names()`, as far as it may be used.

    `require` is the tier that it must reach at least. `trusted` allows the bare tier, as the last resort where `auto`
    is asked for. BadInput says why nothing may be used: `what` begins its sentence and names whose setting that is
    (`--sandbox`), `to_trust` ends it with how to vouch for the bots (`add --trust-bots if you trust them`).
    """
    found = probe()
    if wanted not in (AUTO, *(each.backend for each in found)):
        raise BadInput(f"{what}: {wanted!r} is no sandbox backend; known: {', '.join(backend_names())}")
    tiers = [each.tier for each in found]
    # The strongest stand first, so whatever stands before the tier demanded reaches it too.
    enough = len(tiers) if require is None else tiers.index(require) + 1 if require in tiers else 0
    strong = [each for each in found[:enough] if wanted in (AUTO, each.backend)]
    if not strong:
        raise BadInput(
            f"{what}: the tier {require!r} can't be had here, where bots run {' or '.join(tiers)}; "
            "demand no more than that, or run where it can be had"
        )
    allowed = [each for each in strong if trusted or each.tier != _UNCONTAINED]
    if not allowed:
        raise BadInput(f"{what}: bots would run bare here, free to do all that you can; {to_trust}")
    return backend(allowed[0].backend)

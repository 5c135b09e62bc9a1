"""Which sandbox backend bots run in: what was asked for, what is demanded of it, and whether the bots are trusted."""

from __future__ import annotations

from harness.errors import BadInput
from sandbox import BACKENDS, TIERS, Probe, probe

__all__ = ["AUTO", "backend_names", "choose_backend"]

AUTO = "auto"
"""The word for the strongest backend that may be used."""

_UNCONTAINED = TIERS[-1]
"""The tier that holds no bot back: only bots that are trusted may run there."""


def backend_names() -> tuple[str, ...]:
    """The words that choose a backend: `auto`, then those there are."""
    return (AUTO, *BACKENDS)


def choose_backend(wanted: str, *, require: str | None, trusted: bool, what: str, to_trust: str) -> Probe:
    """The backend to run with, `wanted` or the strongest, as far as it may be used; what this machine holds is tried.

    `require` is the tier that it must reach at least. `trusted` allows the bare tier, as the last resort where `auto`
    is asked for. BadInput says why nothing may be used: `what` begins its sentence and names whose setting that is
    (`--sandbox`), `to_trust` ends it with how to vouch for the bots (`add --trust-bots if you trust them`).
    """
    if wanted not in backend_names():
        raise BadInput(f"{what}: {wanted!r} is no sandbox backend; known: {', '.join(backend_names())}")
    if require is not None and require not in TIERS:
        raise BadInput(f"{what}: {require!r} is no tier that can be demanded; known: {', '.join(TIERS)}")
    found = _tried(wanted)
    enough = [each for each in found if each.works and _reaches(each, require)]
    allowed = [each for each in enough if trusted or each.tier != _UNCONTAINED]
    if allowed:
        return allowed[0]
    why = "; ".join(_reached(each) for each in found if each.tier != _UNCONTAINED)
    if require not in (None, _UNCONTAINED):
        reached = why or _reached(found[0])
        raise BadInput(f"{what}: the tier {require!r} can't be had here: {reached}; `harness doctor` tells more")
    if not enough:
        raise BadInput(f"{what}: bots can't be run so here: {why}")
    because = f" ({why})" if why else ""
    raise BadInput(f"{what}: bots would run bare here, free to do all that you can{because}; {to_trust}")


def _reaches(found: Probe, require: str | None) -> bool:
    return require is None or TIERS.index(found.tier) <= TIERS.index(require)


def _tried(wanted: str) -> list[Probe]:
    """What is to be chosen from, the strongest first."""
    if wanted != AUTO:
        return list(probe(wanted))
    found: list[Probe] = []
    for name in BACKENDS:
        found += probe(name)
        # Nothing that comes later could be preferred, and to try it takes time.
        if found[-1].tier == TIERS[0]:
            break
    return sorted(found, key=lambda each: TIERS.index(each.tier) if each.works else len(TIERS))


def _reached(found: Probe) -> str:
    told = f"{found.backend} is {found.tier}" if found.works else found.backend
    return f"{told}: {'; '.join(found.missing)}" if found.missing else told

"""The ledger of a site's folder: which files were written, from what, and which of them are to go."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Ledger"]

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a publish noted of its files.

    `files` has by path what the file was made from, "" for one that is named for its content; `doomed` are those that
    are no more part of the site. `key` stands for all that pages are made with beside their content. `whole` is false
    where the publish did not come to its end, so that files may be newer than what is noted of them.
    """

    league: str
    key: str
    whole: bool
    files: dict[str, str]
    doomed: frozenset[str]

    @classmethod
    def read(cls, place: Path) -> Ledger | None:
        """The ledger in a file, None where there is none that can be read."""
        try:
            kept = json.loads(place.read_bytes())
            if kept["format"] != _FORMAT:
                return None
            files = {str(path): str(told) for path, told in kept["files"].items()}
            doomed = {str(path) for path in kept["doomed"]}
            return cls(
                league=str(kept["league"]),
                key=str(kept["key"]),
                whole=kept["whole"] is True,
                # One that somebody wrote must not make us remove what is not ours.
                files={path: told for path, told in files.items() if _is_inside(path)},
                doomed=frozenset(filter(_is_inside, doomed)),
            )
        except (OSError, AttributeError, KeyError, TypeError, ValueError, RecursionError):
            return None

    def to_bytes(self) -> bytes:
        """As it stands in its file."""
        told = {
            "format": _FORMAT,
            "league": self.league,
            "key": self.key,
            "whole": self.whole,
            "doomed": sorted(self.doomed),
            "files": dict(sorted(self.files.items())),
        }
        return json.dumps(told, indent=0).encode()


def _is_inside(path: str) -> bool:
    """Whether it is a plain relative path."""
    return bool(path) and not path.startswith("/") and "\0" not in path and not {"", ".", ".."} & set(path.split("/"))

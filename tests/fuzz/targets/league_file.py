"""The league file: any bytes are a League within the contract's bounds, or a LeagueFileError of one clear sentence.

What is taken is taken again, and means the same, with a byte order mark before it, with a comment behind it and, where
it has no line break in a text, with the line ends of another system.
"""

from __future__ import annotations

import atexit
import dataclasses
import re
import shutil
import tempfile
import tomllib
from functools import cache
from pathlib import Path

from harness.errors import LeagueFileError
from harness.league import load_league
from harness.league.league_file import League
from harness.protocol import canonical
from tests.fuzz.sentence import assert_sentence

RUNS = 15_000
LONGEST = 2_000
WORDS = (
    b"[league]\n",
    b"[[bots]]\n",
    b"[limits]\n",
    b"[sandbox]\n",
    b"[rating]\n",
    b"[format.round-robin]\n",
    b'name = "a"\n',
    b'edition = "iello-2016"\n',
    b"edition = {",
    b'format = "round-robin"\n',
    b"seats = [3, 4]\n",
    b"games = ",
    b"rounds = ",
    b'seed = "',
    b"publish_stderr = true\n",
    b"names_shown = true\n",
    b"max_forfeits = 1\n",
    b'sample = "never"\n',
    b'path = "',
    b'author = "',
    b"anchor = true\n",
    b"move_ms = ",
    b"bank_ms = ",
    b"start_ms = ",
    b"stall_ms = ",
    b"memory_mb = ",
    b'backend = "bare"\n',
    b'backend = "bubblewrap"\n',
    b'require = "',
    b"trust_bots = true\n",
    b"files = ",
    b"open_files = ",
    b"stderr_kb = ",
    b"mu = ",
    b"sigma = ",
    b"beta = ",
    b"tau = ",
    b"draw = ",
    b"same_author = true\n",
    b"inf",
    b"nan",
    b"1e400",
    b"-0.0",
    b"0xffffffffffffffffffff",
    b"9223372036854775807",
    b"1979-05-27T07:32:00Z",
    b'"""',
    b"'''",
    b"\\u0000",
    b"\\u001b",
    b"\\U0010ffff",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"{}",
    b"[]",
    b"#",
)

WORD = re.compile("[a-z0-9][a-z0-9-]{0,31}")
LIMITS = {"start_ms", "move_ms", "bank_ms", "stall_ms", "wait_ms", "memory_mb", "processes", "disk_mb"}


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="league-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _load(data: bytes) -> League | None:
    path = _folder() / "fuzzed.toml"
    path.write_bytes(data)
    try:
        return load_league(path)
    except LeagueFileError as error:
        assert_sentence(error, "fuzzed.toml: ")
        return None


def check(data: bytes) -> bool:
    league = _load(data)
    if league is None:
        return False
    _assert_in_bounds(league)
    canonical(league.config())
    bare = data.removeprefix(b"\xef\xbb\xbf")
    assert _load(b"\xef\xbb\xbf" + bare) == league
    assert _load(bare + b"\n# a comment") == league
    if b'"""' not in bare and b"'''" not in bare:
        assert _load(bare.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) == league
    stated = tomllib.loads(bare.decode("utf-8"))
    assert (league.name, league.games, league.rounds) == tuple(
        stated["league"][key] for key in ("name", "games", "rounds")
    )
    assert len(league.bots) == len(stated["bots"])
    return True


def _assert_in_bounds(league: League) -> None:
    edition = league.edition
    assert WORD.fullmatch(league.name)
    assert 3 <= edition.min_seats <= edition.max_seats <= 8
    assert sum(hazard.copies - 1 for hazard in edition.hazards) >= edition.expeditions
    assert league.seats
    assert all(type(size) is int and edition.min_seats <= size <= edition.max_seats for size in league.seats)
    assert league.games >= 1
    assert league.rounds >= 1
    assert len(league.bots) >= max(league.seats)
    names = [bot.name for bot in league.bots if bot.name is not None]
    assert len(set(names)) == len(names)
    assert all(map(WORD.fullmatch, names))
    assert all(bot.word and "\0" not in bot.word for bot in league.bots)
    assert set(league.limits.to_json()) == LIMITS
    assert all(type(value) is int and value >= 0 for value in league.limits.to_json().values())
    for field in dataclasses.fields(league.rating):
        assert 0 <= abs(getattr(league.rating, field.name)) < float("inf")
    assert league.rating.sigma > 0


def seeds() -> dict[str, bytes]:
    bots = "".join(f'[[bots]]\nsample = "{name}"\n' for name in ("never", "at-once", "random", "fixed-depth"))
    head = '[league]\nname = "club"\nedition = "iello-2016"\nformat = "round-robin"\n'
    head += "seats = [3, 4]\ngames = 5\nrounds = 10\n"
    edition = (
        '{ name = "short", expeditions = 1, min_seats = 3, max_seats = 4, treasures = [1, 2], hazards = [{ kind = "a", '
        'copies = 3 }], relics = [5], relic_entry = "start", relic_value = "order", tie_break = "none" }'
    )
    full = (
        head + 'seed = "Ünï"\npublish_stderr = true\nnames_shown = true\nmax_forfeits = 3\n\n'
        '[[bots]]\npath = "bots/ada"\nname = "ada"\nauthor = "Ada"\nanchor = true\n' + bots
        + "[limits]\nstart_ms = 1\nmove_ms = 0\nbank_ms = 0\nstall_ms = 1\nwait_ms = 0\n"
        "memory_mb = 64\nprocesses = 1\ndisk_mb = 1\n"
        '[sandbox]\nbackend = "auto"\nrequire = "bare"\ntrust_bots = true\n'
        "files = 1\nopen_files = 16\nstderr_kb = 1024\n"
        "[rating]\nmu = 25\nsigma = 8.5\nbeta = 4.0\ntau = 0.1\ndraw = 0.25\n[format.round-robin]\nsame_author = true\n"
    )  # fmt: skip
    small = head + bots
    return {
        name: text if isinstance(text, bytes) else text.encode()
        for name, text in {
            "good-small": small,
            "good-full": full,
            "good-own-edition": small.replace('"iello-2016"', edition).replace("[3, 4]", "[3]"),
            "good-marked": b"\xef\xbb\xbf" + small.replace("\n", "\r\n").encode(),
            "number-of-thousands-of-digits": small.replace("games = 5", "games = " + "9" * 4301),
            "hexadecimal": small.replace("games = 5", "games = 0x" + "f" * 4000),
            "huge-limit": full.replace("move_ms = 0", "move_ms = 99999999999999999999"),
            "huge-in-edition": small.replace(
                '"iello-2016"', edition.replace("treasures = [1", "treasures = [0x" + "f" * 40)
            ),
            "not-finite": full.replace("mu = 25", "mu = nan").replace("tau = 0.1", "tau = inf"),
            "good-negative-zero": full.replace("tau = 0.1", "tau = -0.0"),
            "twice": small + head,
            "names-twice": full.replace('sample = "never"', 'sample = "never"\nname = "ada"'),
            "not-utf-8": b"[league]\nname = '\xff'\n",
            "utf-16": small.encode("utf-16"),
            "nul": small.replace("club", "cl\0ub"),
            "escapes": small.replace('"club"', '"\\u0000\\u001b[31m\\u202e"'),
            "hostile-key": small + '"\\u001b[2J\\n" = 1\n',
            "dates": small.replace("games = 5", "games = 1979-05-27T07:32:00Z"),
            "nested": "a = " + "[" * 1500,
            "dotted": "a" + ".a" * 700 + " = 1",
            "empty": "",
        }.items()
    }

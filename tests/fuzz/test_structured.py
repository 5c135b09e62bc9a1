"""The same properties for inputs that know their format: valid ones, changed where it may hurt."""

from __future__ import annotations

import copy
import gzip
import io
import json
import tarfile
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import (
    bot_archive,
    gunzip,
    judge,
    league_file,
    line_splitter,
    manifest,
    replay_file,
    season_file,
    strict_reader,
)

RECORDS = [
    json.loads(data) for name, data in replay_file.seeds().items() if name.startswith("good-") and data[:1] == b"{"
]
SEASONS = [data for name, data in season_file.seeds().items() if name.startswith("good-") and data[:1] == b"{"]

LETTERS = st.text(st.characters(exclude_categories=()), max_size=5) | st.sampled_from(
    [
        "\0",
        "\ud800",
        "\u202e",
        "\x1b[2J",
        "\ufeff",
        "\uffff",
        "\U0001f600",
        "é",
        "a" * 1001,
        "club/1/1/1",
        "0" * 64,
        "-",
        "CCC",
        "LxC",
    ]
)
NUMBERS = st.integers(-3, 12) | st.sampled_from(
    [2**31, 2**53 - 1, 2**53, -(2**53), 10**30, 0.5, -0.0, 3.0, 1e300, float("inf"), float("nan")]
)
ODD = st.recursive(
    st.none() | st.booleans() | NUMBERS | LETTERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(LETTERS, inner, max_size=3),
    max_leaves=4,
) | st.integers(30, 40).map(lambda depth: json.loads("[" * depth + "]" * depth))


@st.composite
def changed(draw: st.DrawFn, whole: Any) -> Any:
    """JSON with one to three places changed: replaced, taken out, put there twice, swapped with a neighbour."""
    data = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 3))):
        place = data
        for _ in range(draw(st.integers(0, 4))):
            inner = [
                item
                for item in (place.values() if isinstance(place, dict) else place)
                if isinstance(item, dict | list) and item
            ]
            if not inner:
                break
            place = draw(st.sampled_from(inner))
        if not place:
            continue
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        deed = draw(st.sampled_from(["replace", "replace", "remove", "add", "swap"]))
        if deed == "replace":
            place[key] = draw(ODD)
        elif deed == "remove":
            del place[key]
        elif isinstance(place, dict):
            place[draw(LETTERS)] = draw(ODD)
        elif deed == "add":
            place.insert(key, copy.deepcopy(place[key]))
        else:
            place[key], place[0] = place[0], place[key]
    return data


def written(data: Any, *, layout: int | None = None) -> bytes:
    return json.dumps(data, indent=layout, ensure_ascii=bool(layout)).encode("utf-8", "surrogatepass")


@given(st.sampled_from(RECORDS).flatmap(changed), st.sampled_from([None, 1]), st.booleans())
def test_a_changed_record(record: Any, layout: int | None, packed: bool) -> None:
    data = written(record, layout=layout)
    replay_file.check(gzip.compress(data, 1) if packed else data)


@given(st.data())
def test_a_record_with_other_turns(data: st.DataObject) -> None:
    record = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    seats = len(record["seats"])
    for _ in range(data.draw(st.integers(1, 3))):
        turns = data.draw(st.sampled_from([turns for game in record["games"] for turns in game["expeditions"]]))
        letters = data.draw(st.text("CLx.", min_size=seats, max_size=seats) | st.text("CLx. Z", max_size=9))
        turns.insert(data.draw(st.integers(0, len(turns))), letters)
    replay_file.check(written(record))


@given(st.data())
@settings(max_examples=60)
def test_a_changed_season(data: st.DataObject) -> None:
    lines = [json.loads(line) for line in data.draw(st.sampled_from(SEASONS)).splitlines()]
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(lines) - 1))
        deed = data.draw(st.sampled_from(["change", "change", "remove", "double", "swap"]))
        if deed == "change":
            lines[at] = data.draw(changed(lines[at]))
        elif deed == "remove" and len(lines) > 1:
            del lines[at]
        elif deed == "double":
            lines.insert(data.draw(st.integers(0, len(lines))), copy.deepcopy(lines[at]))
        else:
            lines[at], lines[-1] = lines[-1], lines[at]
    end = data.draw(st.sampled_from([b"\n", b"\r\n", b"\n\n"]))
    season_file.check(end.join(map(written, lines)) + end)


NAMES = st.sampled_from(
    [
        "name",
        "edition",
        "format",
        "seats",
        "games",
        "rounds",
        "seed",
        "publish_stderr",
        "names_shown",
        "max_forfeits",
        "path",
        "sample",
        "author",
        "anchor",
        "start_ms",
        "move_ms",
        "bank_ms",
        "memory_mb",
        "processes",
        "backend",
        "require",
        "trust_bots",
        "files",
        "open_files",
        "stderr_kb",
        "mu",
        "sigma",
        "beta",
        "tau",
        "draw",
        "round-robin",
        "same_author",
        "league",
        "bots",
        "limits",
        "sandbox",
        "rating",
        "title",
        "command",
        "build",
        "language",
        "release",
        "exclude",
        "a",
        '""',
        '"\\u001b"',
        "a.b.c",
        '"é"',
    ]
)
TOML = st.recursive(
    st.sampled_from(
        [
            "0",
            "-1",
            "3",
            "4",
            "9223372036854775807",
            "9223372036854775808",
            "0xffffffffffffffffffff",
            "1e400",
            "-0.0",
            "inf",
            "nan",
            "0.03",
            "true",
            "1979-05-27",
            "07:32:00",
            '""',
            '"a"',
            '"iello-2016"',
            '"round-robin"',
            '"never"',
            '"../x"',
            '"/usr/bin/env"',
            '"/etc/x"',
            '"a/../.."',
            '"*.o"',
            '"\\u0000"',
            '"\\u202e"',
            '"bare"',
            "'it''s'",
        ]
    )
    | st.sampled_from(
        [
            "9" * 5000,
            '"""\na\n"""',
            "'''\\'''",
            '"' + "a" * 5000 + '"',
            "[" * 600,
            '"python3 bot.py"',
            '"a \'b"',
            '"\x00"',
        ]
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "]")
        | st.lists(st.tuples(NAMES, inner), max_size=3).map(
            lambda items: "{" + ", ".join(f"{key} = {it}" for key, it in items) + "}"
        )
    ),
    max_leaves=4,
)
LINES = st.one_of(
    st.tuples(NAMES, TOML).map(" = ".join),
    NAMES.map("[{}]".format),
    NAMES.map("[[{}]]".format),
    st.sampled_from(["", "# a comment", "\x00", "\ufeff", "a = 1\r", "'", "= 1", "[", "a" + ".a" * 300 + " = 1"]),
)


@st.composite
def edited(draw: st.DrawFn, seeds: dict[str, bytes]) -> bytes:
    """The text of a seed with lines put in, taken out, and values replaced."""
    lines = (
        draw(st.sampled_from([data for name, data in seeds.items() if name.startswith("good-")])).decode().split("\n")
    )
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        key, equals, _ = lines[at].partition(" = ")
        deed = draw(st.sampled_from(["value", "value", "remove", "insert"]))
        if deed == "value" and equals:
            lines[at] = f"{key} = {draw(TOML)}"
        elif deed == "remove" and len(lines) > 1:
            del lines[at]
        else:
            lines.insert(at, draw(LINES))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return end.join(lines).encode(
        draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"])), "replace"
    )


@given(edited(league_file.seeds()))
def test_an_edited_league_file(data: bytes) -> None:
    league_file.check(data)


@given(st.lists(LINES, max_size=8).map(lambda lines: "\n".join(lines).encode()))
def test_a_file_of_odd_lines(data: bytes) -> None:
    league_file.check(data)
    manifest.check(data)


@given(edited(manifest.seeds()))
def test_an_edited_manifest(data: bytes) -> None:
    manifest.check(data)


TURNS = st.sampled_from(
    ["0", "1", "2", "3", "1.0", "2e0", "true", '"1"', "null", "1.5", "-1", "9007199254740992", "1e400", "9" * 5000]
)
REPLIES = st.one_of(
    st.just(b'{"type":"ready"}'),
    st.builds(
        '{{"type":"decision","turn":{},"action":{}}}'.format,
        TURNS,
        st.sampled_from(['"continue"', '"leave"', "1", '"LEAVE"']),
    ).map(str.encode),
    st.sampled_from(
        [
            b"",
            b"thinking",
            b"[]",
            b'{"type":"decision","type":"ready"}',
            b'{"type":"ready","x":"\\ud800"}',
            b"\xef\xbb\xbf",
            b"\xff",
        ]
    ),
    st.integers(1, 255).map(lambda n: b'{"type":"ready","x":"\xfe' + bytes([n]) + b'a"}'),
    st.integers(1, 255).map(lambda n: b"\xfe" + bytes([n]) + b"\n"),
    st.integers(28, 36).map(lambda depth: b'{"type":"ready","x":' + b"[" * depth + b"]" * depth + b"}"),
)


@given(
    st.binary(min_size=2, max_size=2),
    st.lists(st.tuples(REPLIES, st.sampled_from([b"\n", b"\n", b"\r\n", b"", b"\n\xfd\x00", b"\xfd\x01"])), max_size=8),
    st.booleans(),
)
def test_a_talkative_bot(cuts: bytes, said: list[tuple[bytes, bytes]], shakes_hands: bool) -> None:
    start = b'{"type":"ready"}\n\xfd\x00' if shakes_hands else b""
    judge.check(cuts + start + b"".join(reply + end for reply, end in said))


@given(
    st.binary(min_size=3, max_size=3),
    st.lists(REPLIES | st.sampled_from([b"\r", b"\n", b"\xfe\x80a", b"\xfe\x7fb"]), max_size=8),
)
def test_lines_in_pieces(cuts: bytes, said: list[bytes]) -> None:
    line_splitter.check(cuts + b"\n".join(said))


@given(REPLIES | ODD.map(written))
def test_lines_of_a_bot(line: bytes) -> None:
    strict_reader.check(line)


KINDS = st.sampled_from(
    [tarfile.REGTYPE] * 6
    + [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.GNUTYPE_SPARSE, b"\0", b"7"]
)
PATHS = st.one_of(
    st.sampled_from(
        [
            "bot.toml",
            "bot.py",
            "a/b",
            "a",
            "../x",
            "/x",
            "a/../x",
            "./x",
            "a//b",
            ".",
            "e\u0301",
            "é",
            "n" * 256,
            "n/" * 600 + "n",
            "a\\b",
            ".git",
        ]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30),
)


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    raw = io.BytesIO()
    form = draw(st.sampled_from([tarfile.PAX_FORMAT, tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT]))
    with tarfile.open(fileobj=raw, mode="w", format=form, errors="surrogateescape") as tar:
        for name in draw(st.lists(PATHS, max_size=8)):
            content = draw(st.binary(max_size=40))
            info = tarfile.TarInfo(name)
            info.type = draw(KINDS)
            info.size = len(content)
            info.mode = draw(st.sampled_from([0o644, 0o755, 0o4777, 0]))
            info.linkname = draw(st.sampled_from(["", "/etc/passwd", "bot.py"]))
            try:
                tar.addfile(info, io.BytesIO(content))
            except ValueError:  # a name that this form can't hold
                continue
    return raw.getvalue()[: draw(st.integers(0, 6_000))].rstrip(b"\0") + bytes(
        draw(st.sampled_from([0, 511, 1024, 1024, 1024]))
    )


@given(archives(), st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 255)), max_size=2), st.booleans())
def test_an_archive_of_odd_members(tar: bytes, flips: list[tuple[int, int]], packed: bool) -> None:
    data = bytearray(tar)
    for at, byte in flips:
        if at < len(data):
            data[at] = byte
    bot_archive.check(gzip.compress(bytes(data), 1) if packed else bytes(data))


PARTS = st.one_of(
    st.binary(max_size=30).map(lambda data: gzip.compress(data)),
    st.integers(0, 9_000).map(lambda size: gzip.compress(b"x" * size)),
    st.sampled_from([b"\0" * 9, b"\x1f\x8b", b"rest"]),
)


@given(st.integers(0, 12_000), st.lists(PARTS, max_size=4), st.integers(0, 200), st.booleans())
def test_gzip_in_members(limit: int, parts: list[bytes], at: int, damaged: bool) -> None:
    packed = bytearray(b"".join(parts))
    if damaged and at < len(packed):
        packed[at] ^= 0x55
    gunzip.check(limit.to_bytes(2, "big") + bytes(packed))

"""The strict reader of TOML: what tomllib takes within bounds, and one clear reason for all else."""

from __future__ import annotations

import tomllib
from contextlib import suppress

import pytest

from harness.protocol import NotToml, read_toml

DEEP = "a = " + "[" * 50_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        'a = "x"\r\n[b]\r\nc = 1979-05-27T07:32:00Z',
        "a = 9223372036854775807\nb = -9223372036854775808\nc = 0xff",
        "a = [1, [2, {b = 3}]]\nx.y.z = inf",
        "a" + ".a" * 200 + " = 1",
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_reads_what_the_language_allows(text: str, mark: bytes) -> None:
    assert read_toml(mark + text.encode()) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a = 1\nb = = 2", ["not TOML", "line 2"]),
        (b"a = '\xff'", ["not UTF-8 in line 1"]),
        (b"\xef\xbb\xbfa = 1\nb = '\xff'", ["not UTF-8 in line 2"]),
        (b"\xef\xbb\xbf\xef\xbb\xbfa = 1", ["not TOML"]),
        (b"\xff\xfea\x00", ["not UTF-8 in line 1"]),
        (b"a = 1\nb = " + b"9" * 5000, ["line 2: an integer of more than 64 bits"]),
        (b"a = 1\nb = " + b"9" * 4300, ["b: an integer of more than 64 bits"]),
        (b"a = 9223372036854775808", ["a: an integer of more than 64 bits"]),
        (b"[x]\ny = [1, {z = -9223372036854775809}]", ["x.y[1].z: an integer of more than 64 bits"]),
        (b"a = 0x" + b"f" * 5000, ["a: an integer of more than 64 bits"]),
        (b'"\\u001b" = 0x' + b"f" * 17, ["\u27e8U+001B\u27e9: an integer"]),
        (DEEP.encode(), ["nested too deep"]),
        (b"b = 1\na" + b".a" * 201 + b" = 1", ["line 2: more than 200 dots"]),
        (b"a" + b".a" * 500_000 + b" = 1", ["line 1: more than 200 dots"]),
        (b"[x]\n[[" + b'"y" . ' * 201 + b"z]]", ["line 2: more than 200 dots"]),
        (b'a = [{b = """#\'x\n""""", b' + b".b" * 201 + b' = "#"}]', ["line 2: more than 200 dots"]),
        (b"a = {b = '''\\''''', b" + b".b" * 201 + b" = 1}", ["line 1: more than 200 dots"]),
        (b'a = {b = "\\"", b' + b".b" * 201 + b' = ""}', ["line 1: more than 200 dots"]),
        (b"a = {b = '\\', b" + b".b" * 201 + b" = ''}", ["line 1: more than 200 dots"]),
        (b"a = 1\na = 2\n", ["not TOML", "line 2"]),
    ],
)
def test_refuses_with_place_and_advice_in_one_line(data: bytes, says: list[str]) -> None:
    with pytest.raises(NotToml) as caught:
        read_toml(data)
    reason = caught.value.reason
    for part in says:
        assert part in reason
    assert reason.isprintable()
    assert "; " in reason
    assert "sys." not in reason
    assert len(reason) < 400


@pytest.mark.parametrize(
    "text",
    [
        "# " + "." * 201,
        "a = 1 # " + ".x" * 201,
        f'a = "{"." * 201}"',
        f"a = '{'.' * 201}'",
        f'a = """\n{"." * 201} " \\""""\nb = 1',
        f"a = '''\n{'.' * 201} ' \\'''\nb = 1",
        "a = [" + "1.5, " * 201 + "]",
        "a = [" + "{b.c = 1}, " * 201 + "]",
        f'"{"." * 201}".b = 1',
        "a" + ".a" * 200 + " = 1",
    ],
)
def test_dots_that_are_no_long_key_are_read(text: str) -> None:
    assert read_toml(text.encode()) == tomllib.loads(text)


def test_what_nests_deeper_than_python_recurses_is_read_or_refused() -> None:
    inner = "1"
    for _ in range(200):
        inner = "[\n{" + "a." * 150 + "a = " + inner + "}]"
    with suppress(NotToml):
        read_toml(f"a = {inner}".encode())

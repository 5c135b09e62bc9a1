from __future__ import annotations

import pytest

from harness.bots.manifest import Manifest, read_manifest
from harness.errors import BotError
from tests.bots.sentences import assert_in_house_style

GOOD = 'name = "nova"\ncommand = "python3 bot.py"\n'


def test_all_fields_are_read() -> None:
    text = """
        name = "nova-2"
        title = "Nova, the second"
        command = ["java", "-cp", "out", "Nova"]
        build = 'javac -d "out dir" Nova.java'
        language = "Java"
        author = "Ada"
        release = "1.2"
        exclude = ["notes", "*.log"]
    """
    assert read_manifest(text.encode(), "bot.toml") == Manifest(
        name="nova-2",
        title="Nova, the second",
        command=("java", "-cp", "out", "Nova"),
        build=("javac", "-d", "out dir", "Nova.java"),
        language="Java",
        author="Ada",
        release="1.2",
        exclude=("notes", "*.log"),
    )


def test_only_name_and_command_are_needed() -> None:
    assert read_manifest(GOOD.encode(), "bot.toml") == Manifest(
        name="nova", title="nova", command=("python3", "bot.py")
    )


def test_a_byte_order_mark_and_crlf_are_no_trouble() -> None:
    assert read_manifest(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(), "bot.toml").name == "nova"


@pytest.mark.parametrize(
    "command", ['"/usr/bin/python3 bot.py"', '"./run"', '["python3", "a/../bot.py"]', '["sh", "-c", "exec ./x", ""]']
)
def test_commands_of_the_system_and_of_the_folder_are_taken(command: str) -> None:
    assert read_manifest(f'name = "nova"\ncommand = {command}\n'.encode(), "bot.toml").command


# What stands in the file, and what its sentence must name: the field, and what to do about it.
REFUSED = [
    ("", ["name: missing", 'name = "my-bot"']),
    ('name = "nova"', ["command: missing", 'command = "python3 bot.py"']),
    ('name = ""\ncommand = "x"', ["name: '' is no id", "a-z"]),
    ('name = "Nova"\ncommand = "x"', ["name: 'Nova' is no id"]),
    ('name = "-nova"\ncommand = "x"', ["name: '-nova' is no id"]),
    ('name = "nova\\n"\ncommand = "x"', ["name: 'nova⟨U+000A⟩' is no id"]),
    (f'name = "{"n" * 33}"\ncommand = "x"', ["is no id"]),
    ('name = 7\ncommand = "x"', ["name: 7 is no id"]),
    ('name = "növa"\ncommand = "x"', ["is no id"]),
    (GOOD + 'titel = "x"', ["unknown key 'titel'", "'title'"]),
    (GOOD + 'commands = "x"', ["unknown key 'commands'", "'command'"]),
    (GOOD + "[limits]\nmove_ms = 1", ["unknown key 'limits'", "nearest known one is"]),
    (GOOD + 'sandbox = "bare"', ["unknown key 'sandbox'"]),
    (GOOD + 'image = "evil"', ["unknown key 'image'"]),
    (GOOD + '"\\u001b[31m" = 1', ["unknown key '⟨U+001B⟩[31m'"]),
    (GOOD + "title = 3", ["title: 3 is not a text", "quotes"]),
    (GOOD + "release = 1.2", ["release: 1.2 is not a text"]),
    (GOOD + "author = true", ["author: true is not a text"]),
    (GOOD + 'language = ["C"]', ["language: a list is not a text"]),
    (GOOD + f'title = "{"t" * 101}"', ["title:", "at most 100"]),
    (GOOD + 'author = "a\\u0000"', ["author:", "NUL"]),
    ('name = "nova"\ncommand = 5', ["command: 5 is no command"]),
    ('name = "nova"\ncommand = {a = 1}', ["command: a table is no command"]),
    ('name = "nova"\ncommand = []', ["command: 0 words"]),
    ('name = "nova"\ncommand = "  "', ["command: 0 words"]),
    ('name = "nova"\ncommand = [""]', ["command[0]: empty"]),
    ('name = "nova"\ncommand = ["python3", 3]', ["command[1]: 3 is not a text"]),
    ('name = "nova"\ncommand = "python3 \'bot.py"', ["command:", "left open"]),
    ('name = "nova"\ncommand = ["a\\u0000b"]', ["command[0]:", "NUL"]),
    ('name = "nova"\ncommand = ["../other/run"]', ["command[0]: '../other/run' lies outside"]),
    ('name = "nova"\ncommand = "python3 /home/me/bot.py"', ["command[1]: '/home/me/bot.py' lies outside"]),
    ('name = "nova"\ncommand = "/usr/../home/me/run"', ["command[0]:", "lies outside"]),
    ('name = "nova"\ncommand = "a/../../run"', ["command[0]:", "lies outside"]),
    (f'name = "nova"\ncommand = {["x"] * 65}', ["command: 65 words"]),
    (GOOD + "build = 1", ["build: 1 is no command"]),
    (GOOD + 'build = ["make", "-C", "../x"]', ["build[2]: '../x' lies outside"]),
    (GOOD + 'exclude = "*.o"', ["exclude:", "no list"]),
    (GOOD + "exclude = [1]", ["exclude[0]: 1 is not a text"]),
    (GOOD + 'exclude = ["*.o", ""]', ["exclude[1]: '' matches nothing"]),
    (GOOD + 'exclude = ["/"]', ["exclude[0]: '/' matches nothing"]),
    (GOOD + 'exclude = ["../x"]', ["exclude[0]: '../x' points outside"]),
    (GOOD + 'exclude = ["a/../x"]', ["exclude[0]:", "points outside"]),
    (GOOD + 'exclude = ["/etc"]', ["exclude[0]: '/etc' points outside"]),
    ("name = nova", ["not TOML", "line 1"]),
    (GOOD + GOOD, ["not TOML", "line 3"]),
    (GOOD + "a = " + "9" * 5000, ["bot.toml"]),
    (GOOD + "a = " + "[" * 20000, ["bot.toml"]),
    (GOOD + "#" * 70_000, ["larger than 64 KiB"]),
]


@pytest.mark.parametrize(("text", "told"), REFUSED, ids=[told[0][:40] + f" {i}" for i, (_, told) in enumerate(REFUSED)])
def test_what_is_wrong_is_refused_in_one_sentence(text: str, told: list[str]) -> None:
    with pytest.raises(BotError) as refused:
        read_manifest(text.encode(), "bots/nova/bot.toml")
    sentence = refused.value.sentence
    assert sentence.startswith("bots/nova/bot.toml: ")
    for part in told:
        assert part in sentence
    assert_in_house_style(sentence)
    assert len(sentence) < 400


def test_a_file_that_is_not_utf8_is_refused_with_its_line() -> None:
    with pytest.raises(BotError, match="not UTF-8 in line 2"):
        read_manifest(b'name = "nova"\ntitle = "\xff"\n', "bot.toml")

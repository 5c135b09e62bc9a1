from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.bots import SAMPLE_PREFIX, bot_from_word, is_sample, leagues_root, load_bot, sample_names, samples_root
from harness.errors import BotError
from tests.bots.sentences import assert_in_house_style


def test_a_folder_becomes_a_bot(bot_folder) -> None:
    bot = load_bot(bot_folder('name = "nova"\ntitle = "Nova"\ncommand = "./run"\n'))
    assert (bot.id, bot.manifest.title, bot.manifest.command) == ("nova", "Nova", ("./run",))
    assert len(bot.version) == 64


def test_a_program_that_is_not_there_does_not_matter_yet(bot_folder) -> None:
    assert load_bot(bot_folder('name = "nova"\ncommand = "no-such-program x"\n')).id == "nova"


SOURCES = [
    ("nova.py", ("python3", "nova.py"), None),
    ("nova.js", ("node", "nova.js"), None),
    ("nova.mjs", ("node", "nova.mjs"), None),
    ("nova.rb", ("ruby", "nova.rb"), None),
    ("nova.pl", ("perl", "nova.pl"), None),
    ("nova.sh", ("sh", "nova.sh"), None),
    ("nova.java", ("java", "nova.java"), None),
    ("nova.c", ("./nova",), ("cc", "-O2", "-o", "nova", "nova.c", "-lm")),
    ("nova.cpp", ("./nova",), ("c++", "-O2", "-o", "nova", "nova.cpp")),
    ("nova.rs", ("./nova",), ("rustc", "-O", "-o", "nova", "nova.rs")),
    ("nova.go", ("./nova",), ("go", "build", "-o", "nova", "nova.go")),
]


@pytest.mark.parametrize(("name", "command", "build"), SOURCES, ids=[name for name, _, _ in SOURCES])
def test_the_ending_of_a_source_file_tells_how_to_run_it(
    tmp_path: Path, expected_version, name, command, build
) -> None:
    (tmp_path / name).write_text("x\n")
    (tmp_path / name).chmod(0o644)
    bot = load_bot(tmp_path / name)
    assert (bot.id, bot.manifest.title, bot.manifest.command, bot.manifest.build) == ("nova", "nova", command, build)
    assert bot.version == expected_version((name, False, b"x\n"))


# The name of the file, and what the sentence must say.
REFUSED_NAMES = [
    ("MyBot.py", "rename the file to my-bot.py"),
    ("my_bot.py", "rename the file to my-bot.py"),
    ("my bot v2.py", "rename the file to my-bot-v-2.py"),
    ("-.c", "rename the file to my-bot.c"),
    ("x" * 40 + ".py", "rename the file to " + "x" * 32 + ".py"),
    ("växt.js", "rename the file to v-xt.js"),
    ("nova.exe", "the ending '.exe' tells no language"),
    ("nova", "a name without an ending tells no language"),
    ("nova.PY", "the ending '.PY' tells no language"),
    (".py", "a name without an ending"),
]


@pytest.mark.parametrize(("name", "told"), REFUSED_NAMES)
def test_a_source_file_whose_name_says_too_little_is_refused(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / name).write_text("x")
    with pytest.raises(BotError) as refused:
        load_bot(tmp_path / name)
    assert told in refused.value.sentence
    assert_in_house_style(refused.value.sentence.removeprefix(str(tmp_path)))


def test_what_is_no_bot_is_refused(tmp_path: Path, bot_folder) -> None:
    cases = {
        tmp_path / "nowhere": "there is no such bot",
        tmp_path: "has no bot.toml; write one",
        bot_folder() / "bot.toml": "give the folder",
        Path("x\0y"): "there is no such bot",
        tmp_path / ("x" * 300): "can't be looked at",
    }
    for path, told in cases.items():
        with pytest.raises(BotError) as refused:
            load_bot(path)
        assert told in refused.value.sentence
        assert_in_house_style(refused.value.sentence)


@pytest.mark.parametrize("kind", ["link", "loop", "fifo", "large"])
def test_a_single_file_must_be_a_plain_one(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "nova.py"
    if kind == "link":
        (tmp_path / "real.py").write_text("x")
        path.symlink_to("real.py")
    elif kind == "loop":
        path.symlink_to("nova.py")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        with path.open("wb") as file:
            file.truncate((20 << 20) + 1)
    with pytest.raises(BotError, match=r"nova\.py: "):
        load_bot(path)


def test_a_word_names_a_sample_or_a_path(tmp_path: Path, bot_folder) -> None:
    folder = bot_folder()
    assert bot_from_word("nova", folder.parent) == load_bot(folder)
    assert bot_from_word(str(folder), Path("/elsewhere")) == load_bot(folder)
    assert is_sample("sample:never")
    assert is_sample(SAMPLE_PREFIX + "no-such")
    assert not is_sample("samples/never")
    assert bot_from_word("sample:never", tmp_path) == load_bot(samples_root() / "never")


@pytest.mark.parametrize("word", ["sample:nevr", "sample:", "sample:../x", "sample:never/../at-once", "sample:\x1b"])
def test_an_unknown_sample_is_refused(tmp_path: Path, word: str) -> None:
    with pytest.raises(BotError, match="there is no such sample bot; ") as refused:
        bot_from_word(word, tmp_path)
    assert_in_house_style(refused.value.sentence)


def test_a_near_miss_of_a_sample_is_told() -> None:
    with pytest.raises(BotError, match="did you mean sample:never"):
        bot_from_word("sample:nevr", Path())


def test_samples_and_leagues_are_found() -> None:
    assert {"never", "at-once", "random", "depth-c", "gem-threshold-js"} <= set(sample_names())
    assert {"starter.toml", "season.toml"} <= {path.name for path in leagues_root().iterdir()}


def test_an_installed_package_finds_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "harness"
    (package / "data" / "sample_bots" / "never").mkdir(parents=True)
    (package / "data" / "sample_bots" / "never" / "bot.toml").write_text("")
    (tmp_path / "sample_bots").mkdir()  # somebody else's
    monkeypatch.setattr("harness.__file__", str(package / "__init__.py"))
    assert samples_root() == package / "data" / "sample_bots"
    assert sample_names() == ("never",)


def test_a_manifest_that_is_a_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bot" / "bot.toml").mkdir(parents=True)
    with pytest.raises(BotError, match=r"bot\.toml: a folder; only regular files make a bot"):
        load_bot(tmp_path / "bot")

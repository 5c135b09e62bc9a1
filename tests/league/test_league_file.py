"""Reading league files: what is right becomes a value, what is wrong one sentence."""

import dataclasses
import os
import tomllib
from pathlib import Path

import pytest

from harness.errors import LeagueFileError
from harness.executors import containment
from harness.game import BUILT_IN, edition_from_json
from harness.league.league_file import League, load_league
from harness.league.sections import BotEntry, SandboxChoice
from harness.protocol import Limits, canonical
from harness.ratings import Parameters
from harness.referee import Bounds
from sandbox import BARE, Probe

CASES = tomllib.loads((Path(__file__).parent.parent / "cases/leagues/refused.toml").read_text("utf-8"))
GOOD = CASES["good"].lstrip("\n")


def load(folder: Path, text: str) -> League:
    path = folder / "starter.toml"
    path.write_text(text, "utf-8")
    return load_league(path)


def bot_folder(folder: Path, name: str, more: str = "") -> Path:
    bot = folder / name
    bot.mkdir(parents=True)
    (bot / "bot.toml").write_text(f'name = "{name}"\ncommand = "python3 bot.py"\n{more}', "utf-8")
    (bot / "bot.py").write_text("pass\n", "utf-8")
    return bot


def league_of(*bots: str, more: str = "", seats: str = "[3]") -> str:
    entries = "".join(f"[[bots]]\n{bot}\n" for bot in bots)
    return (
        f'[league]\nname = "t"\nedition = "iello-2016"\nformat = "round-robin"\nseats = {seats}\n'
        f"games = 1\nrounds = 2\n{entries}{more}"
    )


@pytest.mark.parametrize("case", CASES["case"], ids=lambda case: case["title"])
def test_a_bad_file_is_refused_in_one_sentence_with_file_and_field(case: dict, tmp_path: Path) -> None:
    text = GOOD
    for old, new in case["change"]:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(LeagueFileError) as refused:
        load(tmp_path, text)
    sentence = str(refused.value)
    assert sentence.startswith("starter.toml: ")
    assert len(sentence.splitlines()) == 1
    assert sentence.isprintable()
    for part in case["says"]:
        assert part in sentence


def test_there_are_forty_bad_files_at_least_and_their_titles_differ() -> None:
    titles = [case["title"] for case in CASES["case"]]
    assert len(titles) >= 40
    assert len(set(titles)) == len(titles)


def test_the_good_file_becomes_a_league(tmp_path: Path) -> None:
    league = load(tmp_path, GOOD)
    assert league == League(
        path=tmp_path / "starter.toml",
        name="starter",
        edition=BUILT_IN["iello-2016"],
        format="round-robin",
        seats=(4,),
        games=5,
        rounds=10,
        seed=None,
        publish_stderr=False,
        site_url=None,
        names_shown=False,
        max_forfeits=None,
        bots=(
            BotEntry("bots/ada"),
            BotEntry("bots/bob", name="bob"),
            BotEntry("bots/cy", author="Cy"),
            BotEntry("sample:wary", anchor=True),
        ),
        limits=Limits(),
        sandbox=SandboxChoice("auto", None, True),
        rating=Parameters(),
        format_options={"same_author": False},
    )


def test_everything_that_can_be_stated_is_taken(tmp_path: Path) -> None:
    league = load(
        tmp_path,
        GOOD.replace(
            "rounds = 10", 'rounds = 10\nseed = "Ünï"\npublish_stderr = true\nnames_shown = true\nmax_forfeits = 3'
        )
        + '\nbackend = "bare"\nrequire = "bare"\nfiles = 7\nopen_files = 64\nstderr_kb = 1024\n'
        "[limits]\nmove_ms = 7\n[rating]\nmu = 30\nsigma = 10\nbeta = 2.5\n"
        "tau = 0.1\ndraw = 0.25\n[format.round-robin]\nsame_author = true\n",
    )
    assert (league.seed, league.publish_stderr, league.names_shown, league.max_forfeits) == ("Ünï", True, True, 3)
    assert league.sandbox == SandboxChoice("bare", "bare", True, Bounds(files=7, open_files=64, stderr_kb=1024))
    assert league.limits == Limits(move_ms=7)
    assert league.rating == Parameters(mu=30.0, sigma=10.0, beta=2.5, tau=0.1, draw=0.25)
    assert league.format_options == {"same_author": True}


def test_an_edition_can_be_stated_as_a_table(tmp_path: Path) -> None:
    stated = (
        '{ name = "short", expeditions = 1, min_seats = 3, max_seats = 4, treasures = [1, 2], '
        'hazards = [{ kind = "a", copies = 3 }], relics = [5], relic_entry = "start", relic_value = "order", '
        'tie_break = "none" }'
    )
    league = load(tmp_path, GOOD.replace('"iello-2016"', stated))
    assert league.edition == edition_from_json(tomllib.loads(f"e = {stated}")["e"])


def test_a_league_without_seats_has_tables_of_four(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD.replace("seats = [4]\n", "")).seats == (4,)


def test_a_league_is_frozen(tmp_path: Path) -> None:
    league = load(tmp_path, GOOD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        league.games = 6  # type: ignore[misc]


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"[league]\nname = '\xff'\n", "not UTF-8 in line 2"), (b"#" * (1 << 20) + b"#", "larger than 1 MiB")],
)
def test_a_file_that_is_no_text_is_refused(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "starter.toml"
    path.write_bytes(data)
    with pytest.raises(LeagueFileError, match=rf"^starter\.toml: {says}"):
        load_league(path)


@pytest.mark.parametrize(
    ("stated", "read"),
    [
        ("https://bots.example.org", "https://bots.example.org/"),
        ("https://bots.example.org/", "https://bots.example.org/"),
        ("http://localhost:8000/a/b", "http://localhost:8000/a/b/"),
        ("https://[2001:db8::1]/x%20y", "https://[2001:db8::1]/x%20y/"),
    ],
)
def test_the_sites_address_is_that_of_a_folder(stated: str, read: str, tmp_path: Path) -> None:
    assert load(tmp_path, GOOD.replace("rounds = 10", f'rounds = 10\nsite_url = "{stated}"')).site_url == read


@pytest.mark.parametrize(
    "stated",
    [
        "bots.example.org",
        "/ladder/",
        "ftp://bots.example.org/",
        "javascript:alert(1)",
        "https://",
        "https://x/?q=1",
        "https://x/#top",
        "https://me:secret@x/",
        "https://x:99999/",
        "https://x/ y",
        "https://x/\\u202e",
        "https://x/'><script>",
        "https://[::1/",
    ],
)
def test_what_is_no_address_of_a_folder_is_refused(stated: str, tmp_path: Path) -> None:
    with pytest.raises(LeagueFileError, match=r"league\.site_url: .* is no address of a folder"):
        load(tmp_path, GOOD.replace("rounds = 10", f'rounds = 10\nsite_url = "{stated}"'))


@pytest.mark.parametrize(("name", "says"), [("nix.toml", "no such file"), ("", "is a folder")])
def test_a_path_that_is_no_file_is_refused(name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LeagueFileError, match=says):
        load_league(tmp_path / name)


@pytest.mark.parametrize("digits", [20, 400, 4000, 10_000])
@pytest.mark.parametrize("field", ["games = 5", "rounds = 10", "seats = [4]", "move_ms = 100", "mu = 25", "draw = 0.1"])
def test_a_number_beyond_all_bounds_is_refused(field: str, digits: int, tmp_path: Path) -> None:
    name, _, old = field.partition(" = ")
    number = "9" * digits
    text = (GOOD + "[limits]\nmove_ms = 100\n[rating]\nmu = 25\ndraw = 0.1\n").replace(
        field, f"{name} = [{number}]" if "[" in old else f"{name} = {number}"
    )
    with pytest.raises(LeagueFileError, match=r"^starter\.toml: ") as refused:
        load(tmp_path, text)
    assert len(str(refused.value)) < 300


def test_nesting_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LeagueFileError, match=r"^starter\.toml: "):
        load(tmp_path, "a = " + "[" * 100_000)


def test_bots_are_loaded_from_where_the_file_lies(tmp_path: Path) -> None:
    for name in ("ada", "bob", "cy"):
        bot_folder(tmp_path, name, f'author = "{name} & co"\n')
    league = load(tmp_path, league_of('path = "ada"', 'path = "bob"\nname = "rob"', 'path = "cy"\nauthor = "C"'))
    found = [(entrant.id, entrant.bot.id, entrant.author) for entrant in league.load_bots()]
    assert found == [
        ("ada", "ada", "ada & co"),
        ("rob", "bob", "bob & co"),
        ("cy", "cy", "C"),
    ]


def test_a_bot_that_is_not_there_is_named_by_its_place(tmp_path: Path) -> None:
    bot_folder(tmp_path, "ada")
    league = load(tmp_path, league_of('path = "ada"', 'path = "nix"', 'path = "nox"'))
    with pytest.raises(LeagueFileError, match=r"^starter\.toml: bots\[1\]: .*nix"):
        league.load_bots()


def test_two_bots_of_one_id_are_refused_and_a_name_mends_it(tmp_path: Path) -> None:
    for name in ("ada", "bob"):
        bot_folder(tmp_path, name)
    twice = league_of('path = "ada"', 'path = "bob"', 'path = "ada"')
    with pytest.raises(LeagueFileError, match=r"^starter\.toml: bots\[2\]: the id 'ada' is that of bots\[0\] too"):
        load(tmp_path, twice).load_bots()
    named = league_of('path = "ada"', 'path = "bob"', 'path = "ada"\nname = "ada-2"')
    assert [entrant.id for entrant in load(tmp_path, named).load_bots()] == ["ada", "bob", "ada-2"]


def test_one_author_with_too_many_bots_is_refused_unless_the_league_allows_it(tmp_path: Path) -> None:
    for name in ("ada", "bob", "cy"):
        bot_folder(tmp_path, name, 'author = "One"\n')
    text = league_of('path = "ada"', 'path = "bob"', 'path = "cy"')
    with pytest.raises(LeagueFileError, match=r"^starter\.toml: bots: .*same_author = true"):
        load(tmp_path, text).load_bots()
    allowed = load(tmp_path, text + "[format.round-robin]\nsame_author = true\n")
    assert len(allowed.load_bots()) == 3


def test_bots_run_bare_only_where_the_organiser_trusts_them(tmp_path: Path) -> None:
    bare = GOOD + 'backend = "bare"\n'
    assert load(tmp_path, bare).require_backend() == BARE
    for text in (bare.replace("trust_bots = true", "trust_bots = false"), bare.replace("trust_bots = true", "")):
        league = load(tmp_path, text)
        with pytest.raises(LeagueFileError, match=r"^starter\.toml: sandbox: .*`trust_bots = true`"):
            league.require_backend()


def only_isolated(only: str) -> tuple[Probe, ...]:
    """What is found where programs have namespaces of their own and no control groups."""
    if only == "bubblewrap":
        return (Probe(only, "isolated", (), "cpu", ("no control group can be made; start the harness as root",)),)
    return (BARE,) if only == "bare" else (Probe(only, "", (), "cpu", ("it is not installed",)),)


def test_a_league_that_trusts_nobody_runs_contained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment, "probe", only_isolated)
    for trust in ("", "trust_bots = false", "trust_bots = true"):
        found = load(tmp_path, GOOD.replace("trust_bots = true", trust)).require_backend()
        assert (found.backend, found.tier) == ("bubblewrap", "isolated")


@pytest.mark.parametrize("require", ["isolated", "confined", "bare"])
def test_a_tier_that_is_reached_or_surpassed_is_enough(
    require: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containment, "probe", only_isolated)
    assert load(tmp_path, GOOD + f'require = "{require}"\n').require_backend().tier == "isolated"


def test_a_tier_that_can_not_be_had_is_refused_with_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containment, "probe", only_isolated)
    league = load(tmp_path, GOOD + 'require = "full"\n')
    with pytest.raises(LeagueFileError) as refused:
        league.require_backend()
    sentence = str(refused.value)
    assert sentence.startswith("starter.toml: sandbox: the tier 'full' can't be had here: bubblewrap is isolated: ")
    assert "no control group can be made; start the harness as root" in sentence


def test_the_config_holds_what_a_season_may_not_change(tmp_path: Path) -> None:
    config = load(tmp_path, GOOD).config()
    canonical(config)
    changes = [
        ('name = "starter"', 'name = "other"'), ('"iello-2016"', '"schmidt-2005"'), ("[4]", "[4, 3]"),
        ("games = 5", "games = 6"), ("rounds = 10", "rounds = 11"), ("rounds = 10", 'rounds = 10\nseed = "a"'),
        ("rounds = 10", "rounds = 10\nmax_forfeits = 2"), ("[sandbox]", "[limits]\nmove_ms = 7\n[sandbox]"),
        ("[sandbox]", "[rating]\nmu = 26\n[sandbox]"), ("[sandbox]", '[sandbox]\nrequire = "bare"'),
        ("[sandbox]", "[format.round-robin]\nsame_author = true\n[sandbox]"), ("[sandbox]", "[sandbox]\nfiles = 9"),
        ("[sandbox]", "[sandbox]\nopen_files = 99"), ("[sandbox]", "[sandbox]\nstderr_kb = 99"),
    ]  # fmt: skip
    for old, new in changes:
        assert load(tmp_path, GOOD.replace(old, new, 1)).config() != config


def test_the_config_leaves_out_bots_machine_layout_and_what_changes_no_match(tmp_path: Path) -> None:
    config = load(tmp_path, GOOD).config()
    for old, new in [
        ("bots/ada", "bots/dee"), ("[sandbox]", '[sandbox]\nbackend = "bare"'), ("= true\n", "= true\n# a remark\n"),
        ("[sandbox]", "[limits]\nmove_ms = 100\n[rating]\nmu = 25\n[sandbox]"),
        ("trust_bots = true", "trust_bots = false"),
        ("[sandbox]", "[sandbox]\nfiles = 4096\nopen_files = 256\nstderr_kb = 32"),
        ("rounds = 10", "rounds = 10\npublish_stderr = true"),
        ("rounds = 10", 'rounds = 10\nsite_url = "https://bots.example.org"'), ("anchor = true", "anchor = false"),
    ]:  # fmt: skip
        assert load(tmp_path, GOOD.replace(old, new, 1)).config() == config


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(LeagueFileError, match=r"^pipe.toml: can't be read \(no regular file\)"):
        load_league(tmp_path / "pipe.toml")

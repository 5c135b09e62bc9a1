"""A season's page tells what it is and how far, who won, and gives all that it takes to check it."""

from __future__ import annotations

import pytest

from harness.league.formats import FORMATS
from harness.protocol import Limits
from harness.publish import addresses
from harness.publish.pages import about_page, parameter_words
from harness.publish.pages.parameter_words import how_it_pairs
from harness.publish.pages.season import MOST_ENTRIES, MOST_ROUNDS, season_page
from harness.publish.site_facts import BotProfile, RoundFacts, SeasonFacts
from harness.ratings import Parameters
from sandbox import TIERS
from tests.publish.league_facts import BOTS, PROFILES, VOID, line, season, strength
from tests.publish.made_facts import SITE
from tests.publish.rendered import Rendered, inner, rendered


def shown(facts: SeasonFacts) -> Rendered:
    return rendered(SITE, season_page(facts))


def over(**more: object) -> SeasonFacts:
    """The season once it has ended."""
    return season(
        **{
            "state": "ended",
            "secret": "2" * 32,
            "ended": "2026-03-04T12:30:00Z",
            "official": tuple(strength(bot, place) for place, bot in enumerate(BOTS, start=1)),
            "champions": ("ada",),
            **more,
        }
    )


def test_a_season_is_told_in_a_sentence_with_how_far_it_is() -> None:
    text = shown(season()).text
    assert (
        "A season of four bots, at tables of three and four, ten games a match, with the cards of iello-2016. "
        "Every two bots meet equally often, and each sits equally often in every seat." in text
    )
    assert "2 of 5 rounds are over: 8 matches, 1 234 games. Announced 28 February 2026 ." in text
    assert "practice" not in text.lower()


def test_a_practice_season_says_that_its_decks_are_known() -> None:
    config = {**season().config, "seed": "<b>spring\u202e"}
    made = shown(season(practice=True, config=config))
    assert "its decks are known to everyone" in made.text
    assert "The league file states the seed <b>spring⟨U+202E⟩ , which takes the place of a secret." in made.text
    assert "A practice season of four bots" in made.text


@pytest.mark.parametrize(
    ("format_", "options", "told"),
    [
        ("ladder", {}, "bots of about the same rating meet, those that little is known of first."),
        ("gauntlet", {"bot": "cyd"}, "A gauntlet: cyd plays against all others until it is known how strong it is."),
        ("divisions", {}, "All play together, every two equally often; the official table at its end makes"),
    ],
)
def test_the_format_is_told_in_plain_words(format_: str, options: dict[str, object], told: str) -> None:
    config = {**season().config, "format": format_, "format_options": options}
    assert told in shown(season(format=format_, config=config)).text


def test_divisions_are_listed_with_their_bots_and_newcomers_apart() -> None:
    made = shown(season(format="divisions", divisions={"ada": 1, "cyd": 2, "bob": 2}))
    assert "of four bots in two divisions" in made.text
    assert "Division 1 ada Division 2 bob , cyd In none: newcomers dan" in made.text


def test_a_season_that_is_over_names_its_champion_and_reveals_its_secret() -> None:
    made = shown(over())
    assert "Champion ada Ada of the deep strength 31.0 (95 %: 29.5 to 32.5), rank 1st–2nd with 95 %" in made.text
    assert "Secret 22222222222222222222222222222222 " in made.text
    assert "It ended after 2 of at most 5 rounds" in made.text
    assert "Ended 4 March 2026 ." in made.text
    assert "All its 2 rounds are over" in shown(over(rounds_planned=2)).text


def test_champions_who_tie_share_the_title() -> None:
    tied = (strength("ada", 1), strength("bob", 1), strength("cyd", 3))
    made = shown(over(official=tied, champions=("ada", "bob")))
    assert "Champions, who share the title ada Ada of the deep strength" in made.text
    before_links = made.text.partition("Rounds")[0]
    assert "bob <script>alert(1)</script> strength 27.5" in before_links
    assert "cyd" not in before_links


def test_a_champion_without_a_strength_is_named_all_the_same() -> None:
    unranked = tuple(strength(bot, None) for bot in BOTS)
    assert "Champion ada Ada of the deep Ladder" in shown(over(official=unranked)).text


def test_a_running_season_has_neither_champion_nor_secret() -> None:
    text = shown(season()).text
    assert "Champion" not in text
    assert "revealed when the season ends" in text


def test_the_rounds_are_listed_newest_first_with_both_heads_in_full() -> None:
    head = [f"{number:064d}" for number in (1, 2, 11, 12)]
    assert shown(season()).table("Newest first")[1:] == [
        ["Round 2", "4", "4", "1", "2026-03-02 11:05", f"00000000 {head[1]}", f"00000000 {head[3]}"],
        ["Round 1", "3", "4", "0", "2026-03-01 10:00", f"00000000 {head[0]}", f"00000000 {head[2]}"],
    ]


def test_of_very_many_rounds_the_newest_are_listed_and_the_rest_is_said_to_be_in_a_file() -> None:
    rounds = tuple(RoundFacts(number, 0, 3, 0, (), "5" * 64, "6" * 64, "") for number in range(1, MOST_ROUNDS + 50))
    made = shown(season(rounds=rounds, rounds_planned=1000))
    rows = made.table("Newest first")[1:]
    assert (len(rows), rows[0][0], rows[-1][0]) == (MOST_ROUNDS, "Round 79", "Round 50")
    assert "The newest 30 of 79 rounds; rounds.csv has all" in made.text
    # A round without a match that counts has no page.
    assert not any("rounds/" in link for link in made.links)


def test_the_commands_to_verify_name_file_heads_and_secret() -> None:
    text = shown(over()).text
    assert "harness replay verify season.jsonl.gz " in text
    assert f"harness replay verify season.jsonl.gz --results {'3' * 64} --evidence {'4' * 64}" in text
    assert f"printf %s {'2' * 32} | sha256sum" in text
    running = shown(season())
    assert "harness replay verify match.json" in running.text
    assert "sha256sum" not in running.text


def test_the_file_of_the_season_is_linked_once_it_is_over() -> None:
    for facts, there in ((season(), False), (over(), True)):
        page = season_page(facts)
        assert (addresses.season_file(2) in inner(page, rendered(SITE, page))) is there


def test_tiers_come_with_their_matches_the_strongest_first() -> None:
    text = shown(season()).text
    assert text.index("full 7 matches: each bot in namespaces") < text.index("bare 1 match: not contained")


def test_voided_matches_are_listed_with_reason_and_bots_as_text() -> None:
    made = shown(season(voids=(VOID,)))
    assert made.table("They were voided")[1:] == [["Round 2, match 7", "<i>disk</i>⟨U+202E⟩ full", "ada , bob , dan"]]
    assert "i" not in made.tags


def test_bots_that_are_out_are_named_with_their_state() -> None:
    lines = (
        line("ada"),
        line("bob", state="benched"),
        line("cyd", state="withdrawn"),
        line("dan", state="disqualified"),
    )
    text = shown(season(lines=lines)).text
    assert "bob benched cyd withdrawn dan disqualified" in text
    assert "benched" not in shown(season()).text.partition("Parameters")[0]


def test_the_parameters_are_those_of_the_league_file() -> None:
    made = shown(season())
    limits = {row[0]: row[1] for row in made.table("What a bot may use")[1:]}
    assert limits == {
        "start_ms": "10 s", "move_ms": "100 ms", "bank_ms": "5 s", "stall_ms": "10 s", "wait_ms": "60 s",
        "memory_mb": "512 MiB", "processes": "64", "disk_mb": "64 MiB",
    }  # fmt: skip
    rating = {row[0]: row[1] for row in made.table("What TrueSkill rates with")[1:]}
    assert rating == {"mu": "25", "sigma": "8.3333", "beta": "8.3333", "tau": "0", "draw": "0.03"}
    assert "Treasures 1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17" in made.text
    assert "Forfeits before a bot is benched not limited" in made.text


def test_every_limit_parameter_tier_and_format_has_words() -> None:
    assert list(parameter_words.LIMITS) == list(Limits().to_json())
    assert list(parameter_words.RATING) == list(Parameters().to_json())
    assert list(parameter_words.TIERS) == list(TIERS)
    for format_ in FORMATS:
        assert "Its format is" not in shown(season(format=format_)).text
    assert "Its format is new-one." in shown(season(format="new-one")).text


def test_limits_ratings_and_the_format_read_the_same_on_the_page_about_the_league() -> None:
    facts = season(format="ladder")
    about = rendered(SITE, about_page(facts))
    assert about.table("What a bot")[1:] == shown(facts).table("What a bot")[1:]
    assert "A new bot starts at μ 25 and σ 8.3333." in about.text
    assert how_it_pairs(facts) in about.text


def test_of_very_many_entries_the_first_are_listed_and_the_rest_is_said_to_be_in_a_file() -> None:
    profiles = {
        f"b{number:03}": BotProfile(f"b{number:03}", "a" * 64, "", "", "") for number in range(MOST_ENTRIES + 1)
    }
    made = shown(season(profiles=profiles))
    assert "201 bots are in this season." in made.text
    assert len(made.table("By id, the first 200; bots.csv has all")) == MOST_ENTRIES + 1


def test_what_an_author_wrote_is_text_and_visible() -> None:
    made = shown(season())
    rows = {row[0].split()[0]: row for row in made.table("By id")[1:]}
    assert rows["bob"] == ["bob", "<b>evil</b>", "x⟨U+202E⟩y", "b" * 64]
    assert rows["dan"][0] == "dan"
    assert rows["dan"][1] == "⟨U+001B⟩[31mred"
    assert not {"b", "i"} & set(made.tags)
    assert made.tags.count("script") == 1
    assert not {"\u202e", "\x1b"} & set(made.text)


def test_every_link_leads_where_the_site_has_something() -> None:
    page = season_page(over(voids=(VOID,), divisions={"ada": 1, "bob": 2}))
    known = {
        addresses.LADDER, addresses.ABOUT, addresses.SEASONS, addresses.VIEWER, addresses.FEED, SITE.assets.style,
        SITE.assets.tables, addresses.season_page(2), addresses.ladder_page(2), addresses.pairs_page(2),
        addresses.ladder_page(2, 3), addresses.ladder_page(2, 4), addresses.season_file(2),
        addresses.round_page(2, 1), addresses.round_page(2, 2),
        *(addresses.bot_page(2, bot) for bot in PROFILES),
    }  # fmt: skip
    ways = inner(page, rendered(SITE, page))
    data = {way for way in ways if way.startswith("season-2/data/")}
    assert {"season-2/data/ladder.csv", "season-2/data/official.json", "season-2/data/matches.csv"} <= data
    assert ways - data - {""} == known


def test_a_season_before_its_first_round_has_a_page() -> None:
    empty = season(
        state="announced", rounds=(), lines=(), by_size={}, pairs=(), profiles={}, tiers={}, matches=0, games=0,
        results="", evidence="", sizes=(), anchors=(),
    )  # fmt: skip
    text = shown(empty).text
    assert "A season of bots yet to come, at tables of three and four" in text
    assert "No round is over yet; 5 are planned." in text
    assert "Nobody is entered yet." in text
    assert "--results" not in text

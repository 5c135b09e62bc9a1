"""The rules of Diamant: editions, cards, deals from seeds, the game's steps and its result. Pure: no I/O, no clock."""

from harness.game.cards import RELIC, TREASURE, Cards, cards_of
from harness.game.edition import BUILT_IN, DEFAULT_EDITION, Edition, Hazard, built_in, edition_from_json
from harness.game.score import GameResult, result
from harness.game.seeds import (
    PairStream,
    commitment,
    deal_order,
    is_seed,
    match_seed,
    opaque_word,
    pair_stream,
    rolls,
    season_seed,
    seat_seed,
    seed_from_text,
    tie_key,
)
from harness.game.state import GameState, IllegalStep, new_game
from harness.game.turn import begin_expedition, sole_leaver_relics, step

__all__ = [
    "BUILT_IN",
    "DEFAULT_EDITION",
    "RELIC",
    "TREASURE",
    "Cards",
    "Edition",
    "GameResult",
    "GameState",
    "Hazard",
    "IllegalStep",
    "PairStream",
    "begin_expedition",
    "built_in",
    "cards_of",
    "commitment",
    "deal_order",
    "edition_from_json",
    "is_seed",
    "match_seed",
    "new_game",
    "opaque_word",
    "pair_stream",
    "result",
    "rolls",
    "season_seed",
    "seat_seed",
    "seed_from_text",
    "sole_leaver_relics",
    "step",
    "tie_key",
]

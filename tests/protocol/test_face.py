"""The public face of the room: what other rooms and the bots' authors may lean on."""

from __future__ import annotations

import harness.protocol


def test_exported_names() -> None:
    promised = """
        BadMessage Chains Decide Decision DecisionReply ExpeditionEnd FAULT_KINDS FaultRecord FixtureReference
        GameEnd GameRecord ID_PATTERN Limits LineSplitter LineTooLong MATCH_END MAX_GOT MAX_REPLAY MatchEnd
        MatchName MatchStart NotIJson NotToml REPLAY_FORMAT Ready ReadyReply Record Reply SEASON_FORMAT SandboxRecord
        SeatRecord TimingRecord TooLarge TurnEncoder canonical compact csv_cell digest_of
        digest_without encode_game_end encode_match_start gunzip known_replies open_regular outcome_of
        read_regular read_replay read_reply read_season_line read_strict read_toml
        replay_problem schemas visible write_replay
    """
    assert sorted(harness.protocol.__all__) == sorted(promised.split())
    assert all(hasattr(harness.protocol, name) for name in harness.protocol.__all__)

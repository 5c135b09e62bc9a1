"""The public face of the room."""

import harness.protocol


def test_the_face_is_what_other_rooms_were_promised() -> None:
    promised = """
        BadMessage Chains Decide Decision DecisionReply EditionData EntriesLine ExpeditionEnd FAULT_KINDS
        Fault FixtureRef Footer GameEnd GameRecord Header Limits LineSplitter LineTooLong MATCH_END MAX_DEPTH
        MAX_GOT MAX_LINE MAX_REPLAY MatchEnd MatchStart NotIJson REPLAY_FORMAT Ready ReadyReply Replay Reply
        SEASON_FORMAT SandboxInfo SeatRef Timing TurnEncoder VoidLine canonical canonical_replies check_record
        csv_cell digest_of digest_without encode_expedition_end encode_game_end encode_match_start format_roll
        outcome_of read_replay read_reply read_season_line read_strict replay_problem schemas visible
        write_replay
    """
    assert sorted(harness.protocol.__all__) == sorted(promised.split())
    assert all(hasattr(harness.protocol, name) for name in harness.protocol.__all__)

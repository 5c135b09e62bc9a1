"""The public face of the room: what other rooms may lean on."""

import subprocess
import sys

import harness.league


def test_the_face_is_what_other_rooms_were_promised() -> None:
    promised = """
        BotBenched BotsContained DeskChange Disqualification DivisionsDrawn Entrant Event FaultSeen IntervalReached
        LadderMoved League ListedBot LoadedEntrant MatchPlayed MatchVoided Plan RoundOpened RoundOver RunSummary
        SeasonAnnounced SeasonEnded SeasonResumed SiteNotWritten VoidedMatch Waiting WorkerLost bench_bot breakdown_of
        check_season disqualify_bot head_to_head_of list_bots load_league official_table_of pilot plan read_lines
        run_league submit unbench_bot void_match withdraw_bot write_lines
    """
    assert sorted(harness.league.__all__) == sorted(promised.split())
    assert all(hasattr(harness.league, name) for name in harness.league.__all__)


def test_what_only_some_commands_need_is_not_imported_with_the_room() -> None:
    program = "import sys, harness.league; print(*{'numpy', 'sqlalchemy', 'sqlmodel'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.split() == []

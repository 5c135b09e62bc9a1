"""A match drawn for people: one line a turn, cards and who leaves with what, chests, final tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.style import Style
from rich.text import Text

from harness.cli.faults_table import evidence_lines, fault_line
from harness.cli.hanging import GLUE, hung, wrapped
from harness.cli.terminal import Signs
from harness.protocol import visible
from harness.referee import ExpeditionStory, Leaver, TurnStory, story_of

__all__ = ["game_lines", "seat_name", "title_lines", "trouble_lines"]

NAME_LIMIT = 32
"""Characters of a bot's name in running text."""

TREASURE = Style(color="yellow")
HAZARD = Style(color="red")
BUST = Style(color="red", bold=True, reverse=True)
RELIC = Style(color="magenta", bold=True)
LEAVES = Style(color="green")
FAINT = Style(dim=True)
STRONG = Style(bold=True)


def seat_name(record: Mapping[str, Any], seat: int) -> str:
    """How a seat is called in running text: its number, since a bot may take several, and its bot."""
    return f"{seat}:{visible(record['seats'][seat]['bot'], NAME_LIMIT)}"


def title_lines(record: Mapping[str, Any], sign: Signs) -> Iterator[Text]:
    """What is played: match, edition, seed, seats."""
    dot = f" {sign.dot} "
    edition = visible(record["edition"]["name"])
    games = f"{len(record['games'])} game{'s' if len(record['games']) != 1 else ''}"
    yield Text(f"Match {visible(record['match'])}{dot}{edition}{dot}{games}", style=STRONG)
    yield Text(f"seed {record['seed']}", style=FAINT)
    for seat, who in enumerate(record["seats"]):
        yield Text.assemble(
            f"  {seat}  {visible(who['bot'], NAME_LIMIT)}  ", (f"version {who['version'][:12]}", FAINT), overflow="fold"
        )
    yield Text.assemble(
        (f"{sign.treasure} treasure", TREASURE),
        f"{dot}",
        (f"{sign.hazard} hazard", HAZARD),
        f"{dot}",
        (f"{sign.relic} relic", RELIC),
        f"{dot}each: held by each inside{dot}path: lies there",
    )


def game_lines(record: Mapping[str, Any], game: int, sign: Signs, width: int) -> Iterator[Text]:
    """Game `game` (from 1), line by line, none wider than `width`. IllegalStep where its decisions can't be."""
    yield Text("")
    yield Text(f"Game {game} of {len(record['games'])}", style=STRONG)
    drawing = _Drawing(record, game, sign, width)
    for expedition in story_of(record, game):
        yield Text("")
        yield from drawing.expedition(expedition)
    yield Text("")
    yield from drawing.result()


def trouble_lines(record: Mapping[str, Any], sign: Signs, width: int) -> Iterator[Text]:
    """The faults of the match, and what went wrong without effect, with their reasons."""
    for field, heading in (("faults", "Faults"), ("incidents", "After the last decision, without effect")):
        if record[field]:
            yield Text("")
            yield Text(heading, style=STRONG)
        for fault in record[field]:
            name = f"{fault['seat']}:{record['seats'][fault['seat']]['bot']}"
            yield from wrapped(fault_line(name, fault, sign), width)
            yield from evidence_lines(fault, width)


class _Drawing:
    """The columns of one game: their widths follow from its edition."""

    def __init__(self, record: Mapping[str, Any], game: int, sign: Signs, width: int) -> None:
        self.record = record
        self.game = game
        self.sign = sign
        self.width = width
        self.seats = len(record["seats"])
        kinds = [len(hazard["kind"]) for hazard in record["edition"]["hazards"]]
        self.card_width = max([8, *kinds]) + 3
        self.path_width = 4 + len(record["edition"]["relics"])

    def who(self, seat: int) -> str:
        return seat_name(self.record, seat)

    def everyone(self, seats: tuple[int, ...]) -> str:
        return ", ".join(self.who(seat) for seat in seats)

    def expedition(self, told: ExpeditionStory) -> Iterator[Text]:
        head = f"Expedition {told.number} of {self.record['edition']['expeditions']}"
        if not told.turns:
            yield Text(f"{head}: every seat has forfeited, nobody enters", style=STRONG)
            return
        columns = f"{'card':<{self.card_width}} {'each':>4}  {'path':<{self.path_width}} {'inside':<{self.seats}}"
        yield Text.assemble((head, STRONG))
        yield Text(f"     {columns}".rstrip(), style=FAINT)
        for number, turn in enumerate(told.turns, start=1):
            yield from hung(self._columns(number, turn), self._events(turn), self.width)
        yield from hung(Text("     chests ", style=FAINT), self._chests(told), self.width)

    def _columns(self, number: int, turn: TurnStory) -> Text:
        card = self._card(turn)
        card.pad_right(self.card_width - card.cell_len)
        inside = "".join(str(seat) if seat in turn.inside else "." for seat in range(self.seats))
        inside = inside.ljust(len("inside"))
        pocket = "" if turn.caught else turn.pocket
        path = (
            f"{turn.rubies or '':<3} "
            if turn.relics == 0
            else f"{turn.rubies or '':<3} {self.sign.relic * turn.relics}"
        )
        return Text.assemble(
            (f" {number:>2}  ", FAINT), card, f" {pocket:>4}  ", f"{path:<{self.path_width}} ", (inside, FAINT), "  "
        )

    def _card(self, turn: TurnStory) -> Text:
        what, _, value = turn.card.partition(":")
        if what == "treasure":
            return Text(f"{self.sign.treasure}  {value}", style=TREASURE)
        if what == "relic":
            return Text(f"{self.sign.relic}  relic {value}".rstrip(), style=RELIC)
        if turn.caught:
            return Text(f"{self.sign.hazard * 2} {value}", style=BUST)
        return Text(f"{self.sign.hazard}  {value}", style=HAZARD)

    def _events(self, turn: TurnStory) -> Text:
        pieces = [self._forfeit(seat, turn.pocket) for seat in turn.forfeits]
        if turn.leavers:
            pieces.append(self._leavers(turn))
        if turn.caught:
            who = self.who(turn.caught[0]) if len(turn.caught) == 1 else "each"
            pieces.append(Text.assemble(("bust", BUST), f": {who} loses {turn.lost}"))
        return Text("; ").join(pieces)

    def _forfeit(self, seat: int, pocket: int) -> Text:
        kinds = [fault["kind"] for fault in self.record["faults"] if fault["seat"] == seat]
        why = visible(kinds[0], 40) if kinds else "no fault is recorded"
        lost = f", loses {pocket}" if pocket else ""
        return Text.assemble((f"{self.who(seat)} forfeits ({why}){lost}", STRONG))

    def _leavers(self, turn: TurnStory) -> Text:
        first = turn.leavers[0]
        names = self.everyone(tuple(leaver.seat for leaver in turn.leavers))
        text = Text.assemble((f"{names} leave{'s' if len(turn.leavers) == 1 else ''}", LEAVES), " with ")
        text.append(f"{first.total}{' each' if len(turn.leavers) > 1 else ''}", style=STRONG)
        sum_ = self._sum(first)
        text.append(f" ({sum_.replace(' ', GLUE)})" if sum_ else "")
        if turn.stay_rubies:
            text.append(f", {turn.stay_rubies} stay{'s' if turn.stay_rubies == 1 else ''}")
        return text

    @staticmethod
    def _sum(leaver: Leaver) -> str:
        """How the total comes about; empty where it is a pocket alone."""
        if not leaver.share and not leaver.relics:
            return ""
        terms = [str(leaver.pocket), str(leaver.share)] if leaver.share else [str(leaver.pocket)]
        if leaver.relics:
            count = "relic" if leaver.relics == 1 else f"{leaver.relics} relics"
            terms.append(f"{count} {leaver.relic_points}")
        return " + ".join(terms)

    def _chests(self, told: ExpeditionStory) -> Text:
        text = Text(", ").join(Text(f"{self.who(seat)}{GLUE}{points}") for seat, points in enumerate(told.chests))
        notes = []
        if told.removed is not None:
            notes.append(f"one {visible(told.removed)} card leaves the game")
        left = [f"{told.left_rubies} rub{'y' if told.left_rubies == 1 else 'ies'}"] if told.left_rubies else []
        if told.left_relics:
            left.append(f"{told.left_relics} relic{'s' if told.left_relics > 1 else ''}")
        if left:
            notes.append(f"{' and '.join(left)} left behind")
        if notes:
            text.append(f"; {'; '.join(notes)}", style=FAINT)
        return text

    def result(self) -> Iterator[Text]:
        """The final table, best first."""
        game = self.record["games"][self.game - 1]
        names = [visible(seat["bot"], NAME_LIMIT) for seat in self.record["seats"]]
        wide = max(3, *(Text(name).cell_len for name in names))
        yield from wrapped(Text(f" rank  seat  {'bot':<{wide}}  points  relics", style=FAINT), self.width)
        alive = len(self.record["seats"]) > len(self._forfeited())
        for seat in sorted(range(self.seats), key=lambda seat: (game["ranks"][seat], seat)):
            name = Text(names[seat])
            name.pad_right(wide - name.cell_len)
            line = Text.assemble(
                f" {game['ranks'][seat]:>4}  {seat:>4}  ",
                name,
                f"  {game['scores'][seat]:>6}  {game['relics'][seat]:>6}",
                style=STRONG if game["ranks"][seat] == 1 and alive else "",
            )
            kind = self._forfeited().get(seat)
            if kind is not None:
                line.append(f"  forfeited ({visible(kind, 40)})", style=HAZARD)
            yield from wrapped(line, self.width)

    def _forfeited(self) -> dict[int, str]:
        return {fault["seat"]: fault["kind"] for fault in self.record["faults"] if fault["game"] <= self.game}

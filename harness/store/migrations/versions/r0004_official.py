"""The official table of a season, how each match's seats finished, and on which platform ratings were computed."""

from __future__ import annotations

import gzip
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_KEY = ("season_id", "round", "number")


def upgrade() -> None:
    """Add the columns and the table, and fill in how the seats of the matches so far finished."""
    with op.batch_alter_table("records") as records:
        records.add_column(sa.Column("ranks", sa.Text(), nullable=False, server_default=sa.text("''")))
    with op.batch_alter_table("season_measures") as measures:
        measures.add_column(sa.Column("platform", sa.Text(), nullable=False, server_default=sa.text("''")))
    op.create_table(
        "official",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("strength", sa.Double(), nullable=False),
        sa.Column("low", sa.Double(), nullable=False),
        sa.Column("high", sa.Double(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("rank_low", sa.Integer(), nullable=True),
        sa.Column("rank_high", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_official_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "bot", "version", name=op.f("pk_official")),
    )
    _fill_in_ranks(op.get_bind())


def _fill_in_ranks(connection: sa.Connection) -> None:
    # The tables as they are now, whatever the models say by then.
    files = sa.table("record_files", *(sa.column(name) for name in (*_KEY, "data")))
    records = sa.table("records", *(sa.column(name) for name in (*_KEY, "ranks")))
    keys = connection.execute(sa.select(*(files.c[name] for name in _KEY))).all()
    for key in keys:
        here = dict(zip(_KEY, key, strict=True))
        at = sa.and_(*(files.c[name] == value for name, value in here.items()))
        data = connection.execute(sa.select(files.c.data).where(at)).scalar_one()
        ranks = _ranks(json.loads(gzip.decompress(data)))
        there = sa.and_(*(records.c[name] == value for name, value in here.items()))
        connection.execute(sa.update(records).where(there).values(ranks=ranks))


def _ranks(record: dict[str, Any]) -> str:
    """A word a game and in it a letter a seat: its rank, as 1 to 8, or as A to H once it has forfeited."""
    gone: set[int] = set()
    words = []
    for game in record["games"]:
        turns = [turn for turns in game["expeditions"] for turn in turns]
        gone |= {seat for turn in turns for seat, letter in enumerate(turn) if letter == "x"}
        letters = [("ABCDEFGH" if seat in gone else "12345678")[rank - 1] for seat, rank in enumerate(game["ranks"])]
        words.append("".join(letters))
    return " ".join(words)

"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table of the first release."""
    op.create_table(
        "bots", sa.Column("bot", sa.String(), nullable=False), sa.PrimaryKeyConstraint("bot", name=op.f("pk_bots"))
    )
    op.create_table(
        "leagues",
        sa.Column("league", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("league", name=op.f("pk_leagues")),
    )
    op.create_table(
        "seasons",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("league", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("season_seed", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("rounds_planned", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("results", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["leagues.league"], name=op.f("fk_seasons_league_leagues")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
        sa.UniqueConstraint("league", "number", name=op.f("uq_seasons_league_number")),
    )
    op.create_table(
        "versions",
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("archive", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.bot"], name=op.f("fk_versions_bot_bots")),
        sa.PrimaryKeyConstraint("version", "bot", name=op.f("pk_versions")),
    )
    op.create_table(
        "builds",
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("build_hash", sa.String(), nullable=False),
        sa.Column("built", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version", "bot"], ["versions.version", "versions.bot"], name=op.f("fk_builds_version_bot_versions")
        ),
        sa.PrimaryKeyConstraint("version", "bot", name=op.f("pk_builds")),
    )
    op.create_table(
        "entries",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("from_round", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("plays", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_entries_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "bot", "from_round", name=op.f("pk_entries")),
    )
    op.create_table(
        "history",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("win_parts", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("ranks", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("mu_before", sa.Double(), nullable=False),
        sa.Column("sigma_before", sa.Double(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_history_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "seq", "seat", name=op.f("pk_history")),
    )
    op.create_table(
        "lines",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("after_seq", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_lines_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "ordinal", name=op.f("pk_lines")),
    )
    op.create_table(
        "ratings",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_ratings_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "bot", name=op.f("pk_ratings")),
    )
    op.create_table(
        "rounds",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("fixtures", sa.Integer(), nullable=False),
        sa.Column("next", sa.Integer(), nullable=False),
        sa.Column("results", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_rounds_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "number", name=op.f("pk_rounds")),
    )
    op.create_table(
        "season_measures",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("evidence", sa.String(), nullable=False),
        sa.Column("announced_us", sa.BigInteger(), nullable=False),
        sa.Column("ended_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_season_measures_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", name=op.f("pk_season_measures")),
    )
    op.create_table(
        "starts",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_starts_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "bot", name=op.f("pk_starts")),
    )
    op.create_table(
        "fixtures",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("fixture", sa.Text(), nullable=False),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["season_id", "round"],
            ["rounds.season_id", "rounds.number"],
            name=op.f("fk_fixtures_season_id_round_rounds"),
        ),
        sa.PrimaryKeyConstraint("season_id", "round", "number", name=op.f("pk_fixtures")),
    )
    op.create_table(
        "round_measures",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("evidence", sa.String(), nullable=True),
        sa.Column("opened_us", sa.BigInteger(), nullable=False),
        sa.Column("closed_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["season_id", "number"],
            ["rounds.season_id", "rounds.number"],
            name=op.f("fk_round_measures_season_id_number_rounds"),
        ),
        sa.PrimaryKeyConstraint("season_id", "number", name=op.f("pk_round_measures")),
    )
    op.create_table(
        "records",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["season_id", "round", "number"],
            ["fixtures.season_id", "fixtures.round", "fixtures.number"],
            name=op.f("fk_records_season_id_round_number_fixtures"),
        ),
        sa.PrimaryKeyConstraint("season_id", "round", "number", name=op.f("pk_records")),
        sa.UniqueConstraint("season_id", "seq", name=op.f("uq_records_season_id_seq")),
    )
    op.create_table(
        "faults",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("expedition", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "round", "number"],
            ["records.season_id", "records.round", "records.number"],
            name=op.f("fk_faults_season_id_round_number_records"),
        ),
        sa.PrimaryKeyConstraint("season_id", "round", "number", "seat", name=op.f("pk_faults")),
    )
    op.create_table(
        "record_files",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("stored_us", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "round", "number"],
            ["records.season_id", "records.round", "records.number"],
            name=op.f("fk_record_files_season_id_round_number_records"),
        ),
        sa.PrimaryKeyConstraint("season_id", "round", "number", name=op.f("pk_record_files")),
    )
    op.create_table(
        "stderr",
        sa.Column("season_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "round", "number"],
            ["records.season_id", "records.round", "records.number"],
            name=op.f("fk_stderr_season_id_round_number_records"),
        ),
        sa.PrimaryKeyConstraint("season_id", "round", "number", "seat", name=op.f("pk_stderr")),
    )

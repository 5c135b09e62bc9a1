"""A site's folder: what is current, what is removed and when, and what a killed or a second publish meets."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import BadInput, HarnessFailure
from harness.publish.site_folder import open_site_folder


def published(root: Path, files: dict[str, bytes], key: str = "key") -> int:
    """One publish of pages that are known by their content; returns how many it wrote."""
    with open_site_folder(root, "caves", key) as folder:
        for path, content in files.items():
            if not folder.keep_if_current(path, content.decode()):
                folder.write(path, content, content.decode())
        folder.finish()
        return folder.written


def files(root: Path) -> dict[str, bytes]:
    """What readers see."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".publish" not in path.parts
    }


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert published(site, {"index.html": b"one", "season-1/a.html": b"two"}) == 2
    inode = (site / "index.html").stat().st_ino
    assert published(site, {"index.html": b"one", "season-1/a.html": b"three"}) == 1
    assert (site / "index.html").stat().st_ino == inode
    assert files(site) == {"index.html": b"one", "season-1/a.html": b"three"}
    assert (site / "index.html").stat().st_mode & 0o777 == 0o644


def test_a_page_made_by_another_harness_is_not_current(tmp_path: Path) -> None:
    assert published(tmp_path, {"index.html": b"one"}, "old") == 1
    assert published(tmp_path, {"index.html": b"one"}, "new") == 1


def test_a_page_that_somebody_removed_is_written_again(tmp_path: Path) -> None:
    published(tmp_path, {"index.html": b"one"})
    (tmp_path / "index.html").unlink()
    assert published(tmp_path, {"index.html": b"one"}) == 1


def test_a_page_goes_at_once_and_a_file_named_for_its_content_with_a_later_change(tmp_path: Path) -> None:
    with open_site_folder(tmp_path, "caves", "key") as folder:
        folder.write("assets/old-1.js", b"old")
        folder.write("season-1/bots/gone.html", b"gone", "told")
        folder.finish()
    published(tmp_path, {"index.html": b"one"})
    assert files(tmp_path) == {"index.html": b"one", "assets/old-1.js": b"old"}
    assert not (tmp_path / "season-1").exists()
    # A publish that finds nothing to do may come at once; who has a page open still needs the file.
    published(tmp_path, {"index.html": b"one"})
    assert "assets/old-1.js" in files(tmp_path)
    published(tmp_path, {"index.html": b"two"})
    assert files(tmp_path) == {"index.html": b"two"}


def test_a_file_that_is_wanted_again_stays(tmp_path: Path) -> None:
    for wanted in (True, False, True, True):
        with open_site_folder(tmp_path, "caves", "key") as folder:
            if wanted and folder.has("assets/a-1.js"):
                folder.keep("assets/a-1.js")
            elif wanted:
                folder.write("assets/a-1.js", b"a")
            folder.finish()
    assert files(tmp_path) == {"assets/a-1.js": b"a"}


def test_nobody_sees_half_a_file(tmp_path: Path) -> None:
    published(tmp_path, {"data.csv": b"whole"})

    def pieces() -> Iterator[bytes]:
        yield b"half"
        assert (tmp_path / "data.csv").read_bytes() == b"whole"
        raise RuntimeError

    with pytest.raises(RuntimeError), open_site_folder(tmp_path, "caves", "key") as folder:
        folder.write_changed("data.csv", pieces())
    assert files(tmp_path) == {"data.csv": b"whole"}


def test_a_file_with_the_same_bytes_is_left_alone(tmp_path: Path) -> None:
    written = []
    for content in (b"same", b"same", b"other"):
        with open_site_folder(tmp_path, "caves", "key") as folder:
            folder.write_changed("data.csv", iter((content[:2], content[2:])))
            folder.finish()
            written.append(folder.written)
    assert written == [1, 0, 1]
    assert files(tmp_path) == {"data.csv": b"other"}


def killed(root: Path, files: dict[str, bytes]) -> None:
    """A publish that ends before its end."""
    with open_site_folder(root, "caves", "key") as folder:
        for path, content in files.items():
            folder.write(path, content, content.decode())


def test_after_a_killed_publish_every_page_is_written_again(tmp_path: Path) -> None:
    published(tmp_path, {"index.html": b"one", "season-1/a.html": b"two"})
    killed(tmp_path, {"index.html": b"three"})
    assert published(tmp_path, {"index.html": b"one", "season-1/a.html": b"two"}) == 2
    assert files(tmp_path) == {"index.html": b"one", "season-1/a.html": b"two"}


def test_what_a_killed_publish_left_behind_is_swept_up(tmp_path: Path) -> None:
    published(tmp_path, {"index.html": b"one", "season-1/a.html": b"two"})
    killed(tmp_path, {"season-1/replays/0001-x.js": b"three", "assets/style-x.css": b"four"})
    (tmp_path / ".publish" / "drafts" / "abc").write_bytes(b"half")
    (tmp_path / "CNAME").write_bytes(b"bots.example.org")
    published(tmp_path, {"index.html": b"one", "season-1/a.html": b"two"})
    assert files(tmp_path) == {"index.html": b"one", "season-1/a.html": b"two", "CNAME": b"bots.example.org"}
    assert not list((tmp_path / ".publish" / "drafts").iterdir())


def test_a_folder_with_something_else_in_it_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with (
        pytest.raises(BadInput, match=r"holds thesis\.tex, which no publish wrote"),
        open_site_folder(tmp_path, "caves", "key"),
    ):
        pass
    assert files(tmp_path) == {"thesis.tex": b"mine"}
    assert not (tmp_path / ".publish").exists()


def test_the_site_of_another_league_is_refused(tmp_path: Path) -> None:
    published(tmp_path, {"index.html": b"one"})
    with pytest.raises(BadInput, match="holds the site of the league caves"), open_site_folder(tmp_path, "club", "key"):
        pass
    assert files(tmp_path) == {"index.html": b"one"}


def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    site, photos = tmp_path / "site", tmp_path / "photos"
    (photos / "sub").mkdir(parents=True)
    (photos / "sub" / "p.jpg").write_text("mine")
    published(site, {"index.html": b"one", "season-1/a.html": b"two"})
    for name in ("season-2", "season-photos", "assets", "season-1/more"):
        (site / name).symlink_to(photos)
    (site / "season-mine").mkdir()
    (site / "season-mine" / "notes.txt").write_text("mine too")
    killed(site, {"index.html": b"three"})
    published(site, {"index.html": b"one", "season-1/a.html": b"two"})
    assert (photos / "sub" / "p.jpg").read_text() == "mine"
    assert (site / "season-mine" / "notes.txt").read_text() == "mine too"


def test_a_site_whose_state_was_removed_is_taken_up_again(tmp_path: Path) -> None:
    page = b'<head><meta name="generator" content="tacora harness"></head>'
    published(tmp_path, {"index.html": page, "season-1/a.html": b"two", "assets/old.js": b"old"})
    shutil.rmtree(tmp_path / ".publish")
    assert published(tmp_path, {"index.html": page, "season-1/a.html": b"two"}) == 2
    assert files(tmp_path) == {"index.html": page, "season-1/a.html": b"two"}


def test_everyone_may_read_it_whatever_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        published(tmp_path / "www" / "site", {"index.html": b"one", "season-1/bots/a.html": b"two"})
    finally:
        os.umask(before)
    for place in ("www", "www/site", "www/site/season-1", "www/site/season-1/bots"):
        assert (tmp_path / place).stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "www/site/season-1/bots/a.html").stat().st_mode & 0o777 == 0o644


def test_what_hosts_ask_for_may_stand_there(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".nojekyll").touch()
    (tmp_path / "CNAME").write_text("bots.example.org")
    assert published(tmp_path, {"index.html": b"one"}) == 1


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file")
    with (
        pytest.raises(BadInput, match="is a file; name a folder"),
        open_site_folder(tmp_path / "site", "caves", "key"),
    ):
        pass


def test_one_publish_at_a_time(tmp_path: Path) -> None:
    with (
        open_site_folder(tmp_path, "caves", "key"),
        pytest.raises(BadInput, match="another publish is writing to it"),
        open_site_folder(tmp_path, "caves", "key"),
    ):
        pass
    published(tmp_path, {"index.html": b"one"})


def test_a_page_that_cant_be_written_is_told_by_its_name(tmp_path: Path) -> None:
    published(tmp_path, {"index.html": b"one"})
    (tmp_path / "about.html").mkdir()
    with pytest.raises(HarnessFailure, match=r"about\.html"), open_site_folder(tmp_path, "caves", "key") as folder:
        folder.write("about.html", b"two")


@pytest.mark.parametrize("path", ["../outside.txt", "/etc/outside.txt", "a/../../outside.txt", "", "a//b", "./a"])
def test_a_ledger_that_names_files_outside_removes_nothing(tmp_path: Path, path: str) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside.txt"
    published(site, {"index.html": b"one"})
    outside.write_text("mine")
    ledger = site / ".publish" / "ledger.json"
    told = json.loads(ledger.read_text())
    told["files"][path] = "told"
    told["doomed"] = [path]
    ledger.write_text(json.dumps(told))
    published(site, {"index.html": b"one"})
    assert outside.read_text() == "mine"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format":1,"files":7,"doomed":[]}', "[" * 100_000])
def test_a_ledger_that_is_none_only_costs_a_whole_publish(tmp_path: Path, text: str) -> None:
    published(tmp_path, {"index.html": b"one", "season-1/a.html": b"two"})
    (tmp_path / ".publish" / "ledger.json").write_text(text)
    assert published(tmp_path, {"index.html": b"one"}) == 1
    assert files(tmp_path) == {"index.html": b"one"}


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".publish").mkdir()
    (tmp_path / ".publish" / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput), open_site_folder(tmp_path, "caves", "key"):
        pass
    assert not (tmp_path / "elsewhere").exists()

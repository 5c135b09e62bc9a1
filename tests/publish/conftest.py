"""One browser for the tests of the site, and sites that are made and published once for all of them."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from harness.publish import publish
from harness.store import open_store
from tests.publish.browser import Visit, Visits, running_browser
from tests.publish.made_site import Made, made_field, made_league
from tests.publish.serving import Served, served
from tests.publish.viewer_shown import ready
from tests.publish.viewer_site import record_site, small_site


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What drives a browser is marked, wherever its fixture comes from."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A Chromium. Not for longer than the tests of this folder: other tests run event loops of their own."""
    with running_browser() as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visits]:
    """Opens pages; at the end of the test none of them may have complained, or asked for what is not the site's."""
    visits = Visits(browser)
    yield visits
    visits.close()


def _once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Made]) -> tuple[Made, Path]:
    """A league and its site, made by the first worker that needs it."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with (folder.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            folder.mkdir()
            made = make(folder)
            with open_store(made.store, write=False) as store:
                publish(made.league, store, folder / "site")
            done.write_text(made.file.name)
    file = folder / done.read_text()
    return Made(file, file.with_suffix(".db")), folder / "site"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The league of two seasons that has everything."""
    return _once(tmp_path_factory, "everything", made_league)[0]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its site."""
    return _once(tmp_path_factory, "everything", made_league)[1]


@pytest.fixture(scope="session")
def forty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of forty bots and forty rounds."""
    return _once(tmp_path_factory, "forty", lambda folder: made_field(folder, 40, 40))[1]


@pytest.fixture
def host(site: Path) -> Iterator[Served]:
    """The site on a server."""
    with served(site) as host:
        yield host


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of four matches."""
    return small_site(tmp_path_factory.mktemp("small"))


@pytest.fixture
def alone(visit: Visits, tmp_path: Path) -> Callable[..., Visit]:
    """Opens the folder of one record, as `harness replay show --web` makes it."""

    def opened(record: dict[str, Any], address: str = "", **kwargs: Any) -> Visit:
        path = f"viewer.html{address}"
        return ready(visit(record_site(tmp_path / "one", record), path, **kwargs))

    return opened

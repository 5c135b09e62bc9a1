"""What the docker backend asks of a Docker daemon, and what it says to its user when that goes wrong."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from sandbox.errors import MACHINE_ERRNOS, SandboxError, StartFailed
from sandbox.procfs import start_time

if TYPE_CHECKING:
    from requests import Response

__all__ = ["IMAGE", "INIT", "OWNER", "PLACE", "Daemon", "Image", "remove_leftovers", "this_owner", "this_place"]

IMAGE: Final = "tacora-bots"
"""The image that programs run in unless HARNESS_DOCKER_IMAGE names another."""

OWNER: Final = "tacora.owner"
"""Label of a container: the process that started it, as `this_owner` tells it."""
PLACE: Final = "tacora.place"
"""Label of a container: where that process id counts, as `this_place` tells it."""
INIT: Final = "tacora.init"
"""Label of an image: the program that is to be first in a container, where the image brings one.

One that nobody may read, as nobody may then look into its memory: the daemon's own runs as the program's user.
"""

_ANSWER_S: Final = 60.0
"""Seconds after which a daemon that does not answer is given up."""

_NO_SUCH_PATH: Final = ("not a directory", "file name too long", "too many links")
"""What a path can be, beside not there, that leads nowhere in an image; the daemon calls them failures of its own."""

_MAKE_IMAGE = "make it from this machine's own files: python -m sandbox.image.make_image"
_NOT_ALLOWED = "run as root, or as a user of the group that its socket belongs to (usermod -aG docker …)"
_NO_DAEMON = "start one (systemctl start docker), or name another's socket in DOCKER_HOST"


def this_owner() -> str:
    """Process id and start time, which tell this process from a later one of the same id."""
    return f"{os.getpid()}-{start_time(os.getpid())}"


def this_place() -> str:
    """This boot of the machine and this PID namespace: only there a process id means what it means here."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink('/proc/self/ns/pid')}"  # noqa: PTH115 - no path
    except OSError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class Image:
    """An image by its id, with PATH as it is there and the program that is to be first in its containers, if any."""

    id: str
    path: str
    init: str


class Daemon:
    """A connection to a Docker daemon; every failure to get what is asked for is a SandboxError."""

    def __init__(self, host: str | None = None, timeout_s: float = _ANSWER_S) -> None:
        """To the daemon at `host`, else at DOCKER_HOST, else at its usual socket."""
        # Half as dear to import as all the rest of the sandbox together.
        import docker

        self.host = host or os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
        if not self.host.startswith("unix://"):
            raise SandboxError(f"the Docker daemon at {self.host} is not on this machine; name a unix:// socket")
        self._timeout_s = timeout_s
        with self.asked("reached"):
            # Asked before, since the client leaves its socket open where nobody answers.
            self._knock()
            self.client = docker.APIClient(base_url=self.host, version="auto", timeout=timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up the connection; what was attached to stays open."""
        self.client.close()

    @contextlib.contextmanager
    def asked(self, what: str) -> Iterator[None]:
        """Turns what the daemon or the way to it says into a SandboxError: "a container can't be `what`"."""
        import docker.errors
        import requests

        try:
            yield
        except docker.errors.APIError as error:
            said = error.explanation
            said = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said or error)
            raise _refused(what, said) from error
        except (docker.errors.DockerException, requests.RequestException, OSError) as error:
            # The client's first question wraps what became of it.
            if isinstance(error, (TimeoutError, requests.Timeout)) or isinstance(error.__cause__, requests.Timeout):
                raise self._silent(what) from error
            raise self._cut_off(what, error) from error

    def _knock(self) -> None:
        """See that somebody listens. OSError."""
        with socket.socket(socket.AF_UNIX) as trial:
            trial.settimeout(self._timeout_s)
            trial.connect(self.host.removeprefix("unix://"))

    def _silent(self, what: str) -> SandboxError:
        return SandboxError(
            f"a container can't be {what}: the Docker daemon at {self.host} has not answered for "
            f"{self._timeout_s:g} s; see in its log what keeps it"
        )

    def _cut_off(self, what: str, error: Exception) -> SandboxError:
        """Why there is no answer: of what three packages wrap, the kernel's own word is had by asking it again."""
        reason: Exception = error
        if getattr(error, "errno", None) is None:
            try:
                self._knock()
            except TimeoutError:
                return self._silent(what)
            except OSError as found:
                reason = found
        if not isinstance(reason, OSError) or reason.errno is None:
            return SandboxError(
                f"a container can't be {what}: the Docker daemon at {self.host} broke off ({error}); see its log"
            )
        if reason.errno in MACHINE_ERRNOS:
            return SandboxError(
                f"a container can't be {what}: this machine can't make a connection: {reason.strerror}; "
                "run fewer matches at a time, or raise that limit"
            )
        remedy = _NOT_ALLOWED if isinstance(reason, PermissionError) else _NO_DAEMON
        return SandboxError(f"the Docker daemon at {self.host} can't be reached: {reason.strerror}; {remedy}")

    def find_image(self, name: str) -> Image | None:
        """What the daemon knows of an image, None if it does not have it. It is never fetched from anywhere."""
        import docker.errors

        with self.asked("made"):
            try:
                found = self.client.inspect_image(name)
            except docker.errors.ImageNotFound:
                return None
        environment = dict(word.partition("=")[::2] for word in found["Config"].get("Env") or ())
        path = environment.get("PATH", "/usr/local/bin:/usr/bin:/bin")
        return Image(found["Id"], path, (found["Config"].get("Labels") or {}).get(INIT, ""))

    def image(self, name: str) -> Image:
        """The same, where SandboxError says how to make one that is missing."""
        found = self.find_image(name)
        if found is None:
            raise SandboxError(f"the Docker daemon has no image {name!r}: {_MAKE_IMAGE}")
        return found

    def forget_image(self, image: str) -> None:
        """Remove an image that has no name any more; one that is in use or has another name stays."""
        import docker.errors

        with self.asked("forgotten"), contextlib.suppress(docker.errors.APIError):
            if not self.client.inspect_image(image)["RepoTags"]:
                self.client.remove_image(image)

    def create(self, config: Mapping[str, Any]) -> str:
        """A new container, not started; its id."""
        with self.asked("made"):
            return str(self.client.create_container_from_config(dict(config))["Id"])

    def attach(self, container: str, **streams: int) -> int:
        """A descriptor for the named streams of a container that has not started."""
        asked = {"stream": 1, **streams}
        upgrade = {"Connection": "Upgrade", "Upgrade": "tcp"}
        return self._opened(container, "attach", "attached to", params=asked, headers=upgrade)

    def await_end(self, container: str) -> int:
        """A descriptor that turns readable when a container that has not started yet has ended."""
        # The answer begins when the daemon watches, and goes on at the end.
        return self._opened(container, "wait", "watched", params={"condition": "next-exit"})

    def _opened(self, container: str, request: str, what: str, **details: Any) -> int:
        """A descriptor of a conversation with the daemon that goes on after its first answer."""
        with self.asked(what):
            url = self._url(container, request)
            with self.client.post(url, stream=True, timeout=self._timeout_s, **details) as answer:
                if answer.status_code >= 400:
                    raise _refused(what, _told(answer))
                # The client closes its own; a duplicate keeps the connection.
                return os.dup(answer.raw.fileno())

    def start(self, container: str) -> None:
        """Start a container."""
        with self.asked("started"):
            self.client.start(container)

    def state(self, container: str) -> dict[str, Any]:
        """What the daemon knows of its process: Pid, Running, ExitCode, OOMKilled."""
        with self.asked("asked for"):
            return dict(self.client.inspect_container(container)["State"])

    def kill(self, container: str) -> None:
        """SIGKILL to all that runs in a container; one that has ended is well."""
        import docker.errors

        with self.asked("killed"), contextlib.suppress(docker.errors.NotFound):
            try:
                self.client.kill(container)
            except docker.errors.APIError as error:
                if error.status_code != 409:  # it does not run
                    raise

    def remove(self, container: str) -> bool:
        """Kill a container and remove it with all that it wrote; False if that was done or under way already."""
        import docker.errors

        with self.asked("removed"):
            try:
                self.client.remove_container(container, force=True, v=True)
            except docker.errors.NotFound:
                return False
            except docker.errors.APIError as error:
                if error.status_code != 409:  # under way
                    raise
                return False
        return True

    def labelled(self, label: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Id and labels of each container, running or not, that has this label."""
        with self.asked("listed"):
            found = self.client.containers(all=True, filters={"label": label})
        for each in found:
            yield each["Id"], each["Labels"]

    def find_program(self, container: str, word: str, places: Sequence[str]) -> None:
        """See that a command's first word is a program in the container. StartFailed."""
        candidates = [word] if word.startswith("/") else [f"{place}/{word}" for place in places]
        refused = False
        for candidate in candidates:
            mode = self._mode(container, candidate)
            if mode is not None:
                if stat.S_IMODE(mode) & 0o111:
                    return
                refused = True
        if refused:
            raise StartFailed(f"the program {word!r} is not executable in the container")
        raise StartFailed(f"there is no program {word!r} in the container's image (PATH there: {':'.join(places)})")

    def _mode(self, container: str, path: str) -> int | None:
        """The mode of a file in a container, links followed; None if there is no such file."""
        for _ in range(8):
            with self.asked("looked into"):
                place = {"params": {"path": path}, "timeout": self._timeout_s}
                url = self._url(container, "archive")
                answer = self.client.head(url, **place)
                if answer.status_code >= 400:
                    # Only the long answer says why.
                    with self.client.get(url, stream=True, **place) as refusal:
                        if refusal.status_code == 404:
                            return None
                        said = _told(refusal) if refusal.status_code >= 400 else f"status {answer.status_code}"
                    if any(words in said for words in _NO_SUCH_PATH):
                        return None
                    raise _refused("looked into", said)
            told = json.loads(base64.b64decode(answer.headers["X-Docker-Container-Path-Stat"]))
            # Go's own bits for what kind of file it is, io/fs: ModeDir, ModeSymlink
            if told["mode"] & 1 << 31:
                return None
            if not told["mode"] & 1 << 27:
                return int(told["mode"])
            path = told["linkTarget"]
        return None

    def _url(self, container: str, what: str) -> str:
        return f"{self.client.base_url}/v{self.client.api_version}/containers/{container}/{what}"


def _told(answer: Response) -> str:
    """What the daemon says of a failure."""
    try:
        return str(answer.json()["message"])
    except (ValueError, KeyError, TypeError):
        return f"status {answer.status_code}"


def _refused(what: str, said: str) -> SandboxError:
    return SandboxError(f"a container can't be {what}: the Docker daemon says: {said.strip()}")


def remove_leftovers(host: str | None = None) -> int:
    """Remove the containers whose owner is dead, killed perhaps; how many there were. SandboxError: no daemon.

    An owner in another PID namespace of this machine can't be judged from here, so its containers stay.
    """
    place = this_place()
    boot = place.partition("/")[0]
    removed = 0
    with Daemon(host) as daemon:
        for container, labels in daemon.labelled(OWNER):
            where = labels.get(PLACE, "")
            if where.partition("/")[0] == boot:
                pid, _, started = labels[OWNER].partition("-")
                if where != place or (pid.isdigit() and str(start_time(int(pid))) == started):
                    continue
            removed += daemon.remove(container)
    return removed

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
from typing import Any, Final

from sandbox.errors import SandboxError, StartFailed
from sandbox.procfs import start_time

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
            with socket.socket(socket.AF_UNIX) as trial:
                trial.settimeout(timeout_s)
                trial.connect(self.host.removeprefix("unix://"))
            self.client = docker.APIClient(base_url=self.host, version="auto", timeout=timeout_s)

    @contextlib.contextmanager
    def asked(self, what: str) -> Iterator[None]:
        """Turns what the daemon or the way to it says into a SandboxError: "… can't be `what`"."""
        import docker.errors
        import requests

        try:
            yield
        except docker.errors.APIError as error:
            said = error.explanation
            said = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said or error)
            raise SandboxError(f"a container can't be {what}: the Docker daemon says: {said.strip()}") from error
        except (docker.errors.DockerException, requests.RequestException, OSError) as error:
            # The reason lies at the bottom of three packages' wrappings.
            reason: BaseException = error
            while (inner := reason.__cause__ or reason.__context__) is not None:
                reason = inner
            why = (reason.strerror if isinstance(reason, OSError) else None) or str(reason)
            remedy = _NOT_ALLOWED if isinstance(reason, PermissionError) else _NO_DAEMON
            raise SandboxError(f"the Docker daemon at {self.host} can't be reached: {why}; {remedy}") from error

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
        with self.asked("attached to"):
            sock = self.client.attach_socket(container, {"stream": 1, **streams})
            try:
                return os.dup(sock.fileno())
            finally:
                _let_go(sock)

    def await_end(self, container: str) -> int:
        """A descriptor that turns readable when a container that has not started yet has ended."""
        with self.asked("watched"):
            answer = self.client.post(
                self._url(container, "wait"),
                params={"condition": "next-exit"},
                stream=True,  # the answer begins when the daemon watches, and goes on at the end
                timeout=self._timeout_s,
            )
            answer.raise_for_status()
            sock = answer.raw._fp.fp.raw
            sock._response = answer
            try:
                return os.dup(sock.fileno())
            finally:
                _let_go(sock)

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
                answer = self.client.head(
                    self._url(container, "archive"), params={"path": path}, timeout=self._timeout_s
                )
            if answer.status_code != 200:
                return None
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


def _let_go(sock: Any) -> None:
    """Close the SDK's hold on a connection; a duplicate of its descriptor keeps it open."""
    sock._response.close()


def remove_leftovers(host: str | None = None) -> int:
    """Remove the containers whose owner is dead, killed perhaps; how many there were. SandboxError: no daemon.

    An owner in another PID namespace of this machine can't be judged from here, so its containers stay.
    """
    daemon = Daemon(host)
    place = this_place()
    boot = place.partition("/")[0]
    removed = 0
    for container, labels in daemon.labelled(OWNER):
        where = labels.get(PLACE, "")
        if where.partition("/")[0] == boot:
            pid, _, started = labels[OWNER].partition("-")
            if where != place or (pid.isdigit() and str(start_time(int(pid))) == started):
                continue
        removed += daemon.remove(container)
    return removed

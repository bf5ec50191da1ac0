"""Chunks of a sweep on the workers of a dask.distributed scheduler, which is an optional dependency.

Workers receive the scene once, as its text and its files, and compile it. A chunk whose worker is lost is repeated on
another one. The scheduler can run code in this process: connect only to one that you trust.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np
from distributed import Client, Future, Security, WorkerPlugin, get_worker
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from polhode.jit.storage.kept import CORE, FILES
from polhode.mesh.mesh import Meshes
from polhode.recording.scene_bundle import ExtractedBundle, bundle_scene
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.scene_writing import scene_text
from polhode.scene.variants.alone import alone
from polhode.sweep.chunks import Chunk, ChunkRunner
from polhode.sweep.engines.scheduler_answer import check_scheduler
from polhode.sweep.engines.threads import Submit
from polhode.sweep.variation import resolve

PATIENCE = 20  # [s] to connect, and for the first worker
ATTEMPTS = 3  # to run a chunk again after an error of its worker
OPTION = "--cluster"


def versions() -> dict[str, str]:
    """Versions, by name, that must be equal on all machines for equal bits."""
    digest = hashlib.sha256()
    for source in sorted(CORE.rglob("*.py")):
        digest.update(source.relative_to(CORE).as_posix().encode() + b"\0" + source.read_bytes())
    own = ""
    with suppress(PackageNotFoundError):  # sources that are not installed
        own = version("polhode")
    return {
        "polhode": f"{own} ({digest.hexdigest()[:16]} {FILES.path.name})",
        "python": sys.version.split()[0],
        "numpy": version("numpy"),
        "numba": version("numba"),
        "llvmlite": version("llvmlite"),
    }


class CellsPlugin(WorkerPlugin):
    """The scene of a sweep on a worker, and the runner of its cells, compiled for the first chunk."""

    def __init__(self, name: str, text: str, files: Mapping[str, bytes], length: float):
        """text: of the scene with this sweep; files: contents by name; length: [m] as of ChunkRunner."""
        self.name, self._text, self._files, self._length = name, text, dict(files), length

    def setup(self, worker: object) -> None:
        """Called by dask on the worker."""
        self._lock = Lock()

    @cached_property
    def _bundle(self) -> ExtractedBundle:
        return ExtractedBundle(self._files, self.name)

    @cached_property
    def _runner(self) -> ChunkRunner:
        scene = scene_of(tables_of(self._text, self.name), self.name).in_folder(self._bundle.folder)
        chunks = ChunkRunner(resolve(scene, scene.sweep[0]), Meshes())
        chunks.length = self._length
        return chunks

    def run(self, cells: np.ndarray) -> Chunk:
        """Run the cells (n,) on a thread of the worker."""
        with self._lock:
            runner = self._runner
        return runner.run(cells)

    def teardown(self, worker: object) -> None:
        """Called by dask when the sweep is over."""
        if "_runner" in self.__dict__:
            self._runner.cancel()


def run_on_worker(name: str, cells: np.ndarray) -> Chunk:
    """Run cells (n,) of the sweep `name` on the worker that calls this."""
    plugin = get_worker().plugins[name]
    assert isinstance(plugin, CellsPlugin)
    return plugin.run(cells)


class _Submitted:
    """A chunk on the cluster; errors of the cluster become problems."""

    def __init__(self, future: Future, address: str):
        self._future, self._address = future, address

    def result(self) -> Chunk:
        try:
            made = self._future.result()
        except KilledWorker:
            rule = Message("several workers were lost with the same cells of the sweep")
            raise _objection(self._address, rule, Message("see the logs of the workers: memory may be short")) from None
        except (
            OSError,
            TimeoutError,
            RuntimeError,
            CancelledError,
        ) as error:  # the last if the scheduler ended
            raise _end_of(self._address, error) from None
        assert isinstance(made, Chunk)
        return made

    def add_done_callback(self, callback: Callable[[Any], Any]) -> None:
        self._future.add_done_callback(lambda _: callback(self))


def connect(
    address: str,
    authority: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
    greeted: Callable[[], None] = lambda: None,
) -> Cluster:
    """The cluster at `address`, by tls with PEM files or dask's settings; arguments as of Cluster."""
    if authority is None or certificate is None or key is None:
        return Cluster(address, greeted=greeted)
    for file in (authority, certificate, key):
        if not file.is_file():
            raise InputError.of(str(file), Message("can't be read"), Message("name a file (PEM)"))
    files = {"tls_ca_file": str(authority), "tls_client_cert": str(certificate), "tls_client_key": str(key)}
    return Cluster(address, Security(**files, require_encryption=True), greeted)


class Cluster:
    """The workers of a scheduler. Raises InputError if it can't be reached, or if versions differ."""

    def __init__(self, address: str, security: Security | None = None, greeted: Callable[[], None] = lambda: None):
        """Connect to the scheduler at `address`, tcp://host:port or tls://host:port.

        security: certificates of tls; by default those of dask's own settings, distributed.comm.tls
        greeted: called before the scheduler could run code here
        """
        self.address, security = address, security or Security()
        try:
            check_scheduler(address, security.get_connection_args("client"), greeted)
            self._client = Client(address, timeout=PATIENCE, security=security, set_as_default=False)
        except InvalidValue as error:
            raise _objection(address, error.rule, error.remedy) from None
        except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
            rule = Message("can't be reached: {reason}", reason=str(error))
            remedy = Message("start 'dask scheduler' there, and for tls:// give the certificates")
            raise _objection(address, rule, remedy) from None
        self._check()

    def _check(self) -> None:
        """Raise InputError without workers, or with workers of other versions."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self.close()
            rule = Message("has no workers")
            raise _objection(self.address, rule, Message("start 'dask worker {at}'", at=self.address)) from None
        here = versions()
        for worker, there in self._versions_there():
            names = [name for name in here if there.get(name, here[name]) != here[name]]
            if names:
                self.close()
                rule = Message(
                    "worker {worker} has {there}, but this program is {here}",
                    worker=worker,
                    there=", ".join(f"{name} {there[name]}" for name in names),
                    here=", ".join(f"{name} {here[name]}" for name in names),
                )
                remedy = Message("install the same versions for all workers, and start them again")
                raise _objection(self.address, rule, remedy)

    def _versions_there(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Address and versions of each worker; only that of the package if it lacks this module."""
        answers = self._client.run(versions, on_error="return")
        listed: Any = self._client.get_versions(packages=["polhode"])  # needs none of our modules there
        for worker, found in sorted(answers.items()):
            installed = listed["workers"].get(worker, {}).get("packages", {}).get("polhode")
            yield worker, {"polhode": installed or "(none)"} | (found if isinstance(found, dict) else {})

    @property
    def workers(self) -> int:
        """Number of threads of all present workers, at least one."""
        return max(1, sum(self._client.nthreads().values()))

    @contextmanager
    def running(self, chunks: ChunkRunner) -> Iterator[Submit]:
        """See Engine of core/polhode/sweep/engines/threads.py."""
        variation = chunks.variation
        scene = alone(variation.scene, variation.sweep)
        bundle, name = bundle_scene(scene), f"polhode-sweep-{uuid4().hex}"
        plugin = CellsPlugin(name, scene_text(bundle.scene), bundle.files, chunks.length)
        self._client.register_plugin(plugin, name=name)
        submitted = set[Future]()

        def submit(cells: np.ndarray) -> _Submitted:
            future = self._client.submit(run_on_worker, name, cells, pure=False, retries=ATTEMPTS)
            submitted.add(future)
            future.add_done_callback(submitted.discard)
            return _Submitted(future, self.address)

        try:
            yield submit
        except (CommClosedError, CancelledError) as error:
            raise _end_of(self.address, error) from None
        finally:
            if self._client.status == "running":
                with suppress(OSError, TimeoutError, CancelledError):  # the scheduler has just ended
                    self._client.cancel(list(submitted))
                    self._client.unregister_worker_plugin(name)

    def close(self) -> None:
        """Disconnect from the scheduler."""
        self._client.close(timeout=1)


def _end_of(address: str, error: Exception) -> InputError:
    rule = Message("has stopped working: {reason}", reason=str(error))
    return _objection(address, rule, Message("start it again, and continue with --resume"))


def _objection(address: str, rule: Message, remedy: Message) -> InputError:
    return InputError.of("polhode", rule, remedy, f"{OPTION} {address}")

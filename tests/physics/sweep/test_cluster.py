"""Sweeps on a real scheduler of dask.distributed with two workers."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import polhode

pytest.importorskip("distributed")

from core.scene.problem import InputError
from core.scene.scene_file import read_scene, write_scene
from core.sweep.engines import cluster as clusters
from core.sweep.engines.cluster import Cluster, connect
from core.sweep.maps.map_file import read_map
from core.sweep.maps.map_layout import ARRAYS
from core.sweep.sweep import Sweep
from scenes import scene

FOLDER = Path(__file__).parents[3]
BASINS = "scenes/basins_of_three_magnets.toml"
QUIET = {"DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False", "PYTHONPATH": str(FOLDER)}
SCHEDULER = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
WORKER = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]


def begun(command, log):
    with log.open("w") as out:
        return subprocess.Popen(command, cwd=FOLDER, env=os.environ | QUIET, stdout=out, stderr=subprocess.STDOUT)


def address_of(log: Path) -> str:
    """What the scheduler says where it listens."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if (found := re.search(r"Scheduler at:\s+(\S+)", log.read_text())) is not None:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


class Processes:
    """A scheduler and two workers."""

    def __init__(self, folder: Path, *tls: str):
        self.all = [
            begun([*SCHEDULER, "--no-dashboard", *(("--protocol", "tls", *tls) if tls else ())], folder / "log")
        ]
        self.address = address_of(folder / "log")
        self.logs = [folder / f"worker{k}" for k in range(2)]
        self.workers = [begun([*WORKER, "--name", f"w{k}", *tls, self.address], log) for k, log in enumerate(self.logs)]
        self.all += self.workers

    def end(self):
        for process in self.all:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    made = Processes(tmp_path_factory.mktemp("cluster"))
    yield made
    made.end()


def sized(count: int, **more):
    """The scene of the basins and its sweep with `count` cells a side."""
    given = read_scene(BASINS)
    axes = tuple(axis.model_copy(update={"count": count}) for axis in given.sweep[0].axes)
    return given, given.sweep[0].model_copy(update={"axes": axes} | more)


def same_bytes(one, other) -> bool:
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in (*ARRAYS, "features"))


def test_a_cluster_gives_the_same_bytes_as_threads(two, monkeypatch):
    monkeypatch.setattr("core.sweep.sweep.CHUNK_SECONDS", 0.05)
    cluster = Cluster(two.address)
    given, settings = sized(24)
    made = Sweep(given, settings, engine=cluster).run()
    assert same_bytes(made, Sweep(given, settings, workers=1).run())
    changed = settings.model_copy(update={"outcome": settings.outcome.model_copy(update={"near": ()})})
    small = changed.model_copy(update={"axes": tuple(axis.model_copy(update={"count": 6}) for axis in settings.axes)})
    assert same_bytes(Sweep(given, small, engine=cluster).run(), Sweep(given, small).run())
    cluster.close()


def test_a_cluster_tells_the_rests_of_free_bodies_apart_as_threads_do(two):
    """Their distances count in a length that is found before the first chunk, and workers get it."""
    force = {"on": "ball", "force": {"x": "x - x^3 - 0.4*vx", "y": "-y", "z": "-z"}}
    ball = {"name": "ball", "radius": 0.02, "mass": 0.4}
    axis = {"parameter": "sphere[0].position[0]", "range": [-1.5, 1.5], "count": 4}
    sweep = {"until": 40.0, "axes": [axis], "outcome": {"kind": "attractor"}}
    given = scene(gravity=[0, 0, 0], time_step=0.02, sphere=[ball], force=[force], sweep=[sweep])
    cluster = Cluster(two.address)
    made = Sweep(given, engine=cluster).run()
    cluster.close()
    assert made.label.tolist() == [0, 0, 1, 1]
    assert same_bytes(made, Sweep(given).run())


def test_meshes_travel_with_the_scene(two):
    given = read_scene("scenes/magnet_pendulum.toml")
    axis = {"parameter": "body[0].friction", "range": [0, 1e-3], "count": 3}
    swept = type(given).model_validate(dict(given) | {"sweep": [{"until": 0.05, "axes": [axis]}]})
    given = swept.in_folder(given.folder)
    cluster = Cluster(two.address)
    assert same_bytes(Sweep(given, engine=cluster).run(), Sweep(given).run())
    cluster.close()


def test_the_command_runs_on_a_cluster(two, tmp_path):
    given, settings = sized(8)
    write_scene(given.model_copy(update={"sweep": (settings,)}), tmp_path / "scene.toml")
    done = polhode("sweep", "scene.toml", "--out", "map.h5", "--cluster", two.address, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "use a scheduler that you trust" in done.stderr
    assert same_bytes(read_map(tmp_path / "map.h5").map, Sweep(given, settings).run())


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (("--cluster", "nowhere"), "no address of a scheduler"),
        (("--cluster", "tcp://127.0.0.1:1", "--workers", "2"), "--workers: can't be given with --cluster"),
    ],
)
def test_clusters_that_are_refused_by_the_command(options, rule, tmp_path):
    done = polhode("sweep", "basins_of_three_magnets", "--out", "map.h5", *options, folder=tmp_path)
    assert done.returncode == 2
    assert rule in done.stderr
    assert "Traceback" not in done.stderr


def test_workers_of_another_version_are_refused(two, monkeypatch):
    monkeypatch.setattr(clusters, "version", lambda name: "0.1")  # here: the workers have a module of their own
    with pytest.raises(InputError, match="numpy is .* but 0.1 here"):
        Cluster(two.address)


def test_addresses_that_lead_nowhere(monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    with pytest.raises(InputError, match="no address of a scheduler"):
        Cluster("nowhere")
    with pytest.raises(InputError, match="can't be reached"):
        Cluster("tcp://127.0.0.1:1")
    with pytest.raises(InputError, match="can't be reached"):
        Cluster("tls://127.0.0.1:1")


def test_a_killed_worker_loses_no_cell(two, monkeypatch):
    """The last test of these processes: one of them is gone afterwards."""
    monkeypatch.setattr("core.sweep.sweep.CHUNK_SECONDS", 0.1)
    cluster = Cluster(two.address)
    given, settings = sized(96)
    sweep, killed = Sweep(given, settings, engine=cluster), []

    def kill(run):
        if not killed and run.map.done > 0.1:
            os.kill(two.workers[0].pid, signal.SIGKILL)
            killed.append(run.map.done)

    made = sweep.run(kill)
    assert killed
    assert killed[0] < 0.5
    assert same_bytes(made, Sweep(given, settings).run())
    assert cluster.workers == 1
    cluster.close()


def test_tls_with_certificates(tmp_path):
    """Scheduler, workers and program prove who they are; without certificates nothing connects."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=polhode"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    files = ["--tls-ca-file", str(certificate), "--tls-cert", str(certificate), "--tls-key", str(key)]
    processes = Processes(tmp_path, *files)
    try:
        assert processes.address.startswith("tls://")
        cluster = connect(processes.address, certificate, certificate, key)
        given, settings = sized(8)
        assert same_bytes(Sweep(given, settings, engine=cluster).run(), Sweep(given, settings).run())
        cluster.close()
        with pytest.raises(InputError, match="can't be reached"):
            connect(processes.address)
        with pytest.raises(InputError, match="can't be read"):
            connect(processes.address, tmp_path / "none.pem", certificate, key)
    finally:
        processes.end()

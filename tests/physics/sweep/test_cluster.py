"""Sweeps on a real scheduler of dask.distributed with two workers."""

import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from command_line import FORKS, forked, polhode
from import_path import IMPORT_PATH
from sampling import sampled

pytest.importorskip("distributed")

import distributed
from meaning import Meaning, refuses
from switching_scenes import LAWS, scene_with

from polhode.analysis.columns import columns
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.simulation import Simulation
from polhode.sweep.engines import cluster as clusters
from polhode.sweep.engines import scheduler_answer
from polhode.sweep.engines.cluster import Cluster, connect
from polhode.sweep.maps.map_file import read_map
from polhode.sweep.maps.map_layout import ARRAYS
from polhode.sweep.sweep import Sweep
from scenes import scene

BASINS_NAME = "basins_of_three_magnets"
BASINS = f"scenes/{BASINS_NAME}.toml"
QUIET = {"DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False"}
SCHEDULER = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
WORKER = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]


IMPATIENT = """
import sys
from polhode.sweep.engines import scheduler_answer
from polhode_app.__main__ import main
scheduler_answer.ANSWER = 1.0
sys.exit(main())
"""


def begun(command, log, path=IMPORT_PATH):
    """Start a process in a folder that has no packages; `path`: where it finds modules."""
    given = os.environ | QUIET | {"PYTHONPATH": path}
    with log.open("w") as out:
        return subprocess.Popen(command, cwd=log.parent, env=given, stdout=out, stderr=subprocess.STDOUT)


def address_of(log: Path, what: str = "Scheduler") -> str:
    """Address in the log of a scheduler, or of a worker (`what` is then "Start worker")."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if (found := re.search(rf"{what} at:\s+(\S+)", log.read_text())) is not None:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


class Processes:
    """A scheduler and two workers."""

    def __init__(self, folder: Path, *tls: str, path: str = IMPORT_PATH):
        self.all = [
            begun([*SCHEDULER, "--no-dashboard", *(("--protocol", "tls", *tls) if tls else ())], folder / "log")
        ]
        self.address = address_of(folder / "log")
        self.logs = [folder / f"worker{k}" for k in range(2)]
        worker = WORKER if path == IMPORT_PATH else [WORKER[0], "-S", *WORKER[1:]]  # this program may be installed
        self.workers = [
            begun([*worker, "--name", f"w{k}", *tls, self.address], log, path) for k, log in enumerate(self.logs)
        ]
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
    monkeypatch.setattr("polhode.sweep.sweep.CHUNK_SECONDS", 0.05)
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


@pytest.mark.nightly
@pytest.mark.parametrize("law", LAWS)
def test_laws_that_switch_have_the_bits_of_a_run_on_workers(two, law):
    """Some columns at the end of a run with the weight that the scene states, which is that of the first cell."""
    given, ends = scene_with(law), 0.3
    simulation = Simulation(given)
    simulation.advance(ends)
    cluster = Cluster(two.address)
    row = [*zip(columns(simulation.compiled), simulation.snapshot().numbers, strict=True)]
    for name, number in row[1 :: len(row) // 3]:
        axis = {"parameter": "world.gravity[2]", "range": [given.world.gravity[2], -5.0], "count": 2}
        sweep = {"until": ends, "axes": [axis], "outcome": {"kind": "final", "quantity": name}}
        made = Sweep(given, SweepSettings.model_validate(sweep), engine=cluster).run()
        assert np.array_equal(made.value[0], number, equal_nan=True), name
    cluster.close()


def test_meshes_travel_with_the_scene(two):
    given = read_scene("scenes/magnet_pendulum.toml")
    axis = {"parameter": "body[0].friction", "range": [0, 1e-3], "count": 3}
    swept = type(given).model_validate(dict(given) | {"sweep": [{"until": 0.05, "axes": [axis]}]})
    given = swept.in_folder(given.folder)
    cluster = Cluster(two.address)
    assert same_bytes(Sweep(given, engine=cluster).run(), Sweep(given).run())
    cluster.close()


@pytest.mark.nightly
def test_the_command_runs_on_a_cluster(two, tmp_path):
    given, settings = sized(8)
    write_scene(given.model_copy(update={"sweep": (settings,)}), tmp_path / "scene.toml")
    done = polhode("sweep", "scene.toml", "--out", "map.h5", "--cluster", two.address, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert Meaning("", "trust", address=two.address).of(done.stderr)
    assert same_bytes(read_map(tmp_path / "map.h5").map, Sweep(given, settings).run())


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (
            ("--cluster", "nowhere"),
            Meaning("--cluster nowhere", "address"),
        ),
        (("--cluster", "tcp://127.0.0.1:1", "--workers", "2"), Meaning("--workers", other="--cluster")),
    ],
)
def test_clusters_that_are_refused_by_the_command(options, rule, tmp_path):
    done = polhode("sweep", "basins_of_three_magnets", "--out", "map.h5", *options, folder=tmp_path)
    assert done.returncode == 2
    assert rule.of(done.stderr)
    assert "Traceback" not in done.stderr


def test_workers_of_another_version_are_refused(two, monkeypatch):
    monkeypatch.setattr(clusters, "version", lambda name: "0.1")  # here: the workers have a module of their own
    with refuses(f"--cluster {two.address}", "numpy", "numba") as error:
        Cluster(two.address)
    assert "\n" not in str(error.value)


def other_package(folder: Path, name: str, version: str) -> str:
    """A module path with another version of Polhode, whose modules are in the package `name`; `sweep` is empty."""
    about = folder / f"polhode-{version}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: polhode\nVersion: {version}\n")
    (folder / name / "sweep").mkdir(parents=True)
    for file in (f"{name}/__init__.py", f"{name}/sweep/__init__.py"):
        (folder / file).touch()
    return os.pathsep.join([str(folder), str(Path(distributed.__file__).parents[1])])


@pytest.mark.parametrize(("package", "version"), sampled([("core", "0.1.0"), ("polhode", "0.0.9")], 2))
def test_workers_with_another_version_of_polhode_end_a_sweep_with_one_message(package, version, tmp_path):
    """Before 0.2 the package was `core`; another version may lack the module that answers."""
    path = other_package(tmp_path / "other", package, version)
    processes = Processes(tmp_path, path=path)
    try:
        done = polhode("sweep", BASINS_NAME, "--out", "map.h5", "--cluster", processes.address, folder=tmp_path)
    finally:
        processes.end()
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = [line for line in done.stderr.splitlines() if line.startswith(f"polhode: --cluster {processes.address}")]
    there, here = f"polhode {version}", f"polhode {metadata.version('polhode')} ("
    assert here in line
    assert there in line.partition(here)[0]


@pytest.mark.parametrize(
    "address",
    ["nowhere", "tcp://", "tcp://:", "tls://:", "tcp://127.0.0.1", "tcp://127.0.0.1:x", "tcp://127.0.0.1:-1"]
    + ["tcp://127.0.0.1:0", "tcp://127.0.0.1:99999", "tcp://[::1", "tcp://*:1", "tcp://a b:1", "tcp://u@host:1"]
    + [
        "http://127.0.0.1:1",
        "tcp://127.0.0.1:1/x",
        "tcp://\n:1",
        "tcp://h\0:1",
        "tcp://" + "x" * 5000 + ":1",
        "TCP://h:1",
    ],
)
def test_addresses_that_are_none(address):
    with refuses(f"--cluster {address}", "address") as error:
        Cluster(address)
    assert "\n" not in str(error.value)


def test_addresses_that_lead_nowhere():
    with refuses("--cluster tcp://127.0.0.1:1", "reached"):
        Cluster("tcp://127.0.0.1:1")
    with refuses("--cluster tls://127.0.0.1:1", "certificates"):
        Cluster("tls://127.0.0.1:1")
    with pytest.raises(InputError) as error:
        Cluster("tcp://name.invalid:1")
    assert any(Meaning("--cluster tcp://name.invalid:1", term).of(error.value) for term in ("reached", "answer"))


def web(client):
    """A web server: it waits for a request, and says that it was a bad one."""
    client.recv(10_000)
    client.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 3\r\n\r\nbad")


def drip(client):
    for _ in range(1000):
        client.sendall(b"\x08")
        time.sleep(0.05)


def greeting(client):
    """The greeting of a scheduler, and the end after that of the program."""
    frame = b"\x83\xabcompression\xc0\xa6python\x93\x03\x0b\x07\xafpickle-protocol\x05"
    body = struct.pack("<QQ", 1, len(frame)) + frame
    client.sendall(struct.pack("<Q", len(body)) + body)
    client.recv(10_000)


def endless(client):
    while True:
        client.sendall(b"\xff" * 100_000)


STRANGERS = {
    "a web server": (web, ["answer"]),
    "silence": (lambda client: time.sleep(60), ["answer"]),
    "an end": (lambda client: None, ["closed"]),
    "drops": (drip, ["answer", "scheduler"]),
    "garbage": (lambda client: client.sendall(random.Random(1).randbytes(100_000)), ["scheduler"]),
    "zeros": (lambda client: client.sendall(b"\0" * 1000), ["scheduler"]),
    "an endless stream": (endless, ["scheduler"]),
    "a frame of a terabyte": (lambda client: client.sendall(struct.pack("<Q", 2**40)), ["scheduler"]),
    "a text line": (lambda client: client.sendall(b"220 smtp ready\r\n"), ["scheduler"]),
    "a greeting, then silence": (lambda client: greeting(client) or time.sleep(60), ["answer"]),
    "a greeting, then an end": (greeting, ["reached"]),
}


@pytest.fixture
def stranger():
    """The address of a server that treats each client in a way of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield (
            lambda treat: (
                Thread(target=serve, args=(listening, treat), daemon=True).start()
                or "tcp://{}:{}".format(*listening.getsockname())
            )
        )


def serve(listening, treat):
    def one(client):
        with client, suppress(OSError):
            treat(client)

    with suppress(OSError):  # the end of the test
        while True:
            Thread(target=one, args=(listening.accept()[0],), daemon=True).start()


@pytest.mark.parametrize("kind", sampled(STRANGERS, 3))
def test_servers_that_are_no_schedulers(kind, stranger, monkeypatch, capfd):
    monkeypatch.setattr(scheduler_answer, "ANSWER", 1.0)
    treat, terms = STRANGERS[kind]
    address, began = stranger(treat), time.monotonic()
    with pytest.raises(InputError) as error:
        Cluster(address)
    assert time.monotonic() - began < 5
    assert any(Meaning(f"--cluster {address}", term).of(error.value) for term in terms)
    assert "\n" not in str(error.value)
    assert capfd.readouterr().err == ""


@pytest.mark.nightly
@pytest.mark.skipif(not FORKS, reason="no forks of the program")
def test_the_command_says_one_line_about_a_server_that_is_silent(stranger, tmp_path):
    """A process of its own: it also ends. It has less patience than usual."""
    address, began = stranger(STRANGERS["silence"][0]), time.monotonic()
    words = ["sweep", BASINS_NAME, "--out", "map.h5", "--cluster", address]
    done = forked(words, tmp_path, IMPATIENT)
    assert time.monotonic() - began < 10
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert Meaning(f"polhode: --cluster {address}", "answer").of(line)


def test_a_worker_is_no_scheduler(two):
    address = address_of(two.logs[0], "Start worker")
    with refuses(f"--cluster {address}", kind="Worker"):
        Cluster(address)


@pytest.mark.nightly
def test_a_scheduler_that_is_stopped_does_not_answer(two, monkeypatch):
    monkeypatch.setattr(scheduler_answer, "ANSWER", 1.0)
    scheduler = two.all[0]
    scheduler.send_signal(signal.SIGSTOP)
    try:
        with refuses(f"--cluster {two.address}", "answer"):
            Cluster(two.address)
    finally:
        scheduler.send_signal(signal.SIGCONT)


@pytest.mark.nightly
def test_a_killed_worker_loses_no_cell_and_a_killed_scheduler_ends_the_sweep_with_one_message(
    tmp_path, monkeypatch, capfd
):
    monkeypatch.setattr("polhode.sweep.sweep.CHUNK_SECONDS", 0.1)
    processes = Processes(tmp_path)
    try:
        cluster = Cluster(processes.address)
        kill_a_worker(cluster, processes)
        kill_the_scheduler(cluster, processes)
        cluster.close()
    finally:
        processes.end()
    assert "Traceback" not in capfd.readouterr().err


def kill_a_worker(cluster, processes):
    given, settings = sized(96)
    sweep, killed = Sweep(given, settings, engine=cluster), []

    def kill(run):
        if not killed and run.map.done > 0.1:
            os.kill(processes.workers[0].pid, signal.SIGKILL)
            killed.append(run.map.done)

    made = sweep.run(kill)
    assert killed
    assert killed[0] < 0.5
    assert same_bytes(made, Sweep(given, settings).run())
    assert cluster.workers == 1


def kill_the_scheduler(cluster, processes):
    given, settings = sized(96)

    def kill(run):
        if 0.1 < run.map.done:
            processes.all[0].kill()

    with refuses(f"--cluster {processes.address}", "stopped") as error:
        Sweep(given, settings, engine=cluster).run(kill)
    assert "\n" not in str(error.value)


@pytest.mark.nightly
def test_tls_with_certificates(tmp_path, monkeypatch):
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
        with refuses(f"--cluster {processes.address}", "certificates"):
            connect(processes.address)
        monkeypatch.setattr(scheduler_answer, "ANSWER", 1.0)
        plain = processes.address.replace("tls", "tcp")
        with pytest.raises(InputError) as error:  # it speaks tls alone
            connect(plain)
        assert any(Meaning(f"--cluster {plain}", term).of(error.value) for term in ("reached", "answer"))
        with refuses("none.pem", "read"):
            connect(processes.address, tmp_path / "none.pem", certificate, key)
    finally:
        processes.end()

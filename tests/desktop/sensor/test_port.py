"""A serial port that is unplugged, busy, not permitted, silent, or sends garbage: the reader reports and continues."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo
from serial_ports import Cable, until

from polhode_app.sensor import port as module
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.port import Address, Device, PortWatch, SerialPort, SteadyTimes, group_of, sample
from polhode_app.sensor.protocol import ASK, Greeting, line
from polhode_app.sensor.sources import Sample, read_recording

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no ptys on this system")

GREETING = line("H,1,hc-sr04,1.0,25")


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    with Cable(tmp_path / "ttyTest") as plugged:
        yield plugged


@contextmanager
def reading(port: SerialPort) -> Iterator[list[Sample]]:
    heard: list[Sample] = []
    port.start(heard.append)
    try:
        yield heard
    finally:
        assert port.stop(), "the thread did not end"


def reader(cable: Cable, **settings: object) -> SerialPort:
    return SerialPort(Address(str(cable.path)), **settings)


def say_until(cable: Cable, data: bytes, heard: list[Sample], count: int = 1) -> None:
    """Writes repeatedly: what is written before a port is open may be lost."""
    wanted = len(heard) + count

    def spoken() -> bool:
        cable.say(data)
        time.sleep(0.02)
        return len(heard) >= wanted

    until(spoken, f"{len(heard)} of {wanted} samples")


def test_lines_become_samples(cable: Cable) -> None:
    port = reader(cable)
    with reading(port) as heard:
        say_until(cable, GREETING + line("D,5,1250,256.3,ok") + line("D,6,1275,,far"), heard, 2)
        assert port.greeting == Greeting(1, "hc-sr04", "1.0", 0.025)
        assert port.state.kind == "reading"
        assert (heard[0].time, heard[0].raw, heard[0].status) == (1.25, 256.3, "ok")
        assert (heard[1].time, heard[1].raw, heard[1].status) == (1.275, None, "far")
        assert 0 <= time.perf_counter() - heard[1].arrived < 5.0


def test_bare_numbers_are_in_the_unit_that_was_chosen(cable: Cable) -> None:
    with reading(reader(cable, unit="cm")) as heard:
        say_until(cable, b"25.5\r\n", heard, 3)
        assert {each.raw for each in heard} == {255.0}
        assert all(after.time > before.time for before, after in pairwise(heard))


@pytest.mark.parametrize("value", [-1.0, 65535.0, 1e300])
def test_numbers_that_no_sensor_means_are_no_distance(value: float) -> None:
    assert sample(0.0, value, 0.0, "ok") == Sample(0.0, None, 0.0, "fault")


def test_a_board_is_asked_for_its_greeting_and_one_that_says_nothing_is_told_of(
    cable: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RESET", 0.2)
    monkeypatch.setattr(module, "SILENCE_TIME", 0.6)
    port = reader(cable)
    with reading(port) as heard:
        until(lambda: port.state.kind == "waiting", "never opened")
        until(lambda: cable.hear() == ASK, "never asked")
        until(lambda: cable.hear() == ASK, "not asked again")
        until(lambda: port.state.kind == "silent", "its silence was not told of")
        say_until(cable, line("D,5,1250,256.3,ok"), heard)
        until(lambda: port.state.kind == "reading", "late lines were not taken")
        until(lambda: cable.hear() == ASK, "who sends checked lines has a greeting, and is not asked for it")
        say_until(cable, GREETING + line("D,6,1250,256.3,ok"), heard)
        assert port.greeting is not None
        cable.hear()
        time.sleep(0.5)
        assert cable.hear() == b""  # it is known now


def test_a_wrong_baud_rate_is_told_of(cable: Cable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENCE_TIME", 0.3)
    port = reader(cable)
    with reading(port):
        until(lambda: cable.say(b"\xfe\x80\n\xf8\x00\n") and port.state.kind == "unreadable", "not told of")


def test_it_goes_on_after_it_was_unplugged(cable: Cable) -> None:
    port = reader(cable)
    with reading(port) as heard:
        for turn in range(3):
            say_until(cable, line(f"D,{turn},1250,256.3,ok"), heard)
            cable.unplug()
            until(lambda: port.state.kind == "unplugged", "it was not noticed")
            cable.plug()
        say_until(cable, line("D,9,1250,256.3,ok"), heard)


def test_it_waits_for_what_is_not_there_yet(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "ttyLater")
    port = reader(cable)
    with reading(port) as heard:
        until(lambda: port.state.kind == "missing", "not told of")
        with cable:
            say_until(cable, line("D,9,1250,256.3,ok"), heard)


def test_a_usb_device_is_found_again_at_another_path(tmp_path: Path) -> None:
    board = Address("/dev/ttyACM0", 0x2341, 0x43, "55736")
    other = Device(Address("/dev/ttyACM0", 0x2341, 0x43, "99"), "another Uno")
    there: list[Device] = [other]
    first, second = Cable(tmp_path / "ttyACM0"), Cable(tmp_path / "ttyACM1")
    port = SerialPort(board, list_devices=lambda: there)
    with reading(port) as heard:
        until(lambda: port.state.kind == "missing", "it took another device")
        for cable in (first, second):
            with cable:
                there[:] = [other, Device(Address(str(cable.path), 0x2341, 0x43, "55736"), "Uno")]
                say_until(cable, line("D,9,1250,256.3,ok"), heard)
                there[:] = [other]
            until(lambda: port.state.kind == "unplugged", "not noticed")


def test_a_port_that_another_program_has_is_told_of_and_taken_when_it_is_free(cable: Cable) -> None:
    port, owner = reader(cable), reader(cable)
    with reading(owner) as first:
        say_until(cable, line("D,1,1250,256.3,ok"), first)
        port.start(lambda _sample: None)
        until(lambda: port.state.kind == "taken", f"not told of: {port.state}")
    until(lambda: port.state.kind in ("waiting", "reading"), "not taken")
    assert port.stop()


def test_a_forbidden_port_names_the_group_that_may_use_it(cable: Cable, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise module.serial.SerialException(module.errno.EACCES, "permission denied")

    if os.geteuid() == 0:  # to whom nothing is forbidden
        monkeypatch.setattr(module.serial, "Serial", forbidden)
        cable.path.chmod(0o660)
    else:
        cable.path.chmod(0)
    port = reader(cable)
    with reading(port):
        until(lambda: port.state.kind == "denied", "not told of")
        assert port.state.detail == group_of(str(cable.path))


def test_the_group_of_a_device_is_named(tmp_path: Path) -> None:
    device = tmp_path / "ttyS"
    device.touch()
    grp = pytest.importorskip("grp")
    device.chmod(0o660)
    assert group_of(str(device)) == grp.getgrgid(device.stat().st_gid).gr_name
    device.chmod(0o600)  # whose group may not use it, either
    assert group_of(str(device)) == ""
    assert group_of(str(tmp_path / "nothing")) == ""


def test_a_flood_of_garbage_is_survived(cable: Cable) -> None:
    chance = random.Random(4)
    port = reader(cable)
    with reading(port) as heard:
        until(lambda: port.state.kind == "waiting", "never opened")
        sent, begun = 0, time.monotonic()
        while sent < 100_000 or time.monotonic() < begun + 1.5:
            assert time.monotonic() < begun + 60.0, "nothing is read"
            sent += cable.say(chance.randbytes(4096))
        assert len(heard) < sent / 1000  # bare numbers may stand in garbage by chance, one in many lines
        count = len(heard)
        say_until(cable, b"\n" + line("D,9,1250,256.3,ok"), heard)
        assert len(heard) > count


def test_a_flood_of_lines_is_read(cable: Cable) -> None:
    port = reader(cable)
    with reading(port) as heard:
        until(lambda: port.state.kind == "waiting", "never opened")
        block, rest, sent = b"".join(line(f"D,{k},{10 * k},100.0,ok") for k in range(100)), b"", 0
        end = time.monotonic() + 1.0
        while time.monotonic() < end or rest:
            rest = rest or block
            gone = cable.say(rest)
            rest = rest[gone:]
            sent += gone
        until(lambda: len(heard) == sent // len(block) * 100, "lines are missing")
        assert port.counts.bad == 0


def test_a_flood_of_bare_numbers_does_not_run_ahead_of_the_clock(cable: Cable, tmp_path: Path) -> None:
    """Neither the times of samples, of which each is later than the one before, nor those of a log of them."""
    port, hub, heard = reader(cable), SensorHub(), []
    hub.start_log(tmp_path / "log.csv")

    def hear(sample: Sample) -> None:
        heard.append((sample.time, time.perf_counter()))
        hub._on_sample(None, sample)

    begin = time.perf_counter()
    port.start(hear)
    until(lambda: port.state.kind == "waiting", "never opened")
    end = time.monotonic() + 20.0
    while len(heard) < 20_000:
        assert time.monotonic() < end, "nothing is read"
        if not cable.say(b"300\n" * 1000):
            time.sleep(0.001)
    port.stop()
    taken = time.perf_counter() - begin
    hub.stop_log()
    assert max(given - now for given, now in heard) < 0.05
    assert all(before < after for (before, _), (after, _) in pairwise(heard))
    logged = [row[0] for row in read_recording(tmp_path / "log.csv")]
    assert len(logged) >= 20_000
    assert logged[-1] < taken


@pytest.mark.nightly
def test_a_flood_takes_a_part_of_a_core_only(cable: Cable) -> None:
    """Processor time of the reader's own thread: a fifth, and what it does between two of its looks at the clock."""
    port = reader(cable)
    clock: list[tuple[float, float]] = []
    port.start(lambda _sample: clock.append((time.monotonic(), time.thread_time())))
    until(lambda: port.state.kind == "waiting", "never opened")
    end = time.monotonic() + 60.0
    while len(clock) < 2 or clock[-1][0] - clock[0][0] < 3.0:  # of its own time, however busy the machine is
        assert time.monotonic() < end, "nothing is read"
        if not cable.say(b"300\n" * 1000):
            time.sleep(0.001)
    port.stop()
    (begin, worked), (last, work) = clock[0], clock[-1]
    assert len(clock) > 1000
    assert (work - worked) / (last - begin) < 0.4


def test_a_board_that_falls_silent_is_told_of_and_goes_on(cable: Cable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polhode_app.sensor.port.SILENCE_TIME", 0.3)
    port = reader(cable)
    with reading(port) as heard:
        say_until(cable, line("D,9,1250,256.3,ok"), heard)
        until(lambda: port.state.kind == "silent", "it is not told of")
        count = len(heard)
        say_until(cable, line("D,10,1260,256.3,ok"), heard)
        assert len(heard) > count
        until(lambda: port.state.kind == "reading", "it does not go on")


def test_opening_and_ending_leave_nothing_behind(cable: Cable) -> None:
    def files() -> int:
        opened = Path("/proc/self/fd")
        return len([*opened.iterdir()]) if opened.is_dir() else 0

    before, threads = files(), threading.active_count()
    for _ in range(20):
        with reading(reader(cable)) as heard:
            say_until(cable, line("D,9,1250,256.3,ok"), heard)
    assert (files(), threading.active_count()) == (before, threads)


def test_ports_are_looked_at_while_they_come_and_go(tmp_path: Path) -> None:
    here: list[Device] = []
    watch = PortWatch(lambda: list(here), every=0.01)
    watch.start()
    here.append(Device(Address("/dev/ttyACM0", 0x2341, 0x43, "1"), "Arduino Uno"))
    until(lambda: watch.found == tuple(here), "it did not appear")
    here.clear()
    until(lambda: watch.found == (), "it did not go")
    watch.stop()


def test_ports_with_something_plugged_in_are_listed_boards_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyserial's own records: a board with USB numbers, a device without, and a port that nothing is plugged into."""
    board, plain, empty = (ListPortInfo(path) for path in ("/dev/ttyUSB7", "/dev/ttyS0", "/dev/ttyS1"))
    board.vid, board.pid, board.serial_number, board.description = 0x2341, 0x43, "A1", "Arduino Uno"
    plain.hwid = "PNP0501"
    real = {info.device for info in list_ports.comports()}
    assert {device.address.path for device in module.devices()} <= real
    monkeypatch.setattr(list_ports, "comports", lambda: [empty, plain, board])
    assert module.devices() == [
        Device(Address("/dev/ttyUSB7", 0x2341, 0x43, "A1"), "Arduino Uno"),
        Device(Address("/dev/ttyS0", None, None, None), ""),
    ]


def test_measurements_without_times_that_come_in_bursts_get_a_steady_pace() -> None:
    """100 lines per second through a buffer that is emptied every 16 ms, as that of a common USB chip."""
    measured = [0.01 * k for k in range(2000)]
    steady = SteadyTimes()
    times = [steady(0.016 * -(-each // 0.016)) for each in measured]
    steps = [after - before for before, after in pairwise(times)]
    assert min(steps) > 0
    late = [time - each for time, each in zip(times, measured, strict=True)][1000:]
    assert max(late) - min(late) < 0.004  # of 16 ms
    assert all(0.008 < step < 0.012 for step in steps[1000:])

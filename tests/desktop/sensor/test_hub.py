"""From any source to a place for the physics: replaced while it runs, held when it is lost, recorded and played."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from meaning import Meaning, refuses
from serial_ports import until

from polhode_app.sensor.calibration import calibrated
from polhode_app.sensor.filtering import FilterSettings
from polhode_app.sensor.hub import AHEAD, LOST, SensorHub
from polhode_app.sensor.sources import (
    Listener,
    LogPlayback,
    Sample,
    SimulatedSensor,
    Source,
    State,
    Wave,
    read_noise,
    read_recording,
)

if sys.platform != "win32":
    import resource


class Given(Source):
    """Samples that a test gives."""

    def __init__(self) -> None:
        super().__init__()
        self.hear: Listener | None = None

    def _work(self, hear: Listener) -> None:
        self.state = State("reading")
        self.hear = hear
        self._stopping.wait()

    def give(self, *raw: float | None, step: float = 0.025) -> None:
        """As if measured at a steady pace, the last one just now."""
        now = perf_counter()
        assert self.hear is not None
        for back, value in zip(range(len(raw) - 1, -1, -1), raw, strict=True):
            at = now - back * step
            self.hear(Sample(at, value, at, "ok" if value is not None else "far"))


@pytest.fixture
def hub() -> Iterator[SensorHub]:
    made = SensorHub()
    yield made
    made.stop()


def given(hub: SensorHub) -> Given:
    source = Given()
    hub.connect(source)
    until(lambda: source.hear, "the source did not start")
    return source


def test_nothing_is_known_before_something_is_measured(hub: SensorHub) -> None:
    assert hub.distance_at(perf_counter()) is None
    source = given(hub)
    source.give(None, None)
    assert hub.distance_at(perf_counter()) is None


def test_a_hand_is_where_it_is_measured_calibrated_and_filtered(hub: SensorHub) -> None:
    source = given(hub)
    hub.calibration = calibrated([(100.0, 200.0), (200.0, 400.0)])
    hub.filtering = FilterSettings("none", 3)
    source.give(150.0, 150.0, 2000.0, 150.0)  # the wrong one has no neighbours
    last = hub.last
    assert last is not None
    assert (last.raw, last.distance, last.filtered) == (150.0, pytest.approx(300.0), pytest.approx(300.0))
    now = perf_counter()
    hand = hub.distance_at(now)
    assert hand is not None
    assert hand.position == pytest.approx(0.3 + hand.velocity * (now - last.arrived))
    assert hub.latency == pytest.approx(now - last.arrived)


def test_a_moving_hand_goes_on_for_a_moment_and_then_stays(hub: SensorHub) -> None:
    source = given(hub)
    hub.filtering = FilterSettings("none", 1)
    source.give(*(100.0 + 5.0 * k for k in range(100)))  # 200 mm/s
    last = hub.last
    assert last is not None
    assert last.velocity == pytest.approx(200.0, rel=1e-3)  # what is left of the beginning after 2.5 s
    soon, late, gone = (hub.distance_at(last.arrived + age) for age in (0.02, 2 * AHEAD, LOST + 0.1))
    assert soon is not None
    assert late is not None
    assert gone is not None
    assert soon.position == pytest.approx(0.595 + 0.2 * 0.02, abs=1e-5)
    assert (soon.velocity, late.velocity, gone.velocity) == (pytest.approx(0.2, rel=1e-3), 0.0, 0.0)
    assert late.position == pytest.approx(0.595 + 0.2 * AHEAD, abs=1e-5)
    assert (late.lost, gone.lost, gone.position) == (False, True, pytest.approx(0.595))


def test_a_lost_hand_stays_or_goes_to_its_default(hub: SensorHub) -> None:
    source = given(hub)
    source.give(*[300.0] * 5)
    source.give(None, None, None)
    later = perf_counter() + LOST
    held = hub.distance_at(later)
    assert held is not None
    assert (held.position, held.velocity, held.lost) == (pytest.approx(0.3), 0.0, True)
    hub.default = 120.0
    gone = hub.distance_at(later)
    assert gone is not None
    assert (gone.position, gone.lost) == (pytest.approx(0.12), True)


def test_sources_are_interchangeable_while_they_run(hub: SensorHub) -> None:
    first = given(hub)
    first.give(*[300.0] * 5)
    second = given(hub)
    now = perf_counter()
    held = hub.distance_at(now)
    assert held is not None
    assert held.position == pytest.approx(0.3)  # until the new one has spoken
    first.give(999.0)  # too late
    assert hub.last is not None
    assert hub.last.raw == 300.0
    second.give(400.0)
    hand = hub.distance_at(perf_counter())
    assert hand is not None
    assert hand.position == pytest.approx(0.4)
    assert not first.is_running


def test_a_simulated_hand_swings_and_slides(hub: SensorHub) -> None:
    hand = SimulatedSensor(Wave(300.0, 100.0, 0.4))
    hub.connect(hand)
    until(lambda: len(hub.readings()) > 50, "it is too slow")
    raw = [seen.raw for seen in hub.readings() if seen.raw is not None]
    # 50 measurements of 2.5 periods come within 1 - cos(pi/20) of both ends
    assert max(raw) == pytest.approx(400.0, abs=1.3)
    assert min(raw) == pytest.approx(200.0, abs=1.3)
    until(lambda: hub.rate(perf_counter()) == pytest.approx(50.0, rel=0.2), "it keeps another time")
    hand.wave = Wave(120.0)
    until(lambda: hub.last is not None and hub.last.raw == 120.0, "the slider is not followed")


def test_a_noisy_hand_trembles_about_its_place(hub: SensorHub) -> None:
    hub.connect(SimulatedSensor(Wave(300.0, noise=2.0)))
    until(lambda: len(hub.readings()) > 40, "it is too slow")
    raw = [seen.raw for seen in hub.readings() if seen.raw is not None]
    assert 0 < max(raw) - min(raw) < 130.0  # 50 standard deviations, and some
    hand = hub.distance_at(perf_counter())
    assert hand is not None
    assert hand.position == pytest.approx(0.3, abs=0.005)


def test_the_noise_of_a_real_sensor_is_what_it_was_off_about_its_middle(hub: SensorHub, tmp_path: Path) -> None:
    """A recording of something that is moved slowly: what is left is the noise, to a tenth of it; played as it came."""
    path, count = tmp_path / "rest.csv", np.arange(400)
    noise = 2.0 * np.random.default_rng(5).standard_t(3, 400)
    rows = [f"{0.02 * k:.2f},{300 + 0.01 * k + off:.6f}" for k, off in zip(count, noise, strict=True)]
    path.write_text("time,raw\n" + "\n".join(rows))
    recorded_noise = read_noise(path)
    assert np.corrcoef(recorded_noise, noise)[0, 1] > 0.95  # the middle one of 51 trembles itself, by a fifth
    hub.connect(SimulatedSensor(Wave(250.0, noise=9.0, recorded_noise=recorded_noise)))
    until(lambda: len(hub.readings()) > 30, "it is too slow")
    raw = [seen.raw for seen in hub.readings() if seen.raw is not None]
    assert raw[:30] == pytest.approx([250.0 + off for off in recorded_noise[:30]])
    path.write_text("time,raw\n0,1\n1,2\n")
    with refuses("rest.csv", count=2, least=51):
        read_noise(path)


def test_what_was_recorded_can_be_played(hub: SensorHub, tmp_path: Path) -> None:
    source = given(hub)
    path = tmp_path / "hand.csv"
    hub.start_log(path)
    for value in (300.0, None, 320.5):
        source.give(value)
        time.sleep(0.02)
    source.give(330.0, 340.0, step=0.0)  # a burst
    hub.stop_log()
    source.give(999.0)
    rows = read_recording(path)
    assert [raw for _, raw in rows] == [300.0, None, 320.5, 330.0, 340.0]
    assert path.read_text().splitlines()[0] == "time,raw,distance,filtered,velocity,status"
    count = len(hub.readings())
    hub.connect(LogPlayback(path))
    until(lambda: len(hub.readings()) >= count + 8, "it is not played again and again")
    assert [seen.raw for seen in hub.readings()[count : count + 8]] == [
        300.0,
        None,
        320.5,
        330.0,
        340.0,
        300.0,
        None,
        320.5,
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
def test_a_recording_on_a_full_disk_ends_with_a_whole_row_and_the_hand_goes_on(hub: SensorHub, tmp_path: Path) -> None:
    source, path = given(hub), tmp_path / "log.csv"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        hub.start_log(path)
        for _ in range(50):
            source.give(300.0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    rows = len(read_recording(path))
    assert path.read_bytes().endswith(b"\n")
    assert Meaning("", "rows", rows=rows, reason=os.strerror(errno.EFBIG)).of(hub.log_error)
    assert not hub.is_logging
    assert hub.last is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", Meaning("row 1", "columns")),
        ("time,distance\n0,1\n", Meaning("row 1", "columns")),
        ("time,raw\n0,1\n0,2\n", Meaning("row 3", "after")),
        ("time,raw\n0,1\n1,1e308\n", Meaning("row 3", name="raw", value=1e308)),
        ("time,raw\n0,1\n-1e308,2\n", Meaning("row 3", name="time", value=-1e308)),
        ("time,raw\n0,1\n1,two\n", Meaning("row 3", "two")),
        ("time,raw\n0,1\n1,nan\n", Meaning("row 3", "finite")),
        ("time,raw\n0,1\n,2\n", Meaning("row 3", "float")),
        ("time,raw\n0,1\n", Meaning("", "measurements", count=1)),
        ("time,raw\n\x000,1\n", Meaning("row 2")),
        (b"\xff\xfe\x00", Meaning("", "table", "text")),
    ],
)
def test_a_file_that_is_no_recording_is_refused_with_the_place(
    tmp_path: Path, text: str | bytes, said: Meaning
) -> None:
    path = tmp_path / "hand.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with refuses(said) as refused:
        LogPlayback(path)
    assert len(refused.value.problems) == 1


def test_a_recording_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with refuses("nothing.csv", "read"):
        LogPlayback(tmp_path / "nothing.csv")


def test_all_threads_end(hub: SensorHub) -> None:
    before = threading.active_count()
    hub.connect(SimulatedSensor(Wave(300.0, 10.0)))
    hub.connect(SimulatedSensor(Wave(300.0, 10.0)))
    assert threading.active_count() == before + 1
    hub.stop()
    assert threading.active_count() == before
    assert hub.state.kind == "off"

"""The firmware itself, on a simulated board, read over a serial port as the lab reads it."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import boards
import pytest
import serial
from serial_ports import until

from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.port import Address, SerialPort
from polhode_app.sensor.protocol import ASK, Decoder, Greeting, Message, Reading

pytestmark = pytest.mark.firmware

PATIENCE = 20.0  # [s] a simulated board is slower than a real one where others use the machine
# Errors of the measurements of a sketch. Ultrasound: interrupts of the board's clock cost the time that counts the
# echo up to 1 %. Infrared: half a unit of its converter is 0.6 % of the voltage at 75 cm, to the power of 1.2; twice,
# because the voltage comes in whole millivolts and the converter rounds down.
SKETCHES = {"hc_sr04": ("hc-sr04", 0.025, 0.01), "gp2y0a21": ("gp2y0a21", 0.040, 0.017)}


def heard(port: serial.Serial, decoder: Decoder, count: int) -> list[Message]:
    """At least so many messages."""
    messages: list[Message] = []
    end = time.monotonic() + PATIENCE
    while len(messages) < count:
        assert time.monotonic() < end, f"{len(messages)} of {count} lines: {decoder.counts}"
        messages += decoder.feed(port.read(max(1, port.in_waiting)))
    return messages


def settled(port: serial.Serial, decoder: Decoder) -> Reading:
    """A measurement that was begun after now."""
    port.reset_input_buffer()
    readings = [message for message in heard(port, decoder, 6) if isinstance(message, Reading)]
    return readings[-1]


@pytest.mark.parametrize("sketch", SKETCHES)
def test_a_sketch_greets_and_measures(compiled: Path, sketch: str) -> None:
    sensor, period, accuracy = SKETCHES[sketch]
    with boards.running(compiled, sketch) as board, serial.Serial(board.port, 115200, timeout=0.1) as port:
        decoder = Decoder()
        port.write(ASK)
        messages = heard(port, decoder, 12)
        assert Greeting(1, sensor, "1.0", period) in messages
        for distance in (120.0, 300.0, 750.0):
            board.put(distance)
            reading = settled(port, Decoder())
            assert reading.status == "ok"
            # and a tenth of a millimetre, in which it speaks
            assert reading.distance == pytest.approx(distance, rel=accuracy, abs=0.1)
        board.put(-1)
        assert settled(port, Decoder()).status == "far"
        assert decoder.counts.bad == 0


@pytest.mark.parametrize("sketch", SKETCHES)
def test_a_sketch_keeps_its_pace_and_loses_nothing(compiled: Path, sketch: str) -> None:
    period = SKETCHES[sketch][1]
    with boards.running(compiled, sketch) as board, serial.Serial(board.port, 115200, timeout=0.1) as port:
        decoder = Decoder()
        readings = [message for message in heard(port, decoder, 60) if isinstance(message, Reading)][10:]
        steps = [after.time - before.time for before, after in pairwise(readings)]
        assert sum(steps) / len(steps) == pytest.approx(period, abs=0.001)  # its clock counts milliseconds
        assert max(steps) < 1.5 * period
        assert [reading.number for reading in readings] == list(range(readings[0].number, readings[-1].number + 1))
        assert (decoder.counts.lost, decoder.counts.bad) == (0, 0)


def test_too_near_is_no_distance(compiled: Path) -> None:
    with boards.running(compiled, "hc_sr04") as board, serial.Serial(board.port, 115200, timeout=0.1) as port:
        board.put(10.0)
        reading = settled(port, Decoder())
        assert (reading.status, reading.distance) == ("near", None)


def test_the_lab_reads_the_board(compiled: Path) -> None:
    """From the pin of the sensor to a place in metres, through the port, the filter and the hub."""
    hub = SensorHub()
    try:
        with boards.running(compiled, "hc_sr04") as board:
            hub.connect(SerialPort(Address(board.port)))
            for distance in (150.0, 400.0):
                board.put(distance)
                until(
                    lambda d=distance: seen_at(hub) == pytest.approx(0.001 * d, rel=0.01), f"never at {distance} mm", 20
                )
            assert hub.state.kind == "reading"
            source = hub.source
            assert source is not None
            until(lambda: source.greeting is not None, "it was asked, and said nothing", 20)
            assert source.greeting == Greeting(1, "hc-sr04", "1.0", 0.025)
        until(lambda: hub.state.kind == "unplugged", "the board is gone, and nobody noticed")
        held = hub.distance_at(time.perf_counter() + 1.0)
        assert held is not None
        assert (held.lost, held.position) == (True, pytest.approx(0.4, rel=0.01))
    finally:
        hub.stop()


def seen_at(hub: SensorHub) -> float | None:
    """Filtered distance [m]; it lags behind the hand."""
    return hub.last.filtered / 1000 if hub.last is not None else None

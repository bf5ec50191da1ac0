"""Boards for tests: an Arduino in a simulator that runs the built firmware, with a pty for its serial port."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FIRMWARE = Path(__file__).parents[1] / "firmware"
BOARD = Path(__file__).parent / "firmware" / "board.c"
HEADERS = Path("/usr/include/simavr")
CORE = Path("/usr/share/arduino/hardware/arduino/avr/cores/arduino")


def missing() -> list[str]:
    """Debian packages that a board needs and that are not here."""
    found = {
        "make": shutil.which("make"),
        "gcc": shutil.which("gcc"),
        "gcc-avr": shutil.which("avr-g++"),
        "avr-libc": any(Path(root, "avr/io.h").exists() for root in ("/usr/lib/avr/include", "/usr/avr/include")),
        "arduino-core-avr": (CORE / "Arduino.h").exists(),
        "libsimavr-dev": (HEADERS / "sim_avr.h").exists(),
    }
    return [package for package, here in found.items() if not here]


def build(folder: Path) -> None:
    """Builds the sketches and the board that runs them."""
    subprocess.run(["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}"], check=True)
    libraries = ["-lsimavrparts", "-lsimavr", "-lm", "-lpthread"]
    subprocess.run(["gcc", "-O2", str(BOARD), f"-I{HEADERS}", "-o", str(folder / "board"), *libraries], check=True)


class Board:
    """A board that runs; `port` is the path of its serial port."""

    def __init__(self, process: subprocess.Popen[str]):
        self._process = process
        assert process.stdout is not None
        self.port = next(line for line in process.stdout if line.startswith("port ")).split()[1]

    def put(self, millimetres: float) -> None:
        """Something at this distance from the sensor; negative for nothing."""
        assert self._process.stdin is not None
        os.write(self._process.stdin.fileno(), b"%f\n" % millimetres)


@contextmanager
def running(folder: Path, sketch: str) -> Iterator[Board]:
    """A board with one of the sketches that were built in a folder."""
    command = [str(folder / "board"), str(folder / f"{sketch}.elf"), sketch]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Board(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()  # it ends with its input
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()

"""Whether there is a screen to open a window on. Asked before Qt, which ends the process where there is none."""

from __future__ import annotations

import os
import re
import socket
import sys
from pathlib import Path

PATIENCE = 1.0  # [s] for a display server to answer


def has_screen() -> bool:
    """True on Windows and macOS, and on Linux where a display server answers."""
    if not sys.platform.startswith("linux"):
        return True
    return _wayland(os.environ.get("WAYLAND_DISPLAY", "")) or _x11(os.environ.get("DISPLAY", ""))


def _wayland(display: str) -> bool:
    return bool(display) and _answers(str(Path(os.environ.get("XDG_RUNTIME_DIR", "/run")) / display))


def _x11(display: str) -> bool:
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local is None:
        return bool(display)  # on another machine: Qt will say
    place = f"/tmp/.X11-unix/X{local[1]}"  # noqa: S108  (where X servers listen)
    return _answers("\0" + place) or _answers(place)


def _answers(address: str) -> bool:
    """Whether a process listens at a local socket; a leading NUL is Linux's abstract name."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(PATIENCE)
        try:
            line.connect(address)
        except OSError:
            return False
        return True

"""Check for a display. Runs before Qt is loaded, because Qt aborts the process if there is none."""

from __future__ import annotations

import os
import re
import socket
import sys
from pathlib import Path

PATIENCE = 1.0  # [s] timeout for the connection to a display server


def has_screen() -> bool:
    """True on Windows and macOS, and on Linux if an X server accepts connections, such as Xwayland."""
    return not sys.platform.startswith("linux") or _x11(os.environ.get("DISPLAY", ""))


def has_wayland_only() -> bool:
    """Whether a Wayland server accepts connections, but no X server, which VTK needs."""
    return not has_screen() and _wayland(os.environ.get("WAYLAND_DISPLAY", ""))


def choose_platform() -> None:
    """Have Qt use X11 on Linux, also where there is Wayland, unless the user names a platform."""
    if sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM"):
        os.environ["QT_QPA_PLATFORM"] = "xcb"


def _wayland(display: str) -> bool:
    """Whether the Wayland server of this name accepts connections."""
    return bool(display) and _answers(str(Path(os.environ.get("XDG_RUNTIME_DIR", "/run")) / display))


def _x11(display: str) -> bool:
    """Whether the X server of this display accepts connections; displays of other hosts are not checked."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local is None:
        return bool(display)  # on another host: Qt reports errors
    address = f"/tmp/.X11-unix/X{local[1]}"  # noqa: S108  (the directory of X sockets)
    return _answers("\0" + address) or _answers(address)


def _answers(address: str) -> bool:
    """Whether a process listens on a local socket; a leading NUL denotes an abstract name of Linux."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(PATIENCE)
        try:
            line.connect(address)
        except OSError:
            return False
        return True

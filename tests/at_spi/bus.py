"""The program as a screen reader has it: its tree on the bus of AT-SPI, and real keys; for the Python of the system.

The scripts beside this file run in a session bus of their own (`dbus-run-session`) and know nothing of Qt.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402  (a version must be required first)

PATIENCE = 120.0  # [s] for the window and its docks
SOON = 30.0  # [s] for what follows a key
STATES = ("FOCUSABLE", "FOCUSED", "SHOWING", "VISIBLE", "ENABLED", "EXPANDABLE", "EXPANDED")
Found = TypeVar("Found")


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """The program on a screen with a window manager, which gives new windows the focus; its input is a pipe."""
    manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    program = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
    try:
        yield program
    finally:
        for process in (program, manager):
            process.terminate()
            process.wait(30)


def iterate(seconds: float) -> None:
    """Handle events for a while."""
    loop = GLib.MainLoop()
    GLib.timeout_add(int(1000 * seconds), loop.quit)
    loop.run()


def until(ask: Callable[[], Found], what: str, seconds: float = SOON) -> Found:
    """The first answer that counts as true; ends the process with `what` if none does in so many seconds."""
    deadline = time.monotonic() + seconds
    while not (answer := ask()):
        if time.monotonic() > deadline:
            raise SystemExit(f"never: {what}")
        iterate(0.1)
    return answer


def press(*keys: str) -> None:
    """Press keys one after another, in the words of xdotool: `Tab`, `ctrl+g`; to the window that has the focus."""
    for key in keys:
        subprocess.run(["xdotool", "key", "--clearmodifiers", key], check=True)
        iterate(0.05)


def write(text: str) -> None:
    """Type a text, key by key."""
    subprocess.run(["xdotool", "type", "--delay", "20", "--", text], check=True)
    iterate(0.1)


def application(pid: int) -> Atspi.Accessible | None:
    """The accessible of a process, once it is on the bus."""
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and child.get_process_id() == pid:
            return child
    return None


def children(accessible: Atspi.Accessible) -> Iterator[Atspi.Accessible]:
    """Direct children of an accessible, without those that disappear meanwhile."""
    for index in range(accessible.get_child_count()):
        try:
            child = accessible.get_child_at_index(index)
        except GLib.Error:
            continue
        if child is not None:
            yield child


def has(accessible: Atspi.Accessible, *states: str) -> bool:
    """Whether an accessible has all these states."""
    known = accessible.get_state_set()
    return all(known.contains(getattr(Atspi.StateType, name)) for name in states)


def is_list(role: str) -> bool:
    """Whether the rows of something with this role are no controls."""
    return "table" in role or "list" in role.split() or role == "tree"


def described(accessible: Atspi.Accessible) -> dict[str, object]:
    """Role, name, description and states."""
    return {
        "role": accessible.get_role_name(),
        "name": accessible.get_name() or "",
        "description": accessible.get_description() or "",
        "states": [name for name in STATES if has(accessible, name)],
    }


def nodes(accessible: Atspi.Accessible, found: list[Atspi.Accessible] | None = None) -> list[Atspi.Accessible]:
    """An accessible and all below it, depth first, without the rows of lists."""
    found = [] if found is None else found
    found.append(accessible)
    if not is_list(accessible.get_role_name()):
        for child in children(accessible):
            nodes(child, found)
    return found


def find(accessible: Atspi.Accessible, role: str, name: str) -> Atspi.Accessible | None:
    """The first accessible below with this role and name that is shown."""
    for child in children(accessible):
        if has(child, "SHOWING") and child.get_role_name() == role and child.get_name() == name:
            return child
        if (inside := find(child, role, name)) is not None:
            return inside
    return None


def windows(program: Atspi.Accessible) -> list[Atspi.Accessible]:
    """Windows and dialogs of a program that are shown."""
    return [child for child in children(program) if has(child, "SHOWING")]

"""Walks the window of the program through AT-SPI, as a screen reader does; run by the Python of the system.

    python3 at_spi_walker.py FILE DOCK COMMAND ... starts the program, waits for its window and for a dock with that
    title, presses its pause button, and writes what it found as JSON: the nodes of the tree with role, name, states
    and description, and the announcements.

It uses the bus of its session (`dbus-run-session`) and knows nothing of Qt.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402  (a version must be required first)

PATIENCE = 120.0  # [s] for the window and its docks
STATES = ("FOCUSABLE", "FOCUSED", "SHOWING", "VISIBLE", "ENABLED")


def iterate(seconds: float) -> None:
    """Handle events for a while."""
    loop = GLib.MainLoop()
    GLib.timeout_add(int(1000 * seconds), loop.quit)
    loop.run()


def application(pid: int) -> Atspi.Accessible | None:
    """The accessible of a process, once it is on the bus."""
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and child.get_process_id() == pid:
            return child
    return None


def nodes(accessible: Atspi.Accessible, parent: int, found: list[dict[str, object]]) -> list[dict[str, object]]:
    """An accessible and all below it, depth first; `parent` is the index of the node above."""
    states = accessible.get_state_set()
    role = accessible.get_role_name()
    found.append(
        {
            "parent": parent,
            "role": role,
            "name": accessible.get_name() or "",
            "description": accessible.get_description() or "",
            "states": [name for name in STATES if states.contains(getattr(Atspi.StateType, name))],
        }
    )
    at = len(found) - 1
    if "table" in role or "list" in role.split() or role == "tree":  # rows are no controls
        return found
    for index in range(accessible.get_child_count()):
        child = accessible.get_child_at_index(index)
        if child is not None:
            nodes(child, at, found)
    return found


def find(accessible: Atspi.Accessible, role: str, name: str) -> Atspi.Accessible | None:
    """The first accessible below with this role and name that is shown."""
    for index in range(accessible.get_child_count()):
        child = accessible.get_child_at_index(index)
        if child is None:
            continue
        shown = child.get_state_set().contains(Atspi.StateType.SHOWING)
        if shown and child.get_role_name() == role and child.get_name() == name:
            return child
        if (inside := find(child, role, name)) is not None:
            return inside
    return None


def main() -> None:
    said: list[str] = []
    listener = Atspi.EventListener.new(lambda event: said.append(event.any_data))
    listener.register("object:announcement")
    result, dock, *command = sys.argv[1:]
    program = subprocess.Popen(command)
    try:
        deadline = time.monotonic() + PATIENCE
        pause = last = None
        while (pause is None or last is None) and time.monotonic() < deadline and program.poll() is None:
            iterate(0.5)
            if (window := application(program.pid)) is not None:
                pause, last = find(window, "push button", "Pause"), find(window, "panel", dock)
        if pause is None or last is None:
            sys.exit("no window with a pause button and that dock on the bus")
        Atspi.Action.do_action(pause, 0)
        deadline = time.monotonic() + PATIENCE
        while not any(text.startswith("Paused") for text in said) and time.monotonic() < deadline:
            iterate(0.2)
        with open(result, "w") as file:  # noqa: PTH123  (of any Python 3)
            json.dump({"nodes": nodes(application(program.pid), -1, []), "said": said}, file)
    finally:
        program.terminate()
        program.wait(30)


if __name__ == "__main__":
    main()

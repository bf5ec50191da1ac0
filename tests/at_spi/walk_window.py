"""Walks the window of the program through AT-SPI, as a screen reader does; run by the Python of the system.

python3 walk_window.py FILE DOCK COMMAND ... starts the program, waits for its window and for a dock with that
title, presses its pause button, and writes what it found as JSON: the nodes of the tree with role, name, states
and description, the cells of the scene tree with the same, and the announcements.
"""

from __future__ import annotations

import json
import subprocess
import sys

from bus import PATIENCE, Atspi, application, children, described, find, nodes, until


def main() -> None:
    said: list[str] = []
    listener = Atspi.EventListener.new(lambda event: said.append(event.any_data))
    listener.register("object:announcement")
    result, dock, *command = sys.argv[1:]
    program = subprocess.Popen(command)
    try:
        root = until(lambda: application(program.pid), "a window on the bus", PATIENCE)
        pause = until(lambda: find(root, "push button", "Pause"), "a pause button", PATIENCE)
        until(lambda: find(root, "panel", dock), "that dock", PATIENCE)
        Atspi.Action.do_action(pause, 0)
        until(lambda: any(text.startswith("Paused") for text in said), "an announcement of the pause", PATIENCE)
        with open(result, "w") as file:  # noqa: PTH123  (of any Python 3)
            cells = [described(cell) for cell in children(find(root, "tree", "Scene"))]
            json.dump({"nodes": [described(node) for node in nodes(root)], "cells": cells, "said": said}, file)
    finally:
        program.terminate()
        program.wait(30)


if __name__ == "__main__":
    main()

"""A whole task by keyboard alone, by real keys in a real window; see bus.py.

python3 keyboard_task.py FILE FOLDER COMMAND ... starts the program, opens a scene from the gallery, selects its
world in the scene tree, changes its gravity in the inspector, pauses and resumes the run, exports a picture to
FOLDER, saves the scene there under a new name, records a film of the view beside it, and quits. AT-SPI tells what
has the focus and what is announced; it does nothing. Written as JSON: the announcements and the exit status.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from bus import PATIENCE, Atspi, application, find, iterate, press, running, until, windows, write

LATE = 2.0  # [s] after which a key counts as one that leaves the focus where it is
MOST = 200  # keys, after which a control counts as one that is not reached: more than once around


class Reader:
    """Accessibility events of one program, as a screen reader receives them."""

    def __init__(self, root: Atspi.Accessible) -> None:
        self.root, self.said, self._focus, self._heard = root, [], "", 0
        handlers = {"object:state-changed:focused": self._on_focus, "object:announcement": self._on_announcement}
        self._listeners = [Atspi.EventListener.new(handler) for handler in handlers.values()]
        for listener, kind in zip(self._listeners, handlers, strict=True):
            listener.register(kind)

    def _on_focus(self, event: Atspi.Event) -> None:
        if event.detail1:
            self._heard += 1
            self._focus = event.source.get_name().removesuffix("...")

    def _on_announcement(self, event: Atspi.Event) -> None:
        self.said.append(event.any_data)

    def title(self) -> str:
        """Title of the window or the dialog that was opened last."""
        return windows(self.root)[-1].get_name()

    def reach(self, name: str, key: str) -> None:
        """Press a key until the control with this name has the focus."""
        for _ in range(MOST):
            if self._focus == name:
                return
            heard, end = self._heard, time.monotonic() + LATE
            press(key)
            while self._heard == heard and time.monotonic() < end:
                iterate(0.02)
            iterate(0.05)
        raise SystemExit(f"{key} does not reach '{name}'")

    def opened(self, title: str) -> None:
        """Wait for a window or a dialog."""
        until(lambda: self.title().startswith(title), f"'{title}' is open; '{self.title()}' is")
        iterate(0.5)

    def hears(self, beginning: str) -> None:
        """Wait for an announcement after the last one that was waited for."""
        until(lambda: any(text.startswith(beginning) for text in self.said), f"'{beginning}' in {self.said}")


def replace(text: str) -> None:
    """Type a text in place of that in a field."""
    press("ctrl+a")
    write(text)


def do_task(reader: Reader, folder: Path) -> None:
    """The task, up to the saved file."""
    press("ctrl+g")
    reader.opened("Gallery")
    write("heavy top")
    press("Down", "Return")
    reader.opened("Heavy top")
    reader.reach("Scene", "Tab")
    reader.reach("World", "Down")
    reader.reach("Gravity y", "Tab")  # z is a slider of the card, which is tried without a change of the scene
    replace("-4.5")
    press("Return")
    reader.opened("Heavy top*")
    press("Escape", "space")
    reader.hears("Paused at t = ")
    press("space")
    reader.hears("Running from t = ")
    press("F3")
    reader.opened("Command palette")
    write("export")
    reader.reach("Save as", "Down")  # a row of the list, while the line of text keeps the keyboard
    reader.reach("Export image", "Up")
    press("Return")
    reader.opened("Export image")
    reader.reach("File", "Tab")
    replace(str(folder / "picture.png"))
    reader.reach("Save", "Tab")
    press("space")
    until((folder / "picture.png").exists, "a picture", PATIENCE)
    press("ctrl+shift+s")
    reader.opened("Save as")
    replace(str(folder / "slow top.toml"))
    press("Return")
    until((folder / "slow top.toml").exists, "a saved scene")
    reader.opened("Heavy top -")
    press("ctrl+shift+r")
    reader.hears("The view is ")
    iterate(1.0)
    press("ctrl+shift+r")
    reader.hears("Video saved: ")


def main() -> None:
    result, folder, *command = sys.argv[1:]
    with running(command) as program:
        reader = Reader(until(lambda: application(program.pid), "a window on the bus", PATIENCE))
        until(lambda: find(reader.root, "push button", "Pause"), "a pause button", PATIENCE)
        do_task(reader, Path(folder))
        press("ctrl+q")
        status = program.wait(30)
    with open(result, "w") as file:  # noqa: PTH123  (of any Python 3)
        json.dump({"said": reader.said, "status": status}, file)


if __name__ == "__main__":
    main()

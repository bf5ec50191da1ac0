"""How long one event holds the window at most, with the physics at full load: as it opens, with every dock and live
plots, and when what is asked for first has to be made. Goal: at most 50 ms by us.

What VTK and Qt spend on drawing is taken off. On a machine that does other things, too, the processor's time counts.
"""

from __future__ import annotations

from collections.abc import Callable

from lab import DOCKS, Watched, on_screen, opened, pause
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog

SECONDS = 10.0
SPEED = 1e6  # simulated seconds per second: more than any machine reaches
GOAL = 0.050  # [s]
ASKED = ("palette", "scenes", "settings", "keys", "explanations", "log")  # what opens a dialog


def held(application: Watched, name: str, act: Callable[[], object], seconds: float) -> None:
    """Call `act`, run for a while, and print the longest hold."""
    application.longest()
    QTimer.singleShot(0, act)  # as an event, which a key would be
    pause(int(1000 * seconds))
    count, longest = len(application.holds), application.longest()
    verdict = "ok" if longest.work <= GOAL else "MISS"
    print(
        f"{name:<28} longest hold {1e3 * longest.wall:4.0f} ms, {1e3 * longest.work:4.0f} ms of them work of the window"
        f" (goal {1e3 * GOAL:.0f} ms) {verdict:<4}  {count} events"
    )


def main() -> None:
    on_screen()
    application = Watched()
    window = opened()
    window.session.set_speed(SPEED)
    pause(1000)
    held(application, "as it opens", lambda: None, SECONDS)
    for name in DOCKS:
        held(application, f"opening: {name}", lambda name=name: window.action_table[name].setChecked(True), 1.0)
    held(application, "with every dock", lambda: None, SECONDS)
    for name in ASKED:
        held(application, f"asking for: {name}", window.action_table[name].trigger, 1.0)
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog):
                dialog.close()
    print(f"{window.session.frame.steps_per_second:.3g} steps/s")
    window.close()
    application.processEvents()


if __name__ == "__main__":
    main()

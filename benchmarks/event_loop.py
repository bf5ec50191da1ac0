"""How long the window's event loop is held at most, with the physics at full load. Goal: at most 30 ms by us.

A timer of one millisecond notes how late it comes. What VTK and Qt spend on drawing in between is taken off.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from time import perf_counter

SECONDS = 15.0
SPEED = 1e6  # simulated seconds per second: more than any machine reaches
GOAL = 0.030  # [s]


class Heartbeat:
    """Notes the time between two beats, with and without drawing."""

    def __init__(self) -> None:
        self.gaps: list[tuple[float, float]] = []  # [s] whole, without drawing
        self._last = perf_counter()
        self._drawing = 0.0  # [s] since the last beat

    def beat(self) -> None:
        now = perf_counter()
        gap = now - self._last
        self.gaps.append((gap, gap - self._drawing))
        self._last, self._drawing = now, 0.0

    def drew(self, seconds: float) -> None:
        self._drawing += seconds


def watched() -> list[tuple[float, float]]:
    from PySide6.QtCore import QSettings, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from app.main_window import LabWindow
    from app.settings import Settings

    class Application(QApplication):
        """Times every event that draws: paint requests of the window, with VTK's frame in them."""

        def notify(self, receiver, event):  # type: ignore[no-untyped-def]
            if event.type() not in (event.Type.UpdateRequest, event.Type.Paint) or self.drawing:
                return super().notify(receiver, event)
            self.drawing, begun = True, perf_counter()
            result = super().notify(receiver, event)
            heart.drew(perf_counter() - begun)
            self.drawing = False
            return result

    heart = Heartbeat()
    application = Application([])
    application.drawing = False
    window = LabWindow(Settings(QSettings(os.devnull, QSettings.Format.IniFormat)))
    window.show()
    while window.session.moment is None:
        application.processEvents()
    window.session.at_speed(SPEED)
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(heart.beat)
    QTimer.singleShot(1000, lambda: timer.start(1))
    QTimer.singleShot(int(1000 * (SECONDS + 1)), application.quit)
    application.exec()
    assert window.session.moment is not None
    print(f"{window.session.moment.steps_per_second:.3g} steps/s")
    window.close()
    return heart.gaps[1:]


def main() -> None:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
        if shutil.which(screen[0]) is None:
            sys.exit("no screen: install xvfb")
        sys.exit(subprocess.call([*screen, sys.executable, *sys.argv]))
    gaps = watched()
    whole = max(gap for gap, _ in gaps)
    ours = sorted(rest for _, rest in gaps)
    print(
        f"longest hold {1e3 * whole:.0f} ms with drawing, {1e3 * ours[-1]:.0f} ms without (goal: at most"
        f" {1e3 * GOAL:.0f} ms); 99 % below {1e3 * ours[int(0.99 * len(ours))]:.1f} ms, {len(gaps)} beats"
    )


if __name__ == "__main__":
    main()

"""A frame of the view in its window, painted or put together by OpenGL, beside VTK's bare Render() of the same view.

Only where the processor draws: there `app/polhode_app/viewport/software_surface.py` is for. The run is paused, for its
physics has a thread of its own; every dock is open.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from lab import DOCKS, on_screen, opened, pause
from PySide6.QtWidgets import QApplication
from timing import best_times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polhode_app.main_window import MainWindow

FRAMES = 20


@contextmanager
def window(painted: bool) -> Iterator[MainWindow]:
    """A window that stands still."""
    from polhode_app.viewport import widget

    found = widget.drawn_by_processor
    widget.drawn_by_processor = lambda _window: painted
    shown = opened(docks=DOCKS)
    widget.drawn_by_processor = found
    pause(1000)
    shown.session.play(False)
    pause(500)
    yield shown
    shown.close()


def main() -> None:
    application = QApplication([])
    with window(painted=True) as painted, window(painted=False) as composed:
        size = painted.view.plotter.render_window.GetSize()

        def frames(of: MainWindow) -> None:
            for _ in range(FRAMES):
                of.view.surface.update()
                application.processEvents()
            of.view.plotter.render_window.WaitForCompletion()

        def bare() -> None:
            rendered = painted.view.plotter.render_window
            rendered.MakeCurrent()
            for _ in range(FRAMES):
                rendered.Render()
                rendered.WaitForCompletion()

        first, second = best_times(lambda: frames(painted), lambda: frames(composed))
        third, alone = best_times(lambda: frames(painted), bare)
        print(
            f"put together / painted {second / first:.2f}, painted / bare {third / alone:.2f} in {size[0]} x {size[1]}:"
            f" put together {1e3 * second / FRAMES:.1f} ms, painted {1e3 * first / FRAMES:.1f} ms,"
            f" bare {1e3 * alone / FRAMES:.1f} ms"
        )


if __name__ == "__main__":
    on_screen()
    main()

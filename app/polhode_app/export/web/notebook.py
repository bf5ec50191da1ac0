"""Runs in notebooks: the page that replays them, in a frame of the notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from polhode.mesh.mesh import Meshes
from polhode.recording.reader import RecordedRun
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.export.sources import FrameSource, RecordingSource, SimulationSource
from polhode_app.export.web.writing import RATE, PageSettings, make_page

SIZE = 5e6  # [bytes] of a page: it becomes a part of the notebook
HEIGHT = 560  # [pixel] of the frame


class Replay:
    """The page of a run, which notebooks show.

    from polhode_app.export.web.notebook import replay
    from polhode import read_scene

    replay(read_scene("scenes/heavy_top.toml"), until=5.0)
    """

    def __init__(self, page: str, height: int = HEIGHT):
        """`page` is a whole HTML document, `height` [pixel] that of its frame."""
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        """A frame with the page. It may run its own scripts and nothing else (`sandbox`)."""
        style = f"width: 100%; height: {self.height}px; border: 0; border-radius: 10px"
        return (
            f'<iframe srcdoc="{escape(self.page)}" sandbox="allow-scripts" '
            f'allow="fullscreen; clipboard-write" style="{style}"></iframe>'
        )


class _RunFrame:
    """The current state of a simulation, as a source of a single frame."""

    def __init__(self, simulation: Simulation):
        self.simulation, self.meshes = simulation, Meshes()

    def go_to(self, time: float) -> None:
        """Do nothing: the simulation is its owner's."""

    def ghosts(self) -> Sequence[Snapshot | None]:
        """An empty sequence."""
        return ()


def replay(
    run: Scene | Simulation | RecordedRun,
    until: float | None = None,
    settings: PageSettings | None = None,
    height: int = HEIGHT,
) -> Replay:
    """The page of a run for a notebook.

    A scene is run from its start to `until` [s], 10 s unless stated; of a recording all frames up to `until` are
    taken; of a simulation the current state is shown; it is not changed. Raises InputError, and Diverged.
    """
    source: FrameSource
    if isinstance(run, Scene):
        end, interval = (10.0 if until is None else until), max(1.0 / RATE, run.solver.time_step)
        source = SimulationSource(run, until=end)
        times = (interval * np.arange(int(end / interval + 1e-9) + 1)).tolist()
    elif isinstance(run, Simulation):
        source, times = _RunFrame(run), [run.time]
    else:
        found = np.asarray(run.times)
        source, times = RecordingSource(run), found[found <= (np.inf if until is None else until)].tolist()
    page, _ = make_page(source, times, settings or PageSettings(size=SIZE))
    return Replay(page, height)


def html_of(run: Simulation | RecordedRun) -> str:
    """HTML of a simulation or a recording in notebooks; the entry point of polhode.scene.display.notebook."""
    return replay(run)._repr_html_()

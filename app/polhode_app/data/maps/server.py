"""A process that computes maps for the window, at low priority: `python -m polhode_app.data.maps.server`.

Orders come on stdin and answers go to stdout, both as messages (core/polhode/process/messages.py). The results
themselves are in the file of the map, which this process writes in place and the window reads: what was computed is
safe whatever becomes of either process.

    order   {"order": "run", "out": file, "folder": folder, "workers": n}, [scene]     computes its pending cells
            {"order": "prepare", "folder": folder, "workers": n}, [scene]              loads what a run needs
            {"order": "pause"}
    answer  {"event": "compiling", "done": n, "total": n}
            {"event": "prepared", "out": ""}
            {"event": "started", "out": file, "shape": [...], "width": f, "places": {array: offset}}
            {"event": "progress" or "paused" or "finished", "out": file, "left": seconds}
            {"event": "refused", "out": file, "source": text, "problems": [[place, rule, remedy], ...]}

A scene has one sweep, the one that is run. The process ends with its stdin.
"""

from __future__ import annotations

import os
import sys
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from polhode.mesh.mesh import Meshes
from polhode.process.limits import ignore_interrupts
from polhode.process.messages import receive, send
from polhode.scene.message import Message
from polhode.scene.problem import InputError, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.variants.outcome import Outcome
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map_file import MapWriter, read_map
from polhode.sweep.sweep import Sweep
from polhode_app.compilation.sweeps import compile_sweep
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.version import version

NICE = 10  # of the priority: the window and its simulation come first
KEPT = 12  # sweeps that can be continued without reading them again
TRIAL_STEPS = 40  # of the runs that load kernels
SAID_EVERY = 0.1  # [s] between two reports of progress


@dataclass
class _Map:
    """A sweep with its file."""

    run: Sweep
    writer: MapWriter


class Server:
    """Computes one map at a time in the background; the main thread takes orders."""

    def __init__(self) -> None:
        self._out = sys.stdout.buffer
        self._job = Job("maps")
        self._maps: OrderedDict[str, _Map] = OrderedDict()
        self._meshes = Meshes()
        self._current: Sweep | None = None
        self._prepared: tuple[str, str, Sweep] | None = None  # text of the scene, its folder, and its sweep
        self._warm: tuple[Scene, Outcome] | None = None  # whose kernels have run

    def take(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        """Carry out an order, in place of what is running."""
        self._job.start(lambda check: None if head["order"] == "pause" else self._answer(head, blobs, check))
        if self._current is not None:
            self._current.cancel()

    def _answer(self, head: dict[str, Any], blobs: list[bytes], check_cancelled: CheckCancelled) -> None:
        """Carry out an order, or say why that can't be done."""
        out = head.get("out", "")
        try:
            self._work(head, blobs, out, check_cancelled)
        except InputError as error:
            problems = [[str(p.place), p.rule.serialized(), p.remedy.serialized()] for p in error.problems]
            self._say("refused", out, source=str(error.source), problems=problems)
        except OSError as error:
            rule = Message("can't be written: {reason}", reason=reason_of(error))
            problem = ["", rule.serialized(), Message("free some disk space").serialized()]
            self._say("refused", out, source=out, problems=[problem])

    def _work(self, head: dict[str, Any], blobs: list[bytes], out: str, check_cancelled: CheckCancelled) -> None:
        """Carry out an order. Raises InputError, OSError."""
        text = blobs[0].decode()
        if head["order"] == "prepare":
            self._prepare(text, head["folder"], head["workers"])
            self._say("prepared", "")
            return
        made = self._maps.pop(out, None) or self._made(text, Path(head["folder"]), Path(out), head["workers"])
        self._maps[out] = made
        while len(self._maps) > KEPT:
            self._maps.popitem(last=False)
        width = made.run.map.features.shape[-1]
        self._say("started", out, shape=list(made.run.map.shape), width=width, places=made.writer.places)
        self._run(made, check_cancelled, out)

    def _prepare(self, text: str, folder: str, workers: int) -> None:
        """Make the sweep of a scene, and load its kernels by a few steps of a few cells. Raises InputError."""
        if self._prepared is not None and self._prepared[:2] == (text, folder):
            return
        scene = scene_of(tables_of(text, "scene"), "scene").in_folder(Path(folder))
        run = self._sweep(scene, workers)
        if not self._is_warm(scene):
            few = _few(scene.sweep[0], scene.solver.time_step)
            Sweep(scene.model_copy(update={"sweep": (few,)}), 0, self._meshes, 1).run()
            self._warm = scene.model_copy(update={"sweep": ()}), scene.sweep[0].outcome
        self._prepared = text, folder, run

    def _is_warm(self, scene: Scene) -> bool:
        """Whether the kernels of a scene and of its outcome have run here."""
        return self._warm == (scene.model_copy(update={"sweep": ()}), scene.sweep[0].outcome)

    def _sweep(self, scene: Scene, workers: int) -> Sweep:
        """The sweep of a scene, with all kernels compiled; they may be there already. Raises InputError."""
        return compile_sweep(
            scene, 0, self._meshes, workers, lambda done, total: self._say("compiling", "", done=done, total=total)
        )

    def _made(self, text: str, folder: Path, out: Path, workers: int) -> _Map:
        """The sweep of a scene and its file, with the cells that the file has already. Raises InputError, OSError."""
        scene = scene_of(tables_of(text, str(out)), str(out)).in_folder(folder)
        known = read_map(out).map if out.exists() else None
        prepared, self._prepared = self._prepared, None
        is_prepared = prepared is not None and prepared[:2] == (text, str(folder)) and prepared[2].workers == workers
        run = prepared[2] if prepared is not None and is_prepared else self._sweep(scene, workers)
        if known is not None:
            run.map = known
        return _Map(run, MapWriter(out, scene, 0, run.map, version()))

    def _run(self, made: _Map, check_cancelled: CheckCancelled, out: str) -> None:
        """Compute the pending cells of a map until it is done or another order comes."""
        said = 0.0

        def progress(run: Sweep) -> None:
            nonlocal said
            made.writer.write(run.newest)
            if check_cancelled.is_cancelled:
                run.cancel()
            elif monotonic() - said > SAID_EVERY:
                said = monotonic()
                self._say("progress", out, left=run.left)

        self._current = made.run
        made.run.run(progress)
        self._current = None
        made.writer.write_all()
        self._say("paused" if made.run.map.is_pending else "finished", out, left=made.run.left)

    def _say(self, event: str, out: str, **more: object) -> None:
        send(self._out, {"event": event, "out": out, **more})


def _few(sweep: SweepSettings, step: float) -> SweepSettings:
    """The sweep with the ends of its axes only, and some time steps of `step` [s]: what loads all kernels."""
    axes = tuple(axis.model_copy(update={"count": 2}) if axis.count is not None else axis for axis in sweep.axes)
    until = min(sweep.until, TRIAL_STEPS * step)
    outcome = sweep.outcome.model_copy(update={"after": 0.0})
    return sweep.model_copy(update={"axes": axes[:2], "until": until, "outcome": outcome})


def main() -> None:
    """Take orders until stdin ends, as it does with the program that has started this one."""
    ignore_interrupts()
    if hasattr(os, "nice"):
        os.nice(NICE)
    server = Server()
    while (order := receive(sys.stdin.buffer)) is not None:
        server.take(*order)
    os._exit(0)  # at once, in the middle of a cell: its file is whole


if __name__ == "__main__":
    main()

"""Figures of the theory, from runs of the program and nothing else."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager

from docs.site.contents import ROOT
from docs.site.words import say
from polhode import Simulation, read_scene
from polhode.scene import gallery
from polhode.scene.scene import Scene

ORDERS = {"euler": 1, "semi_implicit_euler": 1, "verlet": 2, "rk4": 4}
STEPS = (8e-3, 4e-3, 2e-3, 1e-3)  # [s]
COLORS = ("#d55e00", "#e69f00", "#009e73", "#0072b2", "#cc79a7", "#56b4e9")
FONT = ROOT / "app/polhode_app/fonts/PolhodeSans.ttf"  # has kana and kanji
CURVES = ("kinetic energy", "energy of gravity", "magnetic energy", "ledger", "total energy less the ledger")
SIZE = (6.4, 3.4)  # inches


def make(folder: Path, language: str) -> None:
    """Write all figures to a folder, with their texts in a language."""
    folder.mkdir(parents=True, exist_ok=True)
    fontManager.addfont(FONT)
    family = FontProperties(fname=FONT).get_name()
    with mpl.rc_context({"font.family": family, "svg.fonttype": "path", "svg.hashsalt": "polhode"}):
        for name, figure in (("orders", order_of_methods(language)), ("energies", energies(language))):
            figure.savefig(folder / f"{name}.svg", transparent=True, metadata={"Date": None})


def _solved(scene: Scene, method: str, step: float) -> Scene:
    return scene.model_copy(update={"solver": scene.solver.model_copy(update={"method": method, "time_step": step})})


def errors(method: str) -> list[float]:
    """Distance [m] of a spring pendulum after half a second from a run with a smaller step, for each of STEPS."""
    scene = read_scene(gallery.path("course_3_spring_pendulum"))
    exact = _place(_solved(scene, "dormand_prince_8", STEPS[-1] / 4))
    return [float(np.linalg.norm(_place(_solved(scene, method, step)) - exact)) for step in STEPS]


def _place(scene: Scene) -> np.ndarray:
    """Positions (p, 3) [m] of all points after half a second."""
    simulation = Simulation(scene)
    simulation.advance(0.512)
    return simulation.snapshot().points.position


def order_of_methods(language: str) -> Figure:
    """Error of methods over their time step, in logarithmic axes: the slope is the order."""
    figure = Figure(SIZE, layout="constrained")
    axes = figure.subplots()
    for color, (method, order) in zip(COLORS, ORDERS.items(), strict=False):
        axes.loglog(STEPS, errors(method), "o-", color=color, label=f"{method} ({order})")
    axes.set_xticks(STEPS, [f"{step:g}" for step in STEPS])
    axes.minorticks_off()
    axes.set_xlabel(say("time step [s]", language))
    axes.set_ylabel(say("error after 0.5 s [m]", language))
    return _finished(figure)


def energies(language: str) -> Figure:
    """Energies of the magnet pendulum over time, and that their sum less the ledger is constant."""
    simulation = Simulation(read_scene(gallery.path("magnet_pendulum")))
    rows = []
    for _ in range(200):
        simulation.advance(0.02)
        now = simulation.snapshot()
        spent = now.ledger.total
        rows.append(
            (now.time, now.energy.kinetic, now.energy.gravity, now.energy.magnetic, spent, now.energy.total - spent)
        )
    time, *curves = np.array(rows).T
    figure = Figure(SIZE, layout="constrained")
    axes = figure.subplots()
    for color, name, curve in zip(COLORS, CURVES, curves, strict=False):
        axes.plot(time, 1e3 * curve, color=color, label=say(name, language))
    axes.set_xlabel(say("time [s]", language))
    axes.set_ylabel(say("energy [mJ]", language))
    return _finished(figure)


def _finished(figure: Figure) -> Figure:
    """The figure with grey letters and lines, which are read on light and on dark pages."""
    for axes in figure.axes:
        axes.set_facecolor("none")
        axes.tick_params(which="both", colors="#808890")
        axes.grid(True, color="#80889055")
        for item in (axes.xaxis.label, axes.yaxis.label):
            item.set_color("#808890")
        for spine in axes.spines.values():
            spine.set_color("#808890")
        axes.legend(labelcolor="#808890", framealpha=0.0, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure

"""Whether a scene can run without Python, and which of its parts is the reason if not."""

from __future__ import annotations

from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation


def problems_of(simulation: Simulation) -> list[Problem]:
    """Why the run of a simulation needs Python; [] where its image is all that a host needs.

    Python acts between the batches of steps where the sensor drives parameters, and where functions of a program are
    forces or move the target. Ghosts are runs of their own, which the image does not contain.
    """
    found = problems_of_scene(simulation.scene)
    if simulation.has_functions:
        rule = Message("functions of a program act as forces")
        remedy = Message("give the forces as formulas of the scene, or export a recording")
        found.append(Problem("add_force", rule, remedy))
    if simulation.sensor_drive.track is not None:
        rule = Message("a function of a program moves the target of the sensor")
        found.append(Problem("play", rule, Message("leave it to the simulated target, or export a recording")))
    return found


def problems_of_scene(scene: Scene) -> list[Problem]:
    """Those of the scene itself, which are known before it is compiled."""
    if not scene.sensor.drive:
        return []
    rule = Message("the scene is built again for each distance of the sensor, which needs Python")
    return [Problem("sensor.drive", rule, Message("remove it, or export a recording"))]

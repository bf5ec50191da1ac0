"""A bob that swings, and the thread's part of the program without the thread."""

from __future__ import annotations

from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode_app.messages import FrameData, LoadScene
from polhode_app.runner.loop import SimulationLoop

SCENE = """
[[body]]
name = "bob"
support = "pivot"
angular_velocity = [0, 2, 0]
shape = [{ kind = "sphere", radius = 0.05, mass = 1, position = [0, 0, -0.5] }]
"""


def swing(**changes: object) -> Scene:
    """The scene with other tables."""
    bob = {
        "name": "bob",
        "support": "pivot",
        "angular_velocity": [0, 2, 0],
        "shape": [{"kind": "sphere", "radius": 0.05, "mass": 1, "position": [0, 0, -0.5]}],
    }
    return scene_of({"body": [bob], **changes}, "")


class Shown:
    """A run, and what it has said."""

    def __init__(self, scene: Scene | None = None):
        self.frames: list[FrameData] = []
        self.said: list[object] = []
        self.sampled: list[object] = []
        self.run = SimulationLoop(self.said.append, self.frames.append, self.sampled.append)
        if scene is not None:
            self.run.execute(LoadScene(scene))

    def do(self, *commands: object) -> FrameData:
        """Execute commands; returns the last published frame."""
        for command in commands:
            self.run.execute(command)
        return self.frames[-1]

    def heard(self, kind: type) -> list:
        """Events of one type."""
        return [event for event in self.said if isinstance(event, kind)]

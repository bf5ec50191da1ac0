"""The largest force in a joint: what a hinge, a rod or a string must bear in a run.

The sizes of forces are those of the columns JOINT.largest_force, which every step keeps in the state.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.run.loop import CANCELLED, FINISHED
from polhode.run.observers.joint_force import JointForce, observe_joint_force
from polhode.run.runner import Runner, equal_steps
from polhode.run.status import DIVERGED, PENDING, UNSETTLED
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.outcomes.results import OutcomeRuns, Results


class JointForceRunner:
    """Largest forces in cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, built: CompiledScene, sweep: SweepSettings):
        """Prepare for runs as the sweep asks for them, which `check_joint_force` has accepted."""
        names, joints = [joint.name for joint in built.scene.joint], built.model.joints
        asked = [names.index(sweep.outcome.of)] if sweep.outcome.of else range(len(names))
        self._forces = joints.at + joints.largest + 2 * np.array(asked)
        self._count, self._step = equal_steps(sweep.until, built.scene.solver.time_step)
        self._first = int(sweep.outcome.after / self._step * (1 + 1e-12))
        self._runner = Runner(built)

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._runner.cancel()

    def run(self, states: np.ndarray) -> Results:
        """Results of the motions from `states` (n, k): value is the largest force [N]. Time is nan."""
        results, ends = Results.empty(len(states), 0), states.copy()
        record = JointForce(self._first, self._count, np.zeros(1, dtype=np.int64))
        stop = self._runner.run(ends, self._step, self._count, observe_joint_force, record)[1]
        results.status[:] = np.where(stop == CANCELLED, PENDING, np.where(stop == FINISHED, UNSETTLED, DIVERGED))
        results.value[stop == FINISHED] = ends[stop == FINISHED][:, self._forces].max(axis=1)
        return results


def check_joint_force(built: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of a sweep that asks for the force in a joint which the scene has not; `where` is its place."""
    names, asked = [joint.name for joint in built.scene.joint], sweep.outcome.of
    if not names:
        rule = Message("the scene has no joint")
        return [Problem(f"{where}.outcome", rule, Message("add a joint, or ask for another outcome"))]
    if asked and asked not in names:
        remedy = Message("name one of {names}", names=", ".join(names[:20]))
        return [Problem(f"{where}.outcome.of", Message("'{name}' is no joint of the scene", name=asked), remedy)]
    return []


RUNS = OutcomeRuns(JointForceRunner, observe_joint_force, check_joint_force)

"""The largest force in a joint during a run, by the columns JOINT.largest_force of the state."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.run.loop import CANCELLED, FINISHED
from polhode.run.observers.joint_force import JointForce, observe_joint_force
from polhode.run.runner import equal_steps
from polhode.run.status import DIVERGED, PENDING, UNSETTLED
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map import Results
from polhode.sweep.outcomes.outcome_runner import OutcomeRunner, OutcomeRuns


class JointForceRunner(OutcomeRunner):
    """Largest forces in cells."""

    def __init__(self, compiled: CompiledScene, sweep: SweepSettings):
        super().__init__(compiled, sweep)
        names, joints = [joint.name for joint in compiled.scene.joint], compiled.model.joints
        asked = [names.index(sweep.outcome.of)] if sweep.outcome.of else range(len(names))
        self._forces = joints.at + joints.largest + 2 * np.array(asked)
        self._count, self._step = equal_steps(sweep.until, compiled.scene.solver.time_step)
        self._first = int(sweep.outcome.after / self._step * (1 + 1e-12))

    def run(self, states: np.ndarray) -> Results:
        """Value: largest force [N] in the motions from `states` (n, k). Time is nan."""
        results, ends = Results.empty(len(states), 0), states.copy()
        record = JointForce(self._first, self._count, np.zeros(1, dtype=np.int64))
        stop = self._runner.run(ends, self._step, self._count, observe_joint_force, record)[1]
        results.status[:] = np.where(stop == CANCELLED, PENDING, np.where(stop == FINISHED, UNSETTLED, DIVERGED))
        results.value[stop == FINISHED] = ends[stop == FINISHED][:, self._forces].max(axis=1)
        return results


def check_joint_force(compiled: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of the sweep at the path `where` about a joint that the scene lacks."""
    names, asked = [joint.name for joint in compiled.scene.joint], sweep.outcome.of
    if not names:
        rule = Message("the scene has no joint")
        return [Problem(f"{where}.outcome", rule, Message("add a joint, or ask for another outcome"))]
    if asked and asked not in names:
        remedy = Message("name one of {names}", names=", ".join(names[:20]))
        return [Problem(f"{where}.outcome.of", Message("'{name}' is no joint of the scene", name=asked), remedy)]
    return []


RUNS = OutcomeRuns(JointForceRunner, observe_joint_force, check_joint_force)

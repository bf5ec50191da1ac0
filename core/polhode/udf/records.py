"""Results computed by PEM: the records of an output file, one per report.

A record has no time; they are reportSteps times dt apart and begin at t = 0. Of pendulums they have basis, angular
velocity and momentum, of the other bodies position and basis.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.scene.checks.arguments import checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.quantity import Quantity
from polhode.scene.units import sizes
from polhode.udf.body_records import Records
from polhode.udf.document import read_document
from polhode.udf.reading import scene_from
from polhode.udf.schema import Struct


@checked
def read_records(path: Path | str) -> Records:
    """The motion in a PEM output file, in SI and in the order of the bodies of `read_udf`.

    The whole file is in memory while it is read. Raises InputError where it has no records, or where one is damaged or
    of other bodies.

        from polhode import read_records

        records = read_records("magnetic_pendulum_o.udf")
        records.times, records.basis[:, 0]    # (t,) [s]; (t, 3, 3), rows u1, u2, u3 of the first pendulum
    """
    path = Path(path)
    document = read_document(path, records=True)
    scene = scene_from(document, path)
    simulation = document.data["simulation"]
    if not document.records:
        raise InputError.of(str(path), Message("has no records"), Message("run it in PEM, or open its output file"))
    counts = len(simulation["pendulum"]), len(simulation["body"])
    positions = [pendulum["position"] for pendulum in simulation["pendulum"]]
    rows = [_row(record, counts, positions, path) for record in document.records]
    position, basis, spin, momentum = (
        np.array(part).reshape(len(rows), sum(counts), -1) for part in zip(*rows, strict=True)
    )
    units = sizes(scene.units)
    interval = simulation["time"]["reportSteps"] * simulation["time"]["dt"]
    return Records(
        names=tuple(body.name for body in scene.body),
        times=np.arange(len(rows)) * interval * units[2],
        position=position * Quantity("m").factor(units),
        basis=basis.reshape(*basis.shape[:2], 3, 3),
        angular_velocity=spin * Quantity("rad/s").factor(units),
        angular_momentum=momentum * Quantity("N m s").factor(units),
    )


def _row(record: Struct, counts: tuple[int, int], positions: list[object], path: Path) -> tuple[list[object], ...]:
    """Positions, bases, angular velocities and angular momenta of one record, in the units of the file.

    counts: of pendulums and of other bodies
    positions: those of the pendulums, which do not move

    Unknown values are nan. Raises InputError where the record has other counts.
    """
    result = record["simulationResult"]
    pendulums, others = result["pendulum"], result["body"]
    if (len(pendulums), len(others)) != counts:
        rule = Message(
            "has {pendulums} pendulums and {bodies} bodies, the simulation {pendulums_expected} and {bodies_expected}",
            pendulums=len(pendulums),
            bodies=len(others),
            pendulums_expected=counts[0],
            bodies_expected=counts[1],
        )
        raise InputError.of(
            str(path), rule, Message("run PEM again"), Message("line {line}: simulationResult", line=result.line)
        )
    unknown = [(np.nan,) * 3] * len(others)
    return (
        [*positions, *(body["position"] for body in others)],
        [list(body["orientation"].values()) for body in (*pendulums, *others)],
        [*(body["angularVelocity"] for body in pendulums), *unknown],
        [*(body["angularMomentum"] for body in pendulums), *unknown],
    )

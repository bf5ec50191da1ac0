"""Rests of what moves freely, told apart without names: wells of the force x - x^3 along each axis, at 1 and -1."""

import numpy as np
import pytest

from polhode.run.status import SETTLED, UNSETTLED
from polhode.scene.scene_file import read_scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.length import find_length
from polhode.sweep.sweep import Sweep
from polhode_app.data.maps.map_report import messages
from polhode_app.i18n.translation import translate
from scenes import scene

BALL = {"sphere": [{"name": "thing", "radius": 0.02, "mass": 0.4}]}
POINT = {"particle": [{"name": "thing", "mass": 0.4}]}
BODY = {
    "body": [
        {
            "name": "thing",
            "support": "free",
            "shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 0.4}],
        }
    ]
}


def wells(thing, half=1.0, kept="xyz"):
    """A scene in which the thing has a well at `half` and one at -half [m] along the axes `kept`, and one at 0 along
    others; all in proportion to `half`."""
    law = {k: f"{k} - {k}^3/{half}^2 - 0.4*v{k}" if k in kept else f"-{k} - 0.4*v{k}" for k in "xyz"}
    return scene(gravity=[0, 0, 0], time_step=0.02, force=[{"on": "thing", "force": law}], **thing)


def asked(thing, field, size, axes="xyz", count=4, until=40.0, **more):
    """A sweep over values of a field of the thing, from -size to size along each of the axes."""
    (kind,) = thing
    ranges = {"range": [-size, size], "count": count}
    varied = [{"parameter": f"{kind}[0].{field}[{'xyz'.index(k)}]", **ranges} for k in axes]
    return SweepSettings.model_validate(
        {"until": until, "axes": varied, "outcome": {"kind": "attractor"}, "check": "half_step"} | more
    )


def ends(made, half=1.0):
    """(n, 3) signs of the wells of a map's cells, by the features, which are positions over one length."""
    found = made.features.reshape(-1, made.features.shape[-1])[:, :3]
    return np.sign(found) * (np.abs(found) > 0.5 * np.abs(found).max())


@pytest.mark.parametrize("thing", [BALL, POINT, BODY], ids=["sphere", "particle", "body"])
@pytest.mark.parametrize("half", [1.0, 2e-3])
def test_eight_wells_are_eight_attractors_of_one_eighth_each(thing, half):
    made = Sweep(wells(thing, half), asked(thing, "position", 1.5 * half)).run()
    assert (made.status == SETTLED).all()
    assert made.certain == 1.0
    assert [part.value for part in made.fractions()] == [0.125] * 8
    signs = ends(made)
    for label in range(8):
        assert len(np.unique(signs[made.label.reshape(-1) == label], axis=0)) == 1


@pytest.mark.parametrize("size", [1e-3, 0.3, 8.0])
def test_wells_are_told_apart_from_starts_near_the_saddle_and_from_far_away(size):
    """Labels are the sides of the ends, whatever the starts are beside the distance of the wells."""
    made = Sweep(wells(BALL, kept="xy"), asked(BALL, "position", size, "xy", until=80.0)).run()
    settled = made.status.reshape(-1) == SETTLED
    assert settled.mean() > 0.7  # from far away some are uncertain or still swing
    signs, labels = ends(made)[settled], made.label.reshape(-1)[settled]
    assert len(np.unique(labels)) == len(np.unique(signs, axis=0)) == 4
    assert len(np.unique(np.column_stack([labels, signs]), axis=0)) == 4


@pytest.mark.parametrize(("kept", "count"), [("x", 2), ("", 1)])
def test_wells_from_one_place_at_many_speeds(kept, count):
    """All start at one place; with one well for all of them there is one attractor."""
    thing = {"particle": [{**POINT["particle"][0], "position": [0.0, 0.1, 0.1]}]}
    made = Sweep(wells(thing, kept=kept), asked(thing, "velocity", 1.7, "xz")).run()
    assert made.certain == 1.0
    assert len(made.fractions()) == count


@pytest.mark.parametrize(
    ("thing", "axes"),
    [
        (BODY, [{"parameter": f"body[0].position[{k}]", "range": [-1.5, 1.4], "count": 4} for k in range(3)]),
        (BALL, [{"parameter": f"sphere[0].position[{k}]", "range": [-1.4, 1.5], "count": 4} for k in range(2)]),
    ],
    ids=["starts", "scenes"],
)
def test_labels_do_not_depend_on_chunks_threads_or_interruptions(thing, axes, monkeypatch):
    settings = asked(thing, "position", 1.0, axes="x").model_dump(exclude_unset=True) | {"axes": axes}
    given, settings = wells(thing), SweepSettings.model_validate(settings)
    one = Sweep(given, settings, workers=1).run()
    monkeypatch.setattr("polhode.sweep.sweep.MOST", 3)
    two = Sweep(given, settings, workers=3)
    two.run(lambda run: run.cancel())
    assert two.map.is_pending
    again = Sweep(given, settings, workers=2)  # as after a file is read
    again.map = two.map
    again.run()
    assert len(one.fractions()) == 2 ** len(axes)
    for name in ("label", "time", "status", "features"):
        assert getattr(one, name).tobytes() == getattr(again.map, name).tobytes()


def test_a_bead_without_names_for_its_dips():
    given = read_scene("scenes/double_well.toml")
    axis = {"parameter": "bead[0].parameter", "range": [-0.8, 0.9], "count": 6}
    settings = SweepSettings.model_validate({"until": 30.0, "axes": [axis], "outcome": {"kind": "attractor"}})
    solver = given.solver.model_copy(update={"time_step": 5e-3})
    bead = given.bead[0].model_copy(update={"speed": 0.0})
    still = given.model_copy(update={"bead": (bead,), "solver": solver})
    made = Sweep(still, settings).run()
    assert (made.status == SETTLED).all()
    assert len(made.fractions()) == 2
    assert np.array_equal(made.label > 0, ends(made)[:, 0] > 0)


def test_needles_with_magnets_in_their_shapes_point_somewhere():
    """Needles whose magnets lie across u3 and across the axle, held where they start by dry friction."""
    magnet = {"moment": [1.0, 0.0, 0.0]}
    shape = [{"kind": "cuboid", "size": [0.1, 0.01, 0.01], "mass": 0.01, "magnet": magnet}]
    needle = {"name": "needle", "support": "axle", "axis": [0, 0, 1], "dry_friction": 0.05, "shape": shape}
    given = scene(needle, time_step=2e-3, gravity=[0, 0, 0], magnetic_field={"value": [1e-3, 0, 0]})
    axis = {"parameter": "body[0].tilt[2]", "range": [0.0, 3.0], "count": 2}
    asked = {"until": 1.0, "axes": [axis], "outcome": {"kind": "attractor"}}
    made = Sweep(given, SweepSettings.model_validate(asked)).run()
    assert made.label.tolist() in ([0, 1], [1, 0])


def test_a_sweep_that_is_cancelled_before_its_first_chunk_has_no_length_yet():
    run = Sweep(wells(BALL), asked(BALL, "position", 1.0, "x"))
    run.cancel()
    find_length(run.chunks)
    assert np.isnan(run.chunks.length)
    assert not run.run().is_pending


def test_cells_that_do_not_settle_are_not_certain():
    """36 cells that still swing when their time is over, and a report that says so."""
    thing = {"particle": [{"name": "thing", "mass": 1.0}]}
    law = {"x": "-x", "y": "-y", "z": "0"}
    given = scene(gravity=[0, 0, 0], time_step=0.02, force=[{"on": "thing", "force": law}], **thing)
    run = Sweep(given, asked(thing, "position", 1.0, "xy", count=6, until=3.0))
    made = run.run()
    assert (made.status == UNSETTLED).all()
    assert made.certain == 0.0
    assert "certain = 0.0000" in [translate(each) for each in messages(made, run.variation)]

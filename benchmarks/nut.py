"""A nut on a bolt: processor time per step of ours, as it looks, beside MuJoCo's signed distances in closed form.

Both have the shapes of MuJoCo's plug-in `sdf`, 1 m wide with 12 threads per metre and a play of 5 mm, and begin at the
same place with the same step. MuJoCo has their formulas, and looks for the deepest points from 20 starts; ours has only
their meshes of 50 000 triangles, of which it makes fields with cells of 18 mm, and presses at all sample points. The
deepest overlap of each is printed: that of ours is the error of the field, a third of a cell at the edges of the
thread, and does not fall with the stiffness, so it can't be made equal; finer fields cost more.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import fmean, median
from time import process_time

import mujoco
import numpy as np
import trimesh
from timing import report

from polhode.engine.rates import place
from polhode.engine.work import make_work
from polhode.physics.contact.fields.depth import deepest_overlap
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

STEP, STEPS, DETAIL, STIFFNESS, FRICTION, HEIGHT, DENSITY = 1e-3, 500, 64, 1e7, 0.02, 1.25, 1000.0
EVERY, TURNS = 20, 3  # steps between two looks at the overlap; turns
RADII = {"bolt": 0.255, "nut": 0.26}


def by_mujoco() -> mujoco.MjModel:
    """The bolt upright, and the nut at the upper end of its thread."""
    instances = "".join(
        f'<plugin plugin="mujoco.sdf.{name}"><instance name="{name}"><config key="radius" value="{radius}"/></instance>'
        "</plugin>"
        for name, radius in RADII.items()
    )
    meshes = "".join(f'<mesh name="{name}"><plugin instance="{name}"/></mesh>' for name in RADII)
    bolt, nut = (
        f'<geom type="sdf" mesh="{name}" name="{name}" {turn}><plugin instance="{name}"/></geom>'
        for name, turn in (("bolt", 'euler="180 0 0"'), ("nut", ""))
    )
    option = f'<option timestep="{STEP}" sdf_iterations="10" sdf_initpoints="20" cone="elliptic"/>'
    default = f'<default><geom friction="{FRICTION} 0 0" density="{DENSITY}"/></default>'
    world = f'<worldbody><body pos="0 0 {HEIGHT}"><freejoint/>{nut}</body>{bolt}</worldbody>'
    extension = f"<extension>{instances}</extension><asset>{meshes}</asset>"
    return mujoco.MjModel.from_xml_string(f"<mujoco>{extension}{option}{default}{world}</mujoco>")


def mesh_of(model: mujoco.MjModel, name: str, folder: Path) -> str:
    """Path of a file with the closed mesh of a shape."""
    k = model.geom_dataid[model.geom(name).id]
    vertex, face = model.mesh_vertadr[k], model.mesh_faceadr[k]
    vertices = model.mesh_vert[vertex : vertex + model.mesh_vertnum[k]].astype(float)
    mesh = trimesh.Trimesh(vertices, model.mesh_face[face : face + model.mesh_facenum[k]], process=False)
    mesh.merge_vertices(digits_vertex=6)
    mesh.update_faces(mesh.nondegenerate_faces())
    mesh.update_faces(mesh.unique_faces())
    path = folder / f"{name}.ply"
    max(mesh.split(only_watertight=False), key=lambda part: len(part.faces)).export(path)
    return str(path)


def ours(model: mujoco.MjModel, folder: Path) -> Simulation:
    """The same with our contacts of shapes as they look."""
    contact = {"shape": "mesh", "detail": DETAIL, "stiffness": STIFFNESS, "kinetic_friction": FRICTION}
    places = {"bolt": ("fixed", 0.0, np.pi), "nut": ("free", HEIGHT, 0.0)}
    bodies = [
        {"name": name, "support": support, "position": [0, 0, height], "contact": contact}
        | {"orientation": {"axis": [1, 0, 0], "angle": float(angle)}}
        | {"shape": [{"kind": "mesh", "file": mesh_of(model, name, folder), "density": DENSITY, "unit": "m"}]}
        for name, (support, height, angle) in places.items()
    ]
    solver = {"method": "semi_implicit_euler", "time_step": STEP}
    return Simulation(scene_of({"format": 1, "solver": solver, "body": bodies}, ""))


def our_turn(simulation: Simulation) -> tuple[float, float]:
    """Processor time [s] per step, and mean of the deepest overlap [m]."""
    model, depths, spent = simulation.compiled.model, [], 0.0
    work = make_work(model, simulation.inputs)
    simulation.reset()
    for _ in range(STEPS // EVERY):
        start = process_time()
        simulation.advance_steps(EVERY)
        spent += process_time() - start
        place(model, simulation.inputs, 0.0, simulation.state, work)
        depths.append(deepest_overlap(model.fields, model.solids, work.fields, 1, 0)[0])
    return spent / STEPS, fmean(depths)


def rival_turn(model: mujoco.MjModel) -> tuple[float, float]:
    """The same of MuJoCo."""
    data, depths, spent = mujoco.MjData(model), [], 0.0
    for _ in range(STEPS // EVERY):
        start = process_time()
        mujoco.mj_step(model, data, nstep=EVERY)
        spent += process_time() - start
        depths.append(max((-contact.dist for contact in data.contact[: data.ncon]), default=0.0))
    return spent / STEPS, fmean(depths)


def main() -> None:
    model = by_mujoco()
    with tempfile.TemporaryDirectory() as folder:
        simulation = ours(model, Path(folder))
    our_turn(simulation), rival_turn(model)
    turns = [(our_turn(simulation), rival_turn(model)) for _ in range(TURNS)]
    mine, theirs = (median(turn[k][0] for turn in turns) for k in range(2))
    depths = [1e3 * turns[-1][k][1] for k in range(2)]
    detail = f"{1e6 * mine:.0f} us per step, MuJoCo {1e6 * theirs:.0f}; overlap {depths[0]:.1f} mm, {depths[1]:.1f} mm"
    report("nut on a bolt, MuJoCo / ours", theirs / mine, None, detail)


if __name__ == "__main__":
    main()

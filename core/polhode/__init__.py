"""The physics and the files of Polhode, as a library.

    from polhode import Simulation, read_scene

    simulation = Simulation(read_scene("heavy_top"))
    for _ in range(5):
        simulation.advance(0.1)  # [s]
        moment = simulation.snapshot()
        print(moment.time, moment.bodies.position[0], moment.energy.total)

- `read_scene`, `scene_names`, `write_scene`, `Scene`, `scene_schema`: scenes in TOML files, the built-in ones by name,
  and their JSON Schema
- `Body`, `Cuboid`, `Spring`, `World` and all other models: the parts of a scene; `help` states their fields
- `Simulation`, `Snapshot`, `Checkpoint`, `Diverged`: a running scene, its state at one time, and why it had to stop
- `Grab`, `PullBody`, `PullPoint`, `PullAll`, `Twist`: interactions for `Simulation.grab`
- `picture`, `film`: what the program draws of a simulation, as an array and as a file
- `mass_properties`, `MeshReport`: volume, mass, centre of mass and inertia tensor of any closed mesh
- `Run`, `read_run`, `columns`: the table of a run as named arrays, from a simulation or a file, and its columns
- `read_recording`, `Recording`, `RecordedRun`, `Playback`: recorded runs, frame by frame, and their repetition
- `Sweep`, `SweepSettings`, `read_map`: many runs of a scene over values of its numbers, and their maps
- `find_equilibria`, `Equilibria`, `potential_landscape`: where a scene may rest, small oscillations about it, and its
  potential energy over coordinates
- `read_udf`, `write_udf`, `read_records`: files of PEM
- `fit`, `FitResult`, `profile`: numbers of a scene from measured data, with intervals
- `read_data`, `MeasuredData`: measured columns of text, zip, workbooks and Tracker, in SI
- `read_robot`: models of MuJoCo and URDF, as a scene with notes
- `InputError`, `Problem`: what is wrong with a file or a scene

Numbers are in SI and vectors in the laboratory frame, unless a name says otherwise. Names are imported when they are
first used: reading a scene needs no compiler.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polhode.analysis.table.run import Run
    from polhode.analysis.table.scene_columns import columns
    from polhode.data.measured import MeasuredData
    from polhode.data.reading import read_data
    from polhode.equilibria.equilibria import Equilibria, find_equilibria
    from polhode.equilibria.landscape import potential_landscape
    from polhode.fitting.fit import fit
    from polhode.fitting.profile import profile
    from polhode.fitting.result import FitResult
    from polhode.importers.opening import read_robot
    from polhode.physics.air.description import Wind
    from polhode.physics.bodies.description import (
        Body,
        Dipole,
        EllipseMotion,
        FormulaMotion,
        Inertia,
        StillMotion,
        UniformMotion,
    )
    from polhode.physics.bodies.mass.mass_report import MeshReport
    from polhode.physics.bodies.mass.of_mesh import mass_properties
    from polhode.physics.bodies.shapes import (
        Capsule,
        Cone,
        Cuboid,
        Cylinder,
        Ellipsoid,
        Magnet,
        MeshShape,
        Orientation,
        Point,
        Rod,
        Sphere,
        Torus,
    )
    from polhode.physics.contact.description import Contact, PointContact, SineMotion, Wall, WallAtRest
    from polhode.physics.contact.spheres import Grid, SolidSphere, Triangle
    from polhode.physics.contact.surfaces import FormulaSurface, MeshSurface
    from polhode.physics.forces.description import Force
    from polhode.physics.grab.description import GrabSettings
    from polhode.physics.grab.interactions import Grab, PullAll, PullBody, PullPoint, Twist
    from polhode.physics.joints.description import (
        BallJoint,
        CylindricalJoint,
        DistanceJoint,
        GearJoint,
        HingeJoint,
        HingeLimits,
        HingeSpring,
        Motor,
        SliderJoint,
        SliderLimits,
        SliderSpring,
        UniversalJoint,
        WeldJoint,
    )
    from polhode.physics.paths.bead import Bead
    from polhode.physics.paths.description import (
        Catenary,
        Circle,
        Cycloid,
        Ellipse,
        FormulaPath,
        Helix,
        Line,
        Lissajous,
        Parabola,
        Spline,
    )
    from polhode.physics.paths.path_motions import (
        CarriedPath,
        PathFollows,
        PathFormulaMotion,
        PathSineMotion,
        SpinMotion,
        StillPath,
    )
    from polhode.physics.plates.description import Plate
    from polhode.physics.points.description import BodyPoint, Chain, InitialState, Lattice, Particle, SoftMesh, Spring
    from polhode.physics.sensor.description import BodyFollows, Drive, Sensor, WallFollows
    from polhode.recording.playback import Playback
    from polhode.recording.reader import RecordedRun
    from polhode.recording.recording import Recording, read_recording
    from polhode.recording.run_file import read_run
    from polhode.scene.display.story import Story, Trial
    from polhode.scene.display.view import Camera, View
    from polhode.scene.gallery import scene_names
    from polhode.scene.problem import InputError, Problem
    from polhode.scene.scene import Scene
    from polhode.scene.scene_fields import FormulaField, Ghost, GhostValue, RotatingField, Solver, UniformField, World
    from polhode.scene.scene_file import read_scene, scene_schema, write_scene
    from polhode.scene.units import Units
    from polhode.scene.variants.outcome import Feature, GridAxis, Outcome
    from polhode.scene.variants.sweep import Axis, Draws, SweepSettings
    from polhode.simulation.checkpoint import Checkpoint
    from polhode.simulation.pictures import film, picture
    from polhode.simulation.simulation import Diverged, Simulation
    from polhode.simulation.snapshot import Snapshot
    from polhode.sweep.maps.map_file import read_map
    from polhode.sweep.sweep import Sweep
    from polhode.udf.reading import read_udf
    from polhode.udf.records import read_records
    from polhode.udf.writing import write_udf

# Looked up at first use: reading a scene then imports no compiler, and `import polhode` next to nothing.
_NAMES_OF = {
    "polhode.analysis.table.run": "Run",
    "polhode.analysis.table.scene_columns": "columns",
    "polhode.data.measured": "MeasuredData",
    "polhode.data.reading": "read_data",
    "polhode.equilibria.equilibria": "Equilibria find_equilibria",
    "polhode.equilibria.landscape": "potential_landscape",
    "polhode.fitting.fit": "fit",
    "polhode.fitting.profile": "profile",
    "polhode.fitting.result": "FitResult",
    "polhode.importers.opening": "read_robot",
    "polhode.physics.air.description": "Wind",
    "polhode.physics.bodies.description": "Body Dipole EllipseMotion FormulaMotion Inertia StillMotion UniformMotion",
    "polhode.physics.bodies.shapes": "Capsule Cone Cuboid Cylinder Ellipsoid Magnet MeshShape Orientation Point Rod "
    "Sphere Torus",
    "polhode.physics.bodies.mass.mass_report": "MeshReport",
    "polhode.physics.bodies.mass.of_mesh": "mass_properties",
    "polhode.physics.contact.description": "Contact PointContact SineMotion Wall WallAtRest",
    "polhode.physics.contact.spheres": "Grid SolidSphere Triangle",
    "polhode.physics.contact.surfaces": "FormulaSurface MeshSurface",
    "polhode.physics.forces.description": "Force",
    "polhode.physics.grab.description": "GrabSettings",
    "polhode.physics.grab.interactions": "Grab PullAll PullBody PullPoint Twist",
    "polhode.physics.joints.description": "BallJoint CylindricalJoint DistanceJoint GearJoint HingeJoint "
    "HingeLimits HingeSpring Motor "
    "SliderJoint SliderLimits SliderSpring UniversalJoint WeldJoint",
    "polhode.physics.paths.bead": "Bead",
    "polhode.physics.paths.description": "Catenary Circle Cycloid Ellipse FormulaPath Helix Line Lissajous "
    "Parabola Spline",
    "polhode.physics.paths.path_motions": "CarriedPath PathFormulaMotion PathFollows PathSineMotion "
    "SpinMotion StillPath",
    "polhode.physics.plates.description": "Plate",
    "polhode.physics.points.description": "BodyPoint Chain InitialState Lattice Particle SoftMesh Spring",
    "polhode.physics.sensor.description": "BodyFollows Drive Sensor WallFollows",
    "polhode.recording.playback": "Playback",
    "polhode.recording.reader": "RecordedRun",
    "polhode.recording.recording": "Recording read_recording",
    "polhode.recording.run_file": "read_run",
    "polhode.scene.display.story": "Story Trial",
    "polhode.scene.display.view": "Camera View",
    "polhode.scene.gallery": "scene_names",
    "polhode.scene.problem": "InputError Problem",
    "polhode.scene.scene": "Scene",
    "polhode.scene.scene_fields": "FormulaField Ghost GhostValue RotatingField Solver UniformField World",
    "polhode.scene.scene_file": "read_scene scene_schema write_scene",
    "polhode.scene.units": "Units",
    "polhode.scene.variants.outcome": "Feature GridAxis Outcome",
    "polhode.scene.variants.sweep": "Axis Draws SweepSettings",
    "polhode.simulation.checkpoint": "Checkpoint",
    "polhode.simulation.pictures": "film picture",
    "polhode.simulation.simulation": "Diverged Simulation",
    "polhode.simulation.snapshot": "Snapshot",
    "polhode.sweep.maps.map_file": "read_map",
    "polhode.sweep.sweep": "Sweep",
    "polhode.udf.reading": "read_udf",
    "polhode.udf.records": "read_records",
    "polhode.udf.writing": "write_udf",
}
_HOMES = {name: module for module, names in _NAMES_OF.items() for name in names.split()}

__all__ = [
    "Axis",
    "BallJoint",
    "Bead",
    "Body",
    "BodyFollows",
    "BodyPoint",
    "Camera",
    "Capsule",
    "CarriedPath",
    "Catenary",
    "Chain",
    "Checkpoint",
    "Circle",
    "Cone",
    "Contact",
    "Cuboid",
    "Cycloid",
    "Cylinder",
    "CylindricalJoint",
    "Dipole",
    "DistanceJoint",
    "Diverged",
    "Draws",
    "Drive",
    "Ellipse",
    "EllipseMotion",
    "Ellipsoid",
    "Equilibria",
    "Feature",
    "FitResult",
    "Force",
    "FormulaField",
    "FormulaMotion",
    "FormulaPath",
    "FormulaSurface",
    "GearJoint",
    "Ghost",
    "GhostValue",
    "Grab",
    "GrabSettings",
    "Grid",
    "GridAxis",
    "Helix",
    "HingeJoint",
    "HingeLimits",
    "HingeSpring",
    "Inertia",
    "InitialState",
    "InputError",
    "Lattice",
    "Line",
    "Lissajous",
    "Magnet",
    "MeasuredData",
    "MeshReport",
    "MeshShape",
    "MeshSurface",
    "Motor",
    "Orientation",
    "Outcome",
    "Parabola",
    "Particle",
    "PathFollows",
    "PathFormulaMotion",
    "PathSineMotion",
    "Plate",
    "Playback",
    "Point",
    "PointContact",
    "Problem",
    "PullAll",
    "PullBody",
    "PullPoint",
    "RecordedRun",
    "Recording",
    "Rod",
    "RotatingField",
    "Run",
    "Scene",
    "Sensor",
    "Simulation",
    "SineMotion",
    "SliderJoint",
    "SliderLimits",
    "SliderSpring",
    "Snapshot",
    "SoftMesh",
    "SolidSphere",
    "Solver",
    "Sphere",
    "SpinMotion",
    "Spline",
    "Spring",
    "StillMotion",
    "StillPath",
    "Story",
    "Sweep",
    "SweepSettings",
    "Torus",
    "Trial",
    "Triangle",
    "Twist",
    "UniformField",
    "UniformMotion",
    "Units",
    "UniversalJoint",
    "View",
    "Wall",
    "WallAtRest",
    "WallFollows",
    "WeldJoint",
    "Wind",
    "World",
    "columns",
    "film",
    "find_equilibria",
    "fit",
    "mass_properties",
    "picture",
    "potential_landscape",
    "profile",
    "read_data",
    "read_map",
    "read_recording",
    "read_records",
    "read_robot",
    "read_run",
    "read_scene",
    "read_udf",
    "scene_names",
    "scene_schema",
    "write_scene",
    "write_udf",
]


def __getattr__(name: str) -> object:
    """The public name, from the module that defines it. Raises AttributeError for any other."""
    if name not in _HOMES:
        raise AttributeError(f"module 'polhode' has no attribute '{name}'")
    thing = getattr(import_module(_HOMES[name]), name)
    if hasattr(thing, "model_fields"):
        import_module("polhode.scene.field_docs").document(thing)
    globals()[name] = thing  # the next time it is found at once, also where a module of that name is imported
    return thing


def __dir__() -> list[str]:
    """Public names, for completion."""
    return __all__

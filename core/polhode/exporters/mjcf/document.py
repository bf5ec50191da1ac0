"""The document: bodies in each other, and all else of a scene that MJCF can state; what it can't is noted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, indent, tostring

import numpy as np

from polhode.exporters.mjcf import collisions, geoms, mobility, tendons, ties
from polhode.exporters.mjcf.geoms import MeshFiles, add_geom
from polhode.exporters.mjcf.kinematic_tree import STILL, KinematicTree, Node
from polhode.exporters.mjcf.mobility import MjcfJoint, Moving
from polhode.exporters.mjcf.numbers import add, body_name, inertial, position_or_none, quaternion, text_of
from polhode.exporters.mjcf.tendons import Tendons
from polhode.exporters.mjcf.unwritten import left_out, unwritten
from polhode.exporters.uncertainties import lost_uncertainties
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import MassProperties
from polhode.physics.bodies.shapes import Sphere
from polhode.physics.joints.description import DistanceJoint, GearJoint, Joint, TendonJoint
from polhode.physics.joints.ends import ends_of
from polhode.physics.points.description import Particle
from polhode.recording.unpacking import unpack
from polhode.scene.checks.arguments import checked
from polhode.scene.checks.changed_parts import validated
from polhode.scene.files.file_writing import replace_file
from polhode.scene.formula_vector import at_the_start, has_formulas
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Body, Scene
from polhode.simulation.simulation import Simulation

DEEPEST = 180  # bodies in each other: readers of XML have limits
UNSEEN = ("format", "title", "description", "units", "view", "story", "grab", "ghost", "sweep", "sensor", "lesson")
"""Fields of a scene that are no physics."""
LISTS = ("body", "sphere", "particle", "spring", "joint", "wall")
BODY = (
    *("name", "support", "axis", "position", "orientation", "velocity", "angular_velocity", "friction"),
    *("shape", "inertia", "contact"),
)
PARTICLE = ("name", "mass", "radius", "position", "velocity", "fixed", "color", "contact")
EULER = ("euler", "semi_implicit_euler", "verlet", "splitting", "adams_bashforth_2")


@dataclass(frozen=True)
class MjcfExport:
    """A scene as MJCF."""

    text: str
    files: dict[str, bytes]  # meshes beside it, by name
    notes: tuple[Message, ...]  # what of the scene is left out, or means something else in MuJoCo

    def write(self, path: Path, overwrite: bool = False) -> None:
        """Write the file and its meshes; existing ones with other content only with `overwrite`. Raises InputError."""
        if path.parent.is_dir():  # else the next line says so
            unpack(self.files, path.parent, str(path), overwrite)
        replace_file(path, self.text)


@checked
def write_mjcf(
    scene: Scene, path: Path | str, meshes: Meshes | None = None, overwrite: bool = False
) -> tuple[Message, ...]:
    """Write a scene as MJCF of MuJoCo, with its meshes beside it; returns notes on what MJCF can't state.

    meshes: cache of mesh files
    overwrite: whether meshes with other content are replaced

    Bodies, inertias, joints, springs, strings and contacts are written, and the state at the start as a keyframe where
    anything moves. Raises InputError for a scene that can't be compiled, or where a file can't be written.

        for note in write_mjcf(read_scene("heavy_top"), "heavy_top.xml"):
            print(note)
    """
    path = Path(path)
    export = mjcf_of(validated(scene), path.stem, meshes or Meshes())
    export.write(path, overwrite)
    return export.notes


def mjcf_of(scene: Scene, stem: str, meshes: Meshes) -> MjcfExport:
    """The scene as MJCF; names of its meshes begin with `stem`. Raises InputError as `write_mjcf`."""
    return _Document(scene, stem, meshes).export()


@dataclass(eq=False)
class _State:
    """Coordinates and rates at the start, in the order of the file."""

    coordinates: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)

    def add(self, joint: MjcfJoint) -> None:
        self.coordinates += map(float, joint.coordinates)
        self.rates += map(float, joint.rates)


class _Document:
    """Makes the document of one scene."""

    def __init__(self, scene: Scene, stem: str, meshes: Meshes):
        simulation = Simulation(scene, meshes)
        self._scene, self._compiled, self._now = scene, simulation.compiled, simulation.snapshot()
        self._bodies = scene.bodies[: len(scene.bodies) - len(scene.bead)]
        self._rows = {body.name: b for b, body in enumerate(self._bodies)}
        self._tree = KinematicTree.of(self._bodies, scene.joint)
        self._root = Element("mujoco", {"model": scene.title or stem})
        add(self._root, "compiler", angle="radian", inertiafromgeom="false")
        self._options()
        self._asset, self._world = add(self._root, "asset"), add(self._root, "worldbody")
        self._contact, self._tendon = add(self._root, "contact"), add(self._root, "tendon")
        self._equality, self._actuator = add(self._root, "equality"), add(self._root, "actuator")
        self._files = MeshFiles(scene, meshes, stem, self._asset)
        self._elements: dict[str, Element] = {}
        self._notes: list[Message] = []
        self._state = _State()

    def export(self) -> MjcfExport:
        """The document. Raises InputError for bodies that hang on each other too deep."""
        scene = self._scene
        self._notes += collisions.add_walls(self._world, scene.wall, self._pressing_masses())
        waiting = [(node, self._world, 1) for node in self._tree.roots[::-1]]
        while waiting:  # parents first, in the order in which MuJoCo numbers them
            node, parent, depth = waiting.pop()
            if depth > DEEPEST:
                rule = Message("hangs on more than {most} other bodies, which readers of MJCF refuse", most=DEEPEST)
                raise InputError.of("", rule, Message("take a shorter chain"), f"body[{node.body}]")
            element = self._body(node, parent)
            waiting += [(child, element, depth + 1) for child in node.children[::-1]]
        for number, particle in enumerate(scene.particle):
            self._particle(number, particle)
        self._exclude()
        self._ties()
        self._springs()
        self._notes += self._rest()
        self._keyframe()
        for part in [part for part in self._root if len(part) == 0 and part.tag not in ("compiler", "option")]:
            self._root.remove(part)
        indent(self._root)
        text = tostring(self._root, encoding="unicode") + "\n"
        return MjcfExport(text, self._files.contents, tuple(dict.fromkeys(self._notes)))

    def _pressing_masses(self) -> list[float]:
        """Masses [kg] of the bodies and particles that press on walls: those that move and have a size."""
        pressing = [
            properties.mass
            for properties, body in zip(self._compiled.properties, self._bodies, strict=False)
            if body.support not in STILL
            and any(shape.presses and not isinstance(shape, geoms.WITHOUT_SIZE) for shape in body.shape)
        ]
        return pressing + [each.mass for each in self._scene.particle if each.radius and not each.fixed]

    def _options(self) -> None:
        solver, gravity = self._scene.solver, at_the_start(self._scene.world.gravity)
        integrator = "Euler" if solver.method in EULER else "RK4"
        add(self._root, "option", timestep=solver.time_step, gravity=gravity, integrator=integrator)

    def _body(self, node: Node, parent: Element) -> Element:
        """Add a body with its joints, inertia and geoms, and its state."""
        body, place = self._bodies[node.body], self._place_of(node.body)
        now, above = self._now.bodies, node.parent
        turn, position = now.basis[node.body].T, now.position[node.body]
        outer_turn = np.eye(3) if above is None else now.basis[above.body].T
        outer = np.zeros(3) if above is None else now.position[above.body]
        element = self._elements[body.name] = add(
            parent,
            "body",
            name=body_name(body.name),
            pos=position_or_none(outer_turn.T @ (position - outer)),
            quat=quaternion(outer_turn.T @ turn),
        )
        moves = body.support not in STILL
        properties = self._compiled.properties[node.body]
        if moves:
            for joint in self._joints(node, body):
                add(element, joint.tag, **joint.attributes)
                self._state.add(joint)
                if joint.motor is not None:
                    name = str(joint.attributes["name"])
                    add(self._actuator, "general", name=f"{name}.motor", joint=name, **_constant(joint.motor))
            if inertial(element, properties):
                self._notes.append(
                    Message("{place}: moments of inertia near 0 are raised, as MuJoCo refuses them", place=place)
                )
        contact = collisions.touching(body.contact, properties.mass or 1.0, bool(self._scene.wall))
        for number, shape in enumerate(body.shape):
            add_geom(element, shape, self._files, contact)
            self._notes += unwritten(shape, f"{place}.shape[{number}]", geoms.WRITTEN[type(shape)])
        self._notes += unwritten(body, place, (*BODY, *(("dry_friction",) if body.support == "axle" else ())))
        if body.contact is not None:
            self._notes += unwritten(body.contact, f"{place}.contact", collisions.WRITTEN[type(body.contact)])
        return element

    def _place_of(self, body: int) -> str:
        return self._scene.place_of(body)

    def _joints(self, node: Node, body: Body) -> list[MjcfJoint]:
        """The joints by which a body moves against its parent, with notes on what they leave out."""
        moving, spin, velocity = self._moving(node)
        if node.joint is not None:
            joint = self._scene.joint[node.joint]
            assert isinstance(joint, Joint)
            ends = ends_of(self._scene, joint, self._rows)
            made = mobility.hanging(joint, ends, 0 if joint.first == body.name else 1, moving)
            written = mobility.WRITTEN[type(joint)]
            motor = getattr(joint, "motor", None)
            if motor is not None and made[0].motor is None:
                written = tuple(name for name in written if name != "motor")
            self._notes += unwritten(joint, f"joint[{node.joint}]", written)
            limits = getattr(joint, "limits", None)
            if limits is not None:
                self._notes += unwritten(limits, f"joint[{node.joint}].limits", ("lower", "upper"))
            return made
        if body.support == "free":
            return mobility.free(f"{body.name}.free", moving, spin, velocity)
        return mobility.supported(body, moving)

    def _moving(self, node: Node) -> tuple[Moving, np.ndarray, np.ndarray]:
        """The body against its parent at the start; its own angular velocity and velocity, (3,) each."""
        now, b = self._now.bodies, node.body
        at, spin, velocity = now.position[b], now.angular_velocity[b], now.velocity[b]
        if node.parent is None:
            outer_at, outer_spin, outer_velocity = at, np.zeros(3), np.zeros(3)
        else:
            p = node.parent.body
            outer_at, outer_spin, outer_velocity = now.position[p], now.angular_velocity[p], now.velocity[p]

        def relative(place: np.ndarray) -> np.ndarray:
            own = velocity + np.cross(spin, place - at)
            return np.asarray(own - outer_velocity - np.cross(outer_spin, place - outer_at))

        return Moving(now.basis[b].T, at, spin - outer_spin, relative), spin, velocity

    def _particle(self, number: int, particle: Particle) -> None:
        """Add a particle as a body that slides along three axes."""
        place = f"particle[{number}]"
        element = add(
            self._world, "body", name=body_name(particle.name), pos=position_or_none(np.array(particle.position))
        )
        self._elements[particle.name] = element
        if not particle.fixed:
            for axis, name in enumerate("xyz"):
                start, rate = (float(vector[axis]) for vector in (particle.position, particle.velocity))
                attributes = {"name": f"{particle.name}.{name}", "type": "slide", "axis": np.eye(3)[axis]}
                joint = MjcfJoint("joint", attributes | {"ref": start or None}, (start,), (rate,))
                add(element, joint.tag, **joint.attributes)
                self._state.add(joint)
            moments = 0.4 * particle.mass * (particle.radius or 0.01) ** 2 * np.eye(3)  # it does not turn
            inertial(element, MassProperties(particle.mass, np.zeros(3), moments))
        if particle.radius:
            contact = collisions.touching(particle.contact, particle.mass, bool(self._scene.wall))
            ball = Sphere(kind="sphere", radius=particle.radius, mass=0.0, color=particle.color)
            add_geom(element, ball, self._files, contact)
        self._notes += unwritten(particle, place, PARTICLE)
        if particle.contact is not None:
            self._notes += unwritten(particle.contact, f"{place}.contact", collisions.WRITTEN[type(particle.contact)])

    def _exclude(self) -> None:
        """Exclude the contacts of bodies that ignore each other, each pair once."""
        pairs = {
            frozenset((body.name, other)): (body.name, other)
            for body in self._bodies
            for other in (body.contact.ignores if body.contact is not None else ())
            if other in self._elements
        }
        for first, second in pairs.values():
            add(self._contact, "exclude", body1=body_name(first), body2=body_name(second))

    def _ties(self) -> None:
        """Add rods, strings, gears and joints that close loops, with notes on those that can't be stated."""
        strings = Tendons(self._elements, self._world, self._tendon, self._equality)
        hinges = {self._scene.joint[node.joint].name for node in self._tree.nodes.values() if node.joint is not None}
        size = float(np.ptp(self._now.bodies.position, axis=0).max(initial=0.0)) or 0.1 if self._bodies else 0.1
        for number in self._tree.left_over:
            joint, place = self._scene.joint[number], f"joint[{number}]"
            written: tuple[str, ...] | None = None
            if isinstance(joint, GearJoint):
                if {joint.first, joint.second} <= hinges:
                    ties.add_gear(self._equality, joint)
                    written = ties.WRITTEN[GearJoint]
            elif isinstance(joint, TendonJoint):
                if set(joint.joints) <= hinges:
                    strings.add_winding(joint)
                    written = (*tendons.WINDING, *self._driven(joint))
            elif joint.first in self._rows and (joint.second is None or joint.second in self._rows):
                ends = ends_of(self._scene, joint, self._rows)
                if isinstance(joint, DistanceJoint):
                    written = tendons.WRITTEN[DistanceJoint] if strings.add_distance(joint, ends) else None
                elif ties.add_tie(self._equality, joint, ends, size):
                    written = ties.WRITTEN[type(joint)]
                if written is not None and not joint.collide and joint.second is not None:
                    add(self._contact, "exclude", body1=body_name(joint.first), body2=body_name(joint.second))
            self._notes += [left_out(place)] if written is None else unwritten(joint, place, written)

    def _driven(self, joint: TendonJoint) -> tuple[str, ...]:
        """Add the motor of a tendon, if its force is constant; returns the field that is written."""
        force = mobility.constant_of(joint.motor)
        if force is None:
            return ()
        add(self._actuator, "general", name=f"{joint.name}.motor", tendon=joint.name, **_constant(force))
        return ("motor",)

    def _springs(self) -> None:
        """Add the springs and strings, with notes on those that can't be stated."""
        strings = Tendons(self._elements, self._world, self._tendon, self._equality)
        rests = self._compiled.model.springs.rest.tolist()
        for number, (spring, rest) in enumerate(zip(self._scene.spring, rests, strict=True)):
            place = f"spring[{number}]"
            added = strings.add_spring(number, spring, rest)
            self._notes += unwritten(spring, place, tendons.WRITTEN[type(spring)]) if added else [left_out(place)]

    def _rest(self) -> Iterator[Message]:
        """Notes on all other parts of the scene, and on contacts."""
        scene = self._scene
        yield from lost_uncertainties(scene)
        for name in type(scene).model_fields:
            items = getattr(scene, name)
            if name not in (*UNSEEN, *LISTS, "world", "solver") and isinstance(items, tuple):
                yield from (left_out(f"{name}[{number}]") for number in range(len(items)))
        yield from unwritten(scene.world, "world", ("gravity", "permeability"))
        if has_formulas(scene.world.gravity):
            yield Message(
                "{place}: its formulas are left out, their values at the start are written", place="world.gravity"
            )
        if scene.wall or any(body.contact is not None for body in self._bodies):
            yield Message("contacts are those of MuJoCo, of about the same stiffness")
        if any(body.support == "driven" for body in self._bodies):
            yield Message("driven bodies stand still")

    def _keyframe(self) -> None:
        """Add the state at the start, where anything moves."""
        if any(self._state.rates):
            frame = add(self._root, "keyframe")
            add(frame, "key", name="start", qpos=self._state.coordinates, qvel=self._state.rates)


def _constant(value: float) -> dict[str, str]:
    """Attributes of an actuator with a constant torque [N m] or force [N]."""
    return {"gaintype": "fixed", "gainprm": "0", "biastype": "affine", "biasprm": text_of((value, 0, 0))}

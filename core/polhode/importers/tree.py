"""Links of a model as the tables of a scene.

A link is a free body that its joint holds; links that nothing moves are fixed bodies, or the laboratory where they have
no shapes. A link without mass that is fixed to another one becomes part of that; one between two joints of a body has a
negligible mass. The first body of a joint is the
parent; against the laboratory it is the link itself, with the opposite axis, so that coordinates keep their signs.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from math import floor, inf, log10
from pathlib import Path

import numpy as np

from polhode.importers.contacts import Contacts
from polhode.importers.cords import roped, sprung, stretches_of
from polhode.importers.geometry import has_holes, moved
from polhode.importers.kinematics import HERE, MassOf, RigidTransform, Tables, listed
from polhode.importers.links import Gear, Link, Push, RobotModel, Tie, Winding
from polhode.importers.masses import combined, mass_of_link
from polhode.importers.swings import SHORTEST, Coordinates, resolving_step
from polhode.importers.touching import contact_step, string_step
from polhode.mesh.files.corners import corners_of
from polhode.mesh.files.damage import Damaged
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Solver

UNUSED = MassOf(0.0, np.zeros(3), np.zeros((3, 3)))
NEGLIGIBLE = 1e-8
"""Mass of a body between two joints, in parts of all that hangs on it: accelerations differ by this part from those
without it, and keep eight digits where joints are solved as a matrix."""
USUAL_STEP: float = Solver.model_fields["time_step"].default
NOT_IN_NAMES = re.compile(r"[\s.,\x00-\x1f\x7f-\x9f]+")


@dataclass(frozen=True)
class Carrier:
    """The body that a link is part of."""

    link: Link | None  # None: the laboratory
    pose: RigidTransform  # of the link in the frame of that body, or in the laboratory


class Tree:
    """The scene of a model, while it is made."""

    def __init__(self, model: RobotModel):
        self.notes: list[Message] = []
        self._model = model
        self._taken: set[str] = set()
        self._tried: dict[tuple[str, str], int] = {}  # endings of names that are taken, by name and kind
        self._elements: dict[str, Element] = {}  # of places in the scene
        self._static: dict[int, bool] = {}  # by id of links
        self._carriers: dict[int, Carrier] = {}
        self._poses: dict[int, RigidTransform] = {}  # in the laboratory at the start
        self._stated: dict[int, RigidTransform] = {}  # in the laboratory, at the coordinates that the file states
        self._velocities: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # of origins, and angular ones, if any
        self._names: dict[int, str] = {}  # of links
        self._joint_names: dict[int, str] = {}  # by id of motions
        self._fine = inf  # [s] step that resolves contacts

    def tables(self) -> Tables:
        """The tables of a scene, in SI. Raises InputError for a link that moves without mass."""
        model = self._model
        for link in model.links:
            held = link.parent is None or self._static[id(link.parent)]
            self._static[id(link)] = held and link.motion.kind == "fixed"
        self._carry()
        self._give_negligible_masses()
        self._move()
        bodies = [self._body(number, link) for number, link in enumerate(self._carrying())]
        joints = [
            *(made for link in model.links for made in self._joint(link)),
            *(self._tied(tie) for tie in model.ties),
            *(self._geared(gear) for gear in model.gears),
            *(made for winding in model.windings for made in self._wound(winding)),
            *(made for cord in model.cords for made in roped(cord, self)),
        ]
        springs = [made for cord in model.cords for made in sprung(cord, self)]
        self._press(bodies)
        with suppress(np.linalg.LinAlgError):  # of numbers that are not finite, which the scene refuses
            self._shorten_step(bodies, [table for table, _ in joints], springs)
        for number, (_, element) in enumerate(joints):
            self._elements[f"joint[{number}]"] = element
        for number, (wall, element) in enumerate(model.walls):
            self._elements[f"wall[{number}]"] = element
            wall["name"] = self.own_name(wall["name"], "wall")
        return {
            "title": model.title,
            "world": model.world,
            "solver": model.solver,
            "body": bodies,
            "joint": [table for table, _ in joints],
            "wall": [wall for wall, _ in model.walls],
            "spring": springs,
            "force": [table for push in model.pushes for table in self._pushed(push)],
        }

    def located(self, problem: Problem) -> Problem:
        """The problem with the line of its element."""
        if isinstance(problem.place, Message):
            return problem
        around = [place for place in self._elements if problem.place.startswith(place)]
        if not around:
            return problem
        element = self._elements[max(around, key=len)]
        return replace(problem, place=Message("{around}: {field}", around=element.place, field=problem.place))

    def _carry(self) -> None:
        """Find the bodies that links are part of, and where these are at the start."""
        absorbed: set[int] = set()
        for link in reversed(self._model.links):  # children before parents
            parent = link.parent
            if parent is None or link.motion.kind != "fixed" or self._static[id(link)]:
                continue
            if not (link.has_mass and parent.has_mass):
                absorbed.add(id(link))
                parent.has_mass |= link.has_mass
        for link in self._model.links:
            inside = self._carriers[id(link.parent)] if link.parent is not None else Carrier(None, HERE)
            self._stated[id(link)] = (self._stated[id(link.parent)] if link.parent is not None else HERE) @ link.pose
            if id(link) not in absorbed:
                outer = self._poses[id(link.parent)] if link.parent is not None else HERE
                self._poses[id(link)] = outer @ link.pose @ link.motion.displacement
                hidden = self._static[id(link)] and not link.shapes
                own = Carrier(None, self._poses[id(link)]) if hidden else Carrier(link, HERE)
                self._carriers[id(link)] = own
                continue
            carrier = Carrier(inside.link, inside.pose @ link.pose)
            assert carrier.link is not None  # static links are not absorbed
            self._carriers[id(link)] = carrier
            self._poses[id(link)] = self._poses[id(link.parent)] @ link.pose
            self._absorb(link, carrier.link, carrier.pose)

    def _give_negligible_masses(self) -> None:
        """State the masses of links between two joints of a body: a part of all that hangs on them."""
        hanging: dict[int, list[MassOf]] = {}  # in the laboratory, by id of links
        for link in reversed(self._carrying()):  # children before parents
            parts, pose = hanging.pop(id(link), []), self._poses[id(link)]
            if link.is_between:
                whole = combined(parts)
                light = MassOf(NEGLIGIBLE * whole.mass, whole.center, NEGLIGIBLE * whole.tensor)
                link.stated = light.seen_from(pose.inverse())
            else:
                parts.append(mass_of_link(link).seen_from(pose))
            above = None if link.parent is None else self._carriers[id(link.parent)].link
            if above is not None:
                hanging.setdefault(id(above), []).extend([combined(parts)])

    def _move(self) -> None:
        """Find velocities of all links at the start, where a joint has rates."""
        if not any(np.any(link.motion.rates) for link in self._model.links):
            return
        for link in self._model.links:
            pose = self._poses[id(link)]
            linear, angular = link.motion.motion_at(pose)
            if link.parent is not None:
                velocity, turn = self._velocities[id(link.parent)]
                shift = pose.position - self._poses[id(link.parent)].position
                linear, angular = linear + velocity + np.cross(turn, shift), angular + turn
            self._velocities[id(link)] = linear, angular

    def _absorb(self, link: Link, into: Link, pose: RigidTransform) -> None:
        """Give the shapes and the mass of a link to the body that it is part of; `pose` is that in this body."""
        for shape in link.shapes:
            into.shapes.append(moved(shape, pose))
        into.pressing += [each.moved(pose) for each in link.pressing]
        if link.stated is not None and link.has_mass:
            into.stated = link.stated.seen_from(pose)
        self.notes.append(
            Message("'{link}' has no mass of its own and is part of '{body}'", link=link.name, body=into.name)
            if not link.has_mass
            else Message("'{body}' has no mass of its own and moves with '{link}'", link=link.name, body=into.name)
        )

    def _carrying(self) -> list[Link]:
        """The links that are bodies of the scene."""
        return [link for link in self._model.links if self._carriers[id(link)].link is link]

    def _body(self, number: int, link: Link) -> Tables:
        """The table of a body. Raises InputError where it moves and has no mass."""
        static = self._static[id(link)]
        if not static and not link.has_mass:
            rule = Message("moves, but has no mass")
            raise link.element.fault(rule, Message("state its inertial, or fix it to a part that has mass"))
        name = self._names[id(link)] = self.own_name(link.name, "body")
        self._elements[f"body[{number}]"] = link.element
        table = {"name": name, "support": "fixed" if static else "free", **self._poses[id(link)].tables()}
        velocity, turn = self._velocities.get(id(link), (HERE.position, HERE.position))
        table |= {"velocity": listed(velocity)} if np.any(velocity) else {}
        table |= {"angular_velocity": listed(turn)} if np.any(turn) else {}
        stated = UNUSED if static else link.stated  # so the meshes of fixed bodies need not be closed
        if stated is None:
            self._check_meshes(link)
        if stated is not None:
            table["inertia"] = stated.tables()
        return table | {"shape": link.shapes or [_point(stated)]}

    def _check_meshes(self, link: Link) -> None:
        """Raise InputError for an open mesh that gives a body its mass."""
        for shape in link.shapes:
            if shape["kind"] != "mesh" or "file" not in shape or "vertices" in shape or shape.get("mass") == 0.0:
                continue
            with suppress(Damaged, OSError):  # reported when the mesh is read
                if has_holes(np.asarray(corners_of((self._model.folder or Path()) / shape["file"])[0], dtype=float)):
                    rule = Message("gets its mass from the mesh '{name}', which is open", name=shape["file"])
                    raise link.element.fault(rule, Message("state its inertial, or close the mesh"))

    def _press(self, bodies: list[Tables]) -> None:
        """Give contacts to the bodies that press on each other."""
        pressing = Contacts(self._carrying(), self._model, lambda link: self._carriers[id(link)].link, self._static)
        pressing.harden_walls()
        for number, contact in pressing.tables(self._names, self.notes).items():
            bodies[number]["contact"] = contact
        self._fine = pressing.time_step()

    def _shorten_step(self, bodies: list[Tables], joints: list[Tables], springs: list[Tables]) -> None:
        """Let the step resolve contacts, strings, springs and dampers of joints; one digit, rounded down."""
        links, cords, gears = self._carrying(), self._model.cords, self._model.gears
        moves = [not self._static[id(link)] for link in links]
        masses = {self._names[id(link)]: mass_of_link(link) for link in links if not self._static[id(link)]}
        coordinates = Coordinates(self._model.links, self._poses)
        stretches = [stretch for cord in cords for stretch in stretches_of(cord, coordinates)]
        stretches += [stretch for each in self._model.windings for stretch in coordinates.of_winding(each)]
        walls = [wall for wall, _ in self._model.walls]
        swinging = resolving_step(coordinates, links, stretches, gears)
        causes = {
            Message("contacts"): min(self._fine, contact_step(bodies, links, moves, walls, joints)),
            Message("strings"): string_step(springs, masses),
            Message("springs and dampers"): swinging,
        }
        cause, fine = min(causes.items(), key=lambda each: each[1])
        fine = max(fine, SHORTEST)
        stated = self._model.solver.get("time_step", USUAL_STEP)
        if fine < stated:
            size = 10.0 ** floor(log10(fine))
            step = float(f"{size * max(floor(fine / size), 1):.1g}")
            self._model.solver = self._model.solver | {"time_step": step}
            values = {"step": step, "stated": stated, "cause": cause}
            self.notes.append(Message("the time step is {step:g} s instead of {stated:g} s, for {cause}", **values))

    def own_name(self, wanted: str, kind: str) -> str:
        """A name that no other item of the scene has; adds a note where it is not the one of the file."""
        base = NOT_IN_NAMES.sub("_", wanted)[:200] or kind
        name, number = base, self._tried.get((base, kind), 1)
        while name in self._taken:
            name, number = f"{base}_{kind}" if number == 1 else f"{base}_{kind}{number}", number + 1
        self._tried[base, kind] = number
        self._taken.add(name)
        if name != wanted:
            self.notes.append(Message("'{old}' is named '{new}' here", old=wanted, new=name))
        return name

    def _name_of(self, link: Link) -> str:
        return self._names[id(link)]

    def _joint(self, link: Link) -> list[tuple[Tables, Element]]:
        """The joint of a link to its parent, and the element that states it; none for free and static links."""
        motion = link.motion
        if motion.kind == "free" or self._carriers[id(link)].link is not link or self._static[id(link)]:
            return []
        name = self._joint_names[id(motion)] = self.own_name(motion.name or f"{link.name}_joint", "joint")
        outer = self._carriers[id(link.parent)] if link.parent is not None else Carrier(None, HERE)
        at_rest = outer.pose @ link.pose  # of the link in the body of its parent, at the file's coordinates
        ahead = at_rest.turn @ motion.axis
        anchor = at_rest.at(motion.anchor)
        if motion.kind == "slider":
            anchor = anchor - motion.reference * ahead  # the displacement is counted from there
        table: Tables = {"name": name, "kind": "weld" if motion.kind == "fixed" else motion.kind}
        own = self._name_of(link)
        if outer.link is None:
            ends, anchors = {"first": own}, {"anchor_first": listed(motion.anchor), "anchor_second": listed(anchor)}
        else:
            ends = {"first": self._name_of(outer.link), "second": own}
            anchors = {"anchor_first": listed(anchor), "anchor_second": listed(motion.anchor)}
        if motion.kind != "slider":  # the other one is where this one is
            anchors.pop("anchor_second" if outer.link is None else "anchor_first")
        table |= ends | anchors
        if motion.kind in ("hinge", "slider"):
            table["axis"] = listed(-motion.axis if outer.link is None else ahead)
        if motion.kind == "hinge" and motion.start:
            table["angle"] = motion.start
        return [(table | motion.fields, motion.element)]

    def _tied(self, tie: Tie) -> tuple[Tables, Element]:
        """The joint of a tie, which holds in the pose of the file. Raises InputError where nothing moves."""
        ends: list[tuple[str, RigidTransform, RigidTransform]] = []  # bodies, their poses in the file and at the start
        for link in (tie.first, tie.second):
            carrier = None if link is None else self._carriers[id(link)].link
            if carrier is not None:
                ends.append((self._name_of(carrier), self._stated[id(carrier)], self._poses[id(carrier)]))
        if not ends:
            raise tie.element.fault(Message("ties things that do not move"), Message("remove it"))
        anchor = (HERE if tie.first is None else self._stated[id(tie.first)]).at(tie.anchor)
        if tie.other_anchor is not None:
            return self._tied_at_two_points(tie)
        table: Tables = {"name": self.own_name(tie.name, "tie"), "kind": tie.kind, "first": ends[0][0]}
        anchors = [stated.inverse().at(anchor) for _, stated, _ in ends] + [anchor][: 2 - len(ends)]
        at_start = [now.at(own) for (_, _, now), own in zip(ends, anchors, strict=False)] + [anchor][: 2 - len(ends)]
        table["anchor_first"] = listed(anchors[0])
        if len(ends) == 2:
            table["second"] = ends[1][0]
        if not np.allclose(at_start[0], at_start[1], rtol=1e-12, atol=1e-12):
            table["anchor_second"] = listed(anchors[1])
        return table, tie.element

    def _tied_at_two_points(self, tie: Tie) -> tuple[Tables, Element]:
        """The joint of a tie of a point of each link."""
        assert tie.first is not None and tie.second is not None and tie.other_anchor is not None  # noqa: PT018
        ends = [self.end((tie.first, tie.anchor)), self.end((tie.second, tie.other_anchor))]
        ends.sort(key=lambda end: end[0] is None)
        if ends[0][0] is None:
            raise tie.element.fault(Message("ties things that do not move"), Message("remove it"))
        table: Tables = {"name": self.own_name(tie.name, "tie"), "kind": tie.kind, "first": ends[0][0]}
        table |= {"anchor_first": listed(ends[0][1]), "anchor_second": listed(ends[1][1])}
        return table | ({"second": ends[1][0]} if ends[1][0] is not None else {}), tie.element

    def end(self, end: tuple[Link, np.ndarray]) -> tuple[str | None, np.ndarray, np.ndarray]:
        """Body of an end of a cord, None for the laboratory, the point there, and its place at the start."""
        link, point = end
        carrier = self._carriers[id(link)]
        there = carrier.pose.at(point)
        if carrier.link is None or self._static[id(carrier.link)]:
            place = self._poses[id(link)].at(point)
            return None, place, place
        return self._name_of(carrier.link), there, self._poses[id(carrier.link)].at(there)

    def _pushed(self, push: Push) -> list[Tables]:
        """The force on a link; none on one that does not move."""
        carrier = self._carriers[id(push.link)]
        if carrier.link is None or self._static[id(carrier.link)] or not np.any(push.force):
            return []
        return [
            {
                "on": self._name_of(carrier.link),
                "point": listed(carrier.pose.at(push.point)),
                "force": listed(push.force),
            }
        ]

    def _wound(self, winding: Winding) -> list[tuple[Tables, Element]]:
        """The tendon over hinges and sliders; none where it does nothing. Joints that do not move add a constant."""
        fields, joints = dict(winding.fields), self._joint_names
        terms = [(motion, factor) for motion, factor in winding.terms if motion.kind != "fixed"]
        if not fields or not terms:
            return []
        constant = sum(factor * motion.start for motion, factor in winding.terms if motion.kind == "fixed")
        if "spring" in fields:
            fields["spring"] = fields["spring"] | {"rest": fields["spring"]["rest"] - constant}
        if "limits" in fields:
            start = sum(factor * motion.start for motion, factor in terms)
            lower, upper = (fields["limits"][key] - constant for key in ("lower", "upper"))
            if not lower <= start <= upper:
                place = winding.element.place
                self.notes.append(Message("{place} starts beyond its range, which is widened", place=place))
            fields["limits"] = {"lower": min(lower, start), "upper": max(upper, start)}
        table: Tables = {"name": self.own_name(winding.name, "tendon"), "kind": "tendon"}
        table |= {"joints": [joints[id(motion)] for motion, _ in terms]}
        return [(table | {"coefficients": [factor for _, factor in terms]} | fields, winding.element)]

    def _geared(self, gear: Gear) -> tuple[Tables, Element]:
        """The gear of two hinges or sliders."""
        first, second = self._joint_names[id(gear.first)], self._joint_names[id(gear.second)]
        name = self.own_name(gear.name, "gear")
        return {"name": name, "kind": "gear", "first": first, "second": second, "ratio": gear.ratio}, gear.element


def _point(stated: MassOf | None) -> Tables:
    """The shape of a body without geometry: a point with its mass at its centre."""
    if stated is None:
        return {"kind": "point", "mass": 0.0, "presses": False}
    return {"kind": "point", "mass": stated.mass, "position": listed(stated.center), "presses": False}

"""Engine records of contacts: spheres, walls, surfaces, rough spheres, and dry friction.

    PLACE      empties FrictionContacts; inverse masses and inertia of bodies and sphere centres into ContactWork,
               frames of solids into SolidWork; the list of neighbours into NeighbourWork; contacts of rough spheres
               into TangentialState
    LAW        normal forces and viscous friction of spheres, solids, walls and surfaces; appends contacts with dry
               friction
    SOLVE      dry friction, from the sum of all other forces
    PROJECT    rates of the displacements of tangential springs
    ENERGY     elastic energies

The elastic energy of contacts is a by-product of their forces: the same hooks serve for LAW and ENERGY. Called for
ENERGY they add forces as well, which are not used then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.engine.ledger import ELASTIC
from polhode.engine.model import Inputs, Model, Step
from polhode.engine.part import Draft, Part, StateSection
from polhode.jit.kernel import kernel
from polhode.physics.contact.arrays import make_contact_work, make_tangential_state
from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.compile import build_contacts, build_hulls
from polhode.physics.contact.compile_surfaces import build_surfaces
from polhode.physics.contact.fields.arrays import make_field_work
from polhode.physics.contact.fields.compile import build_fields
from polhode.physics.contact.fields.field_contact import add_fields, add_spheres_on_fields
from polhode.physics.contact.friction.arrays import contacts_with_friction, make_friction_contacts, make_friction_rows
from polhode.physics.contact.friction.compile_tangential import build_tangential
from polhode.physics.contact.friction.dry_friction import add_dry_friction, forget_friction_contacts, show_dry_friction
from polhode.physics.contact.friction.last_forces import forget_last_contacts
from polhode.physics.contact.friction.tangential_friction import add_tangential_friction
from polhode.physics.contact.friction.tangential_springs import place_tangential_springs, project_tangential_springs
from polhode.physics.contact.neighbours.arrays import make_neighbour_work, needs_list
from polhode.physics.contact.neighbours.compile import build_neighbours
from polhode.physics.contact.neighbours.pairs import keep_neighbours
from polhode.physics.contact.placement import place_inertia, place_spheres
from polhode.physics.contact.separate import check_ignored
from polhode.physics.contact.solids.arrays import make_solid_work
from polhode.physics.contact.solids.compile import build_solids
from polhode.physics.contact.solids.placement import place_solids
from polhode.physics.contact.solids.solid_contact import add_solids, add_spheres_on_solids
from polhode.physics.contact.sphere_contact import add_contacts
from polhode.physics.contact.stiffness import stiffnesses
from polhode.physics.contact.surface_contact import add_surfaces
from polhode.physics.contact.walls.compile_walls import build_walls, check_walls
from polhode.physics.contact.walls.wall_contact import add_walls


def _touches(model: Model, inputs: Inputs) -> bool:
    """Whether a scene has anything that can touch."""
    arrays = (
        model.contacts.radius,
        model.solids.body,
        model.fields.body,
        model.walls.stiffness,
        model.surfaces.stiffness,
    )
    return any(len(array) for array in (*arrays, model.tangential.first))


def compile_contacts(draft: Draft) -> None:
    """Add the members `contacts`, `solids`, `fields`, `neighbours`, `tangential`, `hulls`, `walls` and `surfaces` of
    the Model.

    Raises InputError.

    Points must have been compiled: spheres of points refer to them by index.
    """
    scene, bodies = draft.scene, draft.model["bodies"]
    own = stiffnesses(scene, bodies.mass, draft.results["points"], draft.meshes)
    contacts = build_contacts(scene, bodies, draft.results["points"], own)
    solids = build_solids(scene, bodies, draft.meshes, own)
    fields = build_fields(scene, bodies, draft.meshes, own, solids)
    draft.model |= {
        "contacts": contacts,
        "solids": solids,
        "fields": fields,
        "neighbours": build_neighbours(contacts, solids, fields),
        "tangential": build_tangential(scene, bodies, contacts),
        "hulls": build_hulls(scene, bodies, draft.meshes),
        "walls": build_walls(scene.wall, own, scene.folder),
        "surfaces": build_surfaces(scene, [*bodies.radius, *draft.model["points"].radius], own),
    }


@kernel
def prepare_contacts(s: Step) -> None:
    """PLACE: inverse masses and inertia of bodies; forget the contacts with dry friction of the last evaluation."""
    forget_friction_contacts(s.work.friction_contacts)
    place_inertia(s.model.bodies, s.model.beads, s.state, s.work.contacts)


@kernel
def place_centers(s: Step) -> None:
    """PLACE: centres of spheres."""
    place_spheres(s.model.bodies, s.model.contacts, s.model.points, s.state, s.work.bodies, s.work.contacts)


@kernel
def press_spheres(s: Step) -> None:
    """LAW, ENERGY: contacts of spheres with each other; adds their elastic energy [J] to `out`."""
    s.out[ELASTIC] += add_contacts(
        colliders_of(s.model, s.inputs, s.state, s.work),
        s.model.contacts,
        s.work.contacts,
        s.work.neighbours,
        s.work.friction_contacts,
        s.work.power,
    )


@kernel
def place_frames(s: Step) -> None:
    """PLACE: centres and axes of solids."""
    place_solids(s.model.solids, s.state, s.work.bodies, s.work.solids)


@kernel
def press_solids(s: Step) -> None:
    """LAW, ENERGY: contacts of solids with each other; adds their elastic energy [J] to `out`."""
    s.out[ELASTIC] += add_solids(
        colliders_of(s.model, s.inputs, s.state, s.work),
        s.model.solids,
        s.work.solids,
        s.model.neighbours,
        s.work.neighbours,
        s.work.friction_contacts,
        s.work.power,
    )


@kernel
def press_spheres_on_solids(s: Step) -> None:
    """LAW, ENERGY: contacts of spheres and points with solids; adds their elastic energy [J] to `out`."""
    s.out[ELASTIC] += add_spheres_on_solids(
        colliders_of(s.model, s.inputs, s.state, s.work),
        s.model.contacts,
        s.work.contacts,
        s.model.solids,
        s.work.solids,
        s.model.neighbours,
        s.work.neighbours,
        s.work.friction_contacts,
        s.work.power,
    )


@kernel
def place_field_frames(s: Step) -> None:
    """PLACE: frames of shapes that press as they look, and their time."""
    s.work.fields.time[0] = s.time
    place_solids(s.model.fields, s.state, s.work.bodies, s.work.fields)


@kernel
def press_fields(s: Step) -> None:
    """LAW, ENERGY: contacts of shapes as they look; adds their elastic energy [J] to `out`."""
    s.out[ELASTIC] += add_fields(
        colliders_of(s.model, s.inputs, s.state, s.work),
        s.model.fields,
        s.model.solids,
        s.work.fields,
        s.model.neighbours,
        s.work.neighbours,
        s.work.friction_contacts,
        s.work.power,
    )


@kernel
def press_spheres_on_fields(s: Step) -> None:
    """LAW, ENERGY: contacts of spheres and points with shapes as they look; adds their elastic energy [J] to `out`."""
    s.out[ELASTIC] += add_spheres_on_fields(
        colliders_of(s.model, s.inputs, s.state, s.work),
        s.model.contacts,
        s.work.contacts,
        s.model.fields,
        s.model.solids,
        s.work.fields,
        s.model.neighbours,
        s.work.neighbours,
        s.work.friction_contacts,
        s.work.power,
    )


@kernel
def list_neighbours(s: Step) -> None:
    """PLACE: the list of everything that may touch, after centres and frames."""
    keep_neighbours(s.model.neighbours, s.work.neighbours, s.work.contacts, s.work.solids, s.work.fields)


@kernel
def press_walls(s: Step) -> None:
    """LAW, ENERGY: contacts of points and bodies with walls; adds their elastic energy [J] to `out`."""
    s.out[ELASTIC] += add_walls(
        colliders_of(s.model, s.inputs, s.state, s.work),
        s.model.walls,
        s.model.hulls,
        s.work.decisions,
        s.work.closed_walls,
        s.inputs.sensor_track,
        s.time,
        s.work.friction_contacts,
        s.work.power,
    )


@kernel
def press_surfaces(s: Step) -> None:
    """LAW, ENERGY: contacts of spheres with surfaces; adds their elastic energy [J] to `out`."""
    s.out[ELASTIC] += add_surfaces(
        colliders_of(s.model, s.inputs, s.state, s.work), s.model.surfaces, s.work.friction_contacts, s.work.power
    )


@kernel
def place_tangential(s: Step) -> None:
    """PLACE: contacts of rough spheres, after their centres."""
    place_tangential_springs(
        s.model.contacts,
        s.model.walls,
        s.model.tangential,
        s.inputs.sensor_track,
        s.time,
        s.work.bodies,
        s.work.contacts,
        s.work.tangential,
    )


@kernel
def tangential_friction(s: Step) -> None:
    """LAW, ENERGY: forces of tangential springs; adds their energy [J] to `out`."""
    s.out[ELASTIC] += add_tangential_friction(
        s.model.contacts,
        s.model.walls,
        s.model.tangential,
        s.state,
        s.work.bodies,
        s.work.tangential,
        s.work.power,
        s.work.stop_time,
    )


@kernel
def project_tangential(s: Step) -> None:
    """PROJECT: rates of the displacements of tangential springs."""
    project_tangential_springs(s.model.tangential, s.state, s.work.tangential, s.work.stop_time, s.out)


@kernel
def dry_friction(s: Step) -> None:
    """SOLVE: dry friction at all contacts that the laws have collected."""
    rows = s.work.friction_rows
    if s.work.later[0] == 0:
        forget_last_contacts(rows)
    if s.work.friction_contacts.count[0] > 0:
        colliders = colliders_of(s.model, s.inputs, s.state, s.work)
        add_dry_friction(colliders, s.work.friction_contacts, rows, s.work.power, s.work.stop_time[0])
    else:
        forget_last_contacts(rows)


def _make_work(model: Model) -> dict[str, Any]:
    """Members of Work: `contacts`, `solids`, `fields`, `neighbours`, `closed_walls`, `friction_contacts`,
    `friction_rows`, `tangential`.
    """
    count = len(model.bodies.mass), len(model.points.mass)
    most = contacts_with_friction(
        model.walls, model.surfaces, model.hulls, model.contacts, model.solids, model.fields, *count
    )
    return {
        "contacts": make_contact_work(model.contacts, count[0]),
        "solids": make_solid_work(model.solids),
        "fields": make_field_work(model.fields),
        "neighbours": make_neighbour_work(model.neighbours),
        "closed_walls": np.zeros((len(model.walls.stiffness), count[1]), dtype=bool),
        "friction_contacts": make_friction_contacts(most),
        "friction_rows": make_friction_rows(most, *count),
        "tangential": make_tangential_state(len(model.tangential.first)),
    }


CONTACTS = Part(
    "contacts",
    check=check_ignored,
    compile=compile_contacts,
    work=_make_work,
    is_in=_touches,
    place=(prepare_contacts,),
)
SPHERES = Part(
    "spheres",
    is_in=lambda model, inputs: len(model.contacts.radius) > 0,
    place=(place_centers,),
    laws={"contact": press_spheres},
    energy=(press_spheres,),
)
SOLIDS = Part(
    "solids",
    is_in=lambda model, inputs: len(model.solids.body) > 0,
    place=(place_frames,),
    laws={"solids": press_solids},
    energy=(press_solids,),
)
SPHERES_ON_SOLIDS = Part(
    "spheres on solids",
    is_in=lambda model, inputs: len(model.solids.body) > 0 and len(model.contacts.radius) > 0,
    laws={"spheres_on_solids": press_spheres_on_solids},
    energy=(press_spheres_on_solids,),
)
FIELDS = Part(
    "fields",
    is_in=lambda model, inputs: len(model.fields.body) > 0,
    place=(place_field_frames,),
    laws={"fields": press_fields},
    energy=(press_fields,),
)
SPHERES_ON_FIELDS = Part(
    "spheres on fields",
    is_in=lambda model, inputs: len(model.fields.body) > 0 and len(model.contacts.radius) > 0,
    laws={"spheres_on_fields": press_spheres_on_fields},
    energy=(press_spheres_on_fields,),
)
NEIGHBOURS = Part("neighbours", is_in=lambda model, inputs: needs_list(model.neighbours), place=(list_neighbours,))
WALLS = Part(
    "walls",
    check=check_walls,
    is_in=lambda model, inputs: len(model.walls.stiffness) > 0,
    laws={"walls": press_walls},
    energy=(press_walls,),
)
SURFACES = Part(
    "surfaces",
    is_in=lambda model, inputs: len(model.surfaces.stiffness) > 0,
    laws={"surfaces": press_surfaces},
    energy=(press_surfaces,),
)
ROUGH = Part(
    "rough",
    section=StateSection(
        lambda model: np.repeat([False], 3 * len(model.tangential.first)),
        lambda compiled, number: compiled.scene.bodies[compiled.model.tangential.body[number // 3, 0]].name,
        "tangential",
    ),
    is_in=lambda model, inputs: len(model.tangential.first) > 0,
    place=(place_tangential,),
    laws={"rough": tangential_friction},
    project=(project_tangential,),
    energy=(tangential_friction,),
)
DRY_FRICTION = Part("dry friction", is_in=_touches, solve=(dry_friction,), shown={"dry_friction": show_dry_friction})
PARTS = (
    CONTACTS,
    SPHERES,
    SOLIDS,
    SPHERES_ON_SOLIDS,
    FIELDS,
    SPHERES_ON_FIELDS,
    NEIGHBOURS,
    WALLS,
    SURFACES,
    ROUGH,
    DRY_FRICTION,
)

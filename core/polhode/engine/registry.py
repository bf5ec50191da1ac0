"""The subjects of physics, in the order of their hooks, of their sections of the state and of their columns.

The order matters where a hook reads the output of another one in the same phase. LAW: weight initialises the forces on
points before any other law adds to them. PROJECT: modal bodies overwrite the rates of their points after `points` has
written them. PLACE: sphere centres come before the contacts of rough spheres.
"""

from __future__ import annotations

from polhode.engine.events import event_detection
from polhode.engine.part import Part
from polhode.physics.air import part as air
from polhode.physics.bodies import part as bodies
from polhode.physics.breaking import part as breaking
from polhode.physics.carried import part as carried
from polhode.physics.coils import part as coils
from polhode.physics.conductors import part as conductors
from polhode.physics.conductors.coupled import part as coupled_conductors
from polhode.physics.contact import part as contact
from polhode.physics.forces import part as forces
from polhode.physics.frame import part as frame
from polhode.physics.grab import part as grab
from polhode.physics.induced import part as induced
from polhode.physics.iron import part as iron
from polhode.physics.joints import part as joints
from polhode.physics.magnets import part as magnets
from polhode.physics.modal import part as modal
from polhode.physics.paths import part as paths
from polhode.physics.plates import part as plates
from polhode.physics.points import part as points
from polhode.physics.sensor import part as sensor
from polhode.physics.tracks import part as tracks

PHYSICS: tuple[Part, ...] = (
    bodies.PART,
    bodies.MOVED,  # before what is placed with bodies
    joints.SLENDER,  # after motions of supports, and before what moves with bodies
    joints.SLENDER_NODES,
    carried.PLACED,  # after bodies, and before what meets beads
    modal.FRAMES,
    points.POINTS,
    frame.BODIES,
    frame.POINTS,  # first law on points: it initialises the forces with the weight
    frame.FIELD,
    *air.PARTS,
    grab.PART,
    sensor.PART,
    induced.FIRST,
    *magnets.PARTS,
    points.SPRINGS,
    points.TENSIONS,
    points.BENDING,
    modal.PART,
    modal.DAMPED,
    paths.PART,
    frame.ROTATION,
    *forces.PARTS,
    plates.PART,
    *coils.PARTS,
    conductors.MODES,  # before iron that saturates, which solves for the currents of coils itself
    coupled_conductors.INDUCTANCES,
    *coupled_conductors.LINKS,  # with these
    coupled_conductors.IRON,  # before iron: it solves for currents, whose field magnetises, too
    coupled_conductors.ALL,
    *iron.PARTS,  # magnetised by the currents of coils, which these have solved for
    coupled_conductors.MODES,  # with the charges of coils
    *conductors.PARTS,
    coupled_conductors.ENERGY,  # with the currents of modes
    coupled_conductors.SEVERAL,  # with the currents that these have solved for
    coupled_conductors.VOLTAGES,
    *induced.PARTS,  # after all that it is placed with: magnets and coils
    *contact.PARTS,
    carried.COUPLED,  # the acceleration of a body depends on the sum of all other forces
    tracks.PART,  # its friction is in proportion to the sum of all other forces
    breaking.PART,  # whose columns come after those of paths and tracks
    *joints.PARTS,  # their forces balance the sum of all others
    bodies.DRY_FRICTION,  # last of all forces: it holds against the sum of all others
)
SUBJECTS: tuple[Part, ...] = (*PHYSICS, event_detection(PHYSICS))

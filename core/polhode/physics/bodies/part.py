"""Engine record of rigid bodies.

Their place and project phases, weight and support friction are called directly: core/polhode/engine/rates.py.
"""

from __future__ import annotations

from polhode.engine.ledger import KINETIC
from polhode.engine.model import Step
from polhode.engine.part import Part, StateSection
from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, components, cross, dot, row, scale, transform
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    AXLE,
    BODY_SIZE,
    DRIVEN,
    MOMENTUM,
    add_momentum,
    changed_by_forces,
    make_body_work,
    read,
    read_basis,
    write,
)
from polhode.physics.bodies.body_motions import (
    add_support_inertia,
    add_support_power,
    move_supports,
    support_energy,
    turn_driven,
)
from polhode.physics.bodies.columns import WIDTH
from polhode.physics.bodies.compile import (
    adjusted_dry_friction,
    adjusted_friction,
    compile_bodies,
    compile_dry_friction,
    compile_mass_properties,
    start_bodies,
)
from polhode.physics.bodies.compile_motions import check_motions, compile_motions, make_motion_work
from polhode.physics.bodies.pivot_dry_friction import add_dry_friction
from polhode.physics.bodies.pivot_friction import add_support_friction


@kernel
def support_friction(s: Step) -> None:
    """Hook for display: the friction torques of supports alone."""
    add_support_friction(s.model.bodies, s.work.bodies, s.work.power)


@kernel
def kinetic_energy(s: Step) -> None:
    """ENERGY: T = omega.L/2 + v.P/2 [J] of all bodies, driven ones excepted, whose motion is prescribed."""
    for b in range(len(s.model.bodies.mass)):
        if s.model.bodies.support[b] != DRIVEN:
            s.out[KINETIC] += 0.5 * dot(row(s.work.bodies.angular_velocity, b), read(s.state, b, ANGULAR_MOMENTUM))
            s.out[KINETIC] += 0.5 * dot(row(s.work.bodies.velocity, b), read(s.state, b, MOMENTUM))


@kernel
def write_bodies(s: Step) -> None:
    """OBSERVE: columns of all placed bodies, laboratory frame but for the last three.

    The origin x = x_ref + r and its velocity v = v_ref + omega x r; u1, u2, u3; omega; L, which is I omega where an
    axle or a driven motion supplies the rest; and the components L.u_k.
    """
    at = 0
    for b in range(len(s.model.bodies.mass)):
        u1, u2, u3 = read_basis(s.state, b)
        to_origin = combine(row(s.model.bodies.origin, b), u1, u2, u3)
        omega, spin = row(s.work.bodies.angular_velocity, b), read(s.state, b, ANGULAR_MOMENTUM)
        if s.model.bodies.support[b] == AXLE or s.model.bodies.support[b] == DRIVEN:
            spin = combine(transform(s.model.bodies.inertia, b, components(omega, u1, u2, u3)), u1, u2, u3)
        write(s.out, 0, at, add(row(s.work.bodies.position, b), to_origin))
        write(s.out, 0, at + 3, add(row(s.work.bodies.velocity, b), cross(omega, to_origin)))
        write(s.out, 0, at + 6, u1)
        write(s.out, 0, at + 9, u2)
        write(s.out, 0, at + 12, u3)
        write(s.out, 0, at + 15, omega)
        write(s.out, 0, at + 18, spin)
        write(s.out, 0, at + 21, components(spin, u1, u2, u3))
        at += WIDTH


@kernel
def momentum(s: Step) -> None:
    """MOMENTUM: P = M v_G and x x P + s_G x M v + I omega of all bodies, about the origin.

    x and v are of the reference point, s_G the arm to the centre of mass, I the tensor about the reference point.
    """
    bodies, now, total, angular = s.model.bodies, s.work.bodies, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for b in range(len(bodies.mass)):
        u1, u2, u3 = read_basis(s.state, b)
        omega, arm, velocity = row(now.angular_velocity, b), row(now.com_offset, b), row(now.velocity, b)
        spin = combine(transform(bodies.inertia, b, components(omega, u1, u2, u3)), u1, u2, u3)
        of_body = scale(bodies.mass[b], add(velocity, cross(omega, arm)))
        about = add(spin, scale(bodies.mass[b], cross(arm, velocity)))
        total = add(total, of_body)
        angular = add(angular, add(about, cross(row(now.position, b), of_body)))
    add_momentum(s.out, total, angular)


@kernel
def turn(s: Step) -> None:
    """REDUCE: orientation of driven bodies by formulas."""
    turn_driven(s.model.body_motions, s.time, s.state)


@kernel
def move(s: Step) -> None:
    """PLACE: reference points that formulas move."""
    move_supports(s.model.body_motions, s.time, s.work.bodies, s.work.body_motions)


@kernel
def support_inertia(s: Step) -> None:
    """LAW: inertial forces by the motion of pivots and axles."""
    add_support_inertia(s.model.bodies, s.model.body_motions, s.work.bodies, s.work.body_motions)


@kernel
def support_power(s: Step) -> None:
    """PROJECT: power of what moves pivots and axles."""
    add_support_power(s.model.bodies, s.model.body_motions, s.state, s.work.bodies, s.work.body_motions, s.work.power)


@kernel
def dry_friction(s: Step) -> None:
    """SOLVE: Coulomb friction of pivots and axles."""
    add_dry_friction(s.model.bodies, s.model.dry_pivots, s.state, s.work.stop_time[0], s.work.bodies, s.work.power)


@kernel
def moved_energy(s: Step) -> None:
    """ENERGY: kinetic energy by the motion of pivots and axles."""
    s.out[KINETIC] += support_energy(s.model.bodies, s.model.body_motions, s.work.bodies)


PART = Part(
    "bodies",
    in_lanes=True,
    check=compile_mass_properties,
    compile=compile_bodies,
    adjustable={"body[].friction": adjusted_friction},
    work=lambda model: {"bodies": make_body_work(len(model.bodies.mass))},
    section=StateSection(
        lambda model: changed_by_forces(len(model.bodies.mass)),
        lambda compiled, number: compiled.scene.bodies[number // BODY_SIZE].name,
    ),
    start=start_bodies,
    is_in=lambda model, inputs: len(model.bodies.mass) > 0,
    meets_bodies=False,
    energy=(kinetic_energy,),
    momentum=(momentum,),
    observe=(write_bodies,),
    width=lambda model: WIDTH * len(model.bodies.mass),
    shown={"friction": support_friction},
)
MOVED = Part(
    "bodies moved by formulas",
    check=check_motions,
    compile=compile_motions,
    work=lambda model: {"body_motions": make_motion_work(model)},
    is_in=lambda model, inputs: len(model.body_motions.body) > 0,
    reduce=(turn,),
    place=(move,),
    laws={"moved support": support_inertia},
    project=(support_power,),
    energy=(moved_energy,),
    shown={},
)
DRY_FRICTION = Part(
    "dry friction of supports",
    in_lanes=True,
    compile=compile_dry_friction,
    adjustable={"body[].dry_friction": adjusted_dry_friction},
    is_in=lambda model, inputs: len(model.dry_pivots.body) > 0,
    solve=(dry_friction,),
)

"""Slow, obvious twins of the kernels: textbook formulas in numpy, derivatives by the complex step, no shared code."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root
from scipy.stats import qmc


def dipole_field(moment: np.ndarray, r: np.ndarray, permeability: float) -> np.ndarray:
    """B [T] at r from a dipole at the origin (Jackson, Classical Electrodynamics, 5.56)."""
    d = np.sqrt(r @ r)
    n = r / d
    return permeability / (4 * np.pi) * (3 * n * (n @ moment) - moment) / d**3


def cloud_field(points: np.ndarray, moments: np.ndarray, at: np.ndarray, permeability: float) -> np.ndarray:
    """(n, 3) [T] at the places (n, 3), of dipoles (m, 3) at (m, 3): `dipole_field` for all at once."""
    r = at[:, None] - points
    d = np.linalg.norm(r, axis=-1, keepdims=True)
    along = (r * moments).sum(axis=-1, keepdims=True)
    return (permeability / (4 * np.pi) * (3 * r * along / d**5 - moments / d**3)).sum(axis=1)


def dipole_force(moment: np.ndarray, source: np.ndarray, r: np.ndarray, permeability: float) -> np.ndarray:
    """grad(moment.B) [N] at r in the field of `source` at the origin, by the complex step (exact to rounding)."""
    step = 1e-30
    shifted = [r + 1j * step * axis for axis in np.eye(3)]
    return np.array([(moment @ dipole_field(source, s, permeability)).imag / step for s in shifted])


def pair_energy(p_a: np.ndarray, p_b: np.ndarray, r: np.ndarray, permeability: float) -> float:
    return -p_b @ dipole_field(p_a, r, permeability)


def total_field(point: np.ndarray, places, moments, uniform, permeability: float) -> np.ndarray:
    """B [T] at a point: the world's and that of every dipole."""
    parts = [dipole_field(p, point - x, permeability) for x, p in zip(places, moments, strict=True)]
    return np.sum([uniform, *parts], axis=0)


def field_line(seed: np.ndarray, length: float, field) -> np.ndarray:
    """(3,) where the line of a field, a function of the point, leads from the seed after a length, by DOP853."""
    along = lambda _, x: field(x) / np.linalg.norm(field(x))  # noqa: E731
    return solve_ivp(along, (0, length), seed, method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]


class RigidBody:
    """A body as a plain record: inertia about its reference point and centre of mass from there, body frame.

    place [m] and velocity [m/s] are the reference point's: the support, or the centre of mass of a free body.
    """

    def __init__(
        self,
        mass,
        center,
        inertia,
        place,
        turn,
        spin,
        friction=0.0,
        dipoles=(),
        support="pivot",
        velocity=(0, 0, 0),
        axis=None,
    ):
        self.mass, self.center, self.inertia = mass, np.array(center), np.array(inertia)
        self.place, self.velocity = np.array(place, float), np.array(velocity, float)
        self.turn, self.spin, self.support = np.array(turn), np.array(spin, float), support
        self.friction, self.axis = friction, axis
        self.dipoles = [(np.array(at), np.array(p)) for at, p in dipoles]


def loads(bodies, places, turns, spins, gravity, field, permeability):
    """Force [N] and torque [N m] about the reference point of every body, laboratory frame, by fields and gradients."""
    magnets = [(x + q @ at, q @ p) for b, x, q in zip(bodies, places, turns, strict=True) for at, p in b.dipoles]
    owner = [k for k, b in enumerate(bodies) for _ in b.dipoles]
    forces = [b.mass * gravity for b in bodies]
    torques = [
        np.cross(q @ b.center, b.mass * gravity) - b.friction * w for b, q, w in zip(bodies, turns, spins, strict=True)
    ]
    for i, (x, p) in enumerate(magnets):
        k = owner[i]
        here, force = field.copy(), np.zeros(3)
        for j, (other, source) in enumerate(magnets):
            if owner[j] != k:
                here += dipole_field(source, x - other, permeability)
                force += dipole_force(p, source, x - other, permeability)
        forces[k] = forces[k] + force
        torques[k] = torques[k] + np.cross(p, here) + np.cross(x - places[k], force)
    return forces, torques


def accelerations(body, turn, w, force, torque):
    """Of the reference point [m/s^2], laboratory frame, and of the spin [1/s^2], body frame (Euler's equations)."""
    local = turn.T @ torque
    if body.support == "axle":
        n = turn.T @ body.axis
        return np.zeros(3), n * (n @ local) / (n @ body.inertia @ n)
    angular = np.linalg.lstsq(body.inertia, local - np.cross(w, body.inertia @ w), rcond=1e-10)[0]
    return force / body.mass if body.support == "free" else np.zeros(3), angular


def integrate(bodies, times, gravity=(0, 0, 0), field=(0, 0, 0), permeability=1.25663706127e-6):
    """Places (len(times), n, 3) of the reference points and turns (len(times), n, 3, 3), by DOP853.

    `field` [T] is a vector, or a function of time that gives one. Fixed bodies stand still.
    """
    gravity, n = np.array(gravity, float), len(bodies)
    field_at = field if callable(field) else lambda _: np.array(field, float)

    def rates(time, y):
        x, v, q, w = np.split(y, [3 * n, 6 * n, 15 * n])
        x, v, q, w = x.reshape(n, 3), v.reshape(n, 3), q.reshape(n, 3, 3), w.reshape(n, 3)
        spins = [turn @ a for turn, a in zip(q, w, strict=True)]
        forces, torques = loads(bodies, x, q, spins, gravity, field_at(time), permeability)
        rate_v, rate_q, rate_w = np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3))
        for k, body in enumerate(bodies):
            if body.support != "fixed":
                rate_v[k], rate_w[k] = accelerations(body, q[k], w[k], forces[k], torques[k])
                rate_q[k] = np.cross(spins[k], q[k].T).T
        return np.concatenate([v.ravel(), rate_v.ravel(), rate_q.ravel(), rate_w.ravel()])

    parts = [(b.place, b.velocity, b.turn.ravel(), b.turn.T @ b.spin) for b in bodies]
    start = np.concatenate([values for kind in zip(*parts, strict=True) for values in kind])
    solution = solve_ivp(rates, (0, times[-1]), start, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-13)
    y = solution.y.T
    return y[:, : 3 * n].reshape(-1, n, 3), y[:, 6 * n : 15 * n].reshape(-1, n, 3, 3)


def sampled_inertia(inside, low, high, count=2**18):
    """Volume and inertia about the origin at density 1 of the region inside(points) in a box, by Sobol points."""
    points = qmc.scale(qmc.Sobol(3, seed=1).random(count), low, high)
    cell = np.prod(np.subtract(high, low)) / count
    return cell * inside(points).sum(), cell * point_inertia(points[inside(points)], 1.0)


def point_inertia(points, masses):
    """Inertia about the origin of point masses: sum of m (r^2 1 - rr)."""
    masses = np.broadcast_to(masses, len(points))
    return (masses * (points**2).sum(1)).sum() * np.eye(3) - np.einsum("n,ni,nj->ij", masses, points, points)


def tetrahedra_properties(vertices, faces):
    """Volume, centre and inertia about the origin (density 1) of a closed mesh: a sum of tetrahedra on the origin.

    Int rr dV of a tetrahedron with corners 0, a, b, c is V/20 (aa + bb + cc + ss), s = a + b + c.
    """
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for a, b, c in vertices[faces]:
        v, s = np.linalg.det([a, b, c]) / 6, a + b + c
        volume, first = volume + v, first + v * s / 4
        second = second + v / 20 * sum(np.outer(r, r) for r in (a, b, c, s))
    return volume, first / volume, np.trace(second) * np.eye(3) - second


class PointSystem:
    """Particles, soft lattices, springs between points and places, walls and wind of a scene, one by one in loops."""

    def __init__(self, scene):
        self.scene = scene
        self.points, self.springs, self.numbers = [], [], {}
        for soft in scene.soft:
            self._add_lattice(soft)
        for ball in scene.particle:
            self.numbers[ball.name] = len(self.points)
            self.points.append((ball.mass, ball.radius, np.array(ball.position), np.array(ball.velocity), ball.fixed))
        for spring in scene.spring:
            ends = [end if isinstance(end, tuple) else self.numbers[end] for end in (spring.from_, spring.to)]
            self._join(*ends, spring, spring.rest_length)

    def _add_lattice(self, soft):
        nx, ny, nz = soft.counts
        middle = np.array([nx - 1, ny - 1, nz - 1]) / 2
        cells = [(i, j, k) for k in range(nz) for j in range(ny) for i in range(nx)]
        first = len(self.points)
        for n, cell in enumerate(cells):
            arm = soft.orientation.matrix() @ ((cell - middle) * soft.spacing)
            velocity = np.array(soft.velocity) + np.cross(soft.angular_velocity, arm)
            fixed = n in soft.fixed
            place = np.array(soft.position) + arm
            self.numbers[f"{soft.name}.{n}"] = len(self.points)
            self.points.append(
                (soft.particle_mass, soft.particle_radius, place, 0 * velocity if fixed else velocity, fixed)
            )
        for a, one in enumerate(cells):
            for b, other in enumerate(cells[:a]):
                if np.abs(np.subtract(one, other)).max() == 1:
                    self._join(first + b, first + a, soft, None)

    def _place(self, end, positions):
        return np.array(end) if isinstance(end, tuple) else positions[end]

    def _join(self, one, other, law, rest):
        starts = [point[2] for point in self.points]
        if rest is None:
            rest = np.linalg.norm(self._place(other, starts) - self._place(one, starts))
        self.springs.append((one, other, rest, law.stiffness, law.damping, law.damper))

    def forces(self, time, positions, velocities):
        world = self.scene.world
        swing = np.cos(2 * np.pi * time / world.wind.period) if world.wind.period else 1.0
        air = np.array(world.wind.velocity) * swing
        forces = [
            point[0] * np.array(world.gravity) + world.wind.drag * (air - v)
            for point, v in zip(self.points, velocities, strict=True)
        ]
        for one, other, rest, stiffness, damping, damper in self.springs:
            r = self._place(other, positions) - self._place(one, positions)
            v = (0 if isinstance(other, tuple) else velocities[other]) - (
                0 if isinstance(one, tuple) else velocities[one]
            )
            length = np.linalg.norm(r)
            e = r / length
            force = -stiffness * (length - rest) * e - damping * (v if damper == "full" else (v @ e) * e)
            if not isinstance(other, tuple):
                forces[other] = forces[other] + force
            if not isinstance(one, tuple):
                forces[one] = forces[one] - force
        for wall in self.scene.wall:
            n = np.array(wall.normal) / np.linalg.norm(wall.normal)
            sine = wall.motion.kind == "sine"
            w = 2 * np.pi / wall.motion.period if sine else 0.0
            swing = wall.motion.amplitude if sine else 0.0
            place, moving = np.array(wall.point) + swing * np.sin(w * time) * n, swing * w * np.cos(w * time) * n
            for i, point in enumerate(self.points):
                depth = point[1] - (positions[i] - place) @ n
                v = velocities[i] - moving
                if depth > 0:
                    normal = wall.stiffness * depth - wall.damping * (v @ n)
                    normal = normal if wall.sticky else max(0.0, normal)
                    forces[i] = forces[i] + normal * n - wall.friction * (v - (v @ n) * n)
        return forces

    def positions(self, times):
        """(k, p, 3) [m] at times [s], by DOP853 in short pieces, so that no contact is stepped over."""
        count = len(self.points)

        y = self._start()
        longest = 2e-3 if self.scene.wall else np.inf
        way = solve_ivp(
            self.rates, (0, times[-1]), y, method="DOP853", t_eval=times, rtol=1e-10, atol=1e-12, max_step=longest
        )
        return way.y.T.reshape(len(times), 2, count, 3)[:, 0]

    def rates(self, time, y):
        """Velocities and accelerations, flat, of positions and velocities, flat."""
        x, v = y.reshape(2, -1, 3)
        forces = self.forces(time, x, v)
        pulls = [0 * f if p[4] else f / p[0] for f, p in zip(forces, self.points, strict=True)]
        return np.concatenate([v, pulls]).ravel()

    def implicit_steps(self, step, count):
        """(p, 3) [m] positions after steps of Alexander's method; its stages by Newton with a dense Jacobian."""
        c = 1 - 1 / np.sqrt(2)
        y, time = self._start(), 0.0
        for _ in range(count):
            first = self._stage(time + c * step, y, c * step)
            second = self._stage(time + step, y + (1 - c) * step * first, c * step)
            y, time = y + step * ((1 - c) * first + c * second), time + step
        return y.reshape(2, -1, 3)[0]

    def _stage(self, time, base, h):
        """k = f(time, base + h k)."""
        y = base.copy()
        for _ in range(50):
            residual = y - base - h * self.rates(time, y)
            nudges = 1e-6 * np.eye(len(y))
            columns = [(self.rates(time, y + n) - self.rates(time, y - n)) / 2e-6 for n in nudges]
            change = np.linalg.solve(np.eye(len(y)) - h * np.transpose(columns), residual)
            y = y - change
            if np.abs(change).max() < 1e-12:
                return (y - base) / h
        raise ArithmeticError("a stage is not found")

    def _start(self):
        return np.concatenate([[p[2] for p in self.points], [p[3] for p in self.points]]).ravel()

    def at_rest(self):
        """(p, 3) [m] where forces balance, from the start on."""
        start = np.array([p[2] for p in self.points])
        moves = np.array([not p[4] for p in self.points])

        def forces(free):
            x = start.copy()
            x[moves] = free.reshape(-1, 3)
            return np.array(self.forces(0.0, x, 0 * x))[moves].ravel()

        found = root(forces, start[moves].ravel(), tol=1e-13)
        if not np.abs(found.fun).max() < 1e-9:
            raise ArithmeticError("no balance is found")
        start[moves] = found.x.reshape(-1, 3)
        return start


def landing(body, touching, wall, times, gravity):
    """Places (k, 3) [m] of the centre of mass, turns (k, 3, 3) and spins (k, 3) of a free RigidBody over a wall.

    touching(turn, normal) gives the arms (m, 3) [m] of all places that may touch, laboratory frame.
    """
    gravity, n = np.array(gravity), np.array(wall.normal) / np.linalg.norm(wall.normal)
    sine = wall.motion.kind == "sine"
    w, swing = (2 * np.pi / wall.motion.period, wall.motion.amplitude) if sine else (0.0, 0.0)

    def rates(time, y):
        x, v, q, spin = y[:3], y[3:6], y[6:15].reshape(3, 3), y[15:]
        place, moving = np.array(wall.point) + swing * np.sin(w * time) * n, swing * w * np.cos(w * time) * n
        force, torque = body.mass * gravity, np.zeros(3)
        for arm in touching(q, n):
            depth = (place - x - arm) @ n
            relative = v + np.cross(q @ spin, arm) - moving
            pressed = contact_force(depth, n, relative, wall.stiffness, wall.damping, wall.friction)
            force, torque = force + pressed, torque + np.cross(arm, pressed)
        _, turning = accelerations(body, q, spin, force, torque)
        return np.concatenate([v, force / body.mass, np.cross(q @ spin, q.T).T.ravel(), turning])

    start = np.concatenate([body.place, body.velocity, body.turn.ravel(), body.turn.T @ body.spin])
    # Against rtol = 1e-10 and half the steps the kinks leave 5e-7 m, 5e-6 of turns and 7e-5 rad/s.
    way = solve_ivp(rates, (0, times[-1]), start, method="DOP853", t_eval=times, rtol=1e-7, atol=1e-9, max_step=2e-3)
    turns = way.y[6:15].T.reshape(-1, 3, 3)
    return way.y[:3].T, turns, np.einsum("kij,kj->ki", turns, way.y[15:].T)


def contact_force(depth, normal, velocity, stiffness, damping, friction):
    """Kelvin and Voigt's spring and damper along the normal, that do not pull, and a damper across it."""
    if depth <= 0:
        return np.zeros(3)
    along = np.outer(normal, normal)
    pressure = max(0.0, stiffness * depth - damping * (velocity @ normal))
    return pressure * normal - friction * (np.eye(3) - along) @ velocity


def cuboid_charges(size, magnetisation, count=24):
    """Poles on the faces of a uniformly magnetised cuboid: points (n, 3), charges (n,) [A m], by Gauss's rule."""
    x, w = np.polynomial.legendre.leggauss(count)
    points, charges = [], []
    for axis, side in [(axis, side) for axis in range(3) for side in (-1, 1)]:
        u, v = (k for k in range(3) if k != axis)
        at = np.zeros((count**2, 3))
        at[:, u], at[:, v] = np.repeat(x, count) * size[u] / 2, np.tile(x, count) * size[v] / 2
        at[:, axis] = side * size[axis] / 2
        points.append(at)
        charges.append(side * magnetisation[axis] * np.outer(w, w).ravel() / 4 * size[u] * size[v])
    return np.vstack(points), np.concatenate(charges)


def cylinder_charges(radius, length, magnetisation, count=24):
    """As for cuboids, on the two ends and round the side of a cylinder."""
    x, w = np.polynomial.legendre.leggauss(count)
    angle = 2 * np.pi * np.arange(2 * count) / (2 * count)
    normal = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    r = (x + 1) / 2 * radius
    disc = (r[:, None, None] * normal).reshape(-1, 3)
    area = np.repeat(w * radius / 2 * r, 2 * count) * np.pi / count
    side = (radius * normal + x[:, None, None] * [0, 0, length / 2]).reshape(-1, 3)
    pole = np.tile(normal @ magnetisation, count) * np.repeat(w * length / 2, 2 * count) * radius * np.pi / count
    points = np.vstack([disc + [0, 0, length / 2], disc - [0, 0, length / 2], side])
    return points, np.concatenate([area * magnetisation[2], -area * magnetisation[2], pole])


def dipole_sums(owner, positions, moments, permeability):
    """Field [T] and force [N] of all dipoles at those of other owners, (m, 3) each, row by row."""
    fields, forces = np.zeros((2, len(moments), 3))
    for i, (x, p) in enumerate(zip(positions, moments, strict=True)):
        others = owner != owner[i]
        r, q = x - positions[others], moments[others]
        d = np.sqrt((r**2).sum(1))[:, None]
        n, strength = r / d, permeability / (4 * np.pi)
        q_n, p_n = (q * n).sum(1)[:, None], n @ p
        fields[i] = (strength * (3 * n * q_n - q) / d**3).sum(0)
        cosines = (q @ p) - 5 * q_n[:, 0] * p_n
        forces[i] = (3 * strength * (q_n * p + p_n[:, None] * q + cosines[:, None] * n) / d**4).sum(0)
    return fields, forces


def standing_force(mass, inertia, position, velocity, spin, force, torque, at, normal, standing):
    """The force across the normal that makes a ball's place of contact lose its speed across within `standing`.

    Acceleration of the place: a + alpha x r + omega x (omega x r) would be that of a place in the ball; the place of
    contact stays below the middle instead, so r does not turn. It is linear in the force: two unit forces say how.
    """
    arm = at - position
    first = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
    plane = np.array([first / np.linalg.norm(first), np.cross(normal, first / np.linalg.norm(first))])

    def gained(push):
        return plane @ ((force + push) / mass + np.cross((torque + np.cross(arm, push)) / inertia, arm))

    start = gained(np.zeros(3))
    matrix = np.column_stack([gained(direction) - start for direction in plane])
    wanted = -plane @ (velocity + np.cross(spin, arm)) / standing
    return np.linalg.solve(matrix, wanted - start) @ plane

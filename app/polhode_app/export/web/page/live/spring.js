// Stiffness and damping of the pull on a body: as in core/polhode/physics/grab/interaction_forces.py.

const CARRIED = 10 * Math.PI; // [rad/s] angular frequency of a body that is carried
const DAMPING = 0.7; // its damping ratio
const STABLE = 0.25; // largest k dt^2/m and d dt/m

/** Largest eigenvalue of a symmetric matrix of three rows, by rotations of Jacobi. */
function largestEigenvalue(rows) {
  const a = rows.map((row) => [...row]);
  for (let sweep = 0; sweep < 30; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) <= 1e-300) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
    }
  }
  return Math.max(a[0][0], a[1][1], a[2][2]);
}

/** Smallest effective mass [kg] of a force at `arm` of a body, over all directions. */
function effectiveMass({ mass, inverseInertia: j, moves }, [x, y, z]) {
  const across = [[0, -z, y], [z, 0, -x], [-y, x, 0]];
  const product = (m, n) => m.map((row) => [0, 1, 2].map((c) => row[0] * n[0][c] + row[1] * n[1][c] + row[2] * n[2][c]));
  const inner = [j.slice(0, 3), j.slice(3, 6), j.slice(6, 9)];
  const mobility = product(product(across, inner), across).map((row, r) => row.map((part, c) => (moves && r === c ? 1 / mass : 0) - part));
  const most = largestEigenvalue(mobility);
  return most > 0 ? Math.min(1 / most, mass) : 0;
}

/** Pointer, stiffness and damping that carry a body by a point of it, which follows the pointer's motion. */
function carrying(body, arm, place, velocity, gravity, step) {
  const mass = effectiveMass(body, arm);
  const stiffness = Math.min(CARRIED ** 2, STABLE / step ** 2) * mass;
  const damping = 2 * DAMPING * Math.min(CARRIED, STABLE / step) * mass;
  const weight = (c) => (body.isFree ? -body.mass * gravity[c] : 0);
  const shift = (c) => (stiffness > 0 ? (damping * velocity[c] + weight(c)) / stiffness : 0);
  return { position: place.map((part, c) => part + shift(c)), stiffness, damping };
}

// Picking: rays from the pointer against the triangles that are drawn.

const SLACK = 10; // [pixel] around a finger or a pointer in which something is found
const ROUNDING = 1e-6; // of the test of spheres, relative
const SPHERES = new WeakMap(); // around the points of geometries

/** The ray through a position of the canvas [pixel]: where it begins, and its unit vector. */
function rayAt(view, x, y) {
  const { camera, canvas } = view;
  camera.updateMatrixWorld();
  const at = (depth) =>
    new THREE.Vector3((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight, depth).unproject(camera);
  const origin = at(-1);
  return { origin, direction: at(0.5).sub(origin).normalize() };
}

/** Where a ray meets the plane through a point that is parallel to the picture. */
function onPlane({ origin, direction }, point, view) {
  const ahead = view.camera.getWorldDirection(new THREE.Vector3());
  const depth = point.clone().sub(origin).dot(ahead) / direction.dot(ahead);
  return origin.clone().addScaledVector(direction, depth);
}

/** The nearest drawn thing of the scene under a position, or nearly so: its part, number, and place. Null for none. */
function pickAt(view, x, y) {
  const places = [[0, 0]];
  for (let k = 0; k < 8; k++) places.push([SLACK * Math.cos((k * Math.PI) / 4), SLACK * Math.sin((k * Math.PI) / 4)]);
  for (const [dx, dy] of places) {
    const found = hit(view, rayAt(view, x + dx, y + dy));
    if (found !== null) return found;
  }
  return null;
}

/** The first thing that a ray meets. */
function hit(view, ray) {
  let nearest = null;
  for (const part of view.parts) {
    if (!["item", "surroundings"].includes(part.kind) || !view.isOn(part.view)) continue;
    for (const object of part.objects) {
      if (!object.isMesh || !object.visible || object.geometry.isInstancedBufferGeometry || object.material.isShaderMaterial) continue;
      const count = object.isInstancedMesh ? object.count : 1;
      for (let number = 0; number < count; number++) {
        const depth = meet(ray, object, number, nearest?.depth ?? Infinity);
        if (depth !== null) nearest = { part, number, depth, at: ray.origin.clone().addScaledVector(ray.direction, depth) };
      }
    }
  }
  return nearest;
}

/** Middle and radius of a sphere around the points of a geometry, made again when these have changed. */
function sphereOf(geometry) {
  const { array, version } = geometry.attributes.position;
  const known = SPHERES.get(geometry);
  if (known?.version === version) return known;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < array.length; k++) {
    low[k % 3] = Math.min(low[k % 3], array[k]);
    high[k % 3] = Math.max(high[k % 3], array[k]);
  }
  const middle = low.map((least, c) => (least + high[c]) / 2);
  const made = { version, middle, radius: Math.hypot(...low.map((least, c) => (high[c] - least) / 2)) };
  SPHERES.set(geometry, made);
  return made;
}

/** Whether a ray passes a sphere, or meets it only beyond a distance. */
function misses(o, d, { middle, radius }, farthest) {
  const away = middle.map((part, c) => part - o[c]);
  const along = away[0] * d[0] + away[1] * d[1] + away[2] * d[2];
  const within = radius * (1 + ROUNDING) + ROUNDING * Math.hypot(...away);
  if (along < -within || along - within > farthest) return true;
  return Math.hypot(...away.map((part, c) => part - along * d[c])) > within;
}

/** Distance to the first triangle of an object that a ray meets, if it is less than another; else null. */
function meet(ray, object, number, farthest) {
  const matrix = new THREE.Matrix4();
  if (object.isInstancedMesh) matrix.fromArray(object.instanceMatrix.array, 16 * number);
  else matrix.copy(object.matrix);
  const scale = new THREE.Vector3().setFromMatrixColumn(matrix, 0).length();
  if (scale < 1e-12) return null;
  const inner = matrix.invert();
  const o = ray.origin.clone().applyMatrix4(inner).toArray();
  const d = ray.direction.clone().transformDirection(inner).toArray();
  if (misses(o, d, sphereOf(object.geometry), farthest / scale)) return null;
  const { position } = object.geometry.attributes;
  const index = object.geometry.index?.array;
  const count = index ? index.length : position.count;
  let best = farthest / scale;
  let isMet = false;
  for (let k = 0; k + 2 < count; k += 3) {
    const depth = triangle(o, d, position.array, ...[0, 1, 2].map((c) => 3 * (index ? index[k + c] : k + c)));
    if (depth > 0 && depth < best) {
      best = depth;
      isMet = true;
    }
  }
  return isMet ? best * scale : null;
}

/** Distance along a ray to a triangle with corners at a, b, c of an array (Moeller and Trumbore); -1 without. */
function triangle(o, d, p, a, b, c) {
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [px, py, pz] = [d[1] * vz - d[2] * vy, d[2] * vx - d[0] * vz, d[0] * vy - d[1] * vx];
  const volume = ux * px + uy * py + uz * pz;
  if (volume === 0) return -1;
  const [tx, ty, tz] = [o[0] - p[a], o[1] - p[a + 1], o[2] - p[a + 2]];
  const u = (tx * px + ty * py + tz * pz) / volume;
  if (u < 0 || u > 1) return -1;
  const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux];
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / volume;
  return v < 0 || u + v > 1 ? -1 : (vx * qx + vy * qy + vz * qz) / volume;
}

// Tubes, coils and sheets: surfaces that follow from few points. As in app/polhode_app/viewport/geometry.

/** Weights of Catmull and Rom's spline at a share of the way between the second and the third of four points. */
function splineWeights(s) {
  const s2 = s * s;
  const s3 = s2 * s;
  return [(-s + 2 * s2 - s3) / 2, (2 - 5 * s2 + 3 * s3) / 2, (s + 4 * s2 - 3 * s3) / 2, (s3 - s2) / 2];
}

/**
 * A row of points `finer` times as dense, along splines; beyond the ends the first and last points are reflected.
 * `from` has points at `first`, `stride` apart (in points), `to` gets them at `at`, `toStride` apart.
 */
function refine(from, first, stride, count, finer, to, at, toStride) {
  for (let k = 0; k < count - 1; k++) {
    const p1 = 3 * (first + k * stride);
    const p2 = 3 * (first + (k + 1) * stride);
    const p0 = k > 0 ? 3 * (first + (k - 1) * stride) : -1;
    const p3 = k + 2 < count ? 3 * (first + (k + 2) * stride) : -1;
    for (let j = 0; j < finer; j++) {
      const [w0, w1, w2, w3] = splineWeights(j / finer);
      const out = 3 * (at + (k * finer + j) * toStride);
      for (let c = 0; c < 3; c++) {
        const b = from[p1 + c];
        const d = from[p2 + c];
        const a = p0 >= 0 ? from[p0 + c] : 2 * b - d;
        const e = p3 >= 0 ? from[p3 + c] : 2 * d - b;
        to[out + c] = w0 * a + w1 * b + w2 * d + w3 * e;
      }
    }
  }
  const out = 3 * (at + (count - 1) * finer * toStride);
  const last = 3 * (first + (count - 1) * stride);
  for (let c = 0; c < 3; c++) to[out + c] = from[last + c];
}

/** A geometry whose positions and normals are written again and again. */
function changing(vertices, triangles) {
  const geometry = new THREE.BufferGeometry();
  for (const name of ["position", "normal"]) {
    const attribute = new THREE.BufferAttribute(new Float32Array(3 * vertices), 3);
    attribute.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute(name, attribute);
  }
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(triangles), 1));
  return geometry;
}

/** Sheets through grids of points: [rows, columns, finer] of each. */
class Sheets {
  constructor(grids) {
    const triangles = [];
    let vertices = 0;
    this.parts = grids.map(([rows, columns, finer]) => {
      const r = (rows - 1) * finer + 1;
      const c = (columns - 1) * finer + 1;
      for (let i = 0; i + 1 < r; i++) {
        for (let j = 0; j + 1 < c; j++) {
          const k = vertices + i * c + j;
          triangles.push(k, k + 1, k + c + 1, k, k + c + 1, k + c);
        }
      }
      const part = { rows, columns, finer, r, c, first: vertices, wide: new Float32Array(3 * rows * c) };
      vertices += r * c;
      return part;
    });
    this.geometry = changing(vertices, triangles);
  }

  write(points) {
    const positions = this.geometry.attributes.position.array;
    let first = 0;
    for (const { rows, columns, finer, r, c, first: at, wide } of this.parts) {
      for (let i = 0; i < rows; i++) refine(points, first + i * columns, 1, columns, finer, wide, i * c, 1);
      for (let j = 0; j < c; j++) refine(wide, j, c, rows, finer, positions, at + j, c);
      this.bend(at, r, c);
      first += rows * columns;
    }
  }

  /** Normals of a sheet from the differences of neighbours. */
  bend(at, r, c) {
    const p = this.geometry.attributes.position.array;
    const n = this.geometry.attributes.normal.array;
    for (let i = 0; i < r; i++) {
      for (let j = 0; j < c; j++) {
        const k = 3 * (at + i * c + j);
        const left = j > 0 ? k - 3 : k;
        const right = j + 1 < c ? k + 3 : k;
        const up = i > 0 ? k - 3 * c : k;
        const down = i + 1 < r ? k + 3 * c : k;
        const rx = p[right] - p[left];
        const ry = p[right + 1] - p[left + 1];
        const rz = p[right + 2] - p[left + 2];
        const dx = p[down] - p[up];
        const dy = p[down + 1] - p[up + 1];
        const dz = p[down + 2] - p[up + 2];
        const x = ry * dz - rz * dy;
        const y = rz * dx - rx * dz;
        const z = rx * dy - ry * dx;
        const norm = Math.hypot(x, y, z) || 1;
        n[k] = x / norm;
        n[k + 1] = y / norm;
        n[k + 2] = z / norm;
      }
    }
  }
}

/** Round tubes along rows of points: `count` of `rings` points each, with `sides` facets around. */
class Tubes {
  constructor(count, rings, sides, isCapped) {
    Object.assign(this, { count, rings, sides });
    const triangles = [];
    for (let t = 0; t < count; t++) {
      const first = t * rings * sides;
      for (let i = 0; i + 1 < rings; i++) {
        for (let j = 0; j < sides; j++) {
          const a = first + i * sides + j;
          const b = first + i * sides + ((j + 1) % sides);
          triangles.push(a, b, b + sides, a, b + sides, a + sides);
        }
      }
      const last = first + (rings - 1) * sides;
      for (let j = 1; isCapped && j + 1 < sides; j++) {
        triangles.push(first, first + j + 1, first + j, last, last + j, last + j + 1);
      }
    }
    this.geometry = changing(count * rings * sides, triangles);
    this.around = Array.from({ length: sides }, (_, j) => 2 * Math.PI * (j / sides)).map((a) => [Math.cos(a), Math.sin(a)]);
    this.across = new Float32Array(3 * rings);
    this.directions = new Float32Array(3 * rings);
  }

  /** Write tube t around points of `lines` from `first` on; `across` are unit vectors, or null for a search. */
  write(t, lines, first, radius, across) {
    this.tangents(lines, first);
    if (across === null) this.transport();
    const frame = across === null ? this.across : across;
    const { rings, sides, directions, around } = this;
    const positions = this.geometry.attributes.position.array;
    const normals = this.geometry.attributes.normal.array;
    for (let i = 0; i < rings; i++) {
      const k = 3 * i;
      const [tx, ty, tz] = [directions[k], directions[k + 1], directions[k + 2]];
      const [ux, uy, uz] = [frame[k], frame[k + 1], frame[k + 2]];
      const vx = ty * uz - tz * uy;
      const vy = tz * ux - tx * uz;
      const vz = tx * uy - ty * ux;
      const at = 3 * (first + i);
      for (let j = 0; j < sides; j++) {
        const [c, s] = around[j];
        const out = 3 * ((t * rings + i) * sides + j);
        normals[out] = c * ux + s * vx;
        normals[out + 1] = c * uy + s * vy;
        normals[out + 2] = c * uz + s * vz;
        for (let x = 0; x < 3; x++) positions[out + x] = lines[at + x] + radius * normals[out + x];
      }
    }
  }

  tangents(lines, first) {
    const { rings, directions } = this;
    for (let i = 0; i < rings; i++) {
      const a = 3 * (first + Math.max(i - 1, 0));
      const b = 3 * (first + Math.min(i + 1, rings - 1));
      const x = lines[b] - lines[a];
      const y = lines[b + 1] - lines[a + 1];
      const z = lines[b + 2] - lines[a + 2];
      const norm = Math.hypot(x, y, z) || 1;
      directions[3 * i] = x / norm;
      directions[3 * i + 1] = y / norm;
      directions[3 * i + 2] = z / norm;
    }
  }

  /** Unit vectors across the tangents, without torsion. */
  transport() {
    const { rings, directions, across } = this;
    const axis = [0, 1, 2].sort((a, b) => Math.abs(directions[a]) - Math.abs(directions[b]))[0];
    let vector = [0, 0, 0];
    vector[(axis + 1) % 3] = -directions[(axis + 2) % 3];
    vector[(axis + 2) % 3] = directions[(axis + 1) % 3];
    for (let i = 0; i < rings; i++) {
      vector = perpendicular(vector, directions, 3 * i);
      for (let c = 0; c < 3; c++) across[3 * i + c] = vector[c];
    }
  }
}

/** The unit vector along the part of a vector across another, which is at `k` of an array. */
function perpendicular(vector, array, k) {
  const along = vector[0] * array[k] + vector[1] * array[k + 1] + vector[2] * array[k + 2];
  const out = [0, 1, 2].map((c) => vector[c] - along * array[k + c]);
  const norm = Math.hypot(...out) || 1;
  return out.map((part) => part / norm);
}

/** Coil springs between two points each: a table with `coils` of [radius, wire, across x, y, z]. */
class Coils {
  constructor(table) {
    Object.assign(this, table);
    this.tubes = new Tubes(table.count, table.rings, table.sides, false);
    this.geometry = this.tubes.geometry;
    this.line = new Float32Array(3 * table.rings);
    this.across = new Float32Array(3 * table.rings);
  }

  write(ends) {
    for (let t = 0; t < this.count; t++) {
      this.wind(ends, 6 * t, this.coils[t]);
      this.tubes.write(t, this.line, 0, this.coils[t][1], this.across);
    }
  }

  wind(ends, at, [radius, , ...axis]) {
    const { rings, turns, end, line, across } = this;
    const along = [0, 1, 2].map((c) => ends[at + 3 + c] - ends[at + c]);
    const length = Math.hypot(...along) || 1e-30;
    const unit = along.map((part) => part / length);
    const u = perpendicular(axis, unit, 0);
    const v = [unit[1] * u[2] - unit[2] * u[1], unit[2] * u[0] - unit[0] * u[2], unit[0] * u[1] - unit[1] * u[0]];
    const away = new Float32Array(3 * rings);
    for (let i = 0; i < rings; i++) {
      const share = i / (rings - 1);
      const angle = 2 * Math.PI * turns * share;
      const ramp = Math.min(1, Math.max(0, Math.min(share, 1 - share) / end - 0.5));
      const wide = radius * ramp * ramp * (3 - 2 * ramp);
      for (let c = 0; c < 3; c++) {
        away[3 * i + c] = Math.cos(angle) * u[c] + Math.sin(angle) * v[c];
        line[3 * i + c] = ends[at + c] + share * along[c] + wide * away[3 * i + c];
      }
    }
    this.tubes.tangents(line, 0);
    for (let i = 0; i < rings; i++) {
      const vector = perpendicular(away.subarray(3 * i, 3 * i + 3), this.tubes.directions, 3 * i);
      for (let c = 0; c < 3; c++) across[3 * i + c] = vector[c];
    }
  }
}

/** Rods and strings between two points each: a table with `strings` of [length, down x, y, z], which sag where slack. */
class Hanging {
  constructor(table) {
    Object.assign(this, table);
    this.tubes = new Tubes(table.count, table.rings, table.sides, false);
    this.geometry = this.tubes.geometry;
    this.line = new Float32Array(3 * table.rings);
  }

  write(ends) {
    for (let t = 0; t < this.count; t++) {
      this.hang(ends, 6 * t, this.strings[t]);
      this.tubes.write(t, this.line, 0, this.radius[t], null);
    }
  }

  hang(ends, at, [length, ...down]) {
    const { rings, line } = this;
    const along = [0, 1, 2].map((c) => ends[at + 3 + c] - ends[at + c]);
    const sag = Math.sqrt(3 * Math.max(length ** 2 - along.reduce((sum, part) => sum + part ** 2, 0), 0)) / 4;
    for (let i = 0; i < rings; i++) {
      const share = i / (rings - 1);
      const lower = 4 * share * (1 - share) * sag;
      for (let c = 0; c < 3; c++) line[3 * i + c] = ends[at + c] + share * along[c] + lower * down[c];
    }
  }
}

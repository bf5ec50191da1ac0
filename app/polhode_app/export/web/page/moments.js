// Interpolation between the kept moments.

/** Indices of the times, in ascending order, before and after a time. */
function around(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return [low, high];
}

/** The kept times, and where a time lies among them. */
class Moments {
  constructor(times) {
    this.times = times;
    this.index = 0; // moment at or before the time
    this.share = 0; // 0 ... 1 of the way to the next one
    this.nearest = 0;
  }

  get first() {
    return this.times[0];
  }

  get last() {
    return this.times[this.times.length - 1];
  }

  /** The recorded moment whose colours and visibility hold now. */
  get recorded() {
    return this.nearest;
  }

  /** A function that returns the values of a moving array now. */
  reader(arrays, index) {
    const array = arrays.get(index);
    const [, ...shape] = arrays.shape(index);
    const channels = shape.reduce((a, b) => a * b, 1);
    const out = new Float32Array(channels);
    return () => this.values(array, channels, out);
  }

  /** A column of the plots: its values at all moments, and now; at moments that are gaps it has none. */
  column(arrays, { values, gaps }) {
    const array = arrays.get(values);
    const out = new Float32Array(1);
    const isGap = (moment) => gaps !== undefined && arrays.get(gaps)[moment] > 0;
    return { at: (moment) => array[moment], now: () => this.values(array, 1, out)[0], isGap };
  }

  go(time) {
    const { times } = this;
    const [low, high] = around(times, time);
    const span = high > low ? times[high] - times[low] : 0;
    this.index = low;
    this.share = span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
    this.nearest = this.share < 0.5 ? low : high;
  }

  /** The values of an array (moments, channels) now: cubics that do not overshoot (Fritsch and Carlson). */
  values(array, channels, out) {
    const { times, index, share } = this;
    const last = times.length - 1;
    const a = index * channels;
    if (share === 0 || last === 0) {
      for (let c = 0; c < channels; c++) out[c] = array[a + c];
      return out;
    }
    const h = times[index + 1] - times[index];
    const before = index > 0 ? times[index] - times[index - 1] : 0;
    const after = index + 1 < last ? times[index + 2] - times[index + 1] : 0;
    const s = share;
    const w0 = s * (1 - s) * (1 - s) * h;
    const w1 = -s * s * (1 - s) * h;
    const w = s * s * (3 - 2 * s);
    for (let c = 0; c < channels; c++) {
      const here = array[a + c];
      const next = array[a + channels + c];
      const slope = (next - here) / h;
      const left = before > 0 ? tangent((here - array[a - channels + c]) / before, slope, before, h) : slope;
      const right = after > 0 ? tangent(slope, (array[a + 2 * channels + c] - next) / after, h, after) : slope;
      out[c] = here + w * (next - here) + w0 * left + w1 * right;
    }
    return out;
  }
}

/** Slope at a point between two slopes over lengths h0 and h1; 0 at an extremum. */
function tangent(slope0, slope1, h0, h1) {
  if (slope0 * slope1 <= 0) return 0;
  const w0 = 2 * h1 + h0;
  const w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / slope0 + w1 / slope1);
}

/** Positions and rotations of all rigid things. */
class Poses {
  constructor(arrays, table, moments) {
    this.moments = moments;
    this.position = arrays.get(table.position);
    this.quaternion = arrays.get(table.quaternion);
    this.turns = arrays.get(table.turns);
    this.count = arrays.shape(table.position)[1];
    this.positions = new Float32Array(3 * this.count);
    this.rotations = new Float32Array(4 * this.count); // scalar first
  }

  update() {
    this.moments.values(this.position, 3 * this.count, this.positions);
    for (let k = 0; k < this.count; k++) this.turn(k);
  }

  /** The path of a point of a pose: where it is now, and at the moments. Both write into an array from `to` on. */
  path({ pose, point }) {
    const path = new Float32Array(3 * this.moments.times.length);
    for (let f = 0; f < this.moments.times.length; f++) this.carry(f * this.count + pose, point, path, 3 * f);
    return {
      now: (out) => this.moments.values(path, 3, out),
      at: (moment, out, to) => {
        for (let c = 0; c < 3; c++) out[to + c] = path[3 * moment + c];
      },
    };
  }

  /** Write a point of pose and moment k. */
  carry(k, [x, y, z], out, to) {
    const [w, a, b, c] = [0, 1, 2, 3].map((part) => this.quaternion[4 * k + part]);
    const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
    out[to] = this.position[3 * k] + x + w * tx + b * tz - c * ty;
    out[to + 1] = this.position[3 * k + 1] + y + w * ty + c * tx - a * tz;
    out[to + 2] = this.position[3 * k + 2] + z + w * tz + a * ty - b * tx;
  }

  /** The rotation of pose k: about a fixed axis from one moment to the next, with all full turns. */
  turn(k) {
    const { index, share } = this.moments;
    const q = this.quaternion;
    const out = this.rotations;
    const a = 4 * (index * this.count + k);
    const to = 4 * k;
    if (share === 0) {
      normalized(q, a, out, to);
      return;
    }
    const b = a + 4 * this.count;
    let w = q[a] * q[b] + q[a + 1] * q[b + 1] + q[a + 2] * q[b + 2] + q[a + 3] * q[b + 3];
    const sign = w < 0 ? -1 : 1;
    let x = sign * (q[a] * q[b + 1] - q[b] * q[a + 1] - (q[b + 2] * q[a + 3] - q[b + 3] * q[a + 2]));
    let y = sign * (q[a] * q[b + 2] - q[b] * q[a + 2] - (q[b + 3] * q[a + 1] - q[b + 1] * q[a + 3]));
    let z = sign * (q[a] * q[b + 3] - q[b] * q[a + 3] - (q[b + 1] * q[a + 2] - q[b + 2] * q[a + 1]));
    w *= sign;
    const sine = Math.hypot(x, y, z);
    if (sine < 1e-6) {
      normalized(q, a, out, to);
      return;
    }
    const half = share * (Math.atan2(sine, w) + Math.PI * this.turns[index * this.count + k]);
    const part = Math.sin(half) / sine;
    w = Math.cos(half);
    x *= part;
    y *= part;
    z *= part;
    out[to] = w * q[a] - x * q[a + 1] - y * q[a + 2] - z * q[a + 3];
    out[to + 1] = w * q[a + 1] + x * q[a] + y * q[a + 3] - z * q[a + 2];
    out[to + 2] = w * q[a + 2] + y * q[a] + z * q[a + 1] - x * q[a + 3];
    out[to + 3] = w * q[a + 3] + z * q[a] + x * q[a + 2] - y * q[a + 1];
    normalized(out, to, out, to);
  }

  /** Write the matrix of pose k, column by column, to `out` from `at` on. */
  matrix(k, out, at) {
    const w = this.rotations[4 * k];
    const x = this.rotations[4 * k + 1];
    const y = this.rotations[4 * k + 2];
    const z = this.rotations[4 * k + 3];
    out[at] = 1 - 2 * (y * y + z * z);
    out[at + 1] = 2 * (x * y + w * z);
    out[at + 2] = 2 * (x * z - w * y);
    out[at + 3] = 0;
    out[at + 4] = 2 * (x * y - w * z);
    out[at + 5] = 1 - 2 * (x * x + z * z);
    out[at + 6] = 2 * (y * z + w * x);
    out[at + 7] = 0;
    out[at + 8] = 2 * (x * z + w * y);
    out[at + 9] = 2 * (y * z - w * x);
    out[at + 10] = 1 - 2 * (x * x + y * y);
    out[at + 11] = 0;
    out[at + 12] = this.positions[3 * k];
    out[at + 13] = this.positions[3 * k + 1];
    out[at + 14] = this.positions[3 * k + 2];
    out[at + 15] = 1;
  }
}

function normalized(q, from, out, to) {
  const norm = Math.hypot(q[from], q[from + 1], q[from + 2], q[from + 3]) || 1;
  for (let c = 0; c < 4; c++) out[to + c] = q[from + c] / norm;
}

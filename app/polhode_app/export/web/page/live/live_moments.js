// The moments of a run that an engine makes: rows of numbers, the latest last, in place of kept arrays.

const MOST_ROWS = 6000; // kept
const MOST_NUMBERS = 1.2e7; // of all kept rows together
const BASIS_AT = 6; // of u1 in the columns of a body, behind position and velocity

/** Frames of reference in the columns of the rows: see app/polhode_app/export/web/live/live_content.py. */
class References {
  constructor({ bodies, vectors, walls }) {
    Object.assign(this, { bodies, vectors, walls });
    this.firstVector = 1 + bodies.length;
    this.firstWall = this.firstVector + vectors.length;
  }

  /** Write a point of a frame of reference, with its coordinates there, into `out` from `to` on. */
  carry(row, frame, x, y, z, out, to) {
    if (frame === 0) {
      out[to] = x;
      out[to + 1] = y;
      out[to + 2] = z;
    } else if (frame < this.firstVector) {
      const at = this.bodies[frame - 1];
      const u = at + BASIS_AT;
      for (let c = 0; c < 3; c++) out[to + c] = row[at + c] + x * row[u + c] + y * row[u + 3 + c] + z * row[u + 6 + c];
    } else if (frame < this.firstWall) {
      const at = this.vectors[frame - this.firstVector];
      out[to] = row[at] + x;
      out[to + 1] = row[at + 1] + y;
      out[to + 2] = row[at + 2] + z;
    } else {
      const [at, ...normal] = this.walls[frame - this.firstWall];
      const away = row[at];
      out[to] = x + normal[0] * away;
      out[to + 1] = y + normal[1] * away;
      out[to + 2] = z + normal[2] * away;
    }
  }

  /** Write a vector of the channels, or the velocity of a point of a body, into `out` from `to` on. */
  vector(row, frame, x, y, z, out, to) {
    if (frame === 0) {
      out.fill(0, to, to + 3);
      return;
    }
    if (frame >= this.firstVector) {
      const at = this.vectors[frame - this.firstVector];
      for (let c = 0; c < 3; c++) out[to + c] = row[at + c];
      return;
    }
    const at = this.bodies[frame - 1];
    const u = at + BASIS_AT;
    const [ax, ay, az] = [0, 1, 2].map((c) => x * row[u + c] + y * row[u + 3 + c] + z * row[u + 6 + c]);
    const [wx, wy, wz] = [row[u + 9], row[u + 10], row[u + 11]];
    out[to] = row[at + 3] + wy * az - wz * ay;
    out[to + 1] = row[at + 4] + wz * ax - wx * az;
    out[to + 2] = row[at + 5] + wx * ay - wy * ax;
  }

  /** Write the matrix of a frame of reference, column by column, into `out` from `to` on. */
  matrix(row, frame, out, to) {
    out.fill(0, to, to + 16);
    out[to + 15] = 1;
    this.carry(row, frame, 0, 0, 0, out, to + 12);
    if (frame > 0 && frame < this.firstVector) {
      const u = this.bodies[frame - 1] + BASIS_AT;
      for (let k = 0; k < 3; k++) for (let c = 0; c < 3; c++) out[to + 4 * k + c] = row[u + 3 * k + c];
    } else out[to] = out[to + 5] = out[to + 10] = 1;
  }
}

/** The rows of a run: a source of moments, as `Moments` is one of kept moments. */
class LiveMoments {
  constructor(content) {
    this.content = content;
    this.references = new References(content.live.references);
    this.poses = new LivePoses(content.live.references.poses, this);
    this.recorded = 0; // colours and visibility are those of the start
    this.share = 0;
    this.clear();
  }

  clear() {
    this.times = [];
    this.rows = [];
    this.index = 0;
  }

  /** Add a row of a time [s]. One of an earlier time begins a new run, one of the same time replaces the last. */
  push(time, row) {
    if (this.times.length > 0 && time < this.last) this.clear();
    if (this.times.length > 0 && time === this.last) this.rows[this.rows.length - 1] = row;
    else {
      this.times.push(time);
      this.rows.push(row);
    }
    if (this.times.length > Math.min(MOST_ROWS, Math.max(60, MOST_NUMBERS / row.length))) {
      const dropped = this.times.length >> 2;
      this.times.splice(0, dropped);
      this.rows.splice(0, dropped);
    }
  }

  get first() {
    return this.times[0];
  }

  get last() {
    return this.times[this.times.length - 1];
  }

  get nearest() {
    return this.index;
  }

  /** The row that is shown. */
  get row() {
    return this.rows[this.index];
  }

  /** Whether the row that is shown is the latest. */
  get isNow() {
    return this.index === this.rows.length - 1;
  }

  /** Show the row nearest to a time [s]. */
  go(time) {
    const { times } = this;
    const [low, high] = around(times, time);
    this.index = time - times[low] < times[high] - time ? low : high;
  }

  /** What a moving array follows: frames of reference, and coordinates there. */
  followed(arrays, index) {
    const { follow } = arrays.tables[index];
    return {
      frames: arrays.get(follow.frame, Int32Array),
      local: arrays.get(follow.local, Float64Array),
      factor: follow.factor,
    };
  }

  /** A function that returns the values of a moving array now. */
  reader(arrays, index) {
    const { frames, local, factor } = this.followed(arrays, index);
    const { references } = this;
    const out = new Float32Array(3 * frames.length);
    if (factor !== undefined) {
      return () => {
        const { row } = this;
        for (let k = 0; k < frames.length; k++) {
          references.vector(row, frames[k], local[3 * k], local[3 * k + 1], local[3 * k + 2], out, 3 * k);
          for (let c = 0; c < 3; c++) out[3 * k + c] *= factor;
        }
        return out;
      };
    }
    return () => {
      const { row } = this;
      for (let k = 0; k < frames.length; k++) {
        references.carry(row, frames[k], local[3 * k], local[3 * k + 1], local[3 * k + 2], out, 3 * k);
      }
      return out;
    };
  }

  /** A column of the plots, as `Moments` has it. */
  column(arrays, { channel }) {
    return {
      at: (moment) => this.rows[moment][channel],
      now: () => this.row[channel],
      isGap: (moment) => !Number.isFinite(this.rows[moment][channel]),
    };
  }
}

/** The poses of all rigid things in the row that is shown: of bodies, then of what follows other things. */
class LivePoses {
  constructor(others, moments) {
    Object.assign(this, { others, moments });
    this.local = others.map((pose) => (pose === null ? null : localMatrix(pose)));
    this.outer = new THREE.Matrix4();
  }

  get bodies() {
    return this.moments.references.bodies.length;
  }

  update() {}

  /** The frame of reference that pose k follows. */
  frameOf(k) {
    return k < this.bodies ? k + 1 : this.others[k - this.bodies][0];
  }

  matrix(k, out, at) {
    const { references, row } = this.moments;
    if (k < this.bodies) {
      references.matrix(row, k + 1, out, at);
      return;
    }
    references.matrix(row, this.frameOf(k), this.outer.elements, 0);
    this.outer.multiply(this.local[k - this.bodies]).toArray(out, at);
  }

  path({ pose, point: [x, y, z] }) {
    const { moments } = this;
    const { references } = moments;
    return {
      now: (out) => references.carry(moments.row, pose + 1, x, y, z, out, 0),
      at: (moment, out, to) => references.carry(moments.rows[moment], pose + 1, x, y, z, out, to),
    };
  }
}

/** The matrix of a pose within its frame of reference: [frame, x, y, z, quaternion with the scalar first]. */
function localMatrix([, x, y, z, w, a, b, c]) {
  return new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), new THREE.Quaternion(a, b, c, w), new THREE.Vector3(1, 1, 1));
}

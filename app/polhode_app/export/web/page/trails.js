// Paths of the bodies: what they have passed up to now, fading out.

const TRAIL = 360; // pieces of a trail
const ALL_TRAILS = 12000; // pieces of all trails together
const TRAIL_LENGTH = 4.3; // in radii of the stage
const JUMP = 0.4; // in radii of the stage, between two moments: no line shows where the body has been

/** The path of one point of a body. */
class Trail {
  constructor(table, stage, count) {
    this.stage = stage;
    this.color = table.color;
    this.count = count;
    this.path = stage.poses.path(table);
    const ends = Uint32Array.from({ length: 2 * count }, (_, k) => (k + 1) >> 1);
    this.lines = new Lines(ends, 2.5, stage.pixels, true, stage.isPlain);
    this.points = new Float32Array(3 * (count + 1));
    this.shades = new Float32Array(4 * (count + 1));
    this.now = new Float32Array(3);
    stage.scene.add(this.lines.object);
  }

  update() {
    const { moments, content } = this.stage;
    const { path, points, shades, count, now } = this;
    path.now(now);
    const total = TRAIL_LENGTH * content.radius;
    let left = total;
    let used = 0;
    let [x, y, z] = now;
    points.set(now, 0);
    this.shade(0, 0.95);
    for (let f = moments.index; f >= 0 && used < count && left > 0; f--) {
      path.at(f, points, 3 * used + 3);
      const [nx, ny, nz] = points.subarray(3 * used + 3, 3 * used + 6);
      const step = Math.hypot(nx - x, ny - y, nz - z);
      if (step < 1e-4 * content.radius && f > 0) continue;
      if (step > JUMP * content.radius) break;
      left -= step;
      used++;
      [x, y, z] = [nx, ny, nz];
      this.shade(used, 0.95 * Math.max(0, Math.min(left / total, 1 - used / count)) ** 1.5);
    }
    this.lines.show(used);
    this.lines.setPositions(points);
    this.lines.paint(shades);
  }

  /** Write the colour of a point. */
  shade(k, opacity) {
    const { shades, color } = this;
    for (let c = 0; c < 3; c++) shades[4 * k + c] = color[c];
    shades[4 * k + 3] = opacity;
  }
}

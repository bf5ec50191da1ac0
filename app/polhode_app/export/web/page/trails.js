// Paths of the bodies: what they have passed up to now, fading out.

const TRAIL = 360; // pieces of a trail
const ALL_TRAILS = 12000; // pieces of all trails together
const TRAIL_LENGTH = 4.3; // in radii of the stage

/** The path of one point of a body. */
class Trail {
  constructor(table, stage, count) {
    this.stage = stage;
    this.color = table.color;
    this.count = count;
    this.path = this.positions(table);
    const ends = Uint32Array.from({ length: 2 * count }, (_, k) => (k + 1) >> 1);
    this.lines = new Lines(ends, 2.5, stage.pixels, true, stage.isPlain);
    this.points = new Float32Array(3 * (count + 1));
    this.shades = new Float32Array(4 * (count + 1));
    this.now = new Float32Array(3);
    stage.scene.add(this.lines.object);
  }

  /** (moments, 3) the point at all kept moments. */
  positions({ pose, point: [x, y, z] }) {
    const { poses } = this.stage;
    const frames = this.stage.moments.times.length;
    const out = new Float32Array(3 * frames);
    for (let f = 0; f < frames; f++) {
      const k = f * poses.count + pose;
      const [w, a, b, c] = [0, 1, 2, 3].map((part) => poses.quaternion[4 * k + part]);
      const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
      out[3 * f] = poses.position[3 * k] + x + w * tx + b * tz - c * ty;
      out[3 * f + 1] = poses.position[3 * k + 1] + y + w * ty + c * tx - a * tz;
      out[3 * f + 2] = poses.position[3 * k + 2] + z + w * tz + a * ty - b * tx;
    }
    return out;
  }

  update() {
    const { moments, content } = this.stage;
    const { path, points, shades, count, now } = this;
    moments.values(path, 3, now);
    const total = TRAIL_LENGTH * content.radius;
    let left = total;
    let used = 0;
    let [x, y, z] = now;
    points.set(now, 0);
    this.shade(0, 0.95);
    for (let f = moments.index; f >= 0 && used < count && left > 0; f--) {
      const [dx, dy, dz] = [path[3 * f] - x, path[3 * f + 1] - y, path[3 * f + 2] - z];
      const step = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (step < 1e-4 * content.radius && f > 0) continue;
      left -= step;
      used++;
      points[3 * used] = x = path[3 * f];
      points[3 * used + 1] = y = path[3 * f + 1];
      points[3 * used + 2] = z = path[3 * f + 2];
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

// Drags of bodies and points: a spring from the pointer, as in the window.

const MOVED = 4; // [pixel] from a press on which it is a drag
const RECENT = 60; // [ms] over which the velocity of the pointer is averaged
const SLOWEST = 0.05; // of the chosen speed: bounds the velocity of the pointer in a run that is much too slow
const NONE = -1n; // in place of an index of a body or a point

class Drag {
  constructor(player) {
    Object.assign(this, { player, view: player.view, table: player.content.live.drag });
    this.grip = null; // what is held
    this.press = null; // where a drag may begin
    const { canvas } = this.view;
    const on = (name, act) => canvas.addEventListener(name, act, { capture: true });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) on(name, (event) => this.up(event));
    this.spring = new Lines(Uint32Array.of(0, 1), 2.5, this.view.pixels, true, this.view.isPlain);
    this.spring.object.visible = false;
    this.view.scene.add(this.spring.object);
  }

  get isHolding() {
    return this.grip !== null;
  }

  down(event) {
    if (event.button !== 0 || this.press !== null || !this.player.isPlaying || !this.table || this.player.lesson?.isOn) return;
    const found = this.find(event.offsetX, event.offsetY);
    const held = found === null ? null : this.heldBy(found);
    if (held === null) return;
    event.stopImmediatePropagation(); // the camera stays
    this.view.canvas.setPointerCapture(event.pointerId);
    this.press = { id: event.pointerId, x: event.offsetX, y: event.offsetY, found, held };
  }

  move(event) {
    if (this.press?.id !== event.pointerId) return;
    event.stopImmediatePropagation();
    const { x, y } = this.press;
    this.pointer = [event.offsetX, event.offsetY];
    if (this.grip === null && Math.abs(event.offsetX - x) + Math.abs(event.offsetY - y) >= MOVED) this.begin();
  }

  up(event) {
    if (this.press?.id !== event.pointerId) return;
    event.stopImmediatePropagation();
    this.press = null;
    if (this.grip !== null) this.end();
  }

  /** What is under a position of the canvas [pixel]. */
  find(x, y) {
    return pickAt(this.view, x, y);
  }

  /** What a picked thing is moved by: {body} or {point}; null for what can't be moved. */
  heldBy({ part, number, at }) {
    const { moments, poses } = this.player;
    const { move } = part.table;
    if (move.kind === "posed") return this.ofFrame(poses.frameOf(move.poses[number]));
    const index = move.points;
    if (index === undefined) return null;
    const { frames } = moments.followed(this.view.arrays, index);
    if (move.kind === "spheres") return this.ofFrame(frames[number]);
    const places = moments.reader(this.view.arrays, index)();
    const near = [...frames.keys()].sort((a, b) => away(places, a, at) - away(places, b, at));
    return near.slice(0, 4).map((k) => this.ofFrame(frames[k])).find((held) => held !== null) ?? null;
  }

  /** The body or the point of a frame of reference. */
  ofFrame(frame) {
    const { references } = this.player.moments;
    if (frame > 0 && frame < references.firstVector) return this.table.bodies[frame - 1].isHeld ? null : { body: frame - 1 };
    const channel = references.vectors[frame - references.firstVector];
    const body = references.bodies.indexOf(channel);
    if (body >= 0) return this.table.bodies[body].isHeld ? null : { body };
    const point = (channel - this.table.firstPoint) / 6;
    if (!Number.isInteger(point) || point < 0 || point >= this.table.isFixed.length) return null;
    return this.table.isFixed[point] ? null : { point };
  }

  async begin() {
    const { found, held, x, y } = this.press;
    const { row, references } = this.player.moments;
    const grip = { ...held, track: [], sent: "" };
    if (held.body !== undefined) {
      const matrix = new THREE.Matrix4();
      references.matrix(row, held.body + 1, matrix.elements, 0);
      grip.at = found.at.clone().applyMatrix4(matrix.invert());
      grip.plane = found.at.clone();
      grip.offset = new THREE.Vector3();
    } else {
      const first = this.table.firstPoint + 6 * held.point;
      grip.plane = new THREE.Vector3(row[first], row[first + 1], row[first + 2]);
      grip.offset = grip.plane.clone().sub(onPlane(rayAt(this.view, x, y), grip.plane, this.view));
    }
    this.grip = grip;
    this.view.canvas.style.cursor = "grabbing";
    if (held.body !== undefined) grip.inertia = await this.inertiaOf(held.body).catch(() => undefined);
    this.tick();
  }

  /** Mass and inverse inertia of a body as they are now. */
  async inertiaOf(body) {
    const { members } = this.player.content.live.engine;
    const ranges = [
      [members["model.bodies.mass"].offset + 8 * body, 1],
      [members["model.bodies.inverse_inertia"].offset + 72 * body, 9],
      [members["model.bodies.origin"].offset + 24 * body, 3],
      [members["inputs.gravity"].offset, 3],
    ];
    const [mass, inverseInertia, origin, gravity] = (await this.player.remote.frame(ranges)).values;
    const { moves, isFree } = this.table.bodies[body];
    return { mass: mass[0], inverseInertia: [...inverseInertia], origin: [...origin], gravity: [...gravity], moves, isFree };
  }

  /** Where the pointer is, laboratory frame. */
  get place() {
    return onPlane(rayAt(this.view, ...this.pointer), this.grip.plane, this.view).add(this.grip.offset);
  }

  /** Send the pull to the engine, if it has changed. Called once per frame. */
  tick() {
    const { grip } = this;
    if (grip === null || (grip.body !== undefined && grip.inertia === undefined)) return;
    const place = this.place;
    const { track } = grip;
    track.push({ time: performance.now(), place });
    while (track.length > 2 && track[1].time <= track[track.length - 1].time - RECENT) track.shift();
    const pace = this.player.isPlaying ? Math.max(this.player.reached, SLOWEST * this.player.speed) : Infinity;
    const passed = (track[track.length - 1].time - track[0].time) / 1000;
    const velocity = passed > 0 ? place.clone().sub(track[0].place).divideScalar(passed * pace).toArray() : [0, 0, 0];
    this.held = { place: place.toArray(), velocity, at: grip.at?.toArray() }; // for tests
    const pull = this.pull(place.toArray(), velocity);
    const text = JSON.stringify(pull, (_, value) => (typeof value === "bigint" ? String(value) : value));
    if (text !== grip.sent) {
      grip.sent = text;
      this.send(pull);
    }
    this.showSpring(place);
  }

  /** Members of the pull at a place and a velocity of the pointer. */
  pull(place, velocity) {
    const { grip, table } = this;
    if (grip.point !== undefined) {
      const [stiffness, damping] = table.springs[grip.point];
      return { body: NONE, point: BigInt(grip.point), arm: [0, 0, 0], position: place, stiffness, damping };
    }
    const { inertia } = grip;
    const arm = grip.at.toArray().map((part, c) => inertia.origin[c] + part);
    const { step } = this.player.content.live.engine.clock;
    return { body: BigInt(grip.body), point: NONE, arm, ...carrying(inertia, arm, place, velocity, inertia.gravity, step) };
  }

  send(pull) {
    const { members } = this.player.content.live.engine;
    const place = (name) => members[`inputs.pull.${name}`].offset;
    const floats = ["arm", "position", "stiffness", "damping"].filter((name) => pull[name] !== undefined);
    const writes = floats.map((name) => [place(name), [].concat(pull[name])]);
    const change = { offsets: [place("body"), place("point")], words: BigInt64Array.of(pull.body, pull.point) };
    this.player.remote.act(writes, [change]);
  }

  end() {
    this.tick();
    this.grip = null;
    this.send({ body: NONE, point: NONE });
    this.spring.object.visible = false;
    this.view.canvas.style.cursor = "";
    this.view.isDue = true;
  }

  /** Draw the spring from the held point to the pointer. */
  showSpring(place) {
    const { grip } = this;
    const { row, references } = this.player.moments;
    const ends = new Float32Array(6);
    if (grip.body !== undefined) references.carry(row, grip.body + 1, ...grip.at.toArray(), ends, 0);
    else for (let c = 0; c < 3; c++) ends[c] = row[this.table.firstPoint + 6 * grip.point + c];
    ends.set(place.toArray(), 3);
    const color = this.player.controls.theme === "light" ? [0.0, 0.45, 0.7] : [0.34, 0.71, 0.91];
    this.spring.setPositions(ends);
    this.spring.paint(Float32Array.of(...color, 1, ...color, 1));
    this.spring.object.visible = true;
    this.view.isDue = true;
  }
}

/** Square of the distance of point k of an array from a place. */
function away(points, k, at) {
  return (points[3 * k] - at.x) ** 2 + (points[3 * k + 1] - at.y) ** 2 + (points[3 * k + 2] - at.z) ** 2;
}

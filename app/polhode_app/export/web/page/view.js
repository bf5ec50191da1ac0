// Canvas and camera, and one frame of them.

/**
 * Levels of quality, from the best one down: pixels relative to the best, sides of the shadow map [pixel], frames per
 * shadow. At the last one shadows are switched off, and may be switched on again.
 */
const LEVELS = [
  { pixels: 1, shadows: 2048, every: 1 },
  { pixels: 1, shadows: 1024, every: 1 },
  { pixels: 0.75, shadows: 1024, every: 2 },
  { pixels: 0.6, shadows: 512, every: 2 },
  { pixels: 0.45, shadows: 512, every: 3 },
  { pixels: 0.45, shadows: 512, every: 3, hasNoShadows: true },
];
const SLOW = 26; // [ms] between frames, beyond which the level goes down
const JUDGED = 10; // frames
const FASTER = 0.85; // share of the time between frames that is left at the lowest level, where it helps
const BARS = { above: 48, below: 80 }; // [pixel] of the height that bars and texts take
const NARROW_BARS = { above: 128, below: 80 }; // in a window as narrow as style.css has it
const LOW = 512; // [pixel] of the height of a window below which they take their share of it

/** Whether the processor draws in place of a graphics card. */
function drawsBySoftware() {
  const context = document.createElement("canvas").getContext("webgl2");
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? context.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** All that is drawn: the stage of the parts. */
class View {
  /** live: the source of moments of an engine; without, the kept ones are shown. */
  constructor(content, arrays, canvas, live) {
    Object.assign(this, { content, arrays, canvas });
    this.isPlain = drawsBySoftware();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.isPlain, alpha: true, powerPreference: "high-performance" });
    this.level = this.isPlain ? 2 : 0;
    this.frames = 0;
    this.covered = 0;
    this.intervals = [];
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    if (!this.isPlain) {
      this.scene.environment = studio(this.renderer);
      this.scene.environmentIntensity = 0.75;
      this.scene.environmentRotation.set(Math.PI / 2, 0, 0);
    }
    this.pixels = { value: new THREE.Vector2(1, 1) };
    this.geometries = new Map();
    this.isLive = Boolean(live);
    this.moments = live ?? new Moments(arrays.get(content.times));
    this.poses = live?.poses ?? new Poses(arrays, content.poses, this.moments);
    this.makeCamera();
    this.lights = new Lights(this.scene, content, this.camera, this.isPlain);
    this.isRunning = false;
    const isDrawn = (table) => !this.isLive || table.isLive !== false;
    this.parts = content.parts.filter(isDrawn).map((table) => new Part(table, this));
    const pieces = Math.max(20, Math.min(TRAIL, Math.floor(ALL_TRAILS / Math.max(1, content.trails.length))));
    this.trails = content.trails.map((table) => new Trail(table, this, pieces));
    this.switches = new Map();
    this.isDue = true;
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  makeCamera() {
    const { up, height, angle } = this.content.camera;
    const { radius } = this.content;
    const isParallel = height > 0;
    this.camera = isParallel ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(angle, 1, radius / 200, 60 * radius);
    this.camera.near = isParallel ? -30 * radius : radius / 200;
    this.camera.far = 60 * radius;
    this.camera.up.set(...up);
    this.scene.add(this.camera);
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    Object.assign(this.controls, { enableDamping: true, dampingFactor: 0.12, rotateSpeed: 0.9, zoomToCursor: true });
    this.controls.maxDistance = 30 * radius;
    this.controls.minDistance = radius / 50;
    this.controls.addEventListener("change", () => (this.isDue = true));
    this.controls.addEventListener("start", () => (this.isMoved = true));
    this.fit();
  }

  /** Look at the scene as at the start. A narrow window steps back, so that everything stays in the picture. */
  fit() {
    const { position, target } = this.content.camera;
    this.controls.enableDamping = false;
    this.controls.update(); // ends a movement that is still dying out
    this.controls.target.set(...target);
    this.camera.position.set(...position);
    if (this.camera.isPerspectiveCamera) this.stepBack();
    this.camera.zoom = 1;
    this.controls.update();
    this.controls.enableDamping = true;
    this.isMoved = false;
    this.isDue = true;
  }

  /** Go away from the target until what has to be in the picture is between its sides, and between the bars. */
  stepBack() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { reach, angle } = this.content.camera;
    const slope = Math.tan((angle * Math.PI) / 360) * (width / height);
    const arm = this.camera.position.clone().sub(this.controls.target);
    const distance = arm.length();
    const needed = reach.map(([aside, along]) => distance + aside / slope - along);
    arm.setLength(Math.max((distance * height) / this.free, ...needed));
    this.camera.position.copy(this.controls.target).add(arm);
  }

  /** The heights [pixel] that bars and texts take. */
  get bars() {
    const share = Math.min(1, this.canvas.clientHeight / LOW);
    const { above, below } = matchMedia("(max-width: 720px)").matches ? NARROW_BARS : BARS;
    return { above: share * above, below: share * below };
  }

  /** The height [pixel] that bars and a panel below leave free. */
  get free() {
    const { clientHeight: height } = this.canvas;
    const { above, below } = this.bars;
    return Math.max(height - above - below - this.covered, 0.3 * height, 1);
  }

  /** Leave a part of the picture [pixel] at its lower edge to a panel. */
  cover(height) {
    if (height === this.covered) return;
    this.covered = height;
    this.resize();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const { pixels, shadows } = LEVELS[this.level];
    this.renderer.setPixelRatio(pixels * Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    this.pixels.value.set(width, height);
    this.lights.resize(shadows);
    const { above, below } = this.bars;
    this.camera.setViewOffset(width, height, 0, (below + this.covered - above) / 2, width, height);
    if (this.camera.isPerspectiveCamera) {
      this.camera.aspect = width / height;
    } else {
      const widest = Math.max(0, ...this.content.camera.reach.map(([aside]) => aside));
      const half = Math.max(this.content.camera.height / 2, (widest * height) / width);
      Object.assign(this.camera, { top: half, bottom: -half, left: (-half * width) / height, right: (half * width) / height });
    }
    this.camera.updateProjectionMatrix();
    if (!this.isMoved) this.fit();
    this.isDue = true;
  }

  /** The geometry of a part's mesh, shared by equal ones; null without triangles. */
  geometry({ mesh, colors }) {
    const table = this.content.meshes[mesh];
    if (table.triangles === undefined) return null;
    const key = `${mesh} ${colors ?? ""}`;
    if (this.geometries.has(key)) return this.geometries.get(key);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.arrays.get(table.points), 3));
    if (table.normals !== undefined) {
      geometry.setAttribute("normal", new THREE.BufferAttribute(this.arrays.get(table.normals), 3, true));
    }
    if (table.texture !== undefined) geometry.setAttribute("uv", new THREE.BufferAttribute(this.arrays.get(table.texture), 2));
    geometry.setIndex(new THREE.BufferAttribute(this.arrays.get(table.triangles, Uint32Array), 1));
    if (colors !== undefined) {
      const count = geometry.attributes.position.count;
      geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(4 * count), 4));
    }
    this.geometries.set(key, geometry);
    return geometry;
  }

  /** A sphere of radius 1, coarser where there are many. */
  sphere(count) {
    const around = count <= 12 ? 48 : count <= 200 ? 24 : count <= 2000 ? 14 : 8;
    const key = `sphere ${around}`;
    if (!this.geometries.has(key)) this.geometries.set(key, new THREE.SphereGeometry(1, around, around >> 1));
    return this.geometries.get(key);
  }

  wear(name) {
    const number = name === "light" ? 1 : 0;
    for (const part of this.parts) part.wear(number);
    this.lights.wear(this.content.themes[name]);
    this.isDue = true;
  }

  /** Views with something to show, and whether they are on. */
  offered() {
    const names = [...new Set(this.parts.filter((part) => part.kind !== "marker").map((part) => part.view))];
    if (this.trails.length > 0) names.push("trails");
    names.push("shadows");
    return names;
  }

  turn(name, isOn) {
    this.switches.set(name, isOn);
    if (name === "shadows") this.lights.turn(isOn);
    this.isDue = true;
  }

  isOn(name) {
    return this.switches.get(name) ?? true;
  }

  go(time) {
    this.moments.go(time);
    this.isDue = true;
  }

  /**
   * Note the time [ms] between two frames of a run: where they are slow, less is drawn. Whether that has changed.
   *
   * Where even the lowest level is no faster, as in a browser that saves energy, the drawing is not what takes the time:
   * everything is drawn as at first.
   */
  judge(interval) {
    this.intervals.push(interval);
    if (this.isJudged || this.intervals.length < JUDGED) return false;
    const middle = this.intervals.sort((a, b) => a - b)[JUDGED >> 1];
    this.intervals = [];
    if (middle <= SLOW) return false;
    this.slow ??= { level: this.level, interval: middle, hasShadows: this.isOn("shadows") };
    if (this.level + 1 < LEVELS.length) {
      this.level++;
      if (LEVELS[this.level].hasNoShadows) this.turn("shadows", false);
    } else {
      this.isJudged = true;
      if (middle < FASTER * this.slow.interval) return false;
      this.level = this.slow.level;
      this.turn("shadows", this.slow.hasShadows);
    }
    this.resize();
    return true;
  }

  /** Draw, if anything has changed. */
  draw() {
    this.controls.update();
    if (!this.isDue) return false;
    this.isDue = false;
    this.poses.update();
    for (const part of this.parts) {
      const isOn = this.isOn(part.view);
      part.show(isOn);
      if (isOn) part.update();
    }
    const hasTrails = this.isOn("trails");
    for (const trail of this.trails) {
      trail.lines.object.visible = hasTrails;
      if (hasTrails) trail.update();
    }
    const { every } = LEVELS[this.level];
    this.renderer.shadowMap.autoUpdate = every === 1;
    this.renderer.shadowMap.needsUpdate = this.frames++ % every === 0 || !this.isRunning;
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}

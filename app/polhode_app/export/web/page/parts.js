// What is drawn, and how it moves.

/** A part: objects of the scene, and `update` that moves them to the current moment. */
class Part {
  constructor(table, stage) {
    Object.assign(this, { table, stage });
    this.view = table.view;
    this.kind = table.kind;
    this.objects = [];
    this.painted = []; // functions of the number of a theme
    this.update = () => {};
    const make = {
      still: () => this.makeStill(),
      posed: () => this.makePosed(table.move.poses),
      points: () => this.makePoints(),
      sheets: () => this.makeGenerated(new Sheets(table.move.grids)),
      coils: () => this.makeGenerated(new Coils(table.move)),
      hanging: () => this.makeGenerated(new Hanging(table.move)),
      tubes: () => this.makeTubes(table.move),
      arrows: () => this.makeArrows(table.move),
      spheres: () => this.makeSpheres(table.move),
    };
    make[table.move.kind]();
    this.shown = table.shown === undefined ? null : stage.arrays.get(table.shown);
  }

  wear(number) {
    for (const paint of this.painted) paint(number);
  }

  show(isOn) {
    const isThere = this.shown === null || this.shown[this.stage.moments.recorded] > 0;
    for (const object of this.objects) object.visible = isOn && isThere;
  }

  /** The material of the part, with its colours in both themes. */
  material(isFlat) {
    const { looks, texture, colors } = this.table;
    const material = materialOf(looks[0], isFlat, this.stage.isPlain);
    if (texture !== undefined) material.map = textureOf(this.stage.arrays.get(texture), this.stage.arrays.shape(texture));
    if (colors === undefined) this.painted.push((number) => colorMaterial(material, looks[number]));
    else {
      material.vertexColors = true; // they replace the colour of the look
      const isClear = this.stage.arrays.get(colors[0]).some((part, k) => k % 4 === 3 && part < 255);
      if (isClear) Object.assign(material, { transparent: true, depthWrite: false });
    }
    if (this.kind === "surroundings") {
      Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    }
    return material;
  }

  add(object) {
    const look = this.table.looks[0];
    const isSolid = look.is_lit === true && look.opacity > 0.5;
    const { colors } = this.table;
    const shades = object.geometry.attributes.color;
    if (colors !== undefined && shades !== undefined) {
      this.painted.push((number) => paintVertices(shades, this.stage.arrays.get(colors[number])));
    }
    object.castShadow = isSolid && this.kind === "item";
    object.receiveShadow = isSolid;
    this.objects.push(object);
    this.stage.scene.add(object);
    return object;
  }

  /** Lines of the part's mesh, or null. */
  lines() {
    const mesh = this.stage.content.meshes[this.table.mesh];
    if (mesh.lines === undefined) return null;
    const { arrays } = this.stage;
    const look = this.table.looks[0];
    const isClear = look.opacity < 0.999 || this.table.colors !== undefined;
    const lines = new Lines(arrays.get(mesh.lines, Uint32Array), look.width, this.stage.pixels, isClear, this.stage.isPlain);
    const count = arrays.shape(mesh.points)[0];
    this.painted.push((number) => lines.paint(this.lineColors(number, count)));
    this.add(lines.object);
    lines.object.castShadow = lines.object.receiveShadow = false;
    if (isClear) lines.object.renderOrder = -2;
    return lines;
  }

  lineColors(number, count) {
    const { colors, looks } = this.table;
    if (colors !== undefined) return Float32Array.from(this.stage.arrays.get(colors[number]), (part) => part / 255);
    const color = [...looks[number].color, looks[number].opacity];
    return Float32Array.from({ length: 4 * count }, (_, k) => color[k % 4]);
  }

  makeStill() {
    const lines = this.lines();
    if (lines !== null) lines.setPositions(this.stage.arrays.get(this.stage.content.meshes[this.table.mesh].points));
    const geometry = this.stage.geometry(this.table);
    if (geometry !== null) this.add(new THREE.Mesh(geometry, this.material(!geometry.attributes.normal)));
  }

  makePosed(numbers) {
    const { poses } = this.stage;
    const geometry = this.stage.geometry(this.table);
    const lines = this.lines();
    if (lines !== null) {
      lines.setPositions(this.stage.arrays.get(this.stage.content.meshes[this.table.mesh].points));
      lines.object.matrixAutoUpdate = false;
    }
    if (geometry === null) {
      this.update = () => this.setMatrix(lines.object, numbers[0]);
      return;
    }
    const material = this.material(!geometry.attributes.normal);
    const object = numbers.length === 1 ? new THREE.Mesh(geometry, material) : new THREE.InstancedMesh(geometry, material, numbers.length);
    object.matrixAutoUpdate = numbers.length > 1;
    object.frustumCulled = numbers.length === 1;
    this.add(object);
    this.update = () => {
      if (lines !== null) this.setMatrix(lines.object, numbers[0]);
      if (numbers.length === 1) {
        this.setMatrix(object, numbers[0]);
        return;
      }
      numbers.forEach((pose, k) => poses.matrix(pose, object.instanceMatrix.array, 16 * k));
      object.instanceMatrix.needsUpdate = true;
    };
  }

  setMatrix(object, pose) {
    this.stage.poses.matrix(pose, object.matrix.elements, 0);
    object.matrixWorldNeedsUpdate = true;
  }

  /** A reader of the moving points of the part: a function that returns them now. */
  moving(index) {
    return this.stage.moments.reader(this.stage.arrays, index);
  }

  makePoints() {
    const points = this.moving(this.table.move.points);
    const lines = this.lines();
    const still = this.stage.geometry(this.table);
    const geometry = still === null ? null : still.clone();
    if (geometry !== null) {
      if (!geometry.attributes.normal) geometry.computeVertexNormals();
      this.add(new THREE.Mesh(geometry, this.material(false))).frustumCulled = false;
    }
    this.update = () => {
      const now = points();
      if (lines !== null) lines.setPositions(now);
      if (geometry === null) return;
      geometry.attributes.position.array.set(now);
      geometry.computeVertexNormals();
      geometry.attributes.position.needsUpdate = true;
    };
  }

  makeGenerated(shape) {
    const points = this.moving(this.table.move.points);
    this.addGenerated(shape.geometry, () => shape.write(points()));
  }

  addGenerated(geometry, write) {
    this.add(new THREE.Mesh(geometry, this.material(false))).frustumCulled = false;
    this.update = () => {
      write();
      geometry.attributes.position.needsUpdate = geometry.attributes.normal.needsUpdate = true;
    };
  }

  makeTubes({ count, sides, finer, radius, capped, points: index }) {
    const points = this.moving(index);
    const coarse = this.stage.arrays.shape(index)[2];
    const rings = (coarse - 1) * finer + 1;
    const tubes = new Tubes(count, rings, sides, capped);
    const line = new Float32Array(3 * count * rings);
    this.addGenerated(tubes.geometry, () => {
      const now = points();
      for (let t = 0; t < count; t++) {
        refine(now, t * coarse, 1, coarse, finer, line, t * rings, 1);
        tubes.write(t, line, t * rings, radius[t], null);
      }
    });
  }

  makeArrows({ at, vectors, colors }) {
    const { arrays, moments } = this.stage;
    const [, count] = arrays.shape(at);
    const positions = this.moving(at);
    const arrows = this.moving(vectors);
    const shades = arrays.get(colors);
    const changes = arrays.shape(colors).length === 3;
    const object = new THREE.InstancedMesh(this.stage.geometry(this.table), this.material(false), count);
    object.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
    object.frustumCulled = false;
    this.add(object);
    this.update = () => {
      const [from, to] = [positions(), arrows()];
      const offset = changes ? 3 * count * moments.recorded : 0;
      for (let k = 0; k < count; k++) {
        arrowMatrix(from, to, 3 * k, object.instanceMatrix.array, 16 * k);
        seen([0, 1, 2].map((c) => shades[offset + 3 * k + c] / 255)).toArray(object.instanceColor.array, 3 * k);
      }
      object.instanceMatrix.needsUpdate = object.instanceColor.needsUpdate = true;
    };
  }

  makeSpheres({ points: index, radius, colors }) {
    const points = this.moving(index);
    const geometry = this.stage.sphere(radius.length);
    const material = this.material(false);
    const first = this.stage.arrays.get(colors[0]);
    if (first[3] < 255) Object.assign(material, { transparent: true, opacity: first[3] / 255, depthWrite: false });
    const object = new THREE.InstancedMesh(geometry, material, radius.length);
    object.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * radius.length), 3);
    object.frustumCulled = false;
    this.painted.push((number) => {
      const shades = this.stage.arrays.get(colors[number]);
      material.color.set(0xffffff);
      radius.forEach((_, k) => seen([0, 1, 2].map((c) => shades[4 * k + c] / 255)).toArray(object.instanceColor.array, 3 * k));
      object.instanceColor.needsUpdate = true;
    });
    this.add(object);
    this.update = () => {
      const now = points();
      const out = object.instanceMatrix.array;
      radius.forEach((size, k) => {
        out[16 * k] = out[16 * k + 5] = out[16 * k + 10] = size;
        out[16 * k + 15] = 1;
        for (let c = 0; c < 3; c++) out[16 * k + 12 + c] = now[3 * k + c];
      });
      object.instanceMatrix.needsUpdate = true;
    };
  }
}

/** The matrix of an arrow along x, from a position along a vector, both at k. */
function arrowMatrix(positions, vectors, k, out, at) {
  const [x, y, z] = [vectors[k], vectors[k + 1], vectors[k + 2]];
  const length = Math.hypot(x, y, z);
  out.fill(0, at, at + 16);
  out[at + 15] = 1;
  for (let c = 0; c < 3; c++) out[at + 12 + c] = positions[k + c];
  if (length < 1e-20) return;
  const unit = [x / length, y / length, z / length];
  const axis = Math.abs(unit[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0];
  const side = perpendicular(axis, unit, 0);
  const third = [unit[1] * side[2] - unit[2] * side[1], unit[2] * side[0] - unit[0] * side[2], unit[0] * side[1] - unit[1] * side[0]];
  for (let c = 0; c < 3; c++) {
    out[at + c] = length * unit[c];
    out[at + 4 + c] = length * side[c];
    out[at + 8 + c] = length * third[c];
  }
}

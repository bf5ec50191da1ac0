// Lines of a width in pixels: each piece is a rectangle that faces the camera. WebGL's own lines are one pixel wide.

const LINE_VERTEX = `
  attribute vec3 start;
  attribute vec3 end;
  attribute vec4 startColor;
  attribute vec4 endColor;
  uniform vec2 size;
  uniform float width;
  varying vec4 vColor;
  void main() {
    vec4 a = projectionMatrix * modelViewMatrix * vec4(start, 1.0);
    vec4 b = projectionMatrix * modelViewMatrix * vec4(end, 1.0);
    float near = 1e-6;
    if (a.w < near && b.w < near) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
    if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
    if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
    vec2 direction = (b.xy / b.w - a.xy / a.w) * size;
    float length_ = length(direction);
    vec2 along = length_ > 1e-4 ? direction / length_ : vec2(1.0, 0.0);
    vec4 here = mix(a, b, position.x);
    vec2 across = vec2(-along.y, along.x) * position.y * width + along * (position.x * 2.0 - 1.0) * 0.5 * width * 0.5;
    here.xy += across / size * here.w;
    vColor = mix(startColor, endColor, position.x);
    gl_Position = here;
  }`;
const LINE_FRAGMENT = `
  varying vec4 vColor;
  void main() {
    gl_FragColor = vColor;
  }`;

const CORNERS = [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0];
const HALVES = [0, 1, 2, 0, 2, 3]; // of the rectangle: two triangles

/**
 * Pieces of lines; `ends` (pieces, 2) are indices of points, `colors` (points, 4) are 0 ... 1 as they are seen.
 *
 * A graphics card draws one rectangle many times. In software each time costs as much as an object of its own, so there
 * (`isPlain`) every piece has four vertices.
 */
class Lines {
  constructor(ends, width, pixels, isClear, isPlain) {
    this.ends = ends;
    this.copies = isPlain ? 4 : 1; // of the values of a piece
    const count = ends.length / 2;
    this.geometry = isPlain ? new THREE.BufferGeometry() : new THREE.InstancedBufferGeometry();
    const repeated = (values, times, step) =>
      Array.from({ length: times * values.length }, (_, k) => values[k % values.length] + step * Math.floor(k / values.length));
    const rectangles = isPlain ? count : 1;
    this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(repeated(CORNERS, rectangles, 0)), 3));
    this.geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(repeated(HALVES, rectangles, 4)), 1));
    this.show(count);
    this.arrays = {};
    const Attribute = isPlain ? THREE.BufferAttribute : THREE.InstancedBufferAttribute;
    for (const [name, size] of [["start", 3], ["end", 3], ["startColor", 4], ["endColor", 4]]) {
      const attribute = new Attribute(new Float32Array(this.copies * count * size), size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
      this.arrays[name] = attribute;
    }
    this.material = new THREE.ShaderMaterial({
      vertexShader: LINE_VERTEX,
      fragmentShader: LINE_FRAGMENT,
      uniforms: { size: pixels, width: { value: width } },
      transparent: isClear,
      depthWrite: !isClear,
      side: THREE.DoubleSide,
    });
    this.object = new THREE.Mesh(this.geometry, this.material);
    this.object.frustumCulled = false;
  }

  /** Draw and write the first pieces only. */
  show(count) {
    this.count = count;
    if (this.copies === 1) this.geometry.instanceCount = count;
    else this.geometry.setDrawRange(0, HALVES.length * count);
  }

  /** Write the points (n, 3). */
  setPositions(points) {
    this.write(points, 3, this.arrays.start, this.arrays.end);
  }

  /** Write the colours (n, 4) of the points, 0 ... 1. */
  paint(colors) {
    this.write(colors, 4, this.arrays.startColor, this.arrays.endColor);
  }

  /** Write the values (n, size) of the points at both ends of each piece. */
  write(values, size, first, last) {
    const { ends, copies, count } = this;
    const [a, b] = [first.array, last.array];
    let out = 0;
    for (let k = 0; k < count; k++) {
      const from = size * ends[2 * k];
      const to = size * ends[2 * k + 1];
      for (let copy = 0; copy < copies; copy++) {
        for (let c = 0; c < size; c++, out++) {
          a[out] = values[from + c];
          b[out] = values[to + c];
        }
      }
    }
    first.needsUpdate = last.needsUpdate = true;
  }
}

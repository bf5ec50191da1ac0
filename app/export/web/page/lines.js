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
    vec2 way = (b.xy / b.w - a.xy / a.w) * size;
    float length_ = length(way);
    vec2 along = length_ > 1e-4 ? way / length_ : vec2(1.0, 0.0);
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

/** Pieces of lines; `ends` (pieces, 2) are indices of points, `colors` (points, 4) are 0 ... 1 as they are seen. */
class Lines {
  constructor(ends, width, pixels, isClear) {
    this.ends = ends;
    const count = ends.length / 2;
    this.geometry = new THREE.InstancedBufferGeometry();
    const corners = new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.geometry.instanceCount = count;
    this.arrays = {};
    for (const [name, size] of [["start", 3], ["end", 3], ["startColor", 4], ["endColor", 4]]) {
      const attribute = new THREE.InstancedBufferAttribute(new Float32Array(count * size), size);
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

  /** Write the points (n, 3). */
  place(points) {
    const { ends, arrays } = this;
    const start = arrays.start.array;
    const end = arrays.end.array;
    for (let k = 0; k < ends.length / 2; k++) {
      for (let c = 0; c < 3; c++) {
        start[3 * k + c] = points[3 * ends[2 * k] + c];
        end[3 * k + c] = points[3 * ends[2 * k + 1] + c];
      }
    }
    arrays.start.needsUpdate = arrays.end.needsUpdate = true;
  }

  /** Write the colours (n, 4) of the points, 0 ... 1. */
  paint(colors) {
    const { ends, arrays } = this;
    for (let k = 0; k < ends.length / 2; k++) {
      for (let c = 0; c < 4; c++) {
        arrays.startColor.array[4 * k + c] = colors[4 * ends[2 * k] + c];
        arrays.endColor.array[4 * k + c] = colors[4 * ends[2 * k + 1] + c];
      }
    }
    arrays.startColor.needsUpdate = arrays.endColor.needsUpdate = true;
  }
}

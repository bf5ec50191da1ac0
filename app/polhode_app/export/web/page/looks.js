// Materials, lights and surroundings, in both themes.

/** A THREE.Color from red, green, blue as they are seen, 0 ... 1. */
function seen([red, green, blue]) {
  return new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);
}

/** The material of a look. Strong highlights are narrow ones. `isPlain`: without reflections, for software. */
function materialOf(look, isFlat, isPlain) {
  const sides = { back: THREE.FrontSide, front: THREE.BackSide }[look.culls] ?? THREE.DoubleSide;
  const isClear = look.opacity < 0.999;
  const common = { side: sides, transparent: isClear, opacity: look.opacity, depthWrite: !isClear };
  if (!look.is_lit) return new THREE.MeshBasicMaterial(common);
  const isMetal = look.metallic > 0;
  if (isPlain) {
    const shine = isMetal ? 0.5 : 0.5 * (look.specular ?? 0);
    const plain = { ...common, flatShading: isFlat || look.is_flat === true, shadowSide: THREE.FrontSide };
    return new THREE.MeshPhongMaterial({ ...plain, specular: new THREE.Color(shine, shine, shine), shininess: isMetal ? 25 : 40 });
  }
  const material = new THREE.MeshStandardMaterial({
    ...common,
    metalness: isMetal ? 0.85 : 0,
    roughness: isMetal ? look.roughness : Math.min(0.75, Math.max(0.2, 0.66 - 0.55 * (look.specular ?? 0))),
    flatShading: isFlat || look.is_flat === true,
  });
  material.shadowSide = THREE.FrontSide;
  return material;
}

/** Give a material the colour of a look; what hardly needs light glows a little. */
function colorMaterial(material, look) {
  material.color.copy(seen(look.color));
  if (material.emissive && look.ambient >= 0.4) material.emissive.copy(seen(look.color)).multiplyScalar(0.6 * look.ambient);
}

/** Write the colours of vertices, red, green, blue and opacity 0 ... 255 as they are seen, into an attribute. */
function paintVertices(attribute, shades) {
  const color = new THREE.Color();
  for (let k = 0; k < attribute.count; k++) {
    const [red, green, blue, opacity] = shades.subarray(4 * k, 4 * k + 4);
    color.setRGB(red / 255, green / 255, blue / 255, THREE.SRGBColorSpace);
    attribute.setXYZW(k, color.r, color.g, color.b, opacity / 255);
  }
  attribute.needsUpdate = true;
}

/** A repeating texture of a grey picture (rows, columns). */
function textureOf(pixels, [rows, columns]) {
  const data = new Uint8Array(4 * pixels.length);
  for (let k = 0; k < pixels.length; k++) data.fill(pixels[k], 4 * k, 4 * k + 3).fill(255, 4 * k + 3, 4 * k + 4);
  const texture = new THREE.DataTexture(data, columns, rows, THREE.RGBAFormat, THREE.UnsignedByteType);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 4;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/** The studio that metals reflect: ground, walls, two soft lights. As in app/polhode_app/viewport/environment/quality.py. */
function studio(renderer) {
  const rows = 32;
  const data = new Float32Array(4 * rows * 2 * rows);
  for (let i = 0; i < rows; i++) {
    const up = -1 + (2 * i) / (rows - 1);
    for (let j = 0; j < 2 * rows; j++) {
      const around = -Math.PI + (Math.PI * j) / rows;
      let grey = up < 0 ? 0.16 + 0.16 * (1 + up) : 0.32 + 0.18 * up;
      for (const [azimuth, elevation, strength] of [[-2.4, 0.75, 1.8], [0.9, 0.45, 1.1]]) {
        grey += strength * Math.exp(-(((up - elevation) / 0.2) ** 2) - ((around - azimuth) / 0.55) ** 2);
      }
      data.set([grey, 0.98 * grey, 0.95 * grey, 1], 4 * (i * 2 * rows + j));
    }
  }
  const picture = new THREE.DataTexture(data, 2 * rows, rows, THREE.RGBAFormat, THREE.FloatType);
  picture.mapping = THREE.EquirectangularReflectionMapping;
  picture.magFilter = picture.minFilter = THREE.LinearFilter;
  picture.needsUpdate = true;
  const maker = new THREE.PMREMGenerator(renderer);
  const { texture } = maker.fromEquirectangular(picture);
  maker.dispose();
  picture.dispose();
  return texture;
}

/** Key light with shadows, fill lights, and the plane that shadows fall on. */
class Lights {
  constructor(scene, content, camera, isPlain) {
    const radius = content.radius;
    const center = new THREE.Vector3(...content.center);
    this.key = new THREE.DirectionalLight(new THREE.Color(1, 0.97, 0.92), 2.1);
    this.key.position.copy(center).addScaledVector(new THREE.Vector3(...content.key), 4 * radius);
    this.key.target.position.copy(center);
    this.key.castShadow = true;
    const { shadow } = this.key;
    shadow.mapSize.set(2048, 2048);
    Object.assign(shadow.camera, { left: -1.25 * radius, right: 1.25 * radius, bottom: -1.25 * radius, top: 1.25 * radius });
    Object.assign(shadow.camera, { near: radius, far: 8 * radius });
    shadow.radius = 5;
    shadow.bias = -0.0004;
    shadow.normalBias = 0.006 * radius;
    scene.add(this.key, this.key.target);
    this.fill = new THREE.DirectionalLight(new THREE.Color(0.8, 0.89, 1), 0.55);
    this.fill.position.set(1, 0.25, 0.35);
    camera.add(this.fill);
    this.fill.target.position.set(0, 0, -1);
    camera.add(this.fill.target);
    scene.add(new THREE.HemisphereLight(0xffffff, 0x6a6f78, isPlain ? 1.6 : 0.85)); // the studio lights, too
    this.floor = shadowPlane(content.plane);
    scene.add(this.floor);
  }

  wear(theme) {
    this.floor.material.color.set(theme.shadow);
    this.floor.material.opacity = theme.shadow_strength;
  }

  /** Set the sides of the shadow map [pixel]. */
  resize(size) {
    const { shadow } = this.key;
    if (shadow.mapSize.x === size) return;
    shadow.mapSize.set(size, size);
    shadow.map?.dispose();
    shadow.map = null;
  }

  turn(isOn) {
    this.key.castShadow = this.floor.visible = isOn;
  }
}

/** A transparent rectangle that shows nothing but shadows. */
function shadowPlane({ origin, axes, low, high }) {
  const [u, v] = axes.map((axis) => new THREE.Vector3(...axis));
  const at = (a, b) => new THREE.Vector3(...origin).addScaledVector(u, a).addScaledVector(v, b);
  const corners = [at(low[0], low[1]), at(high[0], low[1]), at(high[0], high[1]), at(low[0], high[1])];
  const normal = new THREE.Vector3().crossVectors(u, v);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corners.flatMap((c) => c.toArray())), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array([1, 2, 3, 4].flatMap(() => normal.toArray())), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  const material = new THREE.ShadowMaterial({ depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 });
  const plane = new THREE.Mesh(geometry, material);
  plane.receiveShadow = true;
  plane.renderOrder = -1;
  return plane;
}

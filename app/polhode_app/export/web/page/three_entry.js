export {
  ACESFilmicToneMapping, BackSide, BufferAttribute, BufferGeometry, Color, DataTexture, DirectionalLight, DoubleSide,
  DynamicDrawUsage, EquirectangularReflectionMapping, FloatType, FrontSide, HemisphereLight, InstancedBufferAttribute,
  InstancedBufferGeometry, InstancedMesh, LinearFilter, LinearMipmapLinearFilter, LinearSRGBColorSpace, Matrix4, Mesh,
  MeshBasicMaterial, MeshPhongMaterial, MeshStandardMaterial, NoToneMapping, OrthographicCamera, PCFShadowMap, PCFSoftShadowMap, PerspectiveCamera, PlaneGeometry,
  PMREMGenerator, Quaternion, RepeatWrapping, RGBAFormat, Scene, ShaderMaterial, ShadowMaterial, SphereGeometry,
  SRGBColorSpace, UnsignedByteType, Vector2, Vector3, WebGLRenderer, REVISION,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

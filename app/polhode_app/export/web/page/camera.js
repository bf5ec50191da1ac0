// The camera by keys, as in the window: it turns about its target, moves aside, and comes nearer.

const TURN = Math.PI / 18; // [rad]
const SHIFT = 0.1; // of the height of the picture at the target
const NEARER = 1.2;
const STEEPEST = (89 / 180) * Math.PI; // [rad] above and below the horizon

/** Turn the camera about its target: `around` the vertical, and `over` towards the top [rad]. */
function turnCamera(view, around, over) {
  const { camera, controls } = view;
  const up = camera.up.clone().normalize();
  const arm = camera.position.clone().sub(controls.target);
  const height = Math.asin(Math.max(-1, Math.min(1, arm.dot(up) / arm.length())));
  const aimed = Math.max(-STEEPEST, Math.min(STEEPEST, height + over));
  arm.applyAxisAngle(arm.clone().cross(up).normalize(), aimed - height).applyAxisAngle(up, around);
  camera.position.copy(controls.target).add(arm);
  settle(view);
}

/** Move camera and target aside, by fractions of the height that the picture shows there. */
function moveCamera(view, right, up) {
  const { camera, controls } = view;
  const far = camera.position.distanceTo(controls.target);
  const height = camera.isPerspectiveCamera
    ? 2 * far * Math.tan((camera.fov * Math.PI) / 360)
    : (camera.top - camera.bottom) / camera.zoom;
  const shift = new THREE.Vector3(right * height, up * height, 0).applyQuaternion(camera.quaternion);
  camera.position.add(shift);
  controls.target.add(shift);
  settle(view);
}

/** Show things larger by a factor, within the bounds of the wheel. */
function zoomCamera(view, factor) {
  const { camera, controls } = view;
  if (camera.isPerspectiveCamera) {
    camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
  } else {
    camera.zoom *= factor;
    camera.updateProjectionMatrix();
  }
  settle(view);
}

/** Draw from the new position; a movement of the mouse that is still dying out continues from there. */
function settle(view) {
  view.controls.update();
  view.isMoved = true;
  view.isDue = true;
}

/** What keys do to the camera of a view, by their names; with Shift letters move it. */
function cameraKeys(view) {
  const letter = (right, up) => (event) => {
    if (event.shiftKey) moveCamera(view, SHIFT * right, SHIFT * up);
    else turnCamera(view, -TURN * right, TURN * up);
  };
  return {
    a: letter(-1, 0),
    d: letter(1, 0),
    w: letter(0, 1),
    s: letter(0, -1),
    PageUp: () => zoomCamera(view, NEARER),
    PageDown: () => zoomCamera(view, 1 / NEARER),
  };
}

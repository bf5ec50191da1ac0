// Texts at the edge of the picture, which explain its arrows and its grid, and the directions of the axes.

const AXIS = 30; // [units of the drawing] length of an axis
const SVG = "http://www.w3.org/2000/svg";

class Legend {
  constructor(content, view) {
    Object.assign(this, { content, view });
    const views = new Set(view.parts.map((part) => part.view));
    this.legends = content.legends.filter((legend) => views.has(legend.view));
    this.said = null;
    this.axes = ["x", "y", "z"].map((name, k) => {
      const line = document.createElementNS(SVG, "line");
      line.setAttribute("stroke", content.axes[k]);
      const letter = document.createElementNS(SVG, "text");
      letter.textContent = name;
      byId("axes").append(line, letter);
      return { line, letter };
    });
  }

  /** Say what is drawn at a time, in a language. */
  tell(time, language) {
    const current = new Map(); // the latest legend of each view
    const { isLive } = this.view;
    for (const legend of this.legends) if (isLive || legend.time <= time) current.set(legend.view, legend);
    const rows = [];
    for (const { view, lines, colors } of current.values()) {
      if (this.view.isOn(view)) lines[language].forEach((text, k) => rows.push([text, colors[k]]));
    }
    if (this.content.hasGrid && this.view.isOn("ground")) rows.push([this.content.languages[language].texts.grid, ""]);
    const said = JSON.stringify(rows);
    if (said === this.said) return;
    this.said = said;
    byId("legend").replaceChildren(...rows.map(([text, color]) => this.row(text, color)));
  }

  row(text, color) {
    const row = element("li", "", text);
    if (color) row.append(element("i", ""));
    if (color) row.lastChild.style.background = color;
    return row;
  }

  /** Turn the axes as the camera sees them. */
  turn() {
    const seen = this.view.camera.quaternion.clone().invert();
    for (const [k, { line, letter }] of this.axes.entries()) {
      const direction = new THREE.Vector3().setComponent(k, 1).applyQuaternion(seen);
      const at = (scale) => [scale * direction.x, -scale * direction.y].map((part) => part.toFixed(1));
      [line.x2.baseVal.value, line.y2.baseVal.value] = at(AXIS);
      const [x, y] = at(AXIS + 8);
      letter.setAttribute("x", x);
      letter.setAttribute("y", y);
    }
  }
}

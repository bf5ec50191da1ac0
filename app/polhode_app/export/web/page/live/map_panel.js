// The panel of the map of attractors: its picture and legend, and the run of the page from one of its cells.

const SIDE = 320; // [pixel] of the picture
const REDRAWN = 100; // [ms] between two pictures of a map that is computed

class MapPanel {
  constructor(player, arrays, module) {
    Object.assign(this, { player, content: player.content });
    const { map, worker } = player.content.live;
    this.basins = new Basins(map, arrays, module, worker);
    this.basins.whenChanged = () => this.change();
    this.isDue = false;
    this.isShown = -1; // cell at the pointer
    const canvas = byId("map-picture");
    canvas.width = canvas.height = Math.round(SIDE * Math.max(1, devicePixelRatio));
    const cellAt = ({ offsetX, offsetY }) => this.basins.cellAt(offsetX / canvas.clientWidth, offsetY / canvas.clientHeight);
    canvas.addEventListener("pointermove", (event) => this.show(cellAt(event)));
    canvas.addEventListener("pointerleave", () => this.show(-1));
    canvas.addEventListener("click", (event) => this.begin(cellAt(event)));
    canvas.addEventListener("keydown", (event) => this.key(event));
    byId("map-run").addEventListener("click", () => (this.basins.isRunning ? this.basins.cancel() : this.basins.compute()));
    byId("map").hidden = false;
    this.draw();
  }

  /** Start the run of the page from a cell. */
  begin(cell) {
    this.show(cell);
    this.player.reset(this.basins.startOf(cell));
    this.player.play(true);
  }

  /** Arrows move the cell that is shown, Enter starts from it. */
  key(event) {
    const { rows, columns } = this.basins;
    const moves = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const shown = Math.max(this.isShown, 0);
    if (event.key === "Enter") this.begin(shown);
    else if (event.key in moves) {
      const within = (value, count) => Math.min(count - 1, Math.max(0, value));
      const [right, up] = moves[event.key];
      const column = within(Math.floor(shown / rows) + right, columns);
      this.show(column * rows + within((shown % rows) + up, rows));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Something of the map has changed: draw it soon. */
  change() {
    if (this.isDue) return;
    this.isDue = true;
    setTimeout(() => {
      this.isDue = false;
      this.draw();
    }, REDRAWN);
  }

  draw() {
    const { basins } = this;
    basins.draw(byId("map-picture"));
    byId("map-progress").value = basins.progress;
    byId("map-progress").hidden = basins.progress === 0 || basins.progress === 1;
    byId("map-run").hidden = basins.progress === 1;
    this.write();
  }

  /** Write all texts in a language. */
  speak(language) {
    this.texts = this.content.languages[language].texts;
    this.names = this.content.languages[language].map;
    byId("map-picture").setAttribute("aria-label", this.texts.map_about);
    byId("map-about").textContent = this.texts.map_about;
    byId("map-x").textContent = this.names.axes[0];
    byId("map-y").textContent = this.names.axes[1];
    this.write();
  }

  write() {
    if (!this.texts) return;
    const { basins, texts } = this;
    byId("map-run").textContent = basins.isRunning ? texts.map_stop : texts.map_run;
    const percent = (part, digits = 1) => `${(100 * part).toFixed(digits)} %`;
    const rows = basins.fractions().map(({ name, color, part, half }) => {
      const swatch = element("i", "");
      swatch.style.background = color;
      return element("li", "", swatch, `${name} ${(100 * part).toFixed(1)} ± ${percent(half)}`);
    });
    const { certain } = basins;
    if (!Number.isNaN(certain)) rows.push(element("li", "", `${texts.map_certain} ${percent(certain)}`));
    byId("map-legend").replaceChildren(...rows);
    byId("map-failure").textContent = basins.failure;
    this.show(this.isShown);
  }

  /** Write the values of a cell, and where its run ends; -1 for none. */
  show(cell) {
    this.isShown = cell;
    const { basins, names } = this;
    if (cell < 0) {
      byId("map-cell").textContent = this.texts.map_hint;
      return;
    }
    const values = basins.valuesOf(cell).map((value) => Number(value.toPrecision(4)).toString().replace("-", "−"));
    const label = basins.label[cell];
    const ends = [label < 0 ? "" : basins.table.names[label], names.statuses[basins.status[cell]]].filter(Boolean);
    byId("map-cell").textContent = `${values.join(", ")}: ${ends.join(", ")}`;
  }
}

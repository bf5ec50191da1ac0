// The panel of the map of attractors: its picture and legend, and the run of the page from one of its cells.

const SIDE = 320; // [pixel] of the picture
const REDRAWN = 100; // [ms] between two pictures of a map that is computed

class MapPanel {
  constructor(player) {
    Object.assign(this, { player, table: player.content.live.basins, canvas: byId("map") });
    if (!this.table) return;
    this.isDue = false;
    this.shown = -1; // cell whose values are shown
    const { canvas } = this;
    canvas.width = canvas.height = Math.round(SIDE * Math.max(1, devicePixelRatio));
    const cellAt = ({ offsetX, offsetY }) => this.map.cellAt(offsetX / canvas.clientWidth, offsetY / canvas.clientHeight);
    canvas.addEventListener("pointermove", (event) => this.show(cellAt(event)));
    canvas.addEventListener("pointerleave", () => this.show(-1));
    canvas.addEventListener("click", (event) => this.begin(cellAt(event)));
    canvas.addEventListener("keydown", (event) => this.key(event));
    byId("compute").addEventListener("click", () => this.compute());
    byId("basins").addEventListener("click", () => this.draw());
    byId("basins").hidden = false;
  }

  /** The map, made when it is first needed. */
  get map() {
    if (this.made === undefined) {
      const { live } = this.player.content;
      const { arrays } = this.player.view;
      this.made = new Basins(this.table, arrays, kernelsOf(live.engine, arrays), live.worker);
      this.made.whenChanged = () => this.change();
    }
    return this.made;
  }

  /** Compute the map, or cancel that. */
  compute() {
    if (this.player.lesson?.refuses()) return;
    if (this.map.isRunning) this.map.cancel();
    else this.map.compute();
  }

  /** Start the run of the page from a cell. */
  begin(cell) {
    if (this.player.lesson?.refuses()) return;
    this.show(cell);
    this.player.reset(this.map.startOf(cell));
    this.player.play(true);
  }

  /** Arrows move the cell that is shown, Enter starts from it. */
  key(event) {
    const { rows, columns } = this.map;
    const moves = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const shown = Math.max(this.shown, 0);
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
    const { map } = this;
    map.draw(this.canvas);
    byId("map-progress").value = map.progress;
    byId("map-progress").hidden = map.progress === 0 || map.progress === 1;
    byId("compute").hidden = map.progress === 1;
    this.write();
  }

  /** Write all texts in a language. */
  speak(language) {
    if (!this.table) return;
    this.texts = this.player.content.languages[language].texts;
    this.names = this.player.content.languages[language].basins;
    this.canvas.setAttribute("aria-label", this.texts.basins);
    byId("map-note").textContent = this.texts.map_note;
    byId("map-x").textContent = this.names.axes[0];
    byId("map-y").textContent = this.names.axes[1];
    if (this.made !== undefined) this.write();
  }

  write() {
    const { map, texts, names } = this;
    byId("compute").textContent = map.isRunning ? texts.cancel : texts.compute;
    const percent = (part) => `${(100 * part).toFixed(1)} %`;
    const rows = map.fractions().map(({ label, color, part, half }) => {
      const swatch = element("i", "");
      swatch.style.background = color;
      return element("li", "", swatch, `${names.names[label]} ${(100 * part).toFixed(1)} ± ${percent(half)}`);
    });
    if (!Number.isNaN(map.certain)) rows.push(element("li", "", `${texts.map_certain} ${percent(map.certain)}`));
    byId("map-ends").replaceChildren(...rows);
    byId("map-failure").textContent = map.failure && texts.failed;
    this.show(this.shown);
  }

  /** Write the values of a cell, and where its run ends; -1 for none. */
  show(cell) {
    this.shown = cell;
    const { map, names } = this;
    if (cell < 0) {
      byId("cell").textContent = "";
      return;
    }
    const values = map.valuesOf(cell).map((value) => Number(value.toPrecision(4)).toString().replace("-", "−"));
    const ends = [names.names[map.label[cell]], names.statuses[map.status[cell]]].filter(Boolean);
    byId("cell").textContent = `${values.join(", ")}: ${ends.join(", ")}`;
  }
}

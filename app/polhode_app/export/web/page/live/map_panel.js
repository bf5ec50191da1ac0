// The panel with the map of attractors: computed on request; a click runs from the start of a cell.

const MAP_SIZE = 320; // [pixel] of the picture
const MAP_PAUSE = 200; // [ms] between two pictures while it is computed

class MapPanel {
  constructor(player) {
    Object.assign(this, { player, table: player.content.live.basins, canvas: byId("map") });
    if (!this.table) return;
    byId("basins").hidden = false;
    this.canvas.width = this.canvas.height = MAP_SIZE;
    this.drawnAt = 0;
    byId("compute").addEventListener("click", () => this.toggle());
    this.canvas.addEventListener("click", (event) => this.runFrom(this.cellAt(event)));
    this.canvas.addEventListener("pointermove", (event) => this.tell(this.cellAt(event)));
  }

  /** The map, made when it is first needed. */
  get map() {
    const { live } = this.player.content;
    const { arrays } = this.player.view;
    this.made ??= new Basins(this.table, arrays, engineParts(live.engine, arrays).module, live.worker);
    return this.made;
  }

  toggle() {
    if (this.map.isRunning) this.map.cancel();
    else {
      this.map.whenChanged = () => this.changed();
      this.map.compute().then(() => this.draw());
    }
    this.draw();
  }

  changed() {
    if (performance.now() - this.drawnAt > MAP_PAUSE) this.draw();
  }

  draw() {
    this.drawnAt = performance.now();
    this.map.draw(this.canvas);
    this.speak(this.language);
  }

  cellAt({ offsetX, offsetY }) {
    return this.map.cellAt(offsetX / this.canvas.clientWidth, offsetY / this.canvas.clientHeight);
  }

  /** Run from the start of a cell, with the values of the scene in everything else. */
  runFrom(cell) {
    const { player } = this;
    player.message = null;
    player.remote.reset(this.map.startOf(cell));
    player.renew();
    player.play(true);
  }

  /** Name the values of a cell, and where it ends. */
  tell(cell) {
    const { axes, names } = this.player.content.languages[this.language].basins;
    const values = this.map.valuesOf(cell).map((value, k) => `${axes[k]} ${Number(value.toPrecision(3))}`);
    const label = this.map.label[cell];
    byId("cell").textContent = [...values, ...(label >= 0 ? [`→ ${names[label]}`] : [])].join(", ");
  }

  speak(language) {
    this.language = language;
    if (!this.table) return;
    const { texts, basins } = this.player.content.languages[language];
    const map = this.made;
    byId("map-note").textContent = texts.map_note;
    byId("map-axes").textContent = `→ ${basins.axes[0]}, ↑ ${basins.axes[1]}`;
    this.canvas.setAttribute("aria-label", texts.basins);
    byId("compute").textContent = map?.isRunning ? texts.cancel : texts.compute;
    byId("compute").hidden = map !== undefined && map.progress === 1;
    const share = map === undefined || map.progress === 1 ? "" : `${Math.round(100 * map.progress)} %`;
    byId("map-progress").textContent = map?.failure ? texts.failed : share;
    const rows = map === undefined ? [] : map.fractions();
    byId("map-ends").replaceChildren(
      ...rows.map(({ name, color, part }) => {
        const mark = element("i", "");
        mark.style.background = color;
        const named = basins.names[this.table.names.indexOf(name)];
        return element("li", "", mark, `${named} ${Math.round(100 * part)} %`);
      }),
    );
  }
}

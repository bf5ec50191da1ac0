// The map of the attractors at which the starts of a scene end, computed in threads; cells.js runs the cells there.
// Pictures follow the rules of app/polhode_app/data/maps/picture.py.

const MOST_THREADS = 8;
const OF_CELLS = { pending: 0, settled: 1, unsettled: 2, diverged: 3, uncertain: 4 }; // core/polhode/run/status.py
const WIDEST_BORDER = 3; // [pixel] size of cells from which on borders are drawn
const MOST_BORDERS = 0.25; // part of the pixels: more borders would cover the colours
const Z_95 = 1.959963984540054; // quantile of the normal distribution for intervals of 95 %

/** A map: results of its cells, numbered so that those of the second axis follow each other. */
class Basins {
  /** table: of basins_data.py; kernels: bytes of the module, or their promise; script: of the thread of an engine */
  constructor(table, arrays, kernels, script) {
    this.table = table;
    this.script = script;
    this.parts = engineParts(table.engine, arrays, kernels);
    this.starts = table.starts.map((start) => ({ ...start, values: arrays.get(start.values) }));
    [this.columns, this.rows] = table.shape;
    const count = this.columns * this.rows;
    this.label = new Int16Array(count).fill(-1);
    this.status = new Uint8Array(count);
    this.done = 0;
    this.threads = [];
    this.failure = "";
    this.whenChanged = () => {};
  }

  get count() {
    return this.label.length;
  }

  get isRunning() {
    return this.threads.length > 0;
  }

  /** Part of the cells that are done. */
  get progress() {
    return this.done / this.count;
  }

  /** Compute the cells that are pending; ends when all are done, or with `cancel`. */
  async compute() {
    if (this.isRunning) return;
    this.failure = "";
    this.left = this.order().filter((cell) => this.status[cell] === OF_CELLS.pending);
    const wanted = Math.min(navigator.hardwareConcurrency || 2, MOST_THREADS, this.left.length);
    this.threads = Array.from({ length: wanted }, () => new RemoteEngine(this.script, (said) => this.fail(said)));
    const stopped = new Promise((resolve) => (this.stopped = resolve));
    await Promise.race([stopped, Promise.all(this.threads.map((thread) => this.serve(thread)))]);
    this.cancel();
  }

  /** Stop; cells that are done stay. */
  cancel() {
    if (!this.isRunning) return;
    for (const thread of this.threads) thread.quit();
    this.threads = [];
    this.stopped();
    this.whenChanged();
  }

  fail(said) {
    this.failure = said.message ?? said.kind;
    this.left = [];
    this.cancel();
  }

  /** Let a thread run cells until none is left. */
  async serve(thread) {
    await thread.start(this.parts);
    thread.worker.postMessage({ kind: "plan", plan: this.table.plan });
    while (this.left.length > 0) {
      const cell = this.left.shift();
      const { label, status } = await thread.ask("cell", { kind: "cell", cell, start: this.startOf(cell) });
      if (!this.threads.includes(thread)) return; // it was stopped meanwhile
      this.label[cell] = label;
      this.status[cell] = status;
      this.done += 1;
      this.whenChanged();
    }
  }

  /** Cells from a coarse grid to finer ones. */
  order() {
    const level = (k) => (k === 0 ? 30 : 31 - Math.clz32(k & -k)); // k is a multiple of 2^level
    const levels = Int32Array.from({ length: this.count }, (_, cell) => {
      return Math.min(level(Math.floor(cell / this.rows)), level(cell % this.rows));
    });
    return Array.from(levels.keys()).sort((a, b) => levels[b] - levels[a] || a - b);
  }

  /** What the start of a cell has otherwise than the scene: pairs of an index of the state and its value. */
  startOf(cell) {
    const along = [Math.floor(cell / this.rows), cell % this.rows];
    return this.starts.map(({ index, axis, values }) => [index, values[axis === null ? cell : along[axis]]]);
  }

  /** Values [SI] of the axes in a cell. */
  valuesOf(cell) {
    const along = [Math.floor(cell / this.rows), cell % this.rows];
    return this.table.axes.map(({ range: [low, high] }, k) => low + ((high - low) * along[k]) / (this.table.shape[k] - 1));
  }

  /** Each attractor that occurs with its part of the cells that end at one, and half of the 95 % interval (Wilson). */
  fractions() {
    const counts = this.table.names.map((_, label) => this.label.filter((each) => each === label).length);
    const total = counts.reduce((a, b) => a + b, 0);
    const found = counts.map((count, label) => {
      const p = count / total;
      const z2 = Z_95 ** 2;
      const half = (Z_95 / (1 + z2 / total)) * Math.sqrt((p * (1 - p)) / total + z2 / (4 * total ** 2));
      return { label, name: this.table.names[label], color: this.colorOf(label), part: p, half, count };
    });
    return found.filter(({ count }) => count > 0);
  }

  /** Part of the cells that are done and keep their attractor with half of the step; NaN without any. */
  get certain() {
    const of = (...wanted) => this.status.filter((each) => wanted.includes(each)).length;
    const { settled, unsettled, uncertain } = OF_CELLS;
    return of(settled) / of(settled, unsettled, uncertain);
  }

  colorOf(label) {
    const { labels, none } = this.table.colors;
    return label < 0 ? none : labels[label % labels.length];
  }

  /** Cell whose result each cell shows: its own, or that of the finest grid that has one there; -1 without. */
  representatives() {
    const { columns, rows, status } = this;
    const source = Int32Array.from({ length: this.count }, (_, cell) => (status[cell] === OF_CELLS.pending ? -1 : cell));
    for (let stride = 2; stride < Math.max(columns, rows) && source.includes(-1); stride *= 2) {
      for (let cell = 0; cell < this.count; cell++) {
        if (source[cell] >= 0) continue;
        const i = Math.floor(cell / rows);
        const j = cell % rows;
        const coarse = (i - (i % stride)) * rows + j - (j % stride);
        if (status[coarse] !== OF_CELLS.pending) source[cell] = coarse;
      }
    }
    return source;
  }

  /** The cell at a place of a picture, in parts of its width and height from the left and the top. */
  cellAt(x, y) {
    const within = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
    return within(x, this.columns) * this.rows + within(1 - y, this.rows);
  }

  /** Draw the map on a canvas; its lowest row has the lowest values of the second axis. */
  draw(canvas) {
    const context = canvas.getContext("2d");
    const { width, height } = canvas;
    const source = this.representatives();
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colors = [-1, ...this.table.names.keys()].map((label) => packed(this.colorOf(label)));
    const black = packed(this.table.colors.diverged);
    const shown = new Int32Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const cell = source[this.cellAt((x + 0.5) / width, (y + 0.5) / height)];
        const at = y * width + x;
        shown[at] = cell;
        if (cell < 0) continue;
        const status = this.status[cell];
        const color = status === OF_CELLS.diverged ? black : colors[this.label[cell] + 1];
        pixels[at] = marked(color, status, x, height - 1 - y);
      }
    }
    if (width / this.columns >= WIDEST_BORDER) this.drawBorders(pixels, shown, width, height);
    context.putImageData(image, 0, 0);
  }

  /** Black pixels where the attractor changes to that of the pixel at the right or above. */
  drawBorders(pixels, shown, width, height) {
    const label = (at) => (shown[at] < 0 ? -1 : this.label[shown[at]]);
    const borders = [];
    for (let at = 0; at < pixels.length; at++) {
      const isLast = at % width === width - 1;
      if ((!isLast && label(at) !== label(at + 1)) || (at >= width && label(at) !== label(at - width))) borders.push(at);
    }
    if (borders.length >= MOST_BORDERS * width * height) return;
    for (const at of borders) pixels[at] = packed("#000000");
  }
}

/** A hexadecimal code as a pixel of a canvas, 0xffBBGGRR. */
function packed(color) {
  const number = parseInt(color.slice(1), 16);
  return (0xff000000 | ((number & 0xff) << 16) | (number & 0xff00) | (number >> 16)) >>> 0;
}

/** A pixel with the mark of a status: stripes where uncertain, dots where unsettled, lines where diverged. */
function marked(color, status, x, y) {
  if (status === OF_CELLS.uncertain) {
    if ((x + y) % 6 < 3) return packed("#3c3c3c");
    return ((((color >>> 1) & 0x7f7f7f) + 0x7f7f7f) | 0xff000000) >>> 0;
  }
  if (status === OF_CELLS.unsettled && x % 5 === 0 && y % 5 === 0) return packed("#ffffff");
  if (status === OF_CELLS.diverged && (x - y) % 8 === 0) return packed("#969696");
  return color;
}

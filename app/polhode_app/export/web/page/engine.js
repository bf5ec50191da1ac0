// The compiled kernels with the image of one scene in their memory. The data are those of
// app/polhode_app/export/web/live/engine_data.py; docs/web_module.md describes them.

const PAGE = 65536; // [bytes] of memory of WebAssembly
const WORD = 8; // [bytes]
const WHOLE = 1e-6; // part of a step by which a time may miss the end of one, as core/polhode/run/runner.py has it
const LOOP = "polhode.run.loop:advance";
const BEGIN = "polhode.run.method:begin";
const PLACE = "polhode.engine.rates:place";
const ENERGIES = "polhode.engine.diagnostics:energies";
const MEASURE = "polhode.simulation.take_snapshot:measure";

/** A run of one scene. Addresses are in bytes; offsets are those of the image, from its begin. */
class Engine {
  /** The engine of a scene at its start. parts: module, image and formulas as bytes, and the table of engine_data. */
  static async of(parts) {
    const { instance } = await WebAssembly.instantiate(parts.module);
    const engine = new Engine(parts, instance.exports);
    for (const form of parts.formulas) engine.enter(form.words, await engine.appended(form.code));
    engine.loaded = engine.first = engine.bytes.slice(engine.base, engine.base + parts.image.length);
    return engine;
  }

  constructor(parts, exports) {
    this.parts = parts;
    this.table = exports.__indirect_function_table;
    this.memory = exports.memory;
    this.base = Math.ceil(parts.memoryBase / PAGE) * PAGE;
    this.numbers = this.base + parts.image.length; // room for a row of the table
    const missing = Math.ceil((this.numbers + WORD * parts.columns) / PAGE) - this.memory.buffer.byteLength / PAGE;
    if (missing > 0) this.memory.grow(missing);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.floats = new Float64Array(this.memory.buffer);
    this.words = new BigInt64Array(this.memory.buffer);
    this.bytes.set(parts.image, this.base);
    for (const offset of parts.pointers) this.words[(this.base + offset) / WORD] += BigInt(this.base);
    for (const [unit, offsets] of Object.entries(parts.unitWords)) this.enter(offsets, parts.units[unit]);
    this.clock = { ...parts.clock };
    this.hasOtherStart = false; // the start was changed
  }

  /** Write the index of a function into words of the image. */
  enter(offsets, index) {
    for (const offset of offsets) this.words[(this.base + offset) / WORD] = BigInt(index);
  }

  /** Index in the function table of a form of formulas, whose module imports elementary functions and the memory. */
  async appended(code) {
    const module = await WebAssembly.compile(code);
    const env = { memory: this.memory };
    for (const { name, kind } of WebAssembly.Module.imports(module)) {
      if (kind === "function") env[name] = this.table.get(this.parts.units[name]);
    }
    const { exports } = await WebAssembly.instantiate(module, { env });
    return this.table.grow(1, exports.formulas);
  }

  /** Call a unit with numbers; those of 64-bit integers become BigInt. Returns the word that it writes. */
  call(unit, ...numbers) {
    const { units, signatures } = this.parts;
    const results = this.placeOf("results");
    const given = [results, results + WORD, ...numbers];
    const status = this.table.get(units[unit])(
      ...given.map((number, k) => (signatures[unit][k] === "I" ? BigInt(number) : number)),
    );
    if (status !== 0) throw new Error(`${unit}: ${status}`);
    return Number(this.words[results / WORD]);
  }

  /** Address of a struct, of the state, or of the free bytes for results. */
  placeOf(name) {
    return this.base + this.parts.places[name];
  }

  /** [s] */
  get time() {
    return this.clock.start + this.clock.done * this.clock.step;
  }

  /** Steps until the measured inputs end; infinite without. */
  get left() {
    const { end } = this.parts;
    return end === null ? Infinity : Math.max(0, Math.floor((end - this.time) / this.clock.step + WHOLE));
  }

  /** The state as kernels get an array: owner, parent, count, size of a number, address, shape, stride. */
  get vector() {
    const count = this.parts.size;
    return [0, 0, count, WORD, this.placeOf("state"), count, WORD];
  }

  /** Arguments of kernels that read the state. */
  get atState() {
    return [this.placeOf("model"), this.placeOf("inputs"), this.time, ...this.vector, this.placeOf("work")];
  }

  /** Take steps; returns how many were taken, fewer if the next state is not finite. */
  advance(steps) {
    const { start, step, done } = this.clock;
    const structs = ["method", "model", "inputs"].map((name) => this.placeOf(name));
    const taken = this.call(LOOP, ...structs, ...this.vector, this.placeOf("work"), start, step, done, steps);
    this.clock.done += taken;
    return taken;
  }

  /** Write positions and velocities of the state into `work`; to be called before these are read. */
  place() {
    this.call(PLACE, ...this.atState);
  }

  /** Restart the clock at the present time, with a new history of the method. */
  restart() {
    this.clock = { start: this.time, step: this.clock.step, done: 0 };
    this.call(BEGIN, this.placeOf("method"), ...this.atState);
    this.place();
  }

  /** Let `change` change the memory; the energy [J] that this adds is in the ledger, in the line of the hand. */
  act(change) {
    const before = this.total();
    change();
    const [hand] = this.read(this.parts.hand, 1);
    this.write(this.parts.hand, [hand + (this.total() - before)]);
    this.restart();
  }

  /** Sum of the energies [J]. */
  total() {
    return this.energies().reduce((sum, each) => sum + each, 0);
  }

  /** Energies [J] of the state by kind (core/polhode/engine/ledger.py), a copy. */
  energies() {
    this.call(ENERGIES, ...this.atState);
    const { offset, count } = this.parts.members["work.energy"];
    return this.read(offset, count);
  }

  /** The row of `measure`: columns of the table, momenta, distance, drift, energies, walls; a copy. */
  measure() {
    const count = this.parts.columns;
    this.place();
    this.call(MEASURE, ...this.atState, 0, 0, count, WORD, this.numbers, count, WORD);
    return this.floats.slice(this.numbers / WORD, this.numbers / WORD + count);
  }

  /** A copy of `count` floats from an offset on. */
  read(offset, count) {
    const first = (this.base + offset) / WORD;
    return this.floats.slice(first, first + count);
  }

  /** Write floats from an offset on. */
  write(offset, values) {
    this.floats.set(values, (this.base + offset) / WORD);
  }

  /** The integer at an offset. */
  readWord(offset) {
    return Number(this.words[(this.base + offset) / WORD]);
  }

  writeWord(offset, value) {
    this.words[(this.base + offset) / WORD] = BigInt(value);
  }

  /** Write words (BigInt64Array) at offsets: the difference of two images. Also into the start, if `isOfStart`. */
  change(offsets, words, isOfStart = false) {
    if (isOfStart && this.first === this.loaded) this.first = this.loaded.slice();
    const first = new BigInt64Array(this.first.buffer);
    this.hasOtherStart ||= isOfStart;
    for (let k = 0; k < offsets.length; k++) {
      this.words[(this.base + offsets[k]) / WORD] = words[k];
      if (isOfStart) first[offsets[k] / WORD] = words[k];
    }
  }

  /** Back to the start; where that was changed, with a new history of the method. */
  reset() {
    this.bytes.set(this.first, this.base);
    this.clock = { ...this.parts.clock };
    if (this.hasOtherStart) this.restart();
  }

  /** Become another compiled scene, at its start: by differences to the image that was loaded. */
  become(changes) {
    this.first = this.loaded;
    for (const { offsets, words } of changes) this.change(offsets, words, true);
    this.hasOtherStart = false; // its history is that of its own start
    this.reset();
  }

  /** Begin a run at the start with other values: pairs of an index of the state and its value. */
  startFrom(start) {
    for (const [index, value] of start) this.write(this.parts.places.state + WORD * index, [value]);
    this.restart();
  }
}

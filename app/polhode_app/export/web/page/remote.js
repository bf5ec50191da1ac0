// The engine in its thread, as the page sees it. worker.js is the other half.

const WITH_SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Whether this browser has what the kernels need: WebAssembly with 128-bit vectors. */
function runsKernels() {
  return typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(WITH_SIMD));
}

/** Bytes of the kernels: of the page, or of a script that pages share, which sets `polhodeKernels`. */
async function kernelsOf(table, arrays) {
  return table.module === null ? unpacked(globalThis.polhodeKernels) : arrays.get(table.module).slice();
}

/** Bytes and numbers of an engine from its table (engine_data.py). */
async function engineParts(table, arrays, kernels = kernelsOf(table, arrays)) {
  const bytes = (index) => arrays.get(index).slice(); // of their own, so that they can be sent
  return {
    ...table,
    module: await kernels,
    image: bytes(table.image),
    pointers: arrays.get(table.pointers, Int32Array),
    formulas: table.formulas.map(({ code, words }) => ({ code: bytes(code), words })),
  };
}

/** Offsets and words of a difference of images from its table. */
function changeOf(table, arrays) {
  const offsets = arrays.get(table.offsets, Int32Array);
  return { offsets, words: new BigInt64Array(arrays.get(table.words).slice().buffer) };
}

/**
 * A thread with an engine. `tell` gets what it says of its own accord: `diverged`, `ended` and `failed`. After the last of
 * these nothing is answered any more.
 */
class RemoteEngine {
  constructor(script, tell) {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.waiting = new Map(); // {resolve, reject} of what waits for an answer, by its kind, the oldest first
    this.failure = null; // error that ended it
    this.tell = tell;
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.receive({ kind: "failed", message: event.message });
  }

  receive(message) {
    const first = this.waiting.get(message.kind)?.shift();
    if (first !== undefined) first.resolve(message);
    else this.tell(message);
    if (message.kind === "failed") this.fail(new Error(message.message));
  }

  /** Reject all that waits for an answer. */
  fail(error) {
    this.failure ??= error;
    for (const each of [...this.waiting.values()].flat()) each.reject(error);
    this.waiting.clear();
  }

  /** The answer of a kind to a message; rejected when the thread fails. */
  ask(kind, message) {
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting.set(kind, [...(this.waiting.get(kind) ?? []), { resolve, reject }]);
      this.worker.postMessage(message);
    });
  }

  /** Load a scene from its parts, or the promise of them; ends when it can run, and is rejected if it can't. */
  async start(parts) {
    return this.ask("ready", { kind: "start", parts: await parts });
  }

  run(isOn) {
    this.worker.postMessage({ kind: "run", isOn });
  }

  /** Simulated time over passed time. */
  set speed(value) {
    this.worker.postMessage({ kind: "speed", value });
  }

  /** Pause, and take some steps. */
  step(count) {
    this.worker.postMessage({ kind: "step", count });
  }

  /** Time, whether it runs, and floats at [offset, count] pairs; with the row of `measure` if wanted. */
  frame(ranges, isMeasured = false) {
    return this.ask("frame", { kind: "frame", ranges, isMeasured });
  }

  /** Energies [J] by kind. */
  energies() {
    return this.ask("energies", { kind: "energies" }).then(({ values }) => values);
  }

  /** Write [offset, floats] pairs and differences of images into the running scene; `isOfStart`: also into its start. */
  act(writes, changes = [], isOfStart = false) {
    this.worker.postMessage({ kind: "act", writes, changes, isOfStart });
  }

  /** Back to the start, or to another one: pairs of an index of the state and its value. */
  reset(start = []) {
    this.worker.postMessage({ kind: "reset", start });
  }

  /** Become the scene of a run of a lesson (page/lesson/recorder.js), or that of the page; a promise of what it records. */
  lesson(plan, isRecorded = false) {
    const message = { kind: "lesson", plan, isRecorded };
    return isRecorded ? this.ask("recorded", message) : this.worker.postMessage(message);
  }

  quit() {
    this.worker.terminate();
  }
}

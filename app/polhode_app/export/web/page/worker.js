// The thread of an engine: steps by the time that passes, and answers the page. It is made from the text of engine.js
// and this file.

const BUDGET = 12; // [ms] of steps before messages are read
const BATCH = 4; // [ms] of one call of the loop of steps, about
const PAUSE = 4; // [ms] between looks at the clock while no step is due
const LONGEST = 250; // [ms] of passed time that is made up for at most
const KEPT = 14; // [ms] between two readings that are kept for a page
const MOST_KEPT = 20;
const WINDOW = 1000; // [ms] over which the speed is measured

/** An engine that runs, pauses and tells. Times of the computer are in ms. */
class Stepper {
  constructor(engine, tell) {
    this.engine = engine;
    this.tell = tell;
    this.speed = 1;
    this.isRunning = false;
    this.hasStopped = false; // until it is reset
    this.owed = 0; // steps that are due
    this.cost = 0; // [ms] of one step, of the last batch
    this.reached = 0; // simulated time over passed time
    this.isSlow = false;
    this.wanted = null; // ranges of the last frame with a row
    this.kept = []; // readings since the last frame
    this.keptAt = 0;
    this.isAwaited = false; // a tick is due
    this.recorder = null; // of the run of a lesson: page/lesson/recorder.js
    this.channel = new MessageChannel(); // a timer waits 4 ms at least
    this.channel.port1.onmessage = () => this.tick();
  }

  run(isOn) {
    if (isOn === this.isRunning || (isOn && this.hasStopped)) return;
    this.isRunning = isOn;
    this.owed = 0;
    this.last = this.since = performance.now();
    this.from = this.engine.time;
    if (isOn && !this.isAwaited) this.tick();
  }

  /** Take the steps that are due, a few milliseconds of them. */
  tick() {
    this.isAwaited = false;
    if (!this.isRunning) return;
    const begun = performance.now();
    const perMillisecond = this.speed / (1000 * this.engine.clock.step);
    const most = Math.max(1, LONGEST * perMillisecond); // one at least, however long a step is
    this.owed += Math.min(begun - this.last, LONGEST) * perMillisecond;
    this.last = begun;
    while (this.owed >= 1 && performance.now() - begun < BUDGET && this.isRunning) {
      this.owed -= this.take(Math.min(Math.floor(this.owed), this.batch()));
    }
    this.measureSpeed();
    this.isSlow = this.owed > most;
    if (this.isSlow) this.owed = most;
    this.keep(performance.now());
    this.isAwaited = true;
    if (this.owed >= 1) this.channel.port2.postMessage(0);
    else setTimeout(() => this.tick(), PAUSE);
  }

  /** Steps of one batch. */
  batch() {
    return this.cost > 0 ? Math.max(1, Math.floor(BATCH / this.cost)) : 1;
  }

  /** Take steps; returns how many were taken. */
  take(steps) {
    const begun = performance.now();
    const left = this.engine.left;
    const count = Math.min(steps, left, this.recorder?.left ?? Infinity);
    const taken = count > 0 ? this.engine.advance(count) : 0;
    this.recorder?.hear(taken < count || count === left);
    if (taken > 0) this.cost = Math.max((performance.now() - begun) / taken, 1e-5);
    if (taken < count) this.stop("diverged");
    else if (count === left) this.stop("ended");
    return taken;
  }

  /** Stop for a reason: the next state is not finite, or the measured inputs have ended. */
  stop(kind) {
    this.isRunning = false;
    this.hasStopped = true;
    this.tell({ kind, time: this.engine.time });
  }

  measureSpeed() {
    const passed = this.last - this.since;
    if (passed < WINDOW) return;
    this.reached = (1000 * (this.engine.time - this.from)) / passed;
    this.since = this.last;
    this.from = this.engine.time;
  }

  /** What the page asked for: floats at pairs of offset and count, and the row of `measure` if wanted. */
  frame(ranges, isMeasured) {
    const { isRunning, isSlow, reached, cost } = this;
    const now = this.reading(ranges, isMeasured);
    const kept = isMeasured ? this.kept.splice(0) : [];
    if (isMeasured) this.wanted = ranges;
    this.keptAt = performance.now();
    const arrays = [now, ...kept].flatMap(({ values, row }) => [...values, ...(row ? [row] : [])]);
    this.tell({ kind: "frame", isRunning, isSlow, reached, cost, ...now, kept }, arrays.map((array) => array.buffer));
  }

  /** The time, floats at pairs of offset and count, and the row of `measure` if wanted. */
  reading(ranges, isMeasured) {
    const { engine } = this;
    const row = isMeasured ? engine.measure() : null;
    engine.place();
    return { time: engine.time, values: ranges.map(([offset, count]) => engine.read(offset, count)), row };
  }

  /** Keep a reading for the next frame: paths in a page that draws slowly would have corners without. */
  keep(now) {
    if (this.wanted === null || !this.isRunning || now - this.keptAt < KEPT || this.kept.length >= MOST_KEPT) return;
    this.keptAt = now;
    this.kept.push(this.reading(this.wanted, true));
  }

  /** Write floats, and words of differences of images, into the running scene, and into its start if wanted. */
  act(writes, changes, isOfStart) {
    this.engine.act(() => {
      for (const [offset, numbers] of writes) this.engine.write(offset, numbers);
      for (const { offsets, words } of changes) this.engine.change(offsets, words, isOfStart);
    });
  }

  /** Back to the start, or to another one: pairs of an index of the state and its value. */
  reset(start) {
    this.engine.reset();
    if (start.length > 0) this.engine.startFrom(start);
    this.kept = [];
    this.hasStopped = false;
    this.owed = 0;
    this.from = this.engine.time;
    this.since = this.last = performance.now();
  }
}

/** Answers of a thread to the messages of the page, by their kind. */
const ANSWERS = {
  run: (stepper, { isOn }) => stepper.run(isOn),
  speed: (stepper, { value }) => (stepper.speed = value),
  step: (stepper, { count }) => {
    stepper.run(false);
    if (!stepper.hasStopped) stepper.take(count);
  },
  frame: (stepper, { ranges, isMeasured }) => stepper.frame(ranges, isMeasured),
  act: (stepper, { writes = [], changes = [], isOfStart = false }) => stepper.act(writes, changes, isOfStart),
  energies: (stepper) => stepper.tell({ kind: "energies", values: stepper.engine.energies() }),
  reset: (stepper, { start = [] }) => stepper.reset(start),
};

/** Serve the page: the first message has the parts of the engine. */
function serve() {
  const tell = (message, moved = []) => postMessage(message, moved);
  let stepper = null;
  let last = Promise.resolve();
  const answer = async (message) => {
    if (message.kind === "start") {
      stepper = new Stepper(await Engine.of(message.parts), tell);
      tell({ kind: "ready" });
    } else if (stepper !== null) ANSWERS[message.kind](stepper, message);
  };
  onmessage = ({ data }) => {
    last = last.then(() => answer(data)).catch((error) => tell({ kind: "failed", message: String(error) }));
  };
}

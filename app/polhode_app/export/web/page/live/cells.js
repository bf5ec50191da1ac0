// Runs of cells of a map in the thread of an engine, as core/polhode/sweep/chunks.py has them: each until it rests or
// can't leave its attractor any more, again with half of the step, and the attractor that is nearest at its end.

const RUN_EACH = "polhode.run.loop:run_each:Rest";
const OBSERVE = "polhode.run.observers.rest:observe_rest";
const NOT_FINITE = 2; // why a run stops, core/polhode/run/loop.py
const SETTLED = 1; // of a cell, core/polhode/run/status.py
const UNSETTLED = 2;
const DIVERGED = 3;
const UNCERTAIN = 4;
const NO_LABEL = -1;
const BETWEEN = 0.1; // part by which the nearest attractor must be nearer than the next one, for a rest at it

/** Runs the cells of a map. plan: that of app/polhode_app/export/web/live/basins_data.py */
class CellRunner {
  constructor(engine, plan) {
    this.engine = engine;
    this.plan = plan;
  }

  /** Label and status of the run from a start: pairs of an index of the state and its value. */
  result(start) {
    const { plan, engine } = this;
    const run = this.run(start, 1);
    if (run.isLost) return { label: NO_LABEL, status: DIVERGED };
    const { label, isBetween } = this.nearest();
    let status = run.settled >= 0 ? SETTLED : UNSETTLED;
    if (status === SETTLED && isBetween && !this.isBelow(label)) status = UNCERTAIN;
    if (plan.isChecked) {
      const again = this.run(start, 2);
      if (again.isLost || this.nearest().label !== label) status = UNCERTAIN;
    }
    engine.reset();
    return { label, status };
  }

  /** Run from a start, with steps divided into parts. */
  run(start, parts) {
    const { plan, engine } = this;
    const { members } = engine.parts;
    const step = plan.step / parts;
    engine.reset();
    for (const [index, value] of start) engine.write(engine.parts.places.state + WORD * index, [value]);
    engine.writeWord(members["record.steps"].offset, plan.steps * parts);
    engine.writeWord(members["record.stride"].offset, plan.stride * parts);
    engine.write(members["work.step"].offset, [step]);
    engine.write(members["work.stop_time"].offset, [plan.stopSteps * step]);
    const [steps, done, stop] = [2, 4, 5].map((word) => engine.parts.places.results + WORD * word);
    engine.writeWord(steps, 0);
    engine.writeWord(steps + WORD, plan.steps * parts);
    const count = engine.parts.size;
    const array = (offset, ...shape) => [0, 0, shape.reduce((a, b) => a * b), WORD, engine.base + offset, ...shape];
    engine.call(
      RUN_EACH,
      ...["method", "model", "inputs"].map((name) => engine.placeOf(name)),
      ...array(engine.parts.places.state, 1, count),
      ...[WORD * count, WORD, engine.placeOf("work"), step],
      ...[...array(steps, 2, 1), WORD, WORD, engine.parts.units[OBSERVE], engine.placeOf("record")],
      ...[...array(done, 1), WORD, ...array(stop, 1), WORD],
    );
    engine.clock = { start: 0, step, done: engine.readWord(done) };
    const settled = engine.readWord(members["record.settled"].offset) / parts;
    return { isLost: engine.readWord(stop) === NOT_FINITE, settled };
  }

  /** The attractor that is nearest to the centre of mass of the body that moves, and whether another is as near. */
  nearest() {
    const { plan, engine } = this;
    engine.place();
    const [position, offset] = ["work.bodies.position", "work.bodies.com_offset"].map((path) => {
      const { offset: at, count } = engine.parts.members[path];
      return engine.read(at, count);
    });
    const middle = (body) => [0, 1, 2].map((k) => position[3 * body + k] + offset[3 * body + k]);
    const own = middle(plan.of);
    const distances = plan.near.map((body) => Math.hypot(...middle(body).map((value, k) => value - own[k])));
    const [least, next] = [...distances].sort((a, b) => a - b);
    return { label: distances.indexOf(least), isBetween: least > (1 - BETWEEN) * next };
  }

  /** Whether the energy is too low to leave the attractor, where this is known of all of them. */
  isBelow(label) {
    const { limits, still } = this.plan;
    return limits !== null && this.engine.total() - still < limits[label];
  }
}

ANSWERS.plan = (stepper, { plan }) => (stepper.cells = new CellRunner(stepper.engine, plan));
ANSWERS.cell = (stepper, { cell, start }) => stepper.tell({ kind: "cell", cell, ...stepper.cells.result(start) });

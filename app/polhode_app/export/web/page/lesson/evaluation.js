// What follows from the answers of a lesson: measurements, comparisons and checks, as core/polhode/lessons/evaluation.py
// and progress.py have them. A step uses the nearest step of a kind before it, and the latest answer to that one.

const LATER = 0.001; // [s] smallest time between two answers
const finite = (value) => (Number.isFinite(value) ? value : null);

/** Progress through a lesson for one name. runs: those of hand-ins, with `times` and `curves` besides. */
class Progress {
  constructor(lesson, name) {
    Object.assign(this, { lesson, name, answers: [], runs: [], current: 0 });
    this.variant = variantOf(name);
    this.begun = performance.now();
  }

  /** What `kept` was before, with the time since that is not counted. Throws an error where it is damaged. */
  static restored(lesson, kept) {
    const made = new Progress(lesson, kept.name);
    const { answers, current } = kept;
    const isSound = isName(kept.name) && current in lesson.steps && answers.every(({ step }) => step in lesson.steps);
    if (!isSound || !(kept.elapsed >= 0)) throw new Error("damaged");
    const runs = kept.runs.map((run) => ({ ...run, times: doublesOf(run.times), curves: run.curves.map(doublesOf) }));
    return Object.assign(made, { answers, runs, current, begun: performance.now() - 1000 * kept.elapsed });
  }

  get kept() {
    const { name, answers, current, elapsed } = this;
    const runs = this.runs.map((run) => ({ ...run, times: base64Of(run.times), curves: run.curves.map(base64Of) }));
    return { name, answers, runs, current, elapsed };
  }

  /** [s] since the lesson began. */
  get elapsed() {
    return (performance.now() - this.begun) / 1000;
  }

  get step() {
    return this.lesson.steps[this.current];
  }

  /** Index of the latest answer to a step; -1 without one. */
  position(step) {
    return this.answers.findLastIndex((answer) => answer.step === step);
  }

  /** Value of the latest answer to a step; undefined without one. */
  latest(step) {
    return this.answers[this.position(step)]?.value;
  }

  /** Number of the nearest step of a kind before a step; -1 without one. */
  nearest(step, kind) {
    return this.lesson.steps.findLastIndex((each, k) => k < step && each.kind === kind);
  }

  /** The run that a step uses. */
  runBefore(step) {
    return this.runs[this.latest(this.nearest(step, "run"))];
  }

  /** The measurement [SI] that a step uses; null where there is none. */
  measuredBefore(step) {
    const value = this.latest(this.nearest(step, "measure")) ?? null;
    return value !== null && typeof value === "object" ? value.value : value;
  }

  /** Numbers of the steps from whose answers the value of a step is computed. */
  usedBy(step) {
    const { kind, own_data: isOwn, asks, relative } = this.lesson.steps[step];
    const kinds = {
      measure: isOwn ? [] : ["run"],
      compare: ["predict", "run", "measure"],
      check: asks ? ["measure"] : ["predict", "run", "measure"],
    };
    const found = [...(kinds[kind] ?? []), ...(relative ? ["measure"] : [])].map((each) => this.nearest(step, each));
    return found.filter((each) => each >= 0);
  }

  /** Whether a step is answered, and later than the steps that it uses. */
  isAnswered(step) {
    const at = this.position(step);
    return at >= 0 && this.usedBy(step).map((each) => this.position(each)).every((each) => each >= 0 && each < at);
  }

  /** Whether a step is a prediction after which a later run has begun. */
  isLocked(step) {
    const { steps } = this.lesson;
    if (steps[step].kind !== "predict" || this.position(step) < 0) return false;
    return this.answers.some((answer) => answer.step > step && steps[answer.step].kind === "run");
  }

  get isLast() {
    return this.current === this.lesson.steps.length - 1;
  }

  get isComplete() {
    return this.lesson.steps.every((_, step) => this.isAnswered(step));
  }

  /** Answer the current step, unless it has this answer already. */
  answer(value) {
    const isNew = !this.isAnswered(this.current) || JSON.stringify(value) !== JSON.stringify(this.latest(this.current));
    if (isNew && !this.isLocked(this.current)) this.add(value);
  }

  add(value) {
    const last = this.answers.length > 0 ? this.answers[this.answers.length - 1].at + LATER : 0;
    this.answers.push({ step: this.current, at: Number(Math.max(last, this.elapsed).toFixed(3)), value });
  }

  addRun(run) {
    this.runs.push({ ...run, step: this.current });
    this.add(this.runs.length - 1);
  }

  /** The measurement of a step [SI], null where the curve does not have it; data: {times, values} of own data. */
  measurement(step, data = null) {
    const of = this.lesson.steps[step];
    const run = this.runBefore(step);
    if (data === null && run === undefined) return null;
    const found = measured(of, data?.times ?? run.times, data?.values ?? run.curves[of.sample]);
    if (!of.relative) return finite(found);
    const before = this.measuredBefore(step);
    return before ? finite(found / before) : null;
  }

  /** Prediction, measurement and difference, and the size that a tolerance is a part of. */
  compared(step) {
    const predicting = this.nearest(step, "predict");
    const of = this.lesson.steps[predicting];
    const given = this.latest(predicting) ?? null;
    if (of.predict === "curve") {
      const run = this.runBefore(step);
      const [difference, size] = run === undefined || given === null ? [null, null] : curveDifference(of, given, run);
      return { found: { predicted: null, measured: size, difference }, size, of };
    }
    const value = this.measuredBefore(step);
    if (of.predict === "choice") {
      const index = value === null || !of.bounds ? null : of.bounds.filter((bound) => bound <= value).length;
      return { found: { predicted: given, measured: index, difference: null }, size: null, of };
    }
    const predicted = given === null ? null : given * of.factor;
    const difference = predicted === null || value === null ? null : finite(predicted - value);
    return { found: { predicted, measured: value, difference }, size: value, of };
  }

  /** The answer to a check; number: the student's, in the unit of the step, where it asks for one. */
  check(step, number = null) {
    const of = this.lesson.steps[step];
    if (of.asks) {
      const value = this.measuredBefore(step);
      const difference = number === null || value === null ? null : finite(number * of.factor - value);
      return { number, measured: value, difference, passed: isWithin(of, difference, value) };
    }
    const { found, size, of: predicting } = this.compared(step);
    if (predicting.predict === "choice") {
      const difference = found.measured === null ? null : found.predicted - found.measured;
      return { number: null, measured: found.measured, difference, passed: difference === 0 };
    }
    const { measured: value, difference } = found;
    return { number: null, measured: value, difference, passed: isWithin(of, difference, size) };
  }

  /** What a step without an entry of the student is answered with; undefined for others. */
  computed() {
    const { kind, own_data: isOwn } = this.step;
    if (kind === "text") return null;
    if (kind === "measure" && !isOwn) return this.measurement(this.current);
    if (kind === "compare") return this.compared(this.current).found;
    if (kind === "check" && !this.step.asks) return this.check(this.current);
    return undefined;
  }
}

/** Whether a difference is within the tolerance of a check; `absolute` is in SI. */
function isWithin({ tolerance, absolute }, difference, size) {
  return difference !== null && Math.abs(difference) <= Math.max(tolerance * Math.abs(size ?? 0), absolute);
}

/** Root mean square of the difference of a predicted curve to that of a run, and the range of that one, in SI. */
function curveDifference(of, predicted, run) {
  const values = run.curves[of.sample];
  const good = [...run.times.keys()].filter((k) => Number.isFinite(values[k]) && run.times[k] <= of.until);
  if (good.length === 0) return [null, null];
  const squares = good.map((k) => (interpolated(run.times[k], predicted.times, predicted.values) - values[k]) ** 2);
  const seen = good.map((k) => values[k]);
  return [finite(Math.sqrt(meanOf(squares))), finite(largest(seen) - smallest(seen))];
}

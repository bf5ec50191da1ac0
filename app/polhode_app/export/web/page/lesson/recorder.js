// The run of a lesson in the thread of an engine: exact steps, samples, and states at checkpoints, as
// core/polhode/lessons/lesson_run.py has them.

/** Records a run. plan: changes, steps, stride, checkpoints (steps), sampled (channels of the row of `measure`). */
class Recorder {
  constructor(stepper, plan) {
    Object.assign(this, { stepper, engine: stepper.engine, plan, times: [], states: [] });
    this.curves = plan.sampled.map(() => []);
    this.sample();
  }

  /** Steps until the next sample, or until the last step. */
  get left() {
    const { steps, stride } = this.plan;
    const { done } = this.engine.clock;
    return Math.min(stride - (done % stride), steps - done);
  }

  /** Steps were taken; hasEnded: the run can't continue. */
  hear(hasEnded) {
    const { steps, stride } = this.plan;
    const { done } = this.engine.clock;
    const isComplete = done === steps;
    if (done > this.last && (done % stride === 0 || isComplete || hasEnded)) this.sample();
    if (isComplete || hasEnded) this.end(isComplete ? "" : "stopped");
  }

  sample() {
    const { engine, plan } = this;
    const row = engine.measure();
    this.last = engine.clock.done;
    this.times.push(engine.time);
    plan.sampled.forEach((channel, k) => this.curves[k].push(row[channel]));
    this.at = engine.read(engine.parts.places.state, engine.parts.size);
    if (plan.checkpoints.includes(this.last)) this.keep();
  }

  keep() {
    if (this.states[this.states.length - 1]?.[0] !== this.last) this.states.push([this.last, this.at]);
  }

  /** Tell the page what was recorded; why: "" for a complete run. */
  end(why) {
    this.keep();
    const { stepper, plan, times, curves, states, last } = this;
    stepper.recorder = null;
    stepper.isRunning = false;
    stepper.tell({ kind: "recorded", why, times, curves, states, steps: last, stride: plan.stride });
  }
}

/** Become the scene of a run, and record it if wanted; without a plan the scene of the page again. */
ANSWERS.lesson = (stepper, { plan, isRecorded }) => {
  stepper.recorder?.end("left");
  stepper.run(false);
  stepper.engine.become(plan?.changes ?? []);
  stepper.reset([]);
  if (isRecorded) stepper.recorder = new Recorder(stepper, plan);
};

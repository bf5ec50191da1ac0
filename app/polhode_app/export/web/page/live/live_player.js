// The player of a page in which the engine runs: the thread makes the moments, and the latest is shown.

const SOON = 120; // [ms] between two pictures of the curves of a run

class LivePlayer extends Player {
  /** The player of an engine that is loaded in a thread, with its first row. Is rejected if the engine fails. */
  static async of(content, arrays) {
    const moments = new LiveMoments(content);
    let player = null;
    const remote = new RemoteEngine(content.live.worker, (message) => player?.hear(message));
    try {
      await remote.start(engineParts(content.live.engine, arrays));
      moments.push(...(await rowOf(remote, content)));
      player = new LivePlayer(content, arrays, moments, remote);
    } catch (error) {
      remote.quit();
      throw error;
    }
    return player;
  }

  constructor(content, arrays, moments, remote) {
    super(content, arrays, moments);
    this.remote = remote;
    this.poses = moments.poses;
    this.reached = 0; // simulated time over passed time
    this.isSlow = false;
    this.isAsked = false; // a row is on its way
    this.message = null; // kind of what ended the run
    this.curvesAt = 0;
    this.begun = this.balance(moments.row);
    document.body.dataset.live = "true";
    this.controls.goLive();
    document.addEventListener("visibilitychange", () => this.runEngine());
    this.drag = new Drag(this);
    this.card = new Card(this);
    this.mapPanel = new MapPanel(this);
    this.lesson = content.live.lesson ? new LessonPanel(this) : null;
    this.controls.speak(this.controls.language);
  }

  get speed() {
    return this.chosenSpeed;
  }

  set speed(value) {
    this.chosenSpeed = value;
    if (this.remote) this.remote.speed = value;
  }

  play(isOn) {
    if (isOn && (this.message !== null || this.lesson?.refuses())) return;
    if (isOn) this.seek(this.moments.last);
    this.isPlaying = isOn;
    this.runEngine();
    this.controls.tellPlaying();
    this.isStale = true;
  }

  /** Let the engine run while the page plays and is seen. */
  runEngine() {
    this.remote.run(this.isPlaying && !document.hidden);
  }

  /** Show a row of the past; the run pauses there. */
  seek(time) {
    if (time < this.moments.last && this.lesson?.refuses(false)) return;
    if (this.isPlaying && time < this.moments.last) this.play(false);
    super.seek(time);
  }

  /** Take steps, or go back among the kept rows. */
  step(by) {
    if (this.lesson?.refuses(by > 0 && this.moments.isNow)) return;
    this.play(false);
    if (by < 0 || !this.moments.isNow) {
      const { times, index } = this.moments;
      this.seek(times[Math.min(times.length - 1, Math.max(0, index + by))]);
    } else if (this.message === null) {
      this.remote.step(by);
      this.ask();
    }
  }

  /** Back to the start of the scene, or to another one: pairs of an index of the state and its value. */
  reset(start = []) {
    if (this.lesson?.refuses()) return;
    this.forgive();
    this.remote.reset(start);
    this.renew();
  }

  /** Forget why the run has ended, unless the engine has failed. */
  forgive() {
    if (this.message !== "failed") this.message = null;
  }

  /** Take the next row as the begin of a run. */
  renew() {
    this.isRenewed = true;
    this.ask();
  }

  /** What the thread says of its own accord. */
  hear({ kind, message }) {
    if (kind === "failed") {
      console.error(message);
      this.remote.quit();
    }
    this.message = kind;
    this.isPlaying = false;
    this.controls.tellPlaying();
    this.isStale = true;
    if (kind !== "failed") this.ask();
  }

  /** Ask for a row, unless one is on its way, or the engine has failed. */
  async ask() {
    if (this.message === "failed") return;
    if (this.isAsked) {
      this.isAskedAgain = true;
      return;
    }
    this.isAsked = true;
    const isRenewed = this.isRenewed === true;
    this.isRenewed = false;
    const received = await rowOf(this.remote, this.content).catch(() => null);
    this.isAsked = false;
    if (received === null) return; // the engine has failed, which `hear` shows
    const [time, row, answer] = received;
    const wasNow = this.moments.isNow; // also after a seek while the row was on its way
    if (isRenewed) {
      this.moments.clear();
      this.begun = this.balance(row);
    }
    if (!isRenewed) for (const reading of answer.kept) this.moments.push(reading.time, joined(reading));
    this.moments.push(time, row);
    Object.assign(this, { reached: answer.reached, isSlow: answer.isSlow });
    if (wasNow || isRenewed) super.seek(time);
    if (this.isAskedAgain) {
      this.isAskedAgain = false;
      this.ask();
    }
  }

  advance() {
    this.ask();
    this.drag.tick();
    this.lesson?.tell(this.moments.last);
  }

  /** Energy less what entered it [J]: constant but for errors of the method. */
  balance(row) {
    const { energy, ledger } = this.content.live;
    return row[energy] - row.slice(ledger[0], ledger[0] + ledger[1]).reduce((sum, part) => sum + part, 0);
  }

  /** Error of the energy since the start [J]. */
  get drift() {
    return this.balance(this.moments.row) - this.begun;
  }

  drawPlots() {
    const now = performance.now();
    if (!this.isPlaying || now - this.curvesAt > SOON) {
      this.curvesAt = now;
      this.plots.forget();
    }
    this.plots.draw(this.time);
  }
}

/** Time, row of numbers, and the whole answer of the thread. */
async function rowOf(remote, content) {
  const answer = await remote.frame(content.live.ranges, true);
  return [answer.time, joined(answer), answer];
}

/** All numbers of a reading in one row. */
function joined({ row, values }) {
  const parts = [row, ...values];
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => {
    whole.set(part, at);
    return at + part.length;
  }, 0);
  return whole;
}

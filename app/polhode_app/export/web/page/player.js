// Puts all together and runs.

/** The time that is shown, and how it advances. */
class Player {
  /** live: the source of moments of an engine; without, the kept ones are shown. */
  constructor(content, arrays, live = null) {
    this.content = content;
    this.view = new View(content, arrays, byId("view"), live);
    this.moments = this.view.moments;
    this.plots = new Plots(content, arrays, this.moments, (time) => this.seek(time));
    this.time = this.moments.first;
    this.speed = 1;
    this.isPlaying = false;
    this.repeats = false;
    this.isStale = true;
    for (const name of this.view.offered()) this.view.turn(name, content.shown.includes(name));
    this.legend = new Legend(content, this.view);
    this.controls = new Controls(this);
    new ResizeObserver(() => (this.isStale = true)).observe(byId("curves"));
    this.seek(this.time);
    this.before = performance.now();
    requestAnimationFrame((now) => this.frame(now));
  }

  play(isOn) {
    if (isOn && this.time >= this.moments.last) this.seek(this.moments.first);
    this.isPlaying = isOn && this.moments.last > this.moments.first;
    this.controls.tellPlaying();
  }

  seek(time) {
    this.time = Math.min(this.moments.last, Math.max(this.moments.first, time));
    this.view.go(this.time);
    this.isStale = true;
  }

  /** Go to the moment `by` moments after the nearest one, and stand still. */
  step(by) {
    this.play(false);
    const { times, nearest } = this.moments;
    this.seek(times[Math.min(times.length - 1, Math.max(0, nearest + by))]);
  }

  frame(now) {
    requestAnimationFrame((next) => this.frame(next));
    const last = this.before;
    const passed = Math.min(0.25, (now - last) / 1000);
    this.before = now;
    this.view.isRunning = this.isPlaying;
    if (this.isPlaying) {
      if (this.view.judge(now - last)) this.controls.fillSwitches();
      this.advance(passed * this.speed);
    }
    if (this.view.draw()) this.legend.turn();
    if (this.isStale) {
      this.isStale = false;
      this.controls.tellTime(this.time);
      this.legend.tell(this.time, this.controls.language);
      this.drawPlots();
    }
  }

  drawPlots() {
    this.plots.draw(this.time);
  }

  advance(by) {
    const { first, last } = this.moments;
    if (this.time + by < last) this.seek(this.time + by);
    else if (this.repeats) this.seek(first);
    else {
      this.seek(last);
      this.play(false);
    }
  }
}

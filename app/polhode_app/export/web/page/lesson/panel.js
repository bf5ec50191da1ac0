// The panel that leads through a lesson: its begin, its steps, and the hand-in at its end.

const KEPT = "polhode lesson "; // begin of the keys under which the browser keeps a progress
const AT_ONCE = 1e6; // speed of a run whose end is wanted

class LessonPanel {
  constructor(player) {
    Object.assign(this, { player, table: player.content.live.lesson ?? null, progress: null, isRunning: false });
    if (this.table === null) return;
    this.chosen = 0; // index among the lessons of the page
    this.entered = ""; // name
    this.entry = null; // of the current step
    this.hasEnded = false; // the hand-in can be saved
    this.isNamed = true;
    this.notice = null; // {name, line} of a text that is shown above the buttons
    this.body = byId("lesson-body");
    byId("lesson").hidden = false;
    this.speak(player.controls.language);
    if (!matchMedia("(max-width: 720px)").matches) player.controls.open("lesson", true);
  }

  get isOn() {
    return this.progress !== null;
  }

  get lesson() {
    return this.table.lessons[this.chosen];
  }

  /** Texts of the chosen lesson in the current language. */
  get words() {
    return this.all.lessons[this.chosen];
  }

  speak(language) {
    if (this.table === null) return;
    this.all = this.player.content.languages[language].lesson;
    this.texts = this.all.texts;
    this.render();
  }

  render() {
    const focused = document.activeElement?.id;
    if (!this.isOn) this.body.replaceChildren(...this.start());
    else this.body.replaceChildren(...(this.hasEnded ? this.end() : this.stepShown()));
    if (focused) byId(focused)?.focus();
    for (const name of ["play", "step", "reset", "compute"]) byId(name).setAttribute("aria-disabled", String(this.isOn));
    byId("card").inert = this.isOn;
    const isBelow = matchMedia("(max-width: 720px)").matches && !byId("lesson-panel").hidden;
    if (isBelow) this.player.view.cover(byId("lesson-panel").offsetHeight); // it has another height now
  }

  /** Render another state, whose heading gets the focus. */
  turn() {
    Object.assign(this, { notice: null, isRefusing: false });
    this.render();
    byId("lesson-panel").scrollTop = 0;
    byId("lesson-heading")?.focus({ preventScroll: true });
  }

  /** Whether the lesson refuses a control; then it says why. */
  refuses(isOfRun = true) {
    if (!this.isOn || (!isOfRun && !this.isRunning)) return false;
    this.isRefusing = true;
    this.player.controls.tellRun();
    return true;
  }

  /** The sentence that is shown in place of the state of the engine; "" without one. */
  get status() {
    if (!this.isOn) return "";
    return this.isRunning ? this.texts.locked_run : this.isRefusing ? this.texts.locked : "";
  }

  // The begin

  start() {
    const { texts, all, table } = this;
    const kept = this.kept();
    const name = element("input", "");
    Object.assign(name, { type: "text", id: "student", value: this.entered, maxLength: 200, autocomplete: "off" });
    name.addEventListener("input", () => (this.entered = name.value));
    name.addEventListener("keydown", (event) => event.key === "Enter" && this.begin(name.value));
    const about = table.lessons.length > 1 ? [lessonChoice(all.lessons.map(({ title }) => title), this.chosen, (at) => this.choose(at))] : [];
    const heading = element("h3", "", table.lessons.length > 1 ? texts.choose_lesson : this.words.title);
    heading.id = "lesson-heading";
    heading.tabIndex = -1;
    const made = [heading, ...about];
    if (kept !== null) made.push(lessonButton(filled(texts.resume, { name: kept.name }), () => this.enter(kept), "main"));
    made.push(element("label", "entry", element("span", "", texts.name), name), element("p", "soft", texts.name_note));
    if (this.notice !== null) made.push(this.alert());
    made.push(lessonButton(texts.begin, () => this.begin(name.value), kept === null ? "main" : ""));
    return made;
  }

  choose(at) {
    this.chosen = at;
    this.render();
  }

  begin(entered) {
    const name = plainName(entered);
    if (!isName(name)) {
      this.warn("no_name");
      return;
    }
    this.enter(new Progress(this.lesson, name));
  }

  enter(progress) {
    Object.assign(this, { progress, hasEnded: false, entry: null, isRefusing: false });
    this.player.play(false);
    this.player.card.restore();
    this.prepare();
    this.turn();
    this.save();
  }

  // Steps

  /** Let the page show the start of the scene of this lesson, for a run with its values. */
  prepare() {
    const { steps } = this.lesson;
    const { current } = this.progress;
    let at = current;
    while (at >= 0 && steps[at].kind !== "run") at -= 1;
    const isEarlier = at >= 0 && at < current;
    if (isEarlier) return; // its run stays in view
    if (at < 0) at = steps.findIndex((step) => step.kind === "run");
    this.show(at, at === current ? this.positions() : steps[at].run.fields.map(({ start }) => start));
  }

  show(step, positions) {
    const changes = this.changes(step, positions);
    if (changes === null) return;
    this.player.forgive();
    this.player.remote.lesson({ changes }, false);
    this.player.renew();
  }

  /** Positions of the sliders of the current step: those of its last run, if there is one. */
  positions() {
    const { progress } = this;
    if (Array.isArray(this.entry)) return this.entry;
    const run = progress.runs[progress.latest(progress.current)];
    return progress.step.run.fields.map(({ path, values, start }) => Math.max(run ? values.indexOf(run.values[path]) : start, 0));
  }

  /** Differences of images for a run with positions of its sliders; null where the scene refuses these together. */
  changes(step, positions) {
    const { groups, fields } = this.lesson.steps[step].run;
    const { arrays } = this.player.view;
    const index = [this.progress.variant % this.lesson.variants, ...positions];
    const counts = [this.lesson.variants, ...fields.map(({ values }) => values.length)];
    const found = [];
    for (const { axes, offsets, words, missing } of groups) {
      const number = axes.reduce((sum, axis) => sum * counts[axis] + index[axis], 0);
      if (missing.includes(number)) return null;
      const size = axes.reduce((sum, axis) => sum * counts[axis], 1);
      const all = new BigInt64Array(arrays.get(words).slice().buffer);
      const places = arrays.get(offsets, Int32Array);
      found.push({ offsets: places, words: BigInt64Array.from(places, (_, k) => all[k * size + number]) });
    }
    return found;
  }

  stepShown() {
    const { texts, progress, lesson, words } = this;
    const { current, step } = progress;
    const own = words.steps[current];
    const heading = element("h3", "", words.title);
    heading.id = "lesson-heading";
    heading.tabIndex = -1;
    const count = element("p", "soft", `${filled(texts.step, { step: current + 1, count: lesson.steps.length })} · ${progress.name}`);
    const numbers = words.numbers.map(({ label, values }) => element("li", "", `${label}: ${values[progress.variant]}`));
    const made = [heading, count];
    if (numbers.length > 0) made.push(element("p", "soft", texts.numbers), element("ul", "numbers", ...numbers));
    if (own.text) made.push(...paragraphs(own.text));
    made.push(...SHOWN[step.kind](this, step, own));
    if (this.notice !== null) made.push(this.alert());
    made.push(this.buttons(), lessonButton(texts.leave, () => this.leave(), "leave"));
    return made;
  }

  buttons() {
    const { texts, progress } = this;
    const back = lessonButton(texts.back, () => this.go(-1));
    back.disabled = progress.current === 0 || this.isRunning;
    const next = lessonButton(progress.isLast ? texts.finish : texts.next, () => this.go(1), "main");
    next.id = "lesson-next";
    next.setAttribute("aria-disabled", String(this.isRunning));
    return element("div", "row ways", back, next);
  }

  alert() {
    const { name, line } = this.notice;
    const made = element("p", "alert", filled(this.texts[name], { line }));
    made.setAttribute("role", "alert");
    return made;
  }

  /** Show a text of the page above the buttons; line: of a file. */
  warn(name, line = 0) {
    this.notice = { name, line };
    this.render();
  }

  /** Go to the next step, if this one is answered, or to the one before. */
  go(by) {
    const { progress } = this;
    if (this.isRunning) return;
    if (by > 0) {
      const isNew = progress.step.asks && progress.step.kind === "check" && this.entry !== null;
      if (isNew && Number(numberOf(this.entry)) !== progress.latest(progress.current)?.number) {
        this.check(); // which shows whether it agrees
        return;
      }
      this.complete();
      if (!progress.isAnswered(progress.current)) {
        this.warn(this.missing);
        return;
      }
      if (progress.isLast) this.hasEnded = true;
    }
    this.entry = null;
    if (!this.hasEnded) {
      progress.current = Math.max(0, progress.current + by);
      this.compute();
      this.prepare();
    }
    this.save();
    this.turn();
  }

  /** Name of the text that says what the current step lacks. */
  get missing() {
    const { kind, predict, asks } = this.progress.step;
    if (kind === "run") return "needs_run";
    const isOfNumber = predict === "number" || (kind === "check" && asks);
    return isOfNumber && this.entry ? "needs_number" : "needs_answer";
  }

  /** Answer a step of which the lesson computes the answer, when it is reached. */
  compute() {
    const value = this.progress.computed();
    if (value !== undefined && this.progress.step.kind !== "text") this.progress.answer(value);
  }

  /** Answer the current step by what is entered. */
  complete() {
    const { progress } = this;
    const computed = progress.computed();
    const value = computed === undefined ? ENTERED[progress.step.kind]?.(this, progress.step) : computed;
    if (value !== undefined) progress.answer(value);
  }

  /** Check the entered number. */
  check() {
    this.complete();
    this.save();
    if (ENTERED.check(this, this.progress.step) === undefined) this.warn(this.missing);
    else this.render();
  }

  /** Leave the lesson; the browser keeps it. */
  leave() {
    const { player } = this;
    if (this.isRunning) player.remote.lesson(null);
    this.save();
    Object.assign(this, { progress: null, isRunning: false, isRefusing: false, hasEnded: false, entry: null });
    player.play(false);
    player.remote.speed = player.speed;
    player.forgive();
    player.remote.lesson(null);
    player.card.restore();
    player.renew();
    this.turn();
  }

  // Runs

  async run(positions) {
    const { progress, player } = this;
    const { current, step } = progress;
    const changes = this.changes(current, positions);
    if (changes === null) {
      this.warn("refused");
      return;
    }
    this.entry = positions;
    const { steps, stride, checkpoints, fields } = step.run;
    const sampled = this.lesson.sampled;
    const ending = player.remote.lesson({ changes, steps, stride, checkpoints, sampled }, true);
    this.isRunning = true;
    player.forgive();
    player.renew();
    this.turn();
    player.isPlaying = true;
    player.runEngine();
    player.controls.tellPlaying();
    const made = await ending.catch(() => null);
    if (this.progress !== progress || !this.isRunning) return; // it was left
    this.isRunning = false;
    player.isPlaying = false;
    player.remote.speed = player.speed;
    player.controls.tellPlaying();
    player.ask();
    if (made === null) return;
    const free = fields.map(({ path, values, isFixed }, k) => (isFixed ? [] : [[path, values[positions[k]]]])).flat();
    const { times, curves, states } = made;
    progress.addRun({
      ...{ values: Object.fromEntries(free), until: step.until, stride, steps: made.steps, times, curves },
      checkpoints: states.map(([at, state]) => [at, base64Of(state)]),
    });
    this.save();
    this.turn();
    if (made.why === "stopped") this.warn("stopped_early");
  }

  /** Run to the end as fast as the engine can. */
  hurry() {
    this.player.remote.speed = AT_ONCE;
  }

  /** Show how far the run is. */
  tell(time) {
    if (this.isRunning && byId("lesson-progress")) byId("lesson-progress").value = time;
  }

  // The end

  end() {
    const { texts, progress, words } = this;
    const heading = element("h3", "", words.title);
    heading.id = "lesson-heading";
    heading.tabIndex = -1;
    const due = this.lesson.steps.map((_, k) => k).filter((k) => !progress.isAnswered(k));
    const made = [heading];
    if (due.length > 0) {
      made.push(element("p", "", texts.due));
      made.push(...due.map((step) => lessonButton(filled(texts.to_step, { step: step + 1 }), () => this.goTo(step))));
    } else {
      made.push(element("p", "", texts.done));
      const box = element("input", "");
      Object.assign(box, { type: "checkbox", id: "unnamed", checked: !this.isNamed });
      box.addEventListener("change", () => (this.isNamed = !box.checked));
      made.push(element("label", "choice", box, element("span", "", texts.unnamed)));
      made.push(lessonButton(texts.save, () => this.saveHandIn(), "main"), element("p", "soft", texts.save_note));
    }
    made.push(lessonButton(texts.back, () => this.goTo(this.lesson.steps.length - 1)), lessonButton(texts.leave, () => this.leave(), "leave"));
    return made;
  }

  goTo(step) {
    this.hasEnded = false;
    this.entry = null;
    this.progress.current = step;
    this.compute();
    this.turn();
  }

  saveHandIn() {
    const { progress, table, lesson, isNamed } = this;
    const about = { version: table.version, scene: table.scene, lesson: lesson.lesson, title: lesson.title };
    download(handIn(progress, about, isNamed), handInFile(isNamed ? progress.name : ""));
  }

  // What the browser keeps

  get key() {
    this.ofScene ??= sha256(new TextEncoder().encode(this.table.scene.text)).slice(0, 16);
    return `${KEPT}${this.ofScene} ${this.lesson.lesson}`;
  }

  /** The progress that the browser has kept; null without, where it keeps nothing, and where it is damaged. */
  kept() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key));
      return kept === null ? null : Progress.restored(this.lesson, kept);
    } catch {
      return null;
    }
  }

  save() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.progress.kept));
    } catch {
      // there is no room, or the browser allows none: the lesson lasts as long as the page
    }
  }
}

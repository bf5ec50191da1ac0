// What the panel of a lesson shows for each kind of step, and what the student enters there.

/** A number as a text. */
function plainNumber(value, digits = 4) {
  return Number(value.toPrecision(digits)).toString().replace("-", "−");
}

/** A value in SI with the unit of a step; a dash where there is none. */
function valueText(value, step, words) {
  return value === null ? "–" : `${plainNumber(value / step.factor)} ${words.unit}`.trim();
}

/** A line of a label and a value. */
function pair(label, value) {
  return element("div", "pair", element("span", "", label), element("output", "", value));
}

/** An entry of a number with its unit; `entry` of the panel is its text. */
function numberEntry(panel, label, unit, given, isLocked = false) {
  const input = element("input", "");
  Object.assign(input, { type: "text", id: "lesson-number", inputMode: "text", autocomplete: "off", disabled: isLocked });
  input.value = panel.entry ?? (given === undefined || given === null ? "" : String(given));
  input.addEventListener("input", () => (panel.entry = input.value));
  input.addEventListener("keydown", (event) => event.key === "Enter" && panel.go(1));
  const field = element("div", "with-unit", input, element("span", "", unit));
  return element("label", "entry", element("span", "", label), field);
}

/** The entered number, or else a former one; undefined where it is none. */
function enteredNumber(panel, former) {
  if (panel.entry === null) return former;
  const value = numberOf(panel.entry);
  return Number.isNaN(value) ? undefined : value;
}

/** The chart of the run that a step uses; null without. */
function chartOfRun(panel, at, sample, words, factor, predicted = null) {
  const { progress, player, texts } = panel;
  const run = progress.runBefore(at);
  if (run === undefined || sample === undefined) return [];
  const { curves } = player.content;
  const inUnit = (values) => Array.from(values, (value) => value / factor);
  const shown = [{ times: [...run.times], values: inUnit(run.curves[sample]), color: curves[0] }];
  if (predicted) shown.push({ times: predicted.times, values: inUnit(predicted.values), color: curves[1], isDashed: true });
  const chart = new CurveChart(words.of ?? "");
  const until = Math.max(run.times[run.times.length - 1], predicted?.times[predicted.times.length - 1] ?? 0);
  chart.show(shown, until, spanOf(shown.flatMap(({ values }) => values)), words.unit);
  const legend = [[curves[0], words.of ?? ""], ...(predicted ? [[curves[1], texts.predicted]] : [])].map(([color, label]) => {
    const mark = element("i", "");
    mark.style.background = color;
    return element("li", "", mark, label);
  });
  return [chart.canvas, element("ul", "curve-legend", ...legend)];
}

const PREDICTED = {
  number: (panel, step, words, given, isLocked) => [numberEntry(panel, words.ask || panel.texts.prediction, words.unit, given, isLocked)],
  choice: (panel, step, words, given, isLocked) => [
    element("p", "question", words.ask || panel.texts.prediction),
    lessonChoice(words.choices, panel.entry ?? given, (at) => (panel.entry = at), isLocked),
  ],
  curve: (panel, step, words, given, isLocked) => {
    const { texts, player } = panel;
    const said = element("output", "soft");
    if (isLocked) {
      const chart = new CurveChart(words.of);
      const values = given.values.map((value) => value / step.factor);
      chart.show([{ times: given.times, values, color: player.content.curves[1], isDashed: true }], step.until, spanOf(values), words.unit);
      return [element("p", "question", words.ask || texts.draw), chart.canvas];
    }
    const scale = step.scale.map((value) => value / step.factor);
    const former = panel.entry instanceof DrawnCurve ? panel.entry : null;
    const label = `${words.of}. ${texts.draw_keys}`;
    const drawn = new DrawnCurve(label, step.until, scale, words.unit, player.content.curves[1], ({ times, pen, penValue }) => {
      said.textContent = `${plainNumber(times[pen], 3)} s: ${plainNumber(penValue, 3)} ${words.unit}`;
    });
    drawn.canvas.id = "lesson-curve";
    if (former !== null) Object.assign(drawn, { values: former.values, low: former.low, high: former.high, pen: former.pen, penValue: former.penValue });
    else if (given) drawn.fill(given, step.factor);
    drawn.refresh();
    panel.entry = drawn;
    const tools = [
      lessonButton(texts.clear, () => drawn.clear()),
      lessonButton(texts.wider, () => drawn.stretch(2)),
      lessonButton(texts.narrower, () => drawn.stretch(0.5)),
    ];
    return [element("p", "question", words.ask || texts.draw), element("p", "soft", words.of), drawn.canvas, said, element("div", "row", ...tools), element("p", "soft", texts.draw_keys)];
  },
};

/** What is shown of a step, by its kind. */
const SHOWN = {
  text: () => [],

  predict: (panel, step, words) => {
    const { progress, texts } = panel;
    const isLocked = progress.isLocked(progress.current);
    const made = PREDICTED[step.predict](panel, step, words, progress.latest(progress.current), isLocked);
    return isLocked ? [...made, element("p", "soft", texts.holds)] : made;
  },

  run: (panel, step, words) => {
    const { progress, texts, isRunning } = panel;
    const positions = [...panel.positions()];
    panel.entry = positions;
    const sliders = step.run.fields.map((field, k) => {
      const { label, values, reason } = words.fields[k];
      if (field.isFixed) return element("div", "", pair(label, values[0]), element("p", "soft", reason));
      const said = element("output", "", values[positions[k]]);
      const input = element("input", "");
      Object.assign(input, { type: "range", id: `lesson-field-${k}`, min: 0, max: values.length - 1, step: 1, value: positions[k], disabled: isRunning });
      input.setAttribute("aria-label", label);
      input.setAttribute("aria-valuetext", values[positions[k]]);
      input.addEventListener("input", () => {
        positions[k] = Number(input.value);
        said.textContent = values[positions[k]];
        input.setAttribute("aria-valuetext", values[positions[k]]);
        panel.show(progress.current, positions);
      });
      return element("label", "slider", element("span", "", label), said, input);
    });
    if (isRunning) {
      const at = element("progress", "");
      at.id = "lesson-progress";
      Object.assign(at, { max: step.until, value: 0 });
      return [...sliders, at, element("p", "soft", texts.locked_run), lessonButton(texts.at_once, () => panel.hurry())];
    }
    const hasRun = progress.latest(progress.current) !== undefined;
    const go = lessonButton(hasRun ? texts.run_again : texts.run, () => panel.run(positions), "main");
    go.id = "lesson-run";
    return [...sliders, element("p", "soft", `${texts.length} ${plainNumber(step.until)} s`), go, ...(hasRun ? [element("p", "", texts.has_run)] : [])];
  },

  measure: (panel, step, words) => {
    const { progress, texts } = panel;
    if (step.own_data) return ownData(panel, step, words);
    const value = progress.measurement(progress.current);
    const chart = chartOfRun(panel, progress.current, step.sample, { ...words, unit: words.ofUnit }, step.ofFactor);
    const label = `${words.of} · ${texts[step.measure]}`;
    return [...chart, pair(label, valueText(value, step, words)), ...(value === null ? [element("p", "soft", texts.no_measurement)] : [])];
  },

  compare: (panel) => {
    const { progress, lesson, words, texts } = panel;
    const { found, of } = progress.compared(progress.current);
    const at = progress.nearest(progress.current, "predict");
    const own = words.steps[at];
    if (of.predict === "curve") {
      const chart = chartOfRun(panel, progress.current, of.sample, own, of.factor, progress.latest(at));
      return [...chart, pair(texts.rms, valueText(found.difference, of, own))];
    }
    const by = progress.nearest(progress.current, "measure");
    const [step, shown] = [lesson.steps[by], words.steps[by]];
    if (of.predict === "choice") {
      const made = [pair(texts.predicted, own.choices[found.predicted] ?? "–"), pair(texts.measured, valueText(progress.measuredBefore(progress.current), step, shown))];
      return found.measured === null ? made : [...made, pair(texts.found, own.choices[found.measured])];
    }
    return [
      pair(texts.predicted, valueText(found.predicted, step, shown)),
      pair(texts.measured, valueText(found.measured, step, shown)),
      pair(texts.difference, valueText(found.difference, step, shown)),
    ];
  },

  explain: (panel, step, words) => {
    const { progress } = panel;
    const area = element("textarea", "");
    Object.assign(area, { id: "lesson-explain", rows: 6, maxLength: 10000, value: panel.entry ?? progress.latest(progress.current) ?? "" });
    area.addEventListener("input", () => (panel.entry = area.value));
    return [element("label", "entry", element("span", "question", words.explain), area)];
  },

  check: (panel, step, words) => {
    const { progress, texts } = panel;
    const given = progress.latest(progress.current);
    const isDone = progress.isAnswered(progress.current);
    const made = [];
    if (step.asks) {
      const number = numberEntry(panel, words.ask, words.unit, given?.number);
      made.push(number, lessonButton(texts.check, () => panel.check()));
    }
    if (!isDone) return made;
    const result = element("p", given.passed ? "passed" : "not-passed", given.passed ? texts.passed : texts.not_passed);
    result.setAttribute("role", "status");
    return [...made, result];
  },
};

/** The choice of a file of own data, its curve, and the measurement. */
function ownData(panel, step, words) {
  const { progress, texts, player, table } = panel;
  const given = panel.entry ?? progress.latest(progress.current) ?? null;
  const input = element("input", "");
  Object.assign(input, { type: "file", id: "lesson-file", accept: ".csv,.txt,.dat,text/plain,text/csv" });
  input.addEventListener("change", async () => {
    if (input.files.length === 0) return;
    try {
      panel.entry = await dataOfFile(input.files[0], table.units);
      panel.notice = null;
      panel.complete();
      panel.save();
      panel.render();
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      panel.warn(error.text, error.line);
    }
  });
  const made = [element("label", "entry", element("span", "", texts.own_data), input), element("p", "soft", texts.data_note)];
  if (given === null) return made;
  const chart = new CurveChart(texts.own_data);
  const times = given.times.map((time) => time - given.times[0]);
  chart.show([{ times, values: given.values, color: player.content.curves[0] }], times[times.length - 1], spanOf(given.values), "");
  const value = progress.measurement(progress.current, given);
  const label = texts[step.measure];
  return [...made, element("p", "soft", `${given.file} · ${given.times.length}`), chart.canvas, pair(label, valueText(value, step, words))];
}

/** The answer that the entry of a step makes; undefined without a valid one. */
const ENTERED = {
  predict: (panel, step) => {
    const { entry, progress } = panel;
    if (step.predict === "number") return enteredNumber(panel, progress.latest(progress.current));
    if (step.predict === "choice") return entry ?? undefined;
    return (entry instanceof DrawnCurve ? entry.answer(step.factor) : null) ?? undefined;
  },
  measure: (panel) => {
    const { progress } = panel;
    const given = panel.entry ?? progress.latest(progress.current);
    return given === undefined ? undefined : { ...given, value: progress.measurement(progress.current, given) };
  },
  explain: ({ entry }) => {
    const text = new TextDecoder().decode(new TextEncoder().encode(entry ?? ""));
    return text.trim() === "" ? undefined : text;
  },
  check: (panel, step) => {
    const { progress } = panel;
    const number = enteredNumber(panel, progress.latest(progress.current)?.number);
    return step.asks && number !== undefined ? progress.check(progress.current, number) : undefined;
  },
};

// Bar, panels, keys, languages and themes.

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];
const PANELS = ["show", "plots", "basins", "lesson", "about"];
const SLIDERS = "#card input[type=range], #lesson-panel input[type=range], input[type=radio]"; // which keys move
const TYPED_IN = "input[type=search], input[type=text], textarea, select, pre";
const REPLAY_KEYS = ["mouse", "key_play", "key_step", "key_ends"];
const LIVE_KEYS = ["mouse", "key_drag", "key_play", "key_steps", "key_reset"];
const SLIDER_KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);
const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const byId = (id) => document.getElementById(id);

/** An element with a class, children and texts in it. */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** The language that the address ends with, as in run.html#ja, or else that of the browser. */
function wantedLanguage(content) {
  const wanted = [location.hash.slice(1), ...(navigator.languages ?? [navigator.language]).map((code) => code.split("-")[0])];
  return wanted.find((code) => code in content.languages) ?? "en";
}

class Controls {
  constructor(player) {
    Object.assign(this, { player, content: player.content });
    this.language = wantedLanguage(this.content);
    this.theme = this.content.theme || (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    this.bar();
    this.tools();
    this.keys();
    for (const name of PANELS) byId(`${name}-panel`).querySelector(".close").addEventListener("click", () => this.open(name, false));
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", (event) => {
      if (!this.content.theme && !this.hasChosenTheme) this.wear(event.matches ? "light" : "dark");
    });
    this.wear(this.theme);
    this.speak(this.language);
  }

  bar() {
    const { player } = this;
    byId("play").addEventListener("click", () => player.play(!player.isPlaying));
    byId("repeat").addEventListener("click", () => this.repeat(!player.repeats));
    const time = byId("time");
    time.min = player.moments.first;
    time.max = player.moments.last;
    time.addEventListener("input", () => player.seek(Number(time.value)));
    const speed = byId("speed");
    for (const value of SPEEDS) {
      const option = element("option", "", `${value}×`);
      option.value = String(value);
      speed.append(option);
    }
    speed.value = "1";
    speed.addEventListener("change", () => (player.speed = Number(speed.value)));
  }

  /** Show what only a page with an engine has. */
  goLive() {
    this.isLive = true;
    byId("repeat").hidden = true;
    for (const name of ["step", "reset"]) byId(name).hidden = false;
    byId("step").addEventListener("click", () => this.player.step(1));
    byId("reset").addEventListener("click", () => this.player.reset());
  }

  repeat(isOn) {
    this.player.repeats = isOn;
    byId("repeat").setAttribute("aria-pressed", String(isOn));
  }

  tools() {
    for (const name of PANELS) {
      byId(name).addEventListener("click", (event) => {
        const panel = byId(`${name}-panel`);
        this.open(name, panel.hidden);
        const isByKey = event.detail === 0;
        if (isByKey && !panel.hidden) panel.querySelector(".close").focus();
      });
    }
    byId("fit").addEventListener("click", () => this.player.view.fit());
    byId("theme").addEventListener("click", () => {
      this.hasChosenTheme = true;
      this.wear(this.theme === "dark" ? "light" : "dark");
    });
    const codes = Object.keys(this.content.languages);
    byId("language").addEventListener("click", () => this.speak(codes[(codes.indexOf(this.language) + 1) % codes.length]));
    byId("full_screen").hidden = !document.fullscreenEnabled;
    byId("full_screen").addEventListener("click", () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen();
    });
    byId("copy").addEventListener("click", () => this.copy());
    byId("filter").addEventListener("input", () => this.fillColumns());
    byId("plots").hidden = this.content.columns.length === 0;
  }

  /** Open a panel, which closes the others, or close it. */
  open(name, isOpen) {
    for (const each of PANELS) {
      const isIt = each === name && isOpen;
      if (!isIt && byId(`${each}-panel`).contains(document.activeElement)) byId(each).focus(); // not lost with the panel
      byId(`${each}-panel`).hidden = !isIt;
      byId(each).setAttribute("aria-expanded", String(isIt));
    }
    if (isOpen) document.body.dataset.panel = name;
    else delete document.body.dataset.panel;
    const isBelow = isOpen && matchMedia("(max-width: 720px)").matches;
    if (isBelow) this.player.card?.open(false);
    this.player.view.cover(isBelow ? byId(`${name}-panel`).offsetHeight : 0);
    this.player.plots.forget();
    this.player.isStale = true;
  }

  keys() {
    const { player } = this;
    const actions = {
      " ": () => player.play(!player.isPlaying),
      k: () => player.play(!player.isPlaying),
      ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
      ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
      Home: () => (this.isLive ? player.reset() : player.seek(player.moments.first)),
      End: () => player.seek(player.moments.last),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      "-": () => this.faster(-1),
      r: () => player.view.fit(),
      ...cameraKeys(player.view),
      Escape: () => this.open("", false),
    };
    addEventListener("keydown", (event) => {
      const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      if (SLIDER_KEYS.has(event.key) && event.target.matches?.(SLIDERS)) return; // they move it
      const tag = event.target.tagName;
      if (event.target.matches?.(TYPED_IN)) {
        if (event.key !== "Escape") return;
      } else if (event.key === " " && ["BUTTON", "INPUT"].includes(tag) && event.target.type !== "range") {
        return; // it presses the button
      }
      event.preventDefault();
      action(event);
    });
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.player.speed) + by;
    this.player.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))];
    byId("speed").value = String(this.player.speed);
  }

  wear(theme) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.player.view.wear(theme);
    this.player.plots.forget();
    this.player.isStale = true;
  }

  /** Write all texts in a language. */
  speak(language) {
    this.language = language;
    const { texts, columns, units, title, description } = this.content.languages[language];
    const codes = Object.keys(this.content.languages);
    this.texts = texts;
    document.documentElement.lang = language;
    byId("title").textContent = title;
    byId("description").textContent = (this.isLive && this.content.languages[language].story) || description;
    const next = codes[(codes.indexOf(language) + 1) % codes.length];
    byId("language").textContent = next === "en" ? "EN" : this.content.languages[next].name;
    for (const name of [...PANELS, "fit", "theme", "language", "full_screen", "repeat", "step", "reset"]) this.name(byId(name), texts[name]);
    this.name(byId("card-toggle"), texts.try);
    for (const name of ["time", "speed"]) byId(name).setAttribute("aria-label", texts[name]);
    byId("view").setAttribute("aria-label", texts.view);
    for (const name of PANELS) byId(`${name}-panel`).querySelector("h2").textContent = texts[name];
    for (const close of document.querySelectorAll(".close")) this.name(close, texts.close);
    for (const name of ["scene", "copy", "keys"]) byId(name).textContent = texts[name];
    byId("filter").placeholder = texts.search;
    byId("filter").setAttribute("aria-label", texts.choose);
    byId("story").textContent = description;
    const { first, last } = this.player.moments;
    const span = `${round(first)} – ${round(last)} s`;
    const ofRun = this.isLive ? [texts.live] : [span, this.content.isThinned ? texts.thinned : texts.moments];
    byId("facts").textContent = [texts.made, ...ofRun].join(" · ");
    byId("left-out").textContent = this.isLive ? this.content.languages[language].leftOut : "";
    const keys = this.isLive ? LIVE_KEYS : REPLAY_KEYS;
    byId("key-list").replaceChildren(
      ...[...keys, "key_speed", "key_turn", "key_move", "key_zoom", "key_fit"].map((name) => element("li", "", texts[name])),
    );
    byId("text").textContent = this.content.scene;
    Object.assign(this.player.plots, { names: columns, units });
    this.player.card?.speak(language);
    this.player.mapPanel?.speak(language);
    this.player.lesson?.speak(language);
    this.fillSwitches();
    this.fillColumns();
    this.player.plots.rebuild();
    this.tellPlaying();
    this.player.isStale = true;
  }

  name(button, text) {
    button.title = text;
    button.setAttribute("aria-label", text);
  }

  tellPlaying() {
    document.body.dataset.playing = String(this.player.isPlaying);
    if (this.texts) this.name(byId("play"), this.player.isPlaying ? this.texts.pause : this.texts.play);
  }

  fillSwitches() {
    const { view } = this.player;
    const { views } = this.content.languages[this.language];
    byId("switches").replaceChildren(
      ...view.offered().map((name) => {
        const box = element("input", "");
        box.type = "checkbox";
        box.checked = view.isOn(name);
        box.dataset.view = name;
        box.addEventListener("change", () => {
          view.turn(name, box.checked);
          this.player.isStale = true;
        });
        return element("label", "choice", box, element("span", "", views[name] ?? name));
      }),
    );
  }

  /** The columns that can be plotted, as far as they have the text of the filter. */
  fillColumns() {
    const { plots } = this.player;
    const { columns } = this.content.languages[this.language];
    const wanted = byId("filter").value.toLowerCase();
    const has = ({ name }) => `${name} ${columns[name]}`.toLowerCase().includes(wanted);
    byId("filter").hidden = this.content.columns.length < 9;
    byId("columns").replaceChildren(
      ...this.content.columns.filter(has).map(({ name }) => {
        const box = element("input", "");
        box.type = "checkbox";
        box.checked = plots.chosen.includes(name);
        box.dataset.column = name;
        const mark = element("i", "");
        if (box.checked) mark.style.background = plots.color(name);
        box.addEventListener("change", () => this.choose(name, box.checked));
        return element("label", "choice", box, mark, element("span", "", columns[name] ?? name));
      }),
    );
  }

  choose(name, isOn) {
    const { plots } = this.player;
    plots.chosen = isOn ? [...plots.chosen, name] : plots.chosen.filter((each) => each !== name);
    plots.rebuild();
    const box = byId("columns");
    const { scrollTop } = box;
    this.fillColumns();
    box.scrollTop = scrollTop;
    box.querySelector(`[data-column="${CSS.escape(name)}"]`)?.focus();
    this.player.isStale = true;
  }

  /** Copy the text of the scene; where that is not allowed, select it. */
  async copy() {
    const button = byId("copy");
    try {
      await navigator.clipboard.writeText(this.content.scene);
      button.textContent = this.texts.copied;
    } catch {
      getSelection().selectAllChildren(byId("text"));
      const isCopied = document.execCommand("copy");
      button.textContent = isCopied ? this.texts.copied : this.texts.no_copy;
    }
    setTimeout(() => (button.textContent = this.texts.copy), 2000);
  }

  /** The state of a run by the engine: why it ended, that it is too slow, or the error of its energy. */
  tellRun() {
    const { message, isSlow, isPlaying, reached, speed, drift } = this.player;
    const { texts } = this;
    const words = [];
    const refusal = this.player.lesson?.status;
    if (refusal) words.push(refusal);
    else if (message !== null) words.push(texts[message] ?? texts.failed);
    else if (isSlow && isPlaying && reached > 0) words.push(`${texts.slow} ${Math.round((100 * reached) / speed)} %`);
    byId("status").className = words.length > 0 ? "alert" : "";
    if (message === null && !refusal) words.push(`${texts.drift} ${power(drift, "J")}`);
    byId("status").textContent = words.join(" · ");
  }

  tellTime(time) {
    const { first, last } = this.player.moments;
    Object.assign(byId("time"), { min: first, max: last });
    byId("time").value = String(time);
    if (this.isLive) this.tellRun();
    const digits = last - first < 1 ? 4 : last - first < 100 ? 2 : 1;
    const clock = byId("clock");
    if (!clock.firstChild) clock.append("", element("small", ""));
    clock.firstChild.textContent = `${time.toFixed(digits)} s`;
    clock.lastChild.textContent = this.isLive ? "" : ` / ${last.toFixed(digits)} s`;
    byId("time").setAttribute("aria-valuetext", `${time.toFixed(digits)} s`);
  }
}

/** A number with its unit in powers of ten, such as 3 × 10⁻⁷ J. */
function power(number, unit) {
  const [digits, exponent] = number.toExponential(0).split("e");
  const raised = [...String(Number(exponent))].map((sign) => SUPERSCRIPTS[sign]).join("");
  return number === 0 ? `0 ${unit}` : `${digits.replace("-", "−")} × 10${raised} ${unit}`;
}

function round(time) {
  return String(Number(time.toPrecision(6)));
}

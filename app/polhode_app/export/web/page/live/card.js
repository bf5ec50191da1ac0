// The card of the scene: its sliders, and things to try, by differences of images.

class Card {
  constructor(player) {
    Object.assign(this, { player, table: player.content.live.card });
    this.rows = this.table.sliders.map((slider, k) => this.slider(slider, k));
    this.tries = this.table.tries.map((trial, k) => this.button(trial, k));
    byId("sliders").replaceChildren(...this.rows.map(({ row }) => row));
    byId("tries").replaceChildren(...this.tries);
    byId("card").hidden = this.rows.length + this.tries.length === 0;
    byId("card-toggle").hidden = byId("card").hidden;
    byId("card-toggle").addEventListener("click", () => this.open(document.body.dataset.card !== "open"));
    this.open(!matchMedia("(max-width: 720px)").matches);
  }

  /** Open or close it; in a narrow window it is below, in place of the panels, and the scene moves above it. */
  open(isOpen) {
    const isBelow = matchMedia("(max-width: 720px)").matches;
    if (isBelow && isOpen) this.player.controls.open("", false);
    document.body.dataset.card = isOpen ? "open" : "closed";
    byId("card-toggle").setAttribute("aria-expanded", String(isOpen));
    if (isBelow) this.player.view.cover(isOpen ? byId("card").offsetHeight : 0);
  }

  slider({ positions, start }, number) {
    const row = element("label", "slider", element("span", ""), element("output", ""));
    const input = element("input", "");
    Object.assign(input, { type: "range", min: 0, max: positions.length - 1, step: 1, value: start });
    row.append(input);
    input.addEventListener("input", () => this.move(number, Number(input.value)));
    return { row, input };
  }

  button(trial, number) {
    const button = element("button", "");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => this.attempt(number));
    return button;
  }

  /** Set a slider to one of its positions. */
  move(number, position) {
    const { positions, restart, clashes } = this.table.sliders[number];
    this.put([...this.cleared(clashes), positions[position]], restart);
    this.speak(this.language);
  }

  /** Do a thing to try, or take it back. */
  attempt(number) {
    const { change, undo, restart, show, clashes } = this.table.tries[number];
    const button = this.tries[number];
    const takesBack = button.getAttribute("aria-pressed") === "true";
    for (const name of show) this.player.view.turn(name, !takesBack);
    if (change !== null) this.put([...this.cleared(clashes), takesBack ? undo : change], restart);
    else if (restart) this.player.reset();
    const staysOn = change !== null || show.length > 0;
    button.setAttribute("aria-pressed", String(staysOn && !takesBack));
    this.player.controls.fillSwitches();
    this.speak(this.language);
    this.player.play(true);
  }

  /** Whether a control, numbered as in `clashes`, is not at its start. */
  isUsed(number) {
    const { sliders } = this.table;
    if (number < sliders.length) return Number(this.rows[number].input.value) !== sliders[number].start;
    return this.tries[number - sliders.length].getAttribute("aria-pressed") === "true";
  }

  /** Bring used controls that write the same words back to the start; returns what that writes. */
  cleared(clashes) {
    return clashes.filter((number) => this.isUsed(number)).map((number) => {
      const { sliders, tries } = this.table;
      if (number < sliders.length) {
        this.rows[number].input.value = String(sliders[number].start);
        return sliders[number].positions[sliders[number].start];
      }
      this.tries[number - sliders.length].setAttribute("aria-pressed", "false");
      return tries[number - sliders.length].undo;
    });
  }

  /** Show all controls as at the start, where the engine is already. */
  restore() {
    this.rows.forEach(({ input }, k) => (input.value = String(this.table.sliders[k].start)));
    for (const button of this.tries) button.setAttribute("aria-pressed", "false");
    this.speak(this.language);
  }

  /** Write words into the scene and its start; those that need it begin a new run. An edit sets the ledger to zero. */
  put(changes, restart) {
    const { player } = this;
    const { ledger, ledgerAt } = player.content.live;
    if (restart) {
      player.forgive();
      player.remote.reset();
    }
    player.remote.act([], changes.map((change) => changeOf(change, player.view.arrays)), true);
    player.remote.act([[ledgerAt, new Array(ledger[1]).fill(0)]]);
    player.renew();
  }

  /** Write the texts in a language. */
  speak(language) {
    this.language = language;
    const { card } = this.player.content.languages[language];
    byId("try").textContent = this.player.content.languages[language].texts.try;
    byId("try").hidden = this.tries.length === 0;
    this.rows.forEach(({ row, input }, k) => {
      const { label, values } = card.sliders[k];
      const [name, value] = row.children;
      name.textContent = label;
      value.textContent = values[Number(input.value)];
      input.setAttribute("aria-label", label);
      input.setAttribute("aria-valuetext", values[Number(input.value)]);
    });
    this.tries.forEach((button, k) => (button.textContent = card.tries[k]));
  }
}

// Curves over time in the panel of a lesson, and one that the student draws, by pointer or by keys.

const FIELD = { left: 48, right: 10, top: 8, bottom: 22 }; // margins of a chart [pixel]
const POINTS = 101; // of a curve that is drawn
const PEN_STEP = 40; // parts of the axis by which keys move the pen

/** A chart of curves {times, values, color, isDashed, isStepped} with values in the unit that is shown. */
class CurveChart {
  constructor(label) {
    this.canvas = element("canvas", "curve");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.curves = [];
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Show curves up to a time [s], between two values. */
  show(curves, until, [low, high], unit) {
    Object.assign(this, { curves, until, low, high, unit });
    this.draw();
  }

  across(time) {
    return FIELD.left + (time / this.until) * (this.canvas.clientWidth - FIELD.left - FIELD.right);
  }

  upward(value) {
    const height = this.canvas.clientHeight - FIELD.top - FIELD.bottom;
    return FIELD.top + height * (1 - (value - this.low) / (this.high - this.low));
  }

  draw() {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || this.until === undefined) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    this.axes(context, width, height);
    context.save();
    context.beginPath();
    context.rect(FIELD.left, 0, width - FIELD.left - FIELD.right, height - FIELD.bottom + 2);
    context.clip();
    for (const curve of this.curves) this.curve(context, curve);
    context.restore();
  }

  axes(context, width, height) {
    const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = color("--soft");
    context.strokeStyle = color("--line");
    context.textAlign = "right";
    context.textBaseline = "middle";
    const ticks = roundTicks(this.low, this.high, 4);
    for (const value of ticks) {
      const y = this.upward(value);
      line(context, FIELD.left, y, width - FIELD.right, y);
      context.fillText(tickText(value, ticks), FIELD.left - 5, y);
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const times = roundTicks(0, this.until, 5);
    for (const time of times) {
      const x = this.across(time);
      line(context, x, FIELD.top, x, height - FIELD.bottom);
      const isLast = time === times[times.length - 1];
      context.fillText(tickText(time, times) + (isLast ? " s" : ""), Math.min(x, width - 14), height - 7);
    }
    context.save();
    context.translate(10, (height - FIELD.bottom) / 2 + 4);
    context.rotate(-Math.PI / 2);
    context.fillText(this.unit, 0, 0);
    context.restore();
  }

  curve(context, { times, values, color, isDashed = false }) {
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = isDashed ? 2.2 : 1.6;
    context.setLineDash(isDashed ? [6, 4] : []);
    context.beginPath();
    let isDown = false;
    times.forEach((time, k) => {
      if (!Number.isFinite(values[k])) isDown = false;
      else if (isDown) context.lineTo(this.across(time), this.upward(values[k]));
      else {
        context.moveTo(this.across(time), this.upward(values[k]));
        isDown = true;
      }
    });
    context.stroke();
    context.setLineDash([]);
  }
}

/** Smallest and largest of some values, with a margin. */
function spanOf(values) {
  const good = values.filter(Number.isFinite);
  if (good.length === 0) return [0, 1];
  const [low, high] = [smallest(good), largest(good)];
  const margin = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
  return [low - margin, high + margin];
}

/** A chart in which a curve is drawn: the pointer draws it, arrows move a pen. Values are in the unit that is shown. */
class DrawnCurve extends CurveChart {
  constructor(label, until, scale, unit, color, changed) {
    super(label);
    Object.assign(this, { until, unit, color, changed, low: scale[0], high: scale[1], pen: 0 });
    this.times = Array.from({ length: POINTS }, (_, k) => (k * until) / (POINTS - 1));
    this.values = new Array(POINTS).fill(NaN);
    this.penValue = Math.min(Math.max(0, this.low), this.high);
    this.last = null; // point where the pointer was
    const { canvas } = this;
    canvas.classList.add("drawn");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.last = null;
      this.follow(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && event.getCoalescedEvents().concat(event).forEach((each) => this.follow(each)));
    canvas.addEventListener("keydown", (event) => this.key(event));
    this.refresh();
  }

  /** The drawn curve as an answer, in SI by the factor of the unit; null for less than two points. */
  answer(factor) {
    const drawn = [...this.times.keys()].filter((k) => Number.isFinite(this.values[k]));
    if (drawn.length < 2) return null;
    return { times: drawn.map((k) => this.times[k]), values: drawn.map((k) => this.values[k] * factor) };
  }

  /** Show an answer again. */
  fill({ times, values }, factor) {
    for (const [k, time] of times.entries()) {
      const index = Math.round((time / this.until) * (POINTS - 1));
      this.values[index] = values[k] / factor;
    }
    const [low, high] = [smallest(values), largest(values)].map((value) => value / factor);
    Object.assign(this, { low: Math.min(this.low, low), high: Math.max(this.high, high) });
    this.refresh();
  }

  /** Widen or narrow the axis of values about its middle. */
  stretch(by) {
    const [middle, half] = [(this.high + this.low) / 2, (by * (this.high - this.low)) / 2];
    this.refresh(middle - half, middle + half);
  }

  clear() {
    this.values.fill(NaN);
    Object.assign(this, { pen: 0, last: null });
    this.refresh();
  }

  refresh(low = this.low, high = this.high) {
    const dot = { times: [this.times[this.pen]], values: [this.penValue], isPen: true, color: this.color };
    this.show([{ times: this.times, values: this.values, color: this.color, isDashed: true }, dot], this.until, [low, high], this.unit);
    this.changed(this);
  }

  curve(context, curve) {
    if (!curve.isPen) super.curve(context, curve);
    else if (document.activeElement === this.canvas) {
      context.fillStyle = curve.color;
      context.beginPath();
      context.arc(this.across(curve.times[0]), this.upward(curve.values[0]), 5, 0, 2 * Math.PI);
      context.fill();
    }
  }

  follow({ offsetX, offsetY }) {
    const { canvas } = this;
    const width = canvas.clientWidth - FIELD.left - FIELD.right;
    const height = canvas.clientHeight - FIELD.top - FIELD.bottom;
    const within = (part) => Math.min(1, Math.max(0, part));
    const column = Math.round(within((offsetX - FIELD.left) / width) * (POINTS - 1));
    const value = this.high - within((offsetY - FIELD.top) / height) * (this.high - this.low);
    this.drawTo(column, value, this.last);
    this.last = { column, value };
  }

  /** Draw a straight line from a point to another one. */
  drawTo(column, value, from) {
    const first = from ?? { column, value };
    const count = Math.abs(column - first.column);
    for (let k = 0; k <= count; k++) {
      const part = count === 0 ? 1 : k / count;
      this.values[first.column + Math.sign(column - first.column) * k] = first.value + part * (value - first.value);
    }
    Object.assign(this, { pen: column, penValue: value });
    this.refresh();
  }

  /** Arrows move the pen, which draws; Delete begins again. */
  key(event) {
    const by = event.shiftKey ? 5 : 1;
    const { pen, penValue } = this;
    const step = (by * (this.high - this.low)) / PEN_STEP;
    const to = { ArrowRight: [by, 0], ArrowLeft: [-by, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
    if (to !== undefined) {
      const column = Math.min(POINTS - 1, Math.max(0, pen + to[0]));
      this.drawTo(column, Math.min(this.high, Math.max(this.low, penValue + to[1])), { column: pen, value: penValue });
    } else if (event.key === "Delete" || event.key === "Backspace") this.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

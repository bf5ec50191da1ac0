// Curves over time: one chart for each unit, with the current time, which a click or a drag sets.

const CHART = { left: 54, right: 10, top: 8, bottom: 20 };

class Plots {
  constructor(content, arrays, moments, seek) {
    Object.assign(this, { content, arrays, moments, seek });
    this.box = document.getElementById("curves");
    this.chosen = content.plotted.filter((name) => content.columns.some((column) => column.name === name));
    this.charts = [];
    this.names = {};
    this.units = {};
  }

  /** Colour of a chosen column. */
  color(name) {
    return this.content.curves[this.chosen.indexOf(name) % this.content.curves.length];
  }

  /** Make the charts of the chosen columns. */
  rebuild() {
    const units = new Map();
    for (const name of this.chosen) {
      const column = this.content.columns.find((each) => each.name === name);
      if (!units.has(column.unit)) units.set(column.unit, []);
      units.get(column.unit).push({ ...column, ...this.moments.column(this.arrays, column) });
    }
    this.box.replaceChildren();
    this.charts = [...units].map(([unit, columns]) => {
      const canvas = document.createElement("canvas");
      canvas.setAttribute("role", "img");
      this.box.append(canvas);
      const seek = (event) => this.seekAt(canvas, event);
      canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        seek(event);
      });
      canvas.addEventListener("pointermove", (event) => event.buttons && seek(event));
      return { canvas, unit, columns, picture: null };
    });
    this.forget();
  }

  /** Draw the curves again with the next frame: after a change of size, theme or language. */
  forget() {
    for (const chart of this.charts) chart.picture = null;
  }

  seekAt(canvas, event) {
    const width = canvas.clientWidth - CHART.left - CHART.right;
    const share = Math.min(1, Math.max(0, (event.offsetX - CHART.left) / width));
    this.seek(this.moments.first + share * (this.moments.last - this.moments.first));
  }

  draw(time) {
    if (this.box.clientWidth === 0) return;
    for (const chart of this.charts) {
      const { canvas } = chart;
      const ratio = window.devicePixelRatio || 1;
      const [width, height] = [canvas.clientWidth, canvas.clientHeight];
      if (chart.picture === null || chart.picture.width !== Math.round(width * ratio)) this.paint(chart, width, height, ratio);
      const context = canvas.getContext("2d");
      canvas.width = chart.picture.width;
      canvas.height = chart.picture.height;
      context.drawImage(chart.picture, 0, 0);
      context.scale(ratio, ratio);
      this.mark(context, chart, time, width, height);
    }
  }

  /** The current time as a line, and dots on the curves. */
  mark(context, chart, time, width, height) {
    const x = this.across(time, width);
    context.strokeStyle = this.style("--text");
    context.globalAlpha = 0.55;
    context.beginPath();
    context.moveTo(x, CHART.top);
    context.lineTo(x, height - CHART.bottom);
    context.stroke();
    context.globalAlpha = 1;
    for (const column of chart.columns) {
      if (column.isGap(this.moments.nearest)) continue;
      const value = column.now();
      context.fillStyle = this.color(column.name);
      context.beginPath();
      context.arc(x, this.upward(value, chart, height), 3.2, 0, 2 * Math.PI);
      context.fill();
    }
  }

  style(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name);
  }

  across(time, width) {
    const { first, last } = this.moments;
    return CHART.left + ((time - first) / (last - first || 1)) * (width - CHART.left - CHART.right);
  }

  upward(value, { low, high }, height) {
    return height - CHART.bottom - ((value - low) / (high - low)) * (height - CHART.top - CHART.bottom);
  }

  /** Axes and curves of a chart, kept as a picture. */
  paint(chart, width, height, ratio) {
    const picture = document.createElement("canvas");
    picture.width = Math.round(width * ratio);
    picture.height = Math.round(height * ratio);
    chart.picture = picture;
    const context = picture.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "11px system-ui, sans-serif";
    Object.assign(chart, this.range(chart));
    const label = chart.columns.map((column) => this.names[column.name] ?? column.name).join(", ");
    chart.canvas.setAttribute("aria-label", label);
    this.axes(context, chart, width, height);
    context.lineJoin = "round";
    for (const column of chart.columns) this.curve(context, chart, column, width, height);
  }

  range({ columns }) {
    let [low, high] = [Infinity, -Infinity];
    for (const column of columns) {
      for (let f = 0; f < this.moments.times.length; f++) {
        if (column.isGap(f)) continue;
        low = Math.min(low, column.at(f));
        high = Math.max(high, column.at(f));
      }
    }
    if (!(low <= high)) [low, high] = [0, 1];
    const margin = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
    return { low: low - margin, high: high + margin };
  }

  axes(context, chart, width, height) {
    context.fillStyle = this.style("--soft");
    context.strokeStyle = this.style("--line");
    context.textAlign = "right";
    context.textBaseline = "middle";
    const ticks = roundTicks(chart.low, chart.high, 4);
    for (const value of ticks) {
      const y = this.upward(value, chart, height);
      line(context, CHART.left, y, width - CHART.right, y);
      context.fillText(tickText(value, ticks), CHART.left - 6, y);
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const times = roundTicks(this.moments.first, this.moments.last, 5);
    for (const time of times) {
      const x = this.across(time, width);
      line(context, x, CHART.top, x, height - CHART.bottom);
      context.fillText(tickText(time, times) + (time === times[times.length - 1] ? " s" : ""), Math.min(x, width - 14), height - 6);
    }
    context.save();
    context.translate(9, (height - CHART.bottom) / 2 + 4);
    context.rotate(-Math.PI / 2);
    context.fillText(this.units[chart.unit] ?? chart.unit, 0, 0);
    context.restore();
  }

  /** A curve: of many moments in one pixel the lowest and the highest value. */
  curve(context, chart, column, width, height) {
    const { times } = this.moments;
    context.strokeStyle = this.color(column.name);
    context.lineWidth = 1.5;
    context.beginPath();
    let isDown = false;
    let [pixel, low, high] = [NaN, 0, 0];
    const flush = () => {
      if (Number.isNaN(pixel)) return;
      for (const value of low === high ? [low] : [low, high]) {
        const y = this.upward(value, chart, height);
        if (isDown) context.lineTo(pixel, y);
        else context.moveTo(pixel, y);
        isDown = true;
      }
    };
    for (let f = 0; f < times.length; f++) {
      if (column.isGap(f)) {
        flush();
        [pixel, isDown] = [NaN, false];
        continue;
      }
      const x = Math.round(2 * this.across(times[f], width)) / 2;
      if (x !== pixel) {
        flush();
        [pixel, low, high] = [x, column.at(f), column.at(f)];
      } else {
        [low, high] = [Math.min(low, column.at(f)), Math.max(high, column.at(f))];
      }
    }
    flush();
    context.stroke();
  }
}

function line(context, x0, y0, x1, y1) {
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/** Round numbers between two values, about `count` of them. */
function roundTicks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((part) => part >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && ticks.length < 20; k++) ticks.push(k * step);
  return ticks;
}

/** A tick with as many digits as tell it from the others. */
function tickText(value, ticks) {
  const largest = Math.max(...ticks.map(Math.abs));
  if (value === 0 || largest === 0) return "0";
  if (largest >= 1e5 || largest < 1e-3) return value.toExponential(1).replace("e+", "e").replace("-", "−");
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : largest;
  return value.toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)))).replace("-", "−");
}

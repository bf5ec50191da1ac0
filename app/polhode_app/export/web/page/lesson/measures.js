// Measurements of a curve, by the formulas of core/polhode/lessons/measures.py. NaN where the curve does not have one.

const NEAR = 0.5 * (1 + 1e-9); // of the last interval of samples, which is a step of time at least

/** Times at which values rise from below a level to it or above, by linear interpolation. */
function crossings(times, values, level) {
  const found = [];
  for (let k = 0; k + 1 < values.length; k++) {
    const [low, high] = [values[k], values[k + 1]];
    if (low < level && high >= level) found.push(times[k] + ((times[k + 1] - times[k]) * (level - low)) / (high - low));
  }
  return found;
}

/** Value of a curve at a time, by linear interpolation; beyond its ends `outside`, or the value there without it. */
function interpolated(time, times, values, outside = null) {
  const last = times.length - 1;
  if (time < times[0]) return outside ?? values[0];
  if (time > times[last]) return outside ?? values[last];
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  if (time === times[high]) return values[high];
  if (time === times[low]) return values[low];
  return values[low] + ((values[high] - values[low]) / (times[high] - times[low])) * (time - times[low]);
}

const largest = (values) => values.reduce((one, other) => Math.max(one, other), -Infinity);
const smallest = (values) => values.reduce((one, other) => Math.min(one, other), Infinity);
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean time between rises through the middle of the smallest and the largest value. */
function periodOf(times, values) {
  const rises = crossings(times, values, 0.5 * (smallest(values) + largest(values)));
  return (rises.length > 1 && (rises[rises.length - 1] - rises[0]) / (rises.length - 1)) || NaN;
}

/** Time of the first passage through a level, in either direction. */
function firstCrossing(times, values, level) {
  const falling = crossings(times, values.map((value) => -value), -level);
  return smallest([...crossings(times, values, level), ...falling, Infinity]);
}

/** Value at a time, NaN outside of the curve; a run ends up to half a step of time before its length. */
function valueAt({ at, own_data: isOwn }, times, values) {
  const last = times.length - 1;
  const isNear = !isOwn && last > 0 && at - times[last] <= NEAR * (times[last] - times[last - 1]);
  const time = at ?? times[last];
  return interpolated(isNear ? Math.min(time, times[last]) : time, times, values, NaN);
}

const MEASURES = {
  value: valueAt,
  maximum: (_, times, values) => largest(values),
  minimum: (_, times, values) => smallest(values),
  range: (_, times, values) => largest(values) - smallest(values),
  mean: (_, times, values) => meanOf(values),
  period: (_, times, values) => periodOf(times, values),
  frequency: (_, times, values) => 1 / periodOf(times, values),
  first_crossing: ({ level = 0 }, times, values) => firstCrossing(times, values, level),
};

/** The measurement of a step, in SI; values that are not finite are left out. */
function measured(step, times, values) {
  const good = [...times.keys()].filter((k) => Number.isFinite(times[k]) && Number.isFinite(values[k]));
  if (good.length === 0) return NaN;
  const [kept, numbers] = [times, values].map((array) => good.map((k) => array[k]));
  return MEASURES[step.measure](step, kept, numbers);
}

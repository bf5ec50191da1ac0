// The student's own data: a text file with two columns, times and values.

const LARGEST_FILE = 5e6; // [bytes]
const MOST_DATA = 100000;
const IN_BRACKETS = /[([]([^()[\]]*)[)\]]\s*$/;
const AFTER_SLASH = /\/\s*(\S+)\s*$/;

/** A fault of a file, as the name of a text of the page, with the number of its line. */
class FileFault extends Error {
  constructor(text, line = 0) {
    super(text);
    Object.assign(this, { text, line });
  }
}

/** Times [s] and values of a text. units: factors to SI by names, for headings such as "t (ms)". */
function dataOf(text, units) {
  const rows = text.split(/\r\n|\r|\n/).map((line, k) => ({ line: line.trim(), number: k + 1 }));
  const filled = rows.filter(({ line }) => line !== "" && !line.startsWith("#"));
  if (filled.length === 0) throw new FileFault("data_empty");
  const cells = separator(filled.map(({ line }) => line));
  let factors = [1, 1];
  const [times, values] = [[], []];
  for (const [k, { line, number }] of filled.entries()) {
    const words = cells(line);
    if (words.length !== 2) throw new FileFault("data_columns", number);
    const numbers = words.map(numberOf);
    if (k === 0 && numbers.every(Number.isNaN)) {
      factors = words.map((heading) => factorOf(heading, units, number));
      continue;
    }
    if (!numbers.every(Number.isFinite)) throw new FileFault("data_number", number);
    const [time, value] = numbers.map((each, at) => each * factors[at]);
    if (times.length > 0 && time <= times[times.length - 1]) throw new FileFault("data_order", number);
    times.push(time);
    values.push(value);
  }
  if (times.length < 2) throw new FileFault("data_empty");
  if (times.length > MOST_DATA) throw new FileFault("data_rows");
  return { times, values };
}

/** How lines are split: at tabs or semicolons, else at spaces, else at commas, which are decimal in the other cases. */
function separator(lines) {
  const sign = ["\t", ";"].find((each) => lines.every((line) => line.includes(each)));
  if (sign !== undefined) return (line) => line.split(sign).map((word) => word.trim());
  const last = lines[lines.length - 1];
  if (/^\S+\s+\S+$/.test(last) && !/,\s/.test(last)) return (line) => splitAtSpaces(line);
  return (line) => line.split(",").map((word) => word.trim());
}

/** Two words; a heading may have a space before its unit. */
function splitAtSpaces(line) {
  const words = line.replace(/\s+([([])/g, "$1").split(/\s+/);
  return words;
}

/** A number with a decimal point or comma; NaN for other texts. */
function numberOf(word) {
  const plain = word.trim().replace(/^"(.*)"$/, "$1").replace("−", "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) && Math.abs(Number(plain)) <= 1e100 ? Number(plain) : NaN;
}

/** Factor to SI of the unit in a heading; 1 without a unit. */
function factorOf(heading, units, number) {
  const unit = (heading.match(IN_BRACKETS) ?? heading.match(AFTER_SLASH))?.[1].trim() ?? "";
  if (unit === "") return 1;
  if (!Object.hasOwn(units, unit)) throw new FileFault("data_unit", number);
  return units[unit];
}

/** Times, values and name of a file that the student has chosen. Rejected with a FileFault. */
async function dataOfFile(file, units) {
  if (file.size > LARGEST_FILE) throw new FileFault("data_rows");
  const text = new TextDecoder().decode(await file.arrayBuffer());
  return { ...dataOf(text, units), file: [...file.name].slice(0, 255).join("") };
}

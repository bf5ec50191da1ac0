// The student's name and the variant that follows from it, as core/polhode/lessons/variants.py has them. SHA-256 is
// written out, since browsers offer theirs to pages of secure addresses only.

const VARIANTS = 16;
const LONGEST_NAME = 100; // characters
const NOT_IN_NAMES = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** A name in NFKC, without spaces at its ends, and with single ones within. */
function plainName(name) {
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(name)); // without halves of pairs
  return wellFormed.normalize("NFKC").split(" ").filter(Boolean).join(" ");
}

/** Whether a plain name can be that of a student. */
function isName(name) {
  return name !== "" && [...name].length <= LONGEST_NAME && !NOT_IN_NAMES.test(name);
}

/** Variant of a plain name, 0 ... VARIANTS - 1. */
function variantOf(name) {
  return Number.parseInt(sha256(new TextEncoder().encode(name)).slice(0, 8), 16) % VARIANTS;
}

/** The first 32 bits of the fractional parts of roots of the first primes: cubic ones, or square ones. */
function rootsOfPrimes(count, root) {
  const primes = [];
  for (let number = 2; primes.length < count; number++) if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

const ROUNDS = Uint32Array.from(rootsOfPrimes(64, Math.cbrt));
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** SHA-256 of bytes (FIPS 180-4), in hexadecimal digits. */
function sha256(bytes) {
  const blocks = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(blocks.length - 4, 8 * bytes.length);
  const sums = Uint32Array.from(rootsOfPrimes(8, Math.sqrt));
  const w = new Uint32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let k = 0; k < 16; k++) w[k] = view.getUint32(at + 4 * k);
    for (let k = 16; k < 64; k++) {
      const [early, late] = [w[k - 15], w[k - 2]];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      w[k] = w[k - 16] + first + w[k - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = sums;
    for (let k = 0; k < 64; k++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[k] + w[k]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, k) => (sums[k] += word));
  }
  return [...sums].map((word) => word.toString(16).padStart(8, "0")).join("");
}

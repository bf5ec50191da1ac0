// From base64 to arrays. The other half is app/polhode_app/export/web/blob.py.

/** The bytes behind base64 of raw deflate. */
async function unpacked(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Arrays by index, decoded when they are first asked for. */
class Arrays {
  constructor(tables, bytes) {
    this.tables = tables;
    this.bytes = bytes;
    this.known = new Map();
  }

  /** An array with flat numbers, first axis outermost. */
  get(index, Kind = Float32Array) {
    const key = `${index} ${Kind.name}`;
    if (!this.known.has(key)) this.known.set(key, this.decoded(this.tables[index], Kind));
    return this.known.get(key);
  }

  shape(index) {
    return this.tables[index].shape;
  }

  decoded(table, Kind) {
    const bytes = this.bytes.subarray(table.start, table.start + table.size);
    if (table.kind === "u8") return bytes;
    if (table.kind === "i8") return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    if (table.kind === "f64") return new Float64Array(bytes.slice().buffer);
    return series(table, bytes, Kind);
  }
}

/** Numbers from planes of bytes: unsigned differences of an order along the first axis, channel by channel. */
function series(table, bytes, Kind) {
  const length = table.shape[0];
  const channels = table.shape.slice(1).reduce((a, b) => a * b, 1);
  const out = new Kind(length * channels);
  const plane = length * channels;
  const sums = new Float64Array(table.order);
  for (let c = 0; c < channels; c++) {
    sums.fill(0);
    for (let f = 0; f < length; f++) {
      let number = 0;
      for (let k = table.planes - 1; k >= 0; k--) number = number * 256 + bytes[k * plane + c * length + f];
      let value = number % 2 ? -(number + 1) / 2 : number / 2;
      for (let k = 0; k < table.order; k++) value = sums[k] += value;
      out[f * channels + c] = value * table.grain + table.offset[c];
    }
  }
  return out;
}

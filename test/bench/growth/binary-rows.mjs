const CHUNK_BYTES = 1 << 18;
const LARGEST_ROW_BYTES = 1 << 13;
const EPOCH_2000_MS = Date.UTC(2000, 0, 1);
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0' + '\0'.repeat(8), 'latin1');

/** Writes rows as `COPY … (FORMAT binary)` takes them. Source: PostgreSQL's documentation of COPY, "Binary Format". */
export class BinaryRows {
  bytes = Buffer.allocUnsafe(CHUNK_BYTES + LARGEST_ROW_BYTES);
  view = new DataView(this.bytes.buffer, this.bytes.byteOffset);
  at = 0;

  /** The chunks of all rows. @param writeRows a generator that writes one row between two yields. */
  *chunks(writeRows) {
    yield SIGNATURE;
    for (const _ of writeRows(this)) {
      if (this.at < CHUNK_BYTES) continue;
      yield this.bytes.subarray(0, this.at);
      this.at = 0;
    }
    this.int16(-1);
    yield this.bytes.subarray(0, this.at);
    this.at = 0;
  }

  row(fields) {
    this.int16(fields);
  }

  /** @param words the UUID as four numbers of 32 bits. */
  uuid([a, b, c, d]) {
    this.word(16);
    this.word(a);
    this.word(b);
    this.word(c);
    this.word(d);
  }

  timestamp(ms) {
    const micros = Math.round(ms - EPOCH_2000_MS) * 1000;
    this.word(8);
    this.word(Math.floor(micros / 2 ** 32));
    this.word(micros % 2 ** 32);
  }

  integer(value) {
    this.word(4);
    this.word(value);
  }

  boolean(value) {
    this.word(1);
    this.view.setUint8(this.at++, value ? 1 : 0);
  }

  /** Text or bytes. @param content as text only where every character is one byte. */
  text(content) {
    this.word(content.length);
    if (typeof content === 'string') this.bytes.latin1Write(content, this.at);
    else content.copy(this.bytes, this.at);
    this.at += content.length;
  }

  int16(value) {
    this.view.setInt16(this.at, value);
    this.at += 2;
  }

  word(value) {
    this.view.setUint32(this.at, value);
    this.at += 4;
  }
}

import { Transform } from 'node:stream';
import { crc32 } from 'node:zlib';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** The measures of a stream: bytes, their CRC-32, and records. */
export interface Measurement {
  readonly size: number;
  readonly crc: number;
  /** Records of CSV by RFC 4180, including the header; line breaks within quotes do not end one. */
  readonly records: number;
}

/** Passes bytes on and measures them. Counts records only if the bytes are CSV. */
export class MeasuringStream extends Transform {
  readonly #counting: 'records' | 'bytes';
  #size = 0;
  #crc = 0;
  #records = 0;
  #quoted = false;
  #open = false;

  constructor(counting: 'records' | 'bytes') {
    super();
    this.#counting = counting;
  }

  get measurement(): Measurement {
    return { size: this.#size, crc: this.#crc, records: this.#records + (this.#open ? 1 : 0) };
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#size += chunk.length;
    this.#crc = crc32(chunk, this.#crc);
    if (this.#counting === 'records') this.#count(chunk);
    done(null, chunk);
  }

  #count(chunk: Buffer): void {
    for (const byte of chunk) {
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      if (byte === LINE_FEED && !this.#quoted) {
        this.#records += 1;
        this.#open = false;
      } else {
        this.#open = true;
      }
    }
  }
}

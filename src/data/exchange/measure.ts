import { Transform } from 'node:stream';
import { crc32 } from 'node:zlib';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** What went through: bytes, their CRC-32, and records. */
export interface Measurement {
  readonly size: number;
  readonly crc: number;
  /** Records of CSV by RFC 4180, its header among them; line breaks within quotes end none. */
  readonly records: number;
}

/** Lets bytes pass and measures them. Records are counted only where the bytes are CSV. */
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

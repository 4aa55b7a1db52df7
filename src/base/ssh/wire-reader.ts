/** Reads the binary form of SSH (RFC 4251, section 5). Each method throws a RangeError where the bytes end too early. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Bytes of that length. */
  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('The bytes end too early.');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  number(): number {
    return this.take(4).readUInt32BE();
  }

  /** Bytes with their length before them. */
  bytes(): Buffer {
    return this.take(this.number());
  }

  text(): string {
    return this.bytes().toString('latin1');
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}

/** The binary form of texts and bytes, each with its length before it. */
export const wireStrings = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part as string);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );

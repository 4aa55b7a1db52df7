/**
 * Writes the digest of a key, low and high half, to `digest`: two lanes as in MurmurHash3, each with its own
 * multipliers, mixed with each other at the end. Keys are neither secret nor hostile, so a cryptographic digest would
 * only be slower.
 */
export function digestInto(digest: Uint32Array, key: string): void {
  let low = 0x9747b28c;
  let high = 0x3c6ef372;
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at);
    low = Math.imul(rotate(low ^ scramble(code, 0xcc9e2d51, 0x1b873593, 15), 13), 5) + 0xe6546b64;
    high = Math.imul(rotate(high ^ scramble(code, 0x239b961b, 0xab0e9789, 17), 19), 5) + 0x561ccd1b;
  }
  low = mixBits(low ^ key.length);
  high = mixBits(high ^ key.length ^ low);
  digest[0] = mixBits(low + high);
  digest[1] = high;
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

const scramble = (code: number, first: number, second: number, bits: number): number =>
  Math.imul(rotate(Math.imul(code, first), bits), second);

/** The last step of MurmurHash3: spreads similar words evenly over 32 bits. */
export function mixBits(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

import { randomBytes, randomFillSync, randomInt } from 'node:crypto';

/** The source of values that must not be guessable or repeat. */
export interface Chance {
  /** 20 upper-case letters and digits (wire-facts 3). */
  guid(): string;
  /** The token of a session. */
  token(): string;
  /** Nine digits: the identity of a workspace. */
  workspaceId(): number;
}

/** The source of time, so that a test can set it. */
export type Clock = () => Date;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const GUID_LENGTH = 20;
const GUID_FORM = /^[A-Z0-9]{20}$/;

/** The largest multiple of 36 in a byte: bytes from 252 on would favour the first letters. */
const FAIR = 252;

/** A pool of random bytes: drawing a few at a time would cost more than the rest of making a GUID. */
const pool = Buffer.alloc(8192);
let used = pool.length;

function refill(): void {
  randomFillSync(pool);
  used = 0;
}

/** Draws from the random numbers of `node:crypto`; every letter of a GUID is equally likely. */
export const systemChance: Chance = {
  guid() {
    let guid = '';
    while (guid.length < GUID_LENGTH) {
      if (used === pool.length) refill();
      const byte = pool[used] ?? FAIR;
      used += 1;
      if (byte < FAIR) guid += LETTERS[byte % LETTERS.length];
    }
    return guid;
  },
  token: () => randomBytes(32).toString('base64url'),
  workspaceId: () => randomInt(100_000_000, 1_000_000_000),
};

/** Whether a text has the form of a GUID (wire-facts 3), not whether an object has it. */
export function isGuid(text: string): boolean {
  return GUID_FORM.test(text);
}

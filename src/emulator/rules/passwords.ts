import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

const KEY_LENGTH = 32;

/** Cheap on purpose: the workspace answers on the loopback address only, and tests log in often. */
const COST = { N: 1024 };

/** Hashes a password for the store. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  return `${salt.toString('base64')}:${scryptSync(password, salt, KEY_LENGTH, COST).toString('base64')}`;
}

/** Whether a password matches a stored hash. Without a stored hash, no password matches. */
export function passwordFits(password: string, stored: string | null): Promise<boolean> {
  const [salt = '', key = ''] = (stored ?? '').split(':');
  return new Promise((resolve, reject) => {
    scrypt(password, Buffer.from(salt, 'base64'), KEY_LENGTH, COST, (error, derived) => {
      if (error) return reject(error);
      const expected = Buffer.from(key, 'base64');
      resolve(expected.length === KEY_LENGTH && timingSafeEqual(derived, expected));
    });
  });
}

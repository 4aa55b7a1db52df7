import { arena } from './arena.js';
import type { Dialect } from './dialect.js';
import { reference } from './reference.js';

const dialects: readonly Dialect[] = [reference, arena];

/** The names that `--dialect` takes, the default first. */
export const dialectNames = dialects.map((dialect) => dialect.name);

/** The dialect of exactly this name, as the latest release speaks it; undefined: there is none. */
export function dialectNamed(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name);
}

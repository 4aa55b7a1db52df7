import { arena } from './arena.js';
import type { Dialect } from './dialect.js';
import { reference } from './reference.js';

const dialects: readonly Dialect[] = [reference, arena];

/** The names that `--dialect` accepts, the default first. */
export const dialectNames = dialects.map((dialect) => dialect.name);

/** Returns the dialect with exactly this name, as of the latest release; undefined if there is none. */
export function dialectNamed(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name);
}

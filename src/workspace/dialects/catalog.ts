import { arena } from './arena.js';
import type { Dialect } from './dialect.js';
import { reference } from './reference.js';

const dialects: readonly Dialect[] = [reference, arena];

export const dialectNames = dialects.map((dialect) => dialect.name);

export function dialectNamed(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name);
}

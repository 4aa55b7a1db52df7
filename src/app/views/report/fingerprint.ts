import { createHash } from 'node:crypto';
import type { Problem } from './problem.js';

/**
 * Names each problem by file, code, object and message, so that the name stays the same when lines move. Equal problems
 * are numbered in their order.
 */
export function fingerprints(problems: readonly Problem[]): string[] {
  const seen = new Map<string, number>();
  return problems.map(({ code, message, address, place }) => {
    const key = JSON.stringify([code, place?.file ?? null, address ?? null, message]);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return createHash('sha256').update(`${key}${count}`).digest('hex');
  });
}

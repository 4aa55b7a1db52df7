import type { Observed } from '../model/observation.js';

const SUFFIX = /^ ~retired #\d+$/;

/** Whether an object has a name under which the one of this name is kept once it was replaced or given up. */
export const isRetired = (live: string, name: string): boolean =>
  live.startsWith(name) && SUFFIX.test(live.slice(name.length));

/** The name under which an object is kept that is replaced or given up: of its number, or of the next that is free. */
export function retiredName(name: string, { number = 0, identity }: Observed, among: readonly Observed[]): string {
  const taken = new Set(among.filter((other) => other.identity !== identity).map((other) => other.name));
  for (let count = number; ; count += 1) {
    const retired = `${name} ~retired #${count}`;
    if (!taken.has(retired)) return retired;
  }
}

/** Whether a replacement gave an object its name, whatever it was called before. */
export const hasRetiredName = (name: string): boolean => / ~retired #\d+$/.test(name);

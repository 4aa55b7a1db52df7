import type { Observed } from '../model/observation.js';

/** Whether `live` is a name under which an object named `name` is kept after it was replaced or given up. */
export const isRetired = (live: string, name: string): boolean => hasRetiredName(live) && nameBefore(live) === name;

/** Returns the name for an object that is replaced or given up: with its number, or the next one that is free. */
export function retiredName(name: string, { number = 0, identity }: Observed, among: readonly Observed[]): string {
  const taken = new Set(among.filter((other) => other.identity !== identity).map((other) => other.name));
  for (let count = number; ; count += 1) {
    const retired = `${name} ~retired #${count}`;
    if (!taken.has(retired)) return retired;
  }
}

const RETIRED = / ~retired #\d+$/;

/** Whether an object has the name of a retired one, regardless of its former name. */
export const hasRetiredName = (name: string): boolean => RETIRED.test(name);

/** The name that a retired object had before. */
export const nameBefore = (name: string): string => name.replace(RETIRED, '');

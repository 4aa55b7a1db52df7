import type { Family } from './family.js';

const families = new Map<string, Family>();

/** Makes a family known by its path, for references from others, which may be built before it. */
export function register(path: string, family: Family): void {
  families.set(path, family);
}

/** The family of a path of the published interface, such as `/tickets`. */
export function familyAt(path: string): Family {
  const family = families.get(path);
  if (family === undefined) throw new Error(`No family answers ${path}.`);
  return family;
}

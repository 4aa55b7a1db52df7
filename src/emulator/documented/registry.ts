import type { Family } from '../family/family.js';

const families = new Map<string, Family>();

/** Makes families known by their paths, for references between them, which may be built in any order. */
export function registerFamilies(all: readonly Family[]): void {
  for (const family of all) if (family.path !== undefined) families.set(family.path, family);
}

/** The family of a path of the published interface, such as `/tickets`. */
export function familyAt(path: string): Family {
  const family = families.get(path);
  if (family === undefined) throw new Error(`No family answers ${path}.`);
  return family;
}

/** The families whose entries refer to others by all of these fields. */
export const familiesWith = (...names: readonly string[]): readonly Family[] =>
  [...families.values()].filter(({ fields, owner }) => {
    return owner !== undefined && names.every((name) => fields.some((field) => field.name === name && field.given));
  });

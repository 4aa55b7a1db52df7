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

/** The path of markups, which are in views of their own and no files of changes and requests (wire-facts 8.3). */
export const MARKUPS = '/files/:guid/markups';

/** The families whose entries belong to others and refer to an object by this field. */
export const familiesWith = (name: string): readonly Family[] =>
  [...families.values()].filter(
    ({ fields, owner }) => owner && fields.some((field) => field.name === name && field.given),
  );

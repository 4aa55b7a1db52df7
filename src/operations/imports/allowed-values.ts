import type { AllowedValues } from '../../bulk/preflight/row-check.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { UNCATEGORIZED } from '../../lookups/category.js';
import { lookupKey, type Observation } from '../../model/observation.js';

/** Target fields that hold a category, and which of its names they hold: the path is its first, the plain name its second. */
const CATEGORY_FIELDS = new Map([
  ['category.path', 0],
  ['category.name', 1],
]);

export const fillsCategory = ({ options }: ImportDefinitionSpec): boolean =>
  options?.mapping?.some(({ apiName }) => apiName !== undefined && CATEGORY_FIELDS.has(apiName)) ?? false;

/** The values that the workspace certainly takes, for the fields that can be checked before a request is spent. */
export function allowedValues({ lookups }: Observation, workspace: string): Map<string, AllowedValues> {
  const categories = lookups.get(lookupKey('Category', 'ITEMS'));
  if (categories === undefined) return new Map();
  const noun = `category of workspace "${workspace}"`;
  const fields = [...CATEGORY_FIELDS].map(([field, place]): [string, AllowedValues] => [
    field,
    { values: categories.flatMap((names) => (names.includes(UNCATEGORIZED) ? names : (names[place] ?? []))), noun },
  ]);
  return new Map(fields);
}

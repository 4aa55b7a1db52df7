import type { AllowedValues } from '../../bulk/preflight/row-check.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { UNCATEGORIZED } from '../../lookups/category.js';
import { lookupKey, type Observation } from '../../model/observation.js';
import { worldOf } from '../../model/worlds.js';

/** Target fields that hold a category, and which of its names they hold: the path is its first, the plain name its second. */
const CATEGORY_FIELDS = new Map([
  ['category.path', 0],
  ['category.name', 1],
]);

/** Files have categories of their own, which no lookup reads. */
const isOfItems = ({ resource }: ImportDefinitionSpec): boolean => worldOf(resource ?? '') === 'ITEMS';

export const fillsCategory = (definition: ImportDefinitionSpec): boolean =>
  isOfItems(definition) &&
  (definition.options?.mapping?.some(({ apiName }) => apiName !== undefined && CATEGORY_FIELDS.has(apiName)) ?? false);

/** The values that the workspace certainly takes, for the fields that can be checked before a request is spent. */
export function allowedValues(
  { lookups }: Observation,
  workspace: string,
  definition: ImportDefinitionSpec,
): Map<string, AllowedValues> {
  const categories = isOfItems(definition) ? lookups.get(lookupKey('Category', 'ITEMS')) : undefined;
  if (categories === undefined) return new Map();
  const noun = `category of workspace "${workspace}"`;
  const fields = [...CATEGORY_FIELDS].map(([field, place]): [string, AllowedValues] => [
    field,
    { values: categories.flatMap((names) => (names.includes(UNCATEGORIZED) ? names : (names[place] ?? []))), noun },
  ]);
  return new Map(fields);
}

import type { AllowedValues } from '../bulk/preflight/row-check.js';
import type { ImportDefinitionSpec } from '../kinds/import-definition.js';
import { UNCATEGORIZED } from '../lookups/category.js';
import type { JsonObject } from '../model/json.js';
import { lookupKey, type Observation } from '../model/observation.js';
import { worldOf } from '../model/worlds.js';

/** Target fields that hold a category, and which of its names they hold: the path is its first, the plain name its second. */
const CATEGORY_FIELDS = new Map([
  ['category.path', 0],
  ['category.name', 1],
]);

/** Files have categories of their own, which no lookup reads. */
const isOfItems = ({ resource }: ImportDefinitionSpec): boolean =>
  resource !== undefined && worldOf(resource) === 'ITEMS';

/** Whether a mapping of item rows fills the category: the lookup is read only then. */
export const fillsCategory = (definition: ImportDefinitionSpec): boolean =>
  isOfItems(definition) &&
  (definition.options?.mapping?.some(({ apiName }) => apiName !== undefined && CATEGORY_FIELDS.has(apiName)) ?? false);

/** The values that the workspace certainly takes, for the fields that can be checked before a request is spent. */
export function allowedValues(
  { lookups, lookupFacts }: Observation,
  definition: ImportDefinitionSpec,
  workspace: string,
): Map<string, AllowedValues> {
  const categories = (isOfItems(definition) && lookups.get(lookupKey('Category', 'ITEMS'))) || [];
  const noun = `category in workspace "${workspace}"`;
  const ofCategories = [...(categories.length === 0 ? [] : CATEGORY_FIELDS)].map(
    ([field, place]): [string, AllowedValues] => [
      field,
      {
        values: [
          ...new Set(categories.flatMap((names) => (names.includes(UNCATEGORIZED) ? names : (names[place] ?? [])))),
        ],
        noun,
      },
    ],
  );
  const known = lookupFacts?.get(lookupKey('Attribute', worldOf(definition.resource)));
  const ofAttributes = (definition.options?.mapping ?? []).flatMap(({ attribute }): [string, AllowedValues][] => {
    const facts = attribute === undefined ? undefined : known?.get(attribute.toLowerCase());
    return attribute === undefined || facts === undefined
      ? []
      : [[attribute.toLowerCase(), ofAttribute(attribute, facts, definition)]];
  });
  return new Map([...ofCategories, ...ofAttributes]);
}

const NUMBERS = ['NUMBER', 'NUMERIC', 'POSITIVE_DOUBLE'];

/** Field types: wire-facts 7. */
function ofAttribute(name: string, facts: JsonObject, { options }: ImportDefinitionSpec): AllowedValues {
  const { fieldType, maxLength, multiSelect, possibleValues } = facts;
  const values = Array.isArray(possibleValues) ? possibleValues.map(String) : [];
  return {
    noun: `value of the attribute "${name}"`,
    ...(values.length === 0 ? {} : { values }),
    ...(multiSelect === true ? { delimiter: options?.multiSelectDelimiter ?? ';' } : {}),
    ...(typeof maxLength === 'number' ? { maxLength } : {}),
    ...(NUMBERS.includes(String(fieldType)) ? { type: 'number' } : {}),
  };
}

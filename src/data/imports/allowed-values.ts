import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { standardFieldKey } from '#core/lookups/attribute.js';
import { UNCATEGORIZED } from '#core/lookups/category.js';
import type { JsonObject } from '#core/model/json.js';
import { lookupKey, type Observation } from '#core/model/observation.js';
import { worldOf } from '#core/model/worlds.js';
import type { AllowedValues } from '../bulk/preflight/row-check.js';
import { type FieldShape, standardFieldReference, standardFieldShape } from './standard-fields.js';

/** The values that the service certainly accepts, by target field in lower case, to check cells before any request. */
export function allowedValues(
  observation: Observation,
  definition: ImportDefinitionSpec,
  workspace: string,
): Map<string, AllowedValues> {
  const entries = (definition.options?.mapping ?? []).flatMap(
    ({ apiName, attribute, resource }): [string, AllowedValues][] => {
      const name = apiName ?? attribute;
      if (name === undefined || resource.toUpperCase() === 'IMPORT') return [];
      const found =
        apiName === undefined
          ? ofAttribute(name, observation, definition)
          : (ofReference(apiName, observation, definition, workspace) ?? ofField(apiName, observation, definition));
      return found === undefined ? [] : [[name.toLowerCase(), found]];
    },
  );
  return new Map(entries);
}

/** The names of other records of the workspace, for a field that refers to them. */
function ofReference(
  apiName: string,
  { lookups }: Observation,
  definition: ImportDefinitionSpec,
  workspace: string,
): AllowedValues | undefined {
  const reference = standardFieldReference(apiName, definition);
  if (reference === undefined) return undefined;
  const { lookup, partition } = reference.part;
  const known = lookups.get(lookupKey(lookup.name, partition)) ?? [];
  const noun = `${NOUNS[lookup.name]} in workspace "${workspace}"`;
  if (known.length === 0) return { noun };
  const values = known.flatMap((names) => (names.includes(UNCATEGORIZED) ? names : (names[reference.name] ?? [])));
  return { noun, values: [...new Set(values)] };
}

const NOUNS: Readonly<Record<string, string>> = { Category: 'category', LifecyclePhase: 'lifecycle phase' };

function ofAttribute(name: string, observation: Observation, definition: ImportDefinitionSpec) {
  const facts = factsOf(name.toLowerCase(), observation, definition);
  return facts === undefined
    ? undefined
    : { noun: `value of the attribute "${name}"`, ...shapeIn(facts, definition.options) };
}

/** The limits that the sources give for a standard field, made stricter by those of the service. */
function ofField(apiName: string, observation: Observation, definition: ImportDefinitionSpec): AllowedValues {
  const known = standardFieldShape(worldOf(definition.resource), apiName);
  const facts = factsOf(standardFieldKey(apiName), observation, definition);
  const listed = facts === undefined ? {} : shapeIn(facts, definition.options);
  const limits = [known.maxLength, listed.maxLength].filter((limit) => limit !== undefined);
  return {
    noun: `value of the field "${apiName}"`,
    ...known,
    ...listed,
    ...(limits.length === 0 ? {} : { maxLength: Math.min(...limits) }),
  };
}

const factsOf = (key: string, { lookupFacts }: Observation, { resource }: ImportDefinitionSpec) =>
  lookupFacts?.get(lookupKey('Attribute', worldOf(resource)))?.get(key);

const NUMBERS = ['NUMBER', 'NUMERIC', 'POSITIVE_DOUBLE', 'INTEGER', 'COST'];
const DATES = ['DATE', 'DATETIME'];

/** Field types and limits: wire-facts 7. */
function shapeIn(facts: JsonObject, options: ImportDefinitionSpec['options']): FieldShape {
  const { fieldType, maxLength, multiSelect, possibleValues } = facts;
  const values = Array.isArray(possibleValues) ? possibleValues.map(String) : [];
  const type = String(fieldType);
  return {
    ...(values.length === 0 ? {} : { values }),
    ...(multiSelect === true ? { delimiter: options?.multiSelectDelimiter ?? ';' } : {}),
    ...(typeof maxLength === 'number' ? { maxLength } : {}),
    ...(NUMBERS.includes(type) ? { type: 'number', ...rangeIn(facts) } : {}),
    ...(DATES.includes(type) ? { type: 'date' } : {}),
    ...(type === 'BOOLEAN' ? { type: 'truth' } : {}),
    ...(type === 'SINGLE_LINE_TEXT' ? { lines: 'one' } : {}),
  };
}

function rangeIn({ fieldType, allowNegatives, decimalPlaces, maxValue }: JsonObject): FieldShape {
  const decimals = fieldType === 'INTEGER' ? 0 : decimalPlaces;
  return {
    ...(fieldType === 'POSITIVE_DOUBLE' || allowNegatives === false ? { negative: false } : {}),
    ...(typeof decimals === 'number' ? { decimals } : {}),
    ...(typeof maxValue === 'number' ? { maxValue } : {}),
  };
}

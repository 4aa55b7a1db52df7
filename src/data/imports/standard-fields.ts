import { type ImportDefinitionSpec, importDefinition } from '#core/kinds/import-definition.js';
import { attribute } from '#core/lookups/attribute.js';
import { category } from '#core/lookups/category.js';
import { lifecyclePhase } from '#core/lookups/lifecycle-phase.js';
import { isStandardField } from '#core/model/known-fields.js';
import { worldOf } from '#core/model/worlds.js';
import type { LookupPart } from '#service/read-lookup.js';
import type { AllowedValues } from '../bulk/preflight/row-check.js';

/** The values that a field accepts, without its name in messages. */
export type FieldShape = Omit<AllowedValues, 'noun'>;

const NUMBER: FieldShape = { type: 'number' };
const TRUTH: FieldShape = { type: 'truth' };

/**
 * What standard fields accept according to the sources, by world and name in lower case: costs and flags of items
 * (wire-facts 3, "Item object"), numbers and the longest reference designators of BOM lines (wire-facts 8.2, 3604).
 */
const SHAPES: Readonly<Record<string, Readonly<Record<string, FieldShape>>>> = {
  ITEMS: {
    ...{ standardcost: NUMBER, targetcost: NUMBER, prototypecost: NUMBER, productioncost: NUMBER, targetprice: NUMBER },
    ...{ shared: TRUTH, offtheshelf: TRUTH },
  },
  BOM: { linenumber: NUMBER, refdes: { maxLength: 32_000 } },
};

/** The values that a standard field accepts, as far as known before anything is read. */
export const standardFieldShape = (world: string, apiName: string): FieldShape =>
  SHAPES[world]?.[apiName.toLowerCase()] ?? {};

/** Keys and names, which only a length limits: not worth a request of their own. The quantity has its own check. */
const PLAIN: readonly string[] = ['number', 'name', 'title', 'guid', 'quantity'];

/** Whether only the service's list of attributes shows what a mapped field accepts; references are not in it. */
function isListed(world: string, apiName: string): boolean {
  const name = apiName.toLowerCase();
  const isOwn = !name.includes('.') && !PLAIN.includes(name) && name !== 'owner';
  return isOwn && SHAPES[world]?.[name] === undefined && (isStandardField(name) || SHAPES[world] === undefined);
}

/** The lookup with the names that a field may contain, and the index of the name: a category's path is first. */
interface Reference {
  readonly part: LookupPart;
  readonly name: number;
}

const categoriesOf = (partition: string): Readonly<Record<string, Reference>> => ({
  'category.path': { part: { lookup: category, partition }, name: 0 },
  'category.name': { part: { lookup: category, partition }, name: 1 },
});

/** Fields that name another object, by world. */
const REFERENCES: Readonly<Record<string, Readonly<Record<string, Reference>>>> = {
  ITEMS: {
    ...categoriesOf('ITEMS'),
    'lifecyclephase.name': { part: { lookup: lifecyclePhase, partition: '' }, name: 0 },
  },
  FILES: categoriesOf('FILES'),
};

/** What a field refers to, if a lookup has its names; fields of an item's file begin with `file.`. */
export const standardFieldReference = (apiName: string, { resource }: ImportDefinitionSpec): Reference | undefined =>
  REFERENCES[worldOf(resource)]?.[apiName.toLowerCase().replace(/^file\./, '')];

/** The lists that show which cells of a definition's rows the service will refuse, one request each. */
export function lookupsOfMapping(definition: ImportDefinitionSpec): LookupPart[] {
  const { resource, mode, options } = definition;
  if (resource === undefined || mode === undefined || mode.toUpperCase() === 'DELETE') return [];
  const world = worldOf(resource);
  const own = { lookup: attribute, partition: world };
  return (options?.mapping ?? []).flatMap(({ apiName }): LookupPart[] => {
    if (apiName === undefined) return [];
    const reference = standardFieldReference(apiName, definition);
    if (reference !== undefined) return [reference.part];
    return isListed(world, apiName) && Object.hasOwn(attribute.partitions, world) ? [own] : [];
  });
}

/** The lists for a live definition, if an import uses it. */
export const lookupsOfUsed =
  (used: ReadonlySet<string>) =>
  (kind: string, spec: object, name: string): LookupPart[] =>
    kind === importDefinition.name && used.has(name) ? lookupsOfMapping(spec as ImportDefinitionSpec) : [];

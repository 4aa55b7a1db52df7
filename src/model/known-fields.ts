import { nearestHint } from '../nearest.js';
import type { SpecFinding } from './kind.js';
import type { Pointer } from './pointer.js';

/**
 * Standard fields of an item in import mappings (wire-facts 3, "Item object", and 4, "Mapping entry"). No source calls the
 * list complete.
 */
export const ITEM_FIELDS: readonly string[] = [
  'number',
  'name',
  'description',
  'guid',
  'category.name',
  'category.path',
  'category.guid',
  'lifecyclePhase.name',
  'lifecyclePhase.guid',
  'owner',
  'owner.fullName',
  'uom',
  'procurementType',
  'standardCost',
  'targetCost',
  'prototypeCost',
  'productionCost',
  'targetPrice',
  'shared',
  'offTheShelf',
  'revisionNumber',
];

/** Standard fields of a BOM line in import mappings (wire-facts 3; `number` and `guid` are those of the parent). */
export const BOM_LINE_FIELDS: readonly string[] = [
  'number',
  'guid',
  'item.number',
  'item.guid',
  'lineNumber',
  'quantity',
  'refDes',
  'notes',
];

/** What searches for items may compare as well: what the service itself says of an item (wire-facts 3). */
export const ITEM_SEARCH_FIELDS: readonly string[] = [
  ...ITEM_FIELDS,
  'assemblyType',
  'inAssembly',
  'isAssembly',
  'creationDateTime',
  'lastModifiedDateTime',
  'effectiveDateTime',
  'supersededDateTime',
  'creator.guid',
  'creator.email',
  'creator.fullName',
  'revisionStatus',
  'status',
  'deviated',
  'modifiedBom',
  'modifiedFiles',
  'modifiedSourcing',
  'modifiedSpecs',
];

/** A field that is in none of the lists may still exist: the service decides. It compares names without case. */
export function unknownField(apiName: string, what: string, known: readonly string[], pointer: Pointer): SpecFinding[] {
  if (known.some((field) => field.toLowerCase() === apiName.toLowerCase())) return [];
  const message = `uses the field "${apiName}" of ${what}, which dexsync does not know; the service decides whether it is valid.`;
  const hint = nearestHint(apiName, known);
  return [{ severity: 'warning', code: 'value-unknown', pointer, message, ...(hint === undefined ? {} : { hint }) }];
}

/** Whether a name is one of a field that some record has by itself, as far as the sources list them. */
export const isStandardField = (name: string): boolean => STANDARD_FIELDS.has(name.toLowerCase());

const STANDARD_FIELDS: ReadonlySet<string> = new Set(
  [...ITEM_SEARCH_FIELDS, ...BOM_LINE_FIELDS].map((field) => field.toLowerCase()),
);

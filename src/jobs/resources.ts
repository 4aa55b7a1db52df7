import type { ResourceRules } from './import.js';

const CREATING = ['CREATE', 'OVERWRITE', 'REPLACE'];

/**
 * What rows of a resource must hold (wire-facts 4, key attributes and ITEM_FILES semantics). The fields of all but
 * ITEM_SPECS are INFERRED: `number` names the record that the row belongs to, as the error report's column does, and what
 * is at its other end has a name with a dot: `item.number` as the line object calls the child `item`, `file.number`,
 * `supplier.name` with `supplierItem.number`. FILE_SUMMARY is about files, so its `number` is that of the file.
 */
const RULES: ReadonlyMap<string, ResourceRules> = new Map<string, ResourceRules>([
  ['ITEM_SPECS', { keys: ['number'], requiredToCreate: ['name'], after: [] }],
  ['ITEM_BOM', { keys: ['number', 'item.number'], requiredToCreate: [], after: ['ITEM_SPECS'] }],
  [
    'FILE_SUMMARY',
    {
      keys: ['number'],
      requiredToCreate: ['title'],
      after: [],
      files: { name: 'name', unless: [], storage: 'storageMethodName', modes: ['CREATE', 'EDIT', 'OVERWRITE'] },
    },
  ],
  [
    'ITEM_FILES',
    {
      keys: ['number', 'file.number'],
      requiredToCreate: [],
      after: ['ITEM_SPECS', 'FILE_SUMMARY'],
      lacking: { keys: ['file.number'], modes: CREATING },
      files: {
        name: 'file.name',
        unless: ['file.number', 'file.guid'],
        storage: 'file.storageMethodName',
        modes: CREATING,
      },
    },
  ],
  [
    'ITEM_SOURCING',
    { keys: ['number', 'supplier.name', 'supplierItem.number'], requiredToCreate: [], after: ['ITEM_SPECS'] },
  ],
]);

const UNKNOWN: ResourceRules = { keys: [], requiredToCreate: [], after: [] };

/** Rules of nothing for a resource that dexsync does not know: the service decides about its rows. */
export const rulesOf = (resource: string): ResourceRules => RULES.get(resource.toUpperCase()) ?? UNKNOWN;

/** Whether an import of `resource` waits for one of `other`. */
export const comesAfter = (resource: string, other: string): boolean =>
  rulesOf(resource).after.includes(other.toUpperCase());

/** The keys that every row of a definition must have. */
export function keysNeeded({ keys, lacking }: ResourceRules, mode: string): readonly string[] {
  if (lacking === undefined || !lacking.modes.includes(mode.toUpperCase())) return keys;
  return keys.filter((key) => !lacking.keys.includes(key));
}

import type { ResourceRules } from './import.js';

/**
 * What rows of a resource must hold (wire-facts 4, key attributes). The fields of ITEM_BOM are INFERRED: `number` names
 * the parent, as the error report's column does, and `item.number` the child, as the line object calls it `item`.
 */
const RULES: ReadonlyMap<string, ResourceRules> = new Map([
  ['ITEM_SPECS', { keys: ['number'], requiredToCreate: ['name'], after: [] }],
  ['ITEM_BOM', { keys: ['number', 'item.number'], requiredToCreate: [], after: ['ITEM_SPECS'] }],
]);

const UNKNOWN: ResourceRules = { keys: [], requiredToCreate: [], after: [] };

/** Rules of nothing for a resource that dexsync does not know: the service decides about its rows. */
export const rulesOf = (resource: string): ResourceRules => RULES.get(resource.toUpperCase()) ?? UNKNOWN;

/** Whether an import of `resource` waits for one of `other`. */
export const comesAfter = (resource: string, other: string): boolean =>
  rulesOf(resource).after.includes(other.toUpperCase());

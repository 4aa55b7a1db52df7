import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { quoted } from '#base/printable.js';
import type { Bound } from '#core/engine/bind.js';
import type { ImportSpec } from '#core/jobs/import.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { category } from '#core/lookups/category.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import type { Identities } from '#service/identities.js';
import type { ItemSearch } from '#service/item-reads.js';

/** A set of items that the file of an import covers completely. */
export interface Covering {
  /** Its name in plans: `all items`. */
  readonly what: string;
  /** A search that finds all of them, and maybe more. */
  readonly search: ItemSearch;
  has(item: JsonObject): boolean;
  /** Whether the number alone puts an item into the set, so that it does not exist if the search does not find it. */
  decides(number: string): boolean;
}

/** Returns what the manifest says that the file covers; undefined if it says nothing. */
export function parseCovers({ covers }: ImportSpec, identities: Identities): Covering | undefined {
  if (covers?.items !== undefined) return { what: 'all items', search: {}, has: () => true, decides: () => true };
  if (covers?.numberPrefix !== undefined) return byPrefix(covers.numberPrefix);
  return covers?.category === undefined ? undefined : byCategory(covers.category, identities);
}

function byPrefix(prefix: string): Covering {
  const criteria = [[{ attribute: 'number', operator: 'STARTS_WITH', value: prefix }]];
  const begins = (number: string): boolean => number.startsWith(prefix);
  return {
    what: `the items whose number begins with ${quoted(prefix)}`,
    search: { criteria: JSON.stringify(criteria) },
    has: ({ number }) => begins(String(number)),
    decides: begins,
  };
}

/** A category and those below it (interface 4.6, "includeChildCategories"). */
function byCategory(name: string, identities: Identities): Covering {
  const pathOf = (guid: string): string | undefined => identities.nameOf(category.name, guid, 'ITEMS');
  const guid = identities.guidOf(category.name, name, 'ITEMS');
  const path = pathOf(guid) ?? name;
  return {
    what: `the items of category ${quoted(path)}`,
    search: { 'category.guid': guid },
    has: (item) => {
      const own = isObject(item.category) ? pathOf(String(item.category.guid)) : undefined;
      return own === path || own?.startsWith(`${path}\\`) === true;
    },
    decides: () => false,
  };
}

/** Findings about imports that cannot use `covers`. */
export function coversFindings(
  { covers, missing }: ImportSpec,
  { resource, mode }: ImportDefinitionSpec,
  { address, origins }: Pick<Bound['manifest'], 'address' | 'origins'>,
): Diagnostic[] {
  if (covers === undefined) return [];
  const error = (message: string, hint: string): Diagnostic[] => [
    withHint({ severity: 'error', code: 'covers-impossible', message, origin: origins.value('/spec/covers') }, hint),
  ];
  if (resource.toUpperCase() !== 'ITEM_SPECS') {
    return error(
      `${address} says \`covers\`, which is for imports of ITEM_SPECS, not of ${resource}.`,
      'Leave it out. In mode REPLACE the rows of a parent are all that it has anyway.',
    );
  }
  if (mode.toUpperCase() === 'DELETE')
    return error(`${address} says \`covers\`, but its rows delete records (mode DELETE).`, 'Leave it out.');
  if (missing !== 'keep') return [];
  return error(
    `${address} says \`covers\` and \`missing: keep\`, which says nothing of records that are not in the file.`,
    'Leave out one of the two.',
  );
}

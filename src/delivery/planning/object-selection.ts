import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { Catalog } from '#core/catalog.js';
import type { Side } from '#core/engine/compare.js';
import { kindsNamed, matchesAddress, type Pattern } from '#core/engine/selection.js';
import { type Address, addressOf } from '#core/model/address.js';
import { isChecked } from '#core/model/kind.js';
import type { SideRequest } from '#project/live/live-side.js';
import { parseKind } from '#project/parse-type.js';
import { parsePattern } from './parse-pattern.js';

/** The live objects that a command is about. */
export interface ObjectSelection extends SideRequest {
  readonly patterns: readonly Pattern[];
  readonly isMeant: (address: Address) => boolean;
}

/**
 * Selects objects by kinds and patterns together; without either, all objects. Throws UNKNOWN_NAME or USAGE for an
 * unknown kind, and USAGE for a pattern of manifests, since live objects have no labels or files.
 */
export function selectObjects(kinds: readonly string[], objects: readonly string[], catalog: Catalog): ObjectSelection {
  const chosen = new Set(kinds.map((text) => parseKind(text, catalog, 'never compared').name));
  const patterns = objects.map((text) => objectPattern(text, catalog));
  const inPatterns = new Set(patterns.flatMap((pattern) => (pattern.by === 'address' ? kindsNamed(pattern) : [])));
  const isMeant = (address: Address): boolean =>
    patterns.length === 0 || patterns.some((pattern) => matchesAddress(pattern, address));
  return {
    kinds: catalog.allKinds.filter((kind) => {
      const isNamed = chosen.size === 0 ? patterns.length > 0 || !isChecked(kind) : chosen.has(kind.name);
      return isNamed && (patterns.length === 0 || inPatterns.has(kind.name));
    }),
    patterns,
    isMeant,
    matters: (kind, name) => isMeant(addressOf(kind, name)),
    settingsOf: namesIn(patterns),
  };
}

/** Settings are read by their names: a pattern with a wildcard means none. */
const namesIn =
  (patterns: readonly Pattern[]): SideRequest['settingsOf'] =>
  (kind) =>
    patterns.flatMap((one) =>
      one.by === 'address' && one.kinds.includes(kind) && !one.name.includes('*') ? one.name : [],
    );

function objectPattern(text: string, catalog: Catalog): Pattern {
  const pattern = parsePattern(text, 'pattern', catalog);
  if (pattern.by === 'address') return pattern;
  throw new DexsyncError('USAGE', `"${text}" selects manifests; live objects have no ${pattern.by}s.`, {
    hint: 'Write KIND or KIND/NAME.',
  });
}

/** Throws USAGE for a pattern of names that matches no object of either side. */
export function checkMatches(
  { patterns, kinds }: ObjectSelection,
  sides: { readonly from: Side; readonly to: Side },
): void {
  const addresses = kinds.flatMap(({ name: kind }) =>
    [sides.from, sides.to].flatMap(({ objects }) => (objects.get(kind) ?? []).map(({ name }) => addressOf(kind, name))),
  );
  const without = patterns.find(
    (pattern) =>
      pattern.by === 'address' &&
      pattern.name !== '*' &&
      !addresses.some((address) => matchesAddress(pattern, address)),
  );
  if (without === undefined) return;
  const where = `environment "${sides.from.environment}" or "${sides.to.environment}"`;
  throw new DexsyncError('USAGE', `"${without.text}" matches no object of ${where}.`, {
    hint: nearestHint(without.text, addresses) ?? 'A pattern must match the whole name; `*` matches any text.',
  });
}

import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { Catalog } from '#core/catalog.js';
import type { Linked } from '#core/engine/link.js';
import type { Pattern } from '#core/engine/selection.js';
import { matchesPattern } from '#core/engine/wildcard.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import { groupBy } from '#core/model/group-by.js';
import { lastIdentity } from '#core/model/object-fact.js';
import type { LedgerState, RecordedGuid } from '#ledger/fold.js';
import type { ObserveRequest } from '#service/observe.js';
import type { KnownObject } from '#service/reconcile-list.js';
import { parsePattern } from './parse-pattern.js';
import type { PlanningOptions } from './planning-options.js';

/** The ledger's facts about objects, and which of them a plan removes or treats as gone. */
export interface LedgerKnowledge {
  readonly facts: LedgerState['objects'];
  readonly guids: LedgerState['guids'];
  readonly deleted: LedgerState['deleted'];
  /** Objects to remove, since no manifest describes them. */
  readonly removing: readonly Address[];
  /** Objects that count as gone if no list shows them, because the user said so. */
  readonly gone?: (address: Address) => boolean;
  /** Other objects that no manifest describes. */
  readonly left?: readonly Address[];
  readonly reading?: PlanningOptions['reading'] | undefined;
}

const LATELY = 15 * 60_000;

/** Returns objects that a plan would recreate or forget if gone, and those that dexsync deleted, by kind. */
export function recordedObjects(
  { manifests }: Linked,
  { facts, guids, deleted, removing, left = [], gone = () => false, reading }: LedgerKnowledge,
  now: Date,
): NonNullable<ObserveRequest['recorded']> {
  const described = manifests.flatMap(({ kind, address, metadata: { renamedFrom } }) =>
    // Once the ledger knows an object by its new name, the rename is complete.
    renamedFrom === undefined || facts.get(address)?.identity !== undefined
      ? address
      : [address, addressOf(kind, renamedFrom)],
  );
  const toKnow = [...new Set([...described, ...removing, ...left])].filter((address) => !gone(address));
  const known = toKnow.flatMap((address) => {
    const fact = facts.get(address);
    const identity = fact === undefined ? '' : lastIdentity(fact);
    return identity === ''
      ? []
      : { address, identity, ...whereabouts(guids.get(identity), reading === 'drift' ? undefined : now) };
  });
  const byKind = groupBy(known, ({ address }) => splitAddress(address).kind);
  const deletedByKind = groupBy([...deleted], ([, { address }]) => splitAddress(address).kind);
  return (kind) => ({
    known: byKind.get(kind) ?? [],
    deleted: new Map((deletedByKind.get(kind) ?? []).map(([guid, { address }]) => [guid, address])),
  });
}

function whereabouts(
  recorded: RecordedGuid | undefined,
  now: Date | undefined,
): Pick<KnownObject, 'guid' | 'isSettled'> {
  if (recorded === undefined) return { isSettled: true };
  const isRecent = now !== undefined && now.getTime() - Date.parse(recorded.at ?? '') < LATELY;
  return { guid: recorded.guid, isSettled: !isRecent };
}

/** Parses `--gone`. Throws USAGE for an invalid address, and UNKNOWN_NAME for one that the ledger lacks. */
export function parseGone(
  { gone = [] }: PlanningOptions,
  { objects }: Pick<LedgerState, 'objects'>,
  catalog: Catalog,
): Pick<LedgerKnowledge, 'gone'> {
  if (gone.length === 0) return {};
  const patterns = gone.map((text) => parsePattern(text, '--gone', catalog));
  for (const pattern of patterns) {
    if (pattern.by !== 'address')
      throw new DexsyncError('USAGE', `"${pattern.text}" is not a valid address for \`--gone\`.`, {
        hint: 'Write KIND/NAME; `*` matches any text and `?` one character.',
      });
    if (![...objects.keys()].some((address) => isMeant(address, pattern))) throw unknownTo(pattern.text, objects);
  }
  return { gone: (address) => patterns.some((pattern) => pattern.by === 'address' && isMeant(address, pattern)) };
}

function isMeant(address: Address, { kinds, name }: Extract<Pattern, { by: 'address' }>): boolean {
  const own = splitAddress(address);
  return kinds.includes(own.kind) && matchesPattern(name, own.name);
}

const unknownTo = (text: string, objects: LedgerState['objects']): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `The ledger knows no object "${text}" (\`--gone\`).`, {
    hint: nearestHint(text, [...objects.keys()]) ?? 'Write it as the plan calls it.',
  });

import { isCopy } from '#core/engine/resolve-duplicates.js';
import { type Address, splitAddress } from '#core/model/address.js';
import { groupBy } from '#core/model/group-by.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { Observed } from '#core/model/observation.js';
import type { Step } from '#core/model/plan.js';
import { readAuditRecord } from './audit-record.js';
import { collectionOf } from './collection.js';
import { identityOf } from './identities.js';
import type { WriteContext } from './object-write.js';
import { listCollection } from './odd-entries.js';
import { readSpec } from './read-spec.js';

/** An object that a creation added, and the others that it added besides. */
export interface Copied {
  /** Its spec is empty where the list does not show it. */
  readonly made: Observed;
  readonly copies: readonly Observed[];
  /** Objects with its name that were unknown before and are not copies. */
  readonly others: readonly Observed[];
}

/**
 * Finds copies that creations added besides the object whose GUID was answered, by address. Reads the list of each of
 * their kinds once, if names need not be unique. `mayRead` throws if there are too few requests for that.
 */
export async function findCopies(
  created: readonly Step[],
  context: WriteContext,
  mayRead: (lists: number) => void,
): Promise<ReadonlyMap<Address, Copied>> {
  const byKind = groupBy(created, ({ address }) => context.kindNamed(splitAddress(address).kind));
  const shared = [...byKind].filter(
    ([{ collection }]) => collectionOf(context.writer, collection).can?.names !== 'unique',
  );
  mayRead(shared.length);
  const found = await Promise.all(
    shared.map(async ([kind, steps]) => {
      const { objects } = await listCollection(context.writer, kind.collection);
      const bodies = groupBy(objects, ({ name }) => String(name));
      return steps.flatMap(({ address }): [Address, Copied][] => {
        const copied = copiesAmong(bodies.get(splitAddress(address).name) ?? [], address, kind, context);
        return copied === undefined ? [] : [[address, copied]];
      });
    }),
  );
  return new Map(found.flat());
}

/** Finds copies among objects with one name. Those that existed before the apply, or came from its steps, are known. */
function copiesAmong(
  named: readonly JsonObject[],
  address: Address,
  kind: Kind,
  { identities }: WriteContext,
): Copied | undefined {
  const { name } = splitAddress(address);
  const own = identities.identityNamed(kind.name, name);
  const body = named.find(({ guid }) => identityOf(String(guid)) === own);
  const observed = (one: JsonObject): Observed => ({
    name: String(one.name),
    ...(typeof one.number === 'number' ? { number: one.number } : {}),
    audit: readAuditRecord(one),
    spec: readSpec(kind, one, identities).spec,
    identity: identityOf(String(one.guid)),
  });
  const unseen = named.filter(({ guid }) => identities.nameOf(kind.name, String(guid)) === undefined).map(observed);
  if (unseen.length === 0) return undefined;
  const made = body === undefined ? undefined : observed(body);
  const copies = made === undefined ? [] : unseen.filter((one) => isCopy(made, one, kind));
  return {
    made: made ?? { name, spec: {}, identity: '' },
    copies,
    others: unseen.filter((one) => !copies.includes(one)),
  };
}

import { isCopy } from '#core/engine/twin.js';
import { type Address, splitAddress } from '#core/model/address.js';
import { groupBy } from '#core/model/group-by.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { Observed } from '#core/model/observation.js';
import type { Step } from '#core/model/plan.js';
import { auditRecordOf } from './audit-record.js';
import { listCollection } from './border.js';
import { collectionOf } from './collection.js';
import { identityOf } from './identities.js';
import type { WriteContext } from './object-write.js';
import { readSpec } from './read-spec.js';

/** An object that a creation made, and the others that it made beside it. */
export interface Copied {
  /** Its spec is empty where the list does not show it. */
  readonly made: Observed;
  readonly copies: readonly Observed[];
  /** Objects of its name that nobody had seen, and that are no copies. */
  readonly others: readonly Observed[];
}

/**
 * What creations made beside the object whose GUID was answered, by their addresses. Reads the list of each of their kinds
 * once, where names need not be unique. `mayRead` throws where there are no requests for so many lists.
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

/** What was there before the apply, or was made by a step of it, has a name in this process. */
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
    audit: auditRecordOf(one),
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

import { addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import { listCollection } from '#service/odd-entries.js';
import type { Connection } from '../connection/connection.js';
import { findUniqueByName } from './find-unique-by-name.js';
import { unreadable } from './not-in-workspace.js';

/** A definition as the service returns it, and the number that distinguishes it from others of its name. */
export interface NamedDefinition {
  readonly guid: string;
  readonly name: string;
  readonly number: number;
  readonly body: JsonObject;
}

/**
 * Finds the one definition with a name. Names need not be unique (wire-facts, section 0): the service's number
 * distinguishes several, or their order if it has none. Throws UNKNOWN_NAME or AMBIGUOUS_NAME.
 */
export async function findLiveDefinition(
  kind: Kind,
  { name, number }: { readonly name: string; readonly number?: number },
  { client, environment }: Connection,
): Promise<NamedDefinition> {
  const { objects: bodies, odd } = await listCollection(client, kind.collection);
  const named = bodies.filter((body) => body.name === name);
  const others = bodies.filter((body) => body.name !== name);
  const unusable = odd.find(({ body }) => body.name === name);
  if (unusable !== undefined && named.length === 0) throw unreadable(addressOf(kind.name, name), unusable.why);
  const all = [...named.map(toNamedDefinition), ...others.map(toNamedDefinition)];
  return findUniqueByName(all, { address: addressOf(kind.name, name), name, number }, environment, 'choose');
}

const toNamedDefinition = (body: JsonObject, index: number): NamedDefinition => ({
  guid: String(body.guid),
  name: String(body.name),
  number: typeof body.number === 'number' ? body.number : index + 1,
  body,
});

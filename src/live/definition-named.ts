import type { Connection } from '../connection/connection.js';
import { DexsyncError } from '../errors.js';
import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import { listCollection } from '../service/border.js';
import { notInWorkspace } from './not-in-workspace.js';

/** A definition as the service answers it, and the number that tells it apart from others of its name. */
export interface NamedDefinition {
  readonly guid: string;
  readonly name: string;
  readonly number: number;
  readonly body: JsonObject;
}

/**
 * The one live object of a name. Names need not be unique (wire-facts, section 0): several are told apart by the service's
 * number, or by their order where it has none.
 */
export async function definitionNamed(
  kind: Kind,
  { name, number }: { readonly name: string; readonly number?: number },
  { client, workspace }: Connection,
): Promise<NamedDefinition> {
  const all = await listCollection(client, kind.collection);
  const named = all.filter((body) => body.name === name).map(toNamed);
  const chosen = number === undefined ? named : named.filter((one) => one.number === number);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  const address = `${kind.name}/${name}`;
  const numbers = named.map((one) => one.number).join(', ');
  if (named.length > 1 || (named.length > 0 && number !== undefined)) {
    const what =
      number === undefined ? `is ${named.length} times` : `with the number ${number} is not, or more than once,`;
    throw new DexsyncError('UNKNOWN_NAME', `${address} ${what} in workspace "${workspace.name}".`, {
      hint: `Choose one with --number: ${numbers}.`,
    });
  }
  const known = all.map((body) => String(body.name));
  throw notInWorkspace(address, { name, known }, workspace);
}

const toNamed = (body: JsonObject, index: number): NamedDefinition => ({
  guid: String(body.guid),
  name: String(body.name),
  number: typeof body.number === 'number' ? body.number : index + 1,
  body,
});

import type { Diagnostic } from '#base/diagnostics.js';
import { type Address, addressOf } from '../model/address.js';
import { groupBy } from '../model/group-by.js';
import type { JsonObject } from '../model/json.js';
import { isDeadReference, type Kind } from '../model/kind.js';
import type { Observed } from '../model/observation.js';
import { dottedPath } from '../model/pointer.js';
import { listReferences } from './references.js';

/** Reports why name and spec do not identify a live object: others share its name, or references are dead. */
export const liveFindings = (
  kind: Kind,
  objects: readonly Observed[],
  environment: string,
  severity: Diagnostic['severity'],
): Diagnostic[] =>
  [...twinFindings(kind, objects, environment), ...deadFindings(kind, objects, environment)].map((one) => ({
    severity,
    ...one,
  }));

/** Lists where a spec refers to deleted objects: `options.mapping.2.attribute`. */
export const deadPlaces = ({ schema }: Kind, spec: JsonObject): string[] =>
  listReferences(schema, spec)
    .filter(({ name }) => isDeadReference(name))
    .map(({ pointer }) => dottedPath(pointer));

/** Groups objects by name, which several may share. */
export const byName = (objects: readonly Observed[]): ReadonlyMap<string, readonly Observed[]> =>
  groupBy(objects, ({ name }) => name);

type Unrated = Omit<Diagnostic, 'severity'>;

function twinFindings({ name: kind }: Kind, objects: readonly Observed[], environment: string): Unrated[] {
  return [...byName(objects)].flatMap(([name, twins]): Unrated[] => {
    if (twins.length === 1) return [];
    const numbers = twins.flatMap(({ number }) => (number === undefined ? [] : [`#${number}`]));
    const each = numbers.length === 0 ? '' : ` (${numbers.join(', ')})`;
    const message = `Environment "${environment}" has ${twins.length} objects named ${addressOf(kind, name)}${each}, so it is not clear which is meant.`;
    return [{ code: 'name-ambiguous', message, hint: 'Rename all but one in that environment.' }];
  });
}

function deadFindings(kind: Kind, objects: readonly Observed[], environment: string): Unrated[] {
  return objects.flatMap(({ name, spec }): Unrated[] => {
    const places = deadPlaces(kind, spec);
    if (places.length === 0) return [];
    const message = deadMessage(addressOf(kind.name, name), places, environment);
    const hint = 'Correct or remove the reference in that environment.';
    return [{ code: 'reference-dead', message, hint }];
  });
}

function deadMessage(address: Address, places: readonly string[], environment: string): string {
  const what = places.length === 1 ? 'an object that was deleted' : `${places.length} objects that were deleted`;
  return `${address} of environment "${environment}" refers to ${what} (${places.join(', ')}).`;
}

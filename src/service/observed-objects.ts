import pLimit from 'p-limit';
import { addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Guid, Kind } from '#core/model/kind.js';
import { NAMELESS, type Observed, type Odd } from '#core/model/observation.js';
import { readAuditRecord } from './audit-record.js';
import { identityOf } from './identities.js';
import { guidFault, nameFault, type OddEntry, oddFinding } from './odd-entries.js';
import { type ListReader, readChildren } from './read-children.js';
import { PARALLEL_READS } from './read-lookup.js';
import { readSpec } from './read-spec.js';

/** The child collections to read of an object whose references matter; undefined for one that does not matter. */
export type ChildrenOf = (kind: string, name: string, guid: Guid) => readonly string[] | undefined;

/** Turns answers into objects as plans see them, with the entries of their lists. */
export async function toObserved(
  kind: Kind,
  bodies: readonly JsonObject[],
  childrenOf: ChildrenOf,
  lists: ListReader,
): Promise<Observed[]> {
  const limit = pLimit(PARALLEL_READS);
  return Promise.all(
    bodies.map(async (body) => {
      const name = String(body.name);
      const fields = childrenOf(kind.name, name, String(body.guid));
      const { spec: own, fault } = readSpec(kind, body, lists.identities);
      const children = await Promise.all(
        (fields ?? []).map((field) => limit(() => readChildren(kind, field, String(body.guid), lists))),
      );
      const why = fault ?? children.map(([, , odd]) => odd).find((one) => one !== undefined);
      if (why !== undefined) lists.reader.warn(oddFinding(addressOf(kind.name, name), why));
      const number = typeof body.number === 'number' ? { number: body.number } : {};
      const audit = fields === undefined ? {} : { audit: readAuditRecord(body) };
      const spec = { ...own, ...Object.fromEntries(children) };
      const odd: Odd | undefined = why === undefined ? undefined : { why, unknown: [] };
      return { name, ...number, ...audit, spec, identity: identityOf(String(body.guid)), ...(odd && { odd }) };
    }),
  );
}

/** Builds an object that is only known to exist, with all that identifies it. */
export function oddObject({ body: { name, guid, number }, why }: OddEntry, index: number): Observed {
  const unknown: Odd['unknown'] = [
    ...(guidFault(guid) === undefined ? [] : ['guid' as const]),
    ...(nameFault(name) === undefined ? [] : ['name' as const]),
  ];
  return {
    name: unknown.includes('name') ? NAMELESS : String(name),
    ...(typeof number === 'number' ? { number } : {}),
    spec: {},
    identity: identityOf(unknown.includes('guid') ? `odd ${index}` : String(guid)),
    odd: { why, unknown },
  };
}

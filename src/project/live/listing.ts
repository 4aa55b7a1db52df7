import { omitUndefined } from '#base/omit-undefined.js';
import type { AuditRecord } from '#core/model/audit-record.js';
import type { SchemaNode } from '#core/model/fields.js';
import type { Json, JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { LiveEntry, LiveObject } from './live-objects.js';

/** The contents of a workspace, in the terms of manifests. */
export interface Listing {
  readonly type: string;
  readonly role: 'kind' | 'lookup';
  /** The fields that a table shows, in order. */
  readonly columns: readonly string[];
  readonly objects: readonly ListedObject[];
}

/** An object or a lookup's entry with its GUID, which scripts may use and manifests never contain. */
export interface ListedObject extends AuditRecord {
  readonly name: string;
  readonly guid: string;
  readonly number?: number;
  readonly spec: JsonObject;
  readonly outputs?: JsonObject;
}

/** Converts an object for a listing. */
export function toListedObject({ name, guid, number, spec, outputs, record }: LiveObject): ListedObject {
  return {
    name,
    guid,
    ...omitUndefined({ number }),
    spec,
    ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
    ...record,
  };
}

/** Converts an entry of a lookup, which has a body and no spec. */
export const toListedEntry = ({ names, guid, body }: LiveEntry): ListedObject => ({
  name: names[0] ?? guid,
  guid,
  spec: Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'guid')) as Record<string, Json>,
});

/** The fields that fit on a line: those of the spec without objects and lists of objects, and the outputs. */
export function listColumns({ schema, outputs = [], children }: Kind): string[] {
  const flat = Object.entries(schema.properties as Readonly<Record<string, SchemaNode>>).filter(
    ([field, node]) => !(field in children) && node.properties === undefined && node.items?.properties === undefined,
  );
  return [...flat.map(([field]) => field), ...outputs];
}

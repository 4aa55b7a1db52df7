import { addressSchema } from '../model/address-schema.js';
import { originSchema } from '../model/diagnostic-schema.js';
import { importDriftSchema } from '../model/import-drift.js';
import type { Json } from '../model/json.js';
import type { FieldChange, Plan, Step } from '../model/plan.js';
import { countSchema, nameSchema, type Shape, Type } from '../model/schema.js';
import { naturalOrder } from '../natural-order.js';

const anyJson = (description: string) => Type.Optional(Type.Unsafe<Json>({}, { description }));

const driftedFieldSchema = Type.Object(
  {
    path: Type.String(),
    applied: anyJson('The last applied value.'),
    now: anyJson('The value in the workspace.'),
    desired: anyJson('The value in the manifest, if it is a third one.'),
  },
  { description: 'Values that do not exist are absent.' },
);

const driftedObjectSchema = Type.Object({
  address: addressSchema,
  what: Type.Union(
    [Type.Literal('changed'), Type.Literal('renamed'), Type.Literal('deleted'), Type.Literal('replaced')],
    { description: 'replaced: another object has its name.' },
  ),
  fields: Type.Array(driftedFieldSchema),
  changedAt: Type.Optional(Type.String({ description: 'If the service reports it.' })),
  changedBy: Type.Optional(Type.String({ description: 'If the service reports it.' })),
  origin: Type.Unsafe<Step['origin']>(originSchema, {
    description: 'Where its manifest begins, relative to the project.',
  }),
});

/** The schema of what `drift --json` prints. */
export const driftSchema = Type.Object({
  workspace: Type.String(),
  environment: nameSchema(),
  objects: Type.Array(driftedObjectSchema),
  asked: Type.Array(addressSchema, {
    description: 'Objects that the manifests change; `dexsync plan` shows how.',
  }),
  unknown: Type.Array(addressSchema, {
    description: 'Objects of which nothing was recorded, or whose answers cannot be read, so drift is unknown.',
  }),
  imports: Type.Optional(
    Type.Array(importDriftSchema, { description: 'With `--data`: the rows that each import committed last.' }),
  ),
  requests: countSchema(),
});

/** What was changed in the workspace since this stack last applied it, and nobody asked for in the manifests. */
export interface Drift extends Shape<typeof driftSchema> {}

/** One object that was changed outside. */
export interface DriftedObject extends Shape<typeof driftedObjectSchema> {}

/** One field of it. Absent values are those that are not there. */
export interface DriftedField extends Shape<typeof driftedFieldSchema> {}

/** What of a plan undoes changes of others. Pure. */
export function driftIn({ steps, notes, workspace, environment, requests }: Plan): Drift {
  const asked = steps.filter(
    ({ fields, reason }) => reason === 'absent' || fields.some(({ cause }) => cause === 'asked' || cause === 'both'),
  );
  const strangers = steps
    .filter(({ reason }) => reason === 'not-owned' || reason === 'answer-odd')
    .map(({ address }) => address);
  const matching = notes.filter(({ code }) => code === 'not-owned').flatMap(({ addresses }) => addresses);
  return {
    workspace: workspace.name,
    environment,
    objects: steps.flatMap(driftOfStep),
    asked: asked.map(({ address }) => address),
    unknown: [...strangers, ...matching].sort(naturalOrder),
    requests: requests.used,
  };
}

function driftOfStep({ address, reason, fields, audit = {}, origin }: Step): DriftedObject[] {
  const outside = fields.filter(({ cause }) => cause === 'drift' || cause === 'both').map(driftedField);
  const { changedAt, changedBy } = audit;
  const who = { ...(changedAt === undefined ? {} : { changedAt }), ...(changedBy === undefined ? {} : { changedBy }) };
  if (reason === 'gone') return [{ address, what: 'deleted', fields: [], origin }];
  if (reason === 'replaced-outside') return [{ address, what: 'replaced', fields: [], ...who, origin }];
  if (outside.length === 0) return [];
  return [{ address, what: reason === 'renamed-outside' ? 'renamed' : 'changed', fields: outside, ...who, origin }];
}

function driftedField({ path, before, after, applied, cause }: FieldChange): DriftedField {
  const last = cause === 'both' ? applied : after;
  return {
    path,
    ...(last === undefined ? {} : { applied: last }),
    ...(before === undefined ? {} : { now: before }),
    ...(cause === 'both' && after !== undefined ? { desired: after } : {}),
  };
}

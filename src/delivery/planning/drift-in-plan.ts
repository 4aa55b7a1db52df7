import { naturalOrder } from '#base/natural-order.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { ABSENT } from '#core/engine/decision.js';
import { isRelated } from '#core/engine/diff.js';
import type { UnnamedDrift } from '#core/engine/unnamed-drift.js';
import { splitAddress } from '#core/model/address.js';
import { addressSchema } from '#core/model/address-schema.js';
import type { AuditRecord } from '#core/model/audit-record.js';
import { isCheckedKind } from '#core/model/checked-kinds.js';
import { originSchema } from '#core/model/diagnostic-schema.js';
import { importDriftSchema } from '#core/model/import-drift.js';
import type { Json } from '#core/model/json.js';
import type { FieldChange, Plan, Step } from '#core/model/plan.js';
import { countSchema, nameSchema, type Shape, Type } from '#core/model/schema.js';

const anyJson = (description: string) => Type.Optional(Type.Unsafe<Json>({}, { description }));

const driftedFieldSchema = Type.Object(
  {
    path: Type.String(),
    applied: anyJson(
      'The last applied value; of a field that is not named, the last recorded one; of a checked kind, that of the manifest.',
    ),
    now: anyJson('The value in the workspace.'),
    desired: anyJson('The value in the manifest, if it is a third one.'),
    named: Type.Boolean({ description: 'Whether the manifest names the field: only then an apply reverts it.' }),
  },
  { description: 'Values that do not exist are absent.' },
);

const driftedObjectSchema = Type.Object({
  address: addressSchema,
  what: Type.Union(
    [
      Type.Literal('changed'),
      Type.Literal('renamed'),
      Type.Literal('deleted'),
      Type.Literal('replaced'),
      Type.Literal('absent'),
    ],
    { description: 'replaced: another object has its name; absent: of a checked kind, not in the workspace.' },
  ),
  fields: Type.Array(driftedFieldSchema),
  checked: Type.Optional(
    Type.Boolean({ description: 'Whether its kind is checked: no apply changes it, only an administrator.' }),
  ),
  changedAt: Type.Optional(Type.String({ description: 'If the service reports it.' })),
  changedBy: Type.Optional(Type.String({ description: 'If the service reports it.' })),
  origin: Type.Unsafe<Step['origin']>(originSchema, {
    description: 'Where its manifest begins, relative to the project.',
  }),
});

/** The schema of the output of `drift --json`. */
export const driftSchema = Type.Object({
  workspace: Type.String(),
  environment: nameSchema(),
  objects: Type.Array(driftedObjectSchema),
  asked: Type.Array(addressSchema, {
    description: 'Objects that the manifests change; `dexsync plan` shows how.',
  }),
  unknown: Type.Array(addressSchema, {
    description:
      'Objects that this stack does not own, that share a name with others, or whose answers cannot be read, so drift is unknown.',
  }),
  unrecorded: Type.Array(addressSchema, {
    description: 'Objects with fields of which nothing was recorded yet: drift of those is unknown.',
  }),
  unread: Type.Integer({
    minimum: 0,
    description: 'Lists of members, triggers, addresses and the like that were not read; `--children` reads them.',
  }),
  imports: Type.Optional(
    Type.Array(importDriftSchema, { description: 'With `--data`: the rows that each import committed last.' }),
  ),
  requests: countSchema(),
});

/** Changes in the workspace since this stack last applied it, except those that the manifests ask for. */
export interface Drift extends Shape<typeof driftSchema> {}

/** One object that was changed outside dexsync. */
export interface DriftedObject extends Shape<typeof driftedObjectSchema> {}

/** One field of a drifted object. Values that do not exist are absent. */
export interface DriftedField extends Shape<typeof driftedFieldSchema> {}

/** Returns the changes of others that a plan undoes, and the drift of fields beside it. Pure. */
export function driftIn(
  { steps, notes, workspace, environment, requests }: Plan,
  beside: readonly UnnamedDrift[],
): Drift {
  const unnamed = new Map(beside.map((one) => [one.address, one]));
  const planned = new Set(steps.map(({ address }) => address));
  const asked = steps.filter(
    ({ fields, reason }) => reason === 'absent' || fields.some(({ cause }) => cause === 'asked' || cause === 'both'),
  );
  const strangers = steps
    .filter(({ reason }) => reason === 'not-owned' || reason === 'answer-odd' || reason === 'ambiguous')
    .map(({ address }) => address);
  const matching = notes.filter(({ code }) => code === 'not-owned').flatMap(({ addresses }) => addresses);
  return {
    workspace: workspace.name,
    environment,
    objects: [
      ...steps.flatMap((step) => driftOfStep(step, unnamed.get(step.address))),
      ...beside.filter(({ address }) => !planned.has(address)).flatMap(driftOfRest),
    ],
    asked: asked.map(({ address }) => address),
    unknown: [...strangers, ...matching].sort(naturalOrder),
    unrecorded: beside.filter(({ recorded }) => recorded === 'in part').map(({ address }) => address),
    unread: beside.reduce((sum, { unread }) => sum + unread.length, 0),
    requests: requests.used,
  };
}

function driftOfStep(step: Step, beside: UnnamedDrift | undefined): DriftedObject[] {
  const { address, reason, fields, audit, origin } = step;
  if (isCheckedKind(splitAddress(address).kind)) return driftOfChecked(step);
  const unnamed = beside?.fields ?? [];
  const isUnnamed = (path: string): boolean => unnamed.some((field) => field.path === path);
  const named = fields.filter(({ path, cause }) => (cause === 'drift' || cause === 'both') && !isUnnamed(path));
  // The fields of an entry that is gone from a list add nothing.
  const others = unnamed.filter(({ path }) => !named.some((field) => isRelated(field.path, path)));
  const outside = [...named.map(driftedField), ...others.map(driftOfUnnamed)];
  const who = whoOf(audit);
  // A step that waits for another one, or for consent, no longer says why it is needed.
  const isGone = reason === 'gone' || (beside?.gone !== undefined && reason !== 'answer-odd');
  if (isGone) return [{ address, what: 'deleted', fields: [], origin }];
  if (reason === 'replaced-outside') return [{ address, what: 'replaced', fields: [], ...who, origin }];
  if (reason === 'renamed-outside') return [{ address, what: 'renamed', fields: outside, ...who, origin }];
  return outside.length === 0 ? [] : [{ address, what: whatOf(outside), fields: outside, ...who, origin }];
}

/** Nothing records what a workspace had of a checked kind: its drift is how it differs from the manifest. */
function driftOfChecked({ address, fields, fingerprint, audit, origin }: Step): DriftedObject[] {
  if (fingerprint === ABSENT) return [{ address, what: 'absent', fields: [], checked: true, origin }];
  const differing = fields.map(({ path, before, after }) => ({
    ...{ path, named: true },
    ...omitUndefined({ applied: after, now: before }),
  }));
  return [{ address, what: whatOf(differing), fields: differing, checked: true, ...whoOf(audit), origin }];
}

const whatOf = (fields: readonly DriftedField[]): 'renamed' | 'changed' =>
  fields.some(({ path }) => path === 'name') ? 'renamed' : 'changed';

function driftOfRest({ address, fields, gone, audit, origin }: UnnamedDrift): DriftedObject[] {
  if (gone !== undefined) return [{ address, what: 'deleted', fields: [], origin }];
  if (fields.length === 0) return [];
  const outside = fields.map(driftOfUnnamed);
  return [{ address, what: whatOf(outside), fields: outside, ...whoOf(audit), origin }];
}

const whoOf = ({ changedAt, changedBy }: AuditRecord = {}): Pick<DriftedObject, 'changedAt' | 'changedBy'> => ({
  ...omitUndefined({ changedAt, changedBy }),
});

const driftOfUnnamed = ({ path, before, after }: FieldChange): DriftedField => ({
  path,
  ...omitUndefined({ applied: after, now: before }),
  named: false,
});

function driftedField({ path, before, after, applied, cause }: FieldChange): DriftedField {
  const last = cause === 'both' ? applied : after;
  return {
    path,
    ...omitUndefined({ applied: last, now: before }),
    ...(cause === 'both' && after !== undefined ? { desired: after } : {}),
    named: true,
  };
}

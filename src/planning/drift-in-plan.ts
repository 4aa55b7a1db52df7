import type { Address } from '../model/address.js';
import type { AuditRecord } from '../model/audit-record.js';
import type { Json } from '../model/json.js';
import type { FieldChange, Plan, Step } from '../model/plan.js';

/** What was changed in the workspace since this stack last applied it, and nobody asked for in the manifests. */
export interface Drift {
  readonly workspace: string;
  readonly environment: string;
  readonly objects: readonly DriftedObject[];
  /** Objects that the manifests ask to be otherwise than they were last applied; `plan` shows them. */
  readonly asked: readonly Address[];
  /** Objects of which nothing was recorded: whether they were changed cannot be told. */
  readonly unknown: readonly Address[];
  readonly requests: Plan['requests']['used'];
}

/** Who changed it last and when, as far as the service tells. */
export interface DriftedObject extends Pick<AuditRecord, 'changedAt' | 'changedBy'> {
  readonly address: Address;
  /** `replaced`: another object has its name. */
  readonly what: 'changed' | 'renamed' | 'deleted' | 'replaced';
  readonly fields: readonly DriftedField[];
  /** Where its manifest begins, relative to the project. */
  readonly origin: Step['origin'];
}

/** Absent values are those that are not there. */
export interface DriftedField {
  readonly path: string;
  readonly applied?: Json;
  readonly now?: Json;
  /** Given where the manifest asks for yet another value. */
  readonly desired?: Json;
}

/** What of a plan undoes changes of others. Pure. */
export function driftIn({ steps, notes, workspace, environment, requests }: Plan): Drift {
  const asked = steps.filter(
    ({ fields, reason }) => reason === 'absent' || fields.some(({ cause }) => cause === 'asked' || cause === 'both'),
  );
  const strangers = steps.filter(({ reason }) => reason === 'not-owned').map(({ address }) => address);
  const matching = notes.filter(({ code }) => code === 'not-owned').flatMap(({ addresses }) => addresses);
  return {
    workspace: workspace.name,
    environment,
    objects: steps.flatMap(driftOfStep),
    asked: asked.map(({ address }) => address),
    unknown: [...strangers, ...matching].sort(),
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

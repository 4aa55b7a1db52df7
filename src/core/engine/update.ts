import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange, Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import { childWrites } from './child-writes.js';
import { buildFact, type Deciding, type Decision, decisionBase, lastChange } from './decision.js';
import { diffSpec, topField, withCauses } from './diff.js';
import { baseOf } from './field-base.js';
import { withoutIgnored } from './ignored-fields.js';
import type { Match } from './live-under.js';
import type { Standing } from './ownership.js';

/** Inputs of a change to a live object besides its manifest. */
export interface ChangeContext {
  readonly kind: Kind;
  readonly can: Capability;
  readonly deciding: Deciding;
  readonly standing: Standing;
}

/** How a live object differs from its manifest. */
export interface Difference {
  /** Changes of its spec and its name. */
  readonly inSpec: readonly FieldChange[];
  /** Those of `inSpec` that no update can apply. */
  readonly fixed: readonly FieldChange[];
  /** Changes of its protection, which only the ledger knows. */
  readonly protection: readonly FieldChange[];
}

/** Computes how a live object differs from its manifest; empty where it does not. */
export function computeDifference(bound: Bound, live: Match, changing: ChangeContext): Difference {
  const inSpec = [...nameChange(bound, live), ...specChanges(bound, live, changing)];
  const fixed = inSpec.filter(({ path }) => !isUpdatable(path, changing.can));
  return { inSpec, fixed, protection: protectionChange(bound, changing) };
}

export function nameChange({ manifest }: Bound, { match, object }: Match): FieldChange[] {
  if (match === 'name') return [];
  const cause = match === 'moved' ? ({ cause: 'drift' } as const) : {};
  return [{ path: 'name', before: object.name, after: manifest.metadata.name, ...cause }];
}

function specChanges({ desired }: Bound, { object }: Match, { kind, can, standing }: ChangeContext): FieldChange[] {
  const observed = object.spec;
  const wanted = withoutHidden(desired, can);
  const differing = diffSpec(kind.schema, wanted, observed);
  if (standing.is !== 'own' || differing.length === 0) return differing;
  const applied = withoutHidden(baseOf(kind.schema, standing.fact), can);
  return withCauses(kind.schema, differing, { desired: wanted, applied, observed });
}

/** Compares an object of a checked kind, which nobody owns: only a person changes it. */
export function check(bound: Bound, live: Match, checking: Omit<ChangeContext, 'standing'>): Decision | undefined {
  const { kind } = checking;
  const { ignore = [] } = bound.manifest.metadata;
  const desired = withoutIgnored(kind.schema, bound.desired, live.object.spec, ignore);
  const standing = { is: 'nobody', replacesOurs: false } as const;
  const fields = [...nameChange(bound, live), ...specChanges({ ...bound, desired }, live, { ...checking, standing })];
  if (fields.length === 0) return undefined;
  const what = fields.map(({ path }) => path).join(', ');
  return {
    ...decisionBase(bound, kind.schema, fields),
    action: 'manual',
    reason: live.match === 'name' ? 'checked' : 'renamed',
    message: `The service shows ${kind.name} objects and cannot change them through its API. An administrator has to change ${what}; the next plan verifies it.`,
    writes: [],
  };
}

/** Leaves out what the service does not return: it would always differ. */
const withoutHidden = (spec: JsonObject, { hidden = [] }: Capability): JsonObject =>
  hidden.length === 0 ? spec : Object.fromEntries(Object.entries(spec).filter(([field]) => !hidden.includes(field)));

/** Compares protection, which the ledger keeps in effect until an apply ends it. */
function protectionChange({ manifest }: Bound, { standing }: ChangeContext): FieldChange[] {
  const after = manifest.metadata.protect ?? false;
  const before = standing.is === 'own' ? standing.fact.protect : after;
  return before === after ? [] : [{ path: 'metadata.protect', before, after, cause: 'asked' }];
}

/** Whether the service accepts a change of this field. */
export const isUpdatable = (path: string, { update, children = [] }: Capability): boolean =>
  [...update, ...children].includes(topField(path));

/** Changes a live object in place. */
export function update(
  bound: Bound,
  live: Match,
  { inSpec, protection, ...changing }: ChangeContext & Difference,
): Decision {
  const { kind, deciding, standing } = changing;
  const how = standing.is === 'own' ? standing.fact.how : 'adopted';
  const fact = buildFact(bound, how, deciding.stack);
  const base = { ...decisionBase(bound, kind.schema, [...inSpec, ...protection]), fact };
  if (inSpec.length === 0) return recordProtection(base, bound);
  return {
    ...base,
    ...describeUpdate(live, inSpec, deciding),
    writes: updateWrites(bound, live.object.spec, inSpec, changing),
  };
}

type Base = ReturnType<typeof decisionBase> & Pick<Decision, 'fact'>;

/** Records in the ledger that protection begins or ends; nothing is sent. */
export function recordProtection(base: Base, { manifest }: Bound, besides = ''): Decision {
  const what = manifest.metadata.protect === true ? 'It becomes protected' : 'It is no longer protected';
  const message = `${what}; nothing is sent.${besides}`;
  return { ...base, action: 'update', reason: 'protection', message, writes: [{ verb: 'record' }] };
}

/** Says whether a change is a rename, and what the plan reports about it. */
export function describeUpdate(
  { match, object }: Match,
  fields: readonly FieldChange[],
  { asking = 'the manifest' }: Pick<Deciding, 'asking'>,
): Pick<Decision, 'action' | 'reason' | 'message'> {
  switch (match) {
    case 'name':
      return { action: 'update', reason: 'differs', message: `${fieldsThatDiffer(fields)} from ${asking}.` };
    case 'renamed':
      return { action: 'rename', reason: 'renamed', message: `Renamed from "${object.name}".` };
    case 'moved': {
      const message = `Someone renamed it to "${object.name}"${lastChange(object.audit)}; this gives it the name in its manifest.`;
      return { action: 'rename', reason: 'renamed-outside', message };
    }
  }
  return match satisfies never;
}

const fieldsThatDiffer = (fields: readonly FieldChange[]): string =>
  fields.length === 1 ? `${fields[0]?.path} differs` : `${fields.length} fields differ`;

/** Returns one update of the object's own fields, then the writes of its children. */
export function updateWrites(
  { manifest, desired }: Bound,
  observed: JsonObject,
  fields: readonly FieldChange[],
  { kind, can }: Pick<ChangeContext, 'kind' | 'can'>,
): Write[] {
  const own = fields.filter(({ path }) => !(topField(path) in kind.children));
  const children = childWrites(kind, fields, { desired, observed });
  if (own.length === 0) return children;
  return [updateWrite(manifest.metadata.name, desired, can, observed), ...children];
}

/** Builds an update, with a read first if the service would reset values that the manifest does not name. */
function updateWrite(name: string, desired: JsonObject, can: Capability, observed: JsonObject): Write {
  const unnamed = can.update.filter((field) => !(field in desired) && observed[field] !== undefined);
  const readFirst = can.updateBody === 'full' && unnamed.length > 0 ? 'yes' : 'no';
  return { verb: 'update', name, fields: pickUpdatable(desired, can), readFirst };
}

/** Keeps the fields that one update request carries. */
export const pickUpdatable = (spec: JsonObject, { update: fields }: Capability): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => fields.includes(field)));

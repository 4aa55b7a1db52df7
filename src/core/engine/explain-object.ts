import type { Origin } from '#base/diagnostics.js';
import type { Address } from '../model/address.js';
import { type Json, type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange, Step } from '../model/plan.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import type { Bound } from './bind.js';
import { topField } from './diff.js';
import { judgeOwnership } from './ownership.js';

/** The rules that decided about an object and each of its fields, and where the manifest says so. */
export interface ObjectExplanation {
  readonly address: Address;
  /** The owner according to the ledger. */
  readonly owner: 'this stack' | 'another stack' | 'nobody' | 'absent';
  readonly action: Step['action'] | 'unchanged';
  readonly reason: string;
  readonly origin: Origin;
  readonly fields: readonly FieldExplanation[];
}

/** The rule that decided about one field. */
export interface FieldExplanation {
  readonly path: string;
  readonly rule: FieldRule;
  /** Absent where there is none. */
  readonly desired?: Json;
  readonly applied?: Json;
  readonly observed?: Json;
  /** Where the manifest names it. */
  readonly origin?: Origin;
}

/**
 * `equal`: as the manifest says. `asked`, `drift`, `both`: manifest, workspace or both left what was last applied.
 * `differs`: it differs without a record. `unnamed`: no manifest names it, so it stays. `released`: named when last
 * applied, not now, so it stays. `ignored`: by `metadata.ignore`. `hidden`: not returned. `initial`: set on creation.
 */
export type FieldRule =
  | 'equal'
  | 'asked'
  | 'drift'
  | 'both'
  | 'differs'
  | 'unnamed'
  | 'released'
  | 'ignored'
  | 'hidden'
  | 'initial';

/** An object, and what its plan decided about it. */
export interface Explained {
  readonly bound: Bound;
  readonly kind: Kind;
  readonly can: Capability;
  readonly stack: string;
  /** Absent where nothing happens to the object. */
  readonly step?: Step | undefined;
  /** Why it has no step although nobody can check that it is as its manifest asks. */
  readonly acknowledged?: string | undefined;
}

/** Explains by which rules an object got its step or none; decides nothing itself. */
export function explainObject({ bound, kind, can, stack, step, acknowledged }: Explained): ObjectExplanation {
  const { manifest, desired, live, fact } = bound;
  const observed = 'raw' in live ? live.raw.spec : {};
  const standing = 'raw' in live ? judgeOwnership(fact, live.raw, stack, kind) : undefined;
  const applied = standing?.is === 'own' ? standing.fact.applied : {};
  const changes = step?.fields ?? [];
  const tops = [...new Set([...Object.keys(desired), ...Object.keys(observed), ...Object.keys(applied)])];
  const ruleOf = ruleFor({ desired, applied, isNew: !('raw' in live) }, can, manifest.metadata.ignore ?? []);
  const fields = tops.flatMap((field) => {
    const own = changes.filter(({ path }) => topField(path) === field);
    if (own.length > 0) return own.map((change) => explainChange(change, bound));
    return [explainUnchanged(field, ruleOf(field), { desired, applied, observed }, bound)];
  });
  const besides = changes
    .filter(({ path }) => !tops.includes(topField(path)))
    .map((change) => explainChange(change, bound));
  return {
    address: manifest.address,
    owner: standing === undefined ? 'absent' : OWNER[standing.is],
    action: step?.action ?? 'unchanged',
    reason: step?.message ?? acknowledged ?? 'It matches the manifest.',
    origin: manifest.origins.start,
    fields: [...besides, ...fields],
  };
}

const OWNER = { own: 'this stack', other: 'another stack', nobody: 'nobody' } as const;

interface Sides {
  readonly desired: JsonObject;
  readonly applied: JsonObject;
  readonly isNew: boolean;
}

const ruleFor =
  ({ desired, applied, isNew }: Sides, { hidden = [] }: Capability, ignore: readonly string[]) =>
  (field: string): FieldRule => {
    if (ignore.some((path) => topField(path) === field)) return 'ignored';
    if (hidden.includes(field)) return 'hidden';
    if (field in desired) return isNew ? 'initial' : 'equal';
    return field in applied ? 'released' : 'unnamed';
  };

function explainChange(
  { path, before, after, cause, applied }: FieldChange,
  { manifest, desired, live }: Bound,
): FieldExplanation {
  const last = cause === 'drift' ? after : applied;
  return {
    path,
    rule: 'raw' in live ? (cause ?? 'differs') : 'initial',
    ...sideOf('desired', after),
    ...sideOf('applied', last),
    ...sideOf('observed', before),
    ...(topField(path) in desired || path.startsWith('metadata.') || path === 'name'
      ? { origin: manifest.origins.value(pointerOf(path)) }
      : {}),
  };
}

function explainUnchanged(
  field: string,
  rule: FieldRule,
  { desired, applied, observed }: Record<'desired' | 'applied' | 'observed', JsonObject>,
  { manifest }: Bound,
): FieldExplanation {
  return {
    path: field,
    rule,
    ...sideOf('desired', desired[field]),
    ...(sameJson(applied[field], desired[field]) ? {} : sideOf('applied', applied[field])),
    ...sideOf('observed', observed[field]),
    ...(field in desired ? { origin: manifest.origins.value(pointerTo('/spec', field)) } : {}),
  };
}

const sideOf = (side: string, value: Json | undefined): object => (value === undefined ? {} : { [side]: value });

/** Returns the pointer into the manifest, as deep as it goes without entries of lists. */
function pointerOf(path: string): Pointer {
  if (path === 'name') return '/metadata/name';
  const base = path.startsWith('metadata.') ? '' : '/spec';
  const plain = path.replace(/\[.*$/s, '');
  return plain.split('.').reduce((pointer: Pointer, key) => pointerTo(pointer, key), base);
}

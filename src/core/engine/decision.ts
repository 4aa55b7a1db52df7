import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import { splitAddress } from '../model/address.js';
import type { AuditRecord } from '../model/audit-record.js';
import type { Manifest } from '../model/document.js';
import { isChecked, type Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import type { FieldChange, Step } from '../model/plan.js';
import type { Reason } from '../model/step-schema.js';
import type { Bound } from './bind.js';
import { fingerprint } from './normal-form.js';

/** A step without its dependencies. */
export type Decision = Omit<Step, 'dependsOn'>;

/** Inputs of decisions that come from the command line and the configuration, not from manifests or the workspace. */
export interface Deciding {
  readonly stack: string;
  /**
   * What happens to objects that this stack neither created nor adopted. `ask`: they are adopted when the plan is
   * confirmed; `matching`: only if they are as the manifest says; `given`: consent was given before; `never`.
   */
  readonly adopt: 'ask' | 'matching' | 'never' | 'given';
  /** Whether a copy that a creation left may be removed: once the plan is confirmed, or as agreed before. */
  readonly copies?: 'asked' | 'given';
  /** Addresses to replace though no difference requires it. */
  readonly replace: ReadonlySet<string>;
  /** Fields of a kind that the source of the specs does not return: no object is created without them. */
  readonly untold?: (kind: string) => readonly string[];
  /** `full`: fields that no manifest names have to stay as the ledger recorded them. */
  readonly manage?: 'full' | undefined;
  /** The name in messages of what objects differ from; the manifest by default. */
  readonly asking?: string;
}

/** The consent to a change of what this stack has no right to yet; undefined if nobody gives it. */
export const consentTo = (adopt: Deciding['adopt']): Step['consent'] =>
  adopt === 'ask' ? 'asked' : adopt === 'given' ? 'given' : undefined;

/** The fingerprint of an object that does not exist. */
export const ABSENT = 'absent';

/** Returns what every decision about an object contains, including the object as it was seen. */
export const decisionBase = ({ manifest, live, formerly }: Bound, schema: object, fields: readonly FieldChange[]) => ({
  address: manifest.address,
  fields,
  ...('raw' in live ? recordSighting(live.raw, schema) : { fingerprint: ABSENT }),
  ...('raw' in live && live.object.name !== splitAddress(manifest.address).name ? { liveName: live.object.name } : {}),
  ...omitUndefined({ formerly }),
  origin: manifest.origins.start,
});

/** Returns what a plan remembers of a live object, so that an apply can check whether it is still the same. */
export const recordSighting = ({ spec, identity, audit }: Observed, schema: object) => ({
  fingerprint: fingerprint(schema, spec),
  observed: spec,
  identity,
  ...omitUndefined({ audit }),
});

/** Why nothing is done, and what would be done otherwise. */
export interface Obstacle {
  readonly reason: Reason;
  readonly message: string;
  readonly decided?: Pick<Decision, 'action' | 'fields'> | undefined;
}

/** Decides that nothing is done, and says why. */
export const block = (bound: Bound, schema: object, { reason, message, decided }: Obstacle): Decision => ({
  ...decisionBase(bound, schema, decided?.fields ?? []),
  action: 'blocked',
  reason,
  message,
  writes: [],
  ...(decided === undefined ? {} : { wanted: decided.action }),
});

/** Returns what the ledger says of an object once it is as its manifest asks. */
export function buildFact({ manifest, desired, live }: Bound, how: ObjectFact['how'], stack: string): ObjectFact {
  const identity = 'object' in live ? { identity: live.object.identity } : {};
  return { stack, how, applied: desired, protect: manifest.metadata.protect ?? false, ...identity };
}

/** `#7, created by Ann Lee on 2026-11-20`, as far as it is known. */
export function numberAndMaker({ number, audit }: Observed): string {
  const called = number === undefined ? [] : [`#${number}`];
  return [...called, ...makerOf(audit)].join(', ');
}

const makerOf = (audit: AuditRecord = {}): string[] => agentAndDay('created', audit.createdBy, audit.createdAt);

/** Returns `, last changed by Ann Lee on 2026-11-20`, or an empty text if the service does not say. */
export function lastChange(audit: AuditRecord = {}): string {
  const [text] = agentAndDay('last changed', audit.changedBy, audit.changedAt);
  return text === undefined ? '' : `, ${text}`;
}

function agentAndDay(what: string, who: string | undefined, when: string | undefined): string[] {
  if (who === undefined && when === undefined) return [];
  const by = who === undefined ? '' : ` by ${who}`;
  const on = when === undefined ? '' : ` on ${when.slice(0, 10)}`;
  return [`${what}${by}${on}`];
}

/** Lists objects that share a name, each with what the service says of it. */
export const ambiguityMessage = (manifest: Manifest, objects: readonly Observed[], kind: Kind): string =>
  `${howMany(manifest, objects)}. Rename all but one${isChecked(kind) ? '' : `, or choose one with ${adoptCommand(manifest)}`}.`;

/** Lists objects with one name of which this stack created the first: a late answer may have caused the others. */
export const duplicatesMessage = (manifest: Manifest, objects: readonly Observed[]): string =>
  `${howMany(manifest, objects)}. This stack owns the first. If the object was created twice by mistake, rename or delete the other one in the workspace. If both are intended, choose one with \`dexsync forget ${shellWord(manifest.address)}\` and ${adoptCommand(manifest)}.`;

function howMany({ metadata }: Manifest, objects: readonly Observed[]): string {
  const each = objects.map(numberAndMaker);
  const list = each.every((text) => text !== '') ? `: ${each.join('; ')}` : '';
  const [name = metadata.name] = objects.map((object) => object.name);
  return `${objects.length} objects in the workspace are named "${name}"${list}`;
}

const adoptCommand = ({ address }: Manifest): string => `\`dexsync adopt ${shellWord(address)} --number N\``;

import { shellWord } from '#base/shell-word.js';
import type { AuditRecord } from '../model/audit-record.js';
import type { Manifest } from '../model/document.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import type { FieldChange, Reason, Step } from '../model/plan.js';
import type { Bound } from './bind.js';
import { fingerprint } from './normal-form.js';

/** A step before it knows what it waits for. */
export type Decision = Omit<Step, 'dependsOn'>;

/** What is decided from the command line and the configuration, not from manifest and workspace. */
export interface Deciding {
  readonly stack: string;
  /**
   * What happens to objects that this stack neither created nor adopted. `ask`: they are taken over when the plan is confirmed;
   * `matching`: only those that are as the manifest says; `given`: it was agreed to; `never`.
   */
  readonly adopt: 'ask' | 'matching' | 'never' | 'given';
  /** Whether a copy that a creation left behind may be removed: once whoever applies the plan agrees, or agreed to before. */
  readonly copies?: 'asked' | 'given';
  /** Addresses to make anew though nothing asks for it. */
  readonly replace: ReadonlySet<string>;
  /** Fields of a kind of which what is asked for tells nothing: no object is created without them. */
  readonly untold?: (kind: string) => readonly string[];
  /** `full`: what no manifest names of an object has to stay as the ledger has recorded it. */
  readonly manage?: 'full' | undefined;
  /** What objects differ from, as messages call it; the manifest by default. */
  readonly asking?: string;
}

/** What is there under an object's name when nothing is. */
export const ABSENT = 'absent';

/** What every decision about an object says, with what was seen of it. */
export const decisionBase = ({ manifest, live, formerly }: Bound, schema: object, fields: readonly FieldChange[]) => ({
  address: manifest.address,
  fields,
  ...('raw' in live ? sightingOf(live.raw, schema) : { fingerprint: ABSENT }),
  ...(live.match === 'renamed' || live.match === 'moved' ? { liveName: live.object.name } : {}),
  ...(formerly === undefined ? {} : { formerly }),
  origin: manifest.origins.start,
});

/** What a plan remembers of a live object, so that an apply can tell whether it is still the same. */
export const sightingOf = ({ spec, identity, audit }: Observed, schema: object) => ({
  fingerprint: fingerprint(schema, spec),
  observed: spec,
  identity,
  ...(audit === undefined ? {} : { audit }),
});

/** Why nothing is done, and what would have been. */
export interface Obstacle {
  readonly reason: Reason;
  readonly message: string;
  readonly decided?: Pick<Decision, 'action' | 'fields'> | undefined;
}

/** Nothing is done; the plan says why. */
export const block = (bound: Bound, schema: object, { reason, message, decided }: Obstacle): Decision => ({
  ...decisionBase(bound, schema, decided?.fields ?? []),
  action: 'blocked',
  reason,
  message,
  writes: [],
  ...(decided === undefined ? {} : { wanted: decided.action }),
});

/** What the ledger says of an object once it is as its manifest asks. */
export function factOf({ manifest, desired, live }: Bound, how: ObjectFact['how'], stack: string): ObjectFact {
  const identity = 'object' in live ? { identity: live.object.identity } : {};
  return { stack, how, applied: desired, protect: manifest.metadata.protect ?? false, ...identity };
}

/** `#7, created by Ann Lee on 2026-11-20`, as far as it is known. */
export function numberAndMaker({ number, audit }: Observed): string {
  const called = number === undefined ? [] : [`#${number}`];
  return [...called, ...makerOf(audit)].join(', ');
}

const makerOf = (audit: AuditRecord = {}): string[] => agentAndDay('created', audit.createdBy, audit.createdAt);

/** `, last changed by Ann Lee on 2026-11-20`, or nothing where the service does not tell. */
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

/** Objects of one name, told apart by whatever the service says of them. */
export const ambiguityMessage = (manifest: Manifest, objects: readonly Observed[]): string =>
  `${howMany(manifest, objects)}. Rename all but one, or choose one with ${adoptCommand(manifest)}.`;

/** The same where this stack made the first of them: an answer that came late may have made the others. */
export const twinsMessage = (manifest: Manifest, objects: readonly Observed[]): string =>
  `${howMany(manifest, objects)}. This stack owns the first. If the object was created twice by mistake, rename or delete the other one in the workspace. If both are intended, choose one with \`dexsync forget ${shellWord(manifest.address)}\` and ${adoptCommand(manifest)}.`;

function howMany({ metadata }: Manifest, objects: readonly Observed[]): string {
  const each = objects.map(numberAndMaker);
  const list = each.every((text) => text !== '') ? `: ${each.join('; ')}` : '';
  const [name = metadata.name] = objects.map((object) => object.name);
  return `${objects.length} objects in the workspace are named "${name}"${list}`;
}

const adoptCommand = ({ address }: Manifest): string => `\`dexsync adopt ${shellWord(address)} --number N\``;

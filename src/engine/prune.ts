import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { Identity, ObjectFact } from '../model/object-fact.js';
import type { Capability, Observation, Observed } from '../model/observation.js';
import type { Step } from '../model/plan.js';
import { type Decision, seen } from './decision.js';
import type { Facts } from './find-live.js';
import { forgotten, LEDGER } from './forget.js';
import { isRetired, retiredName } from './retired-name.js';
import { isAsAsked } from './standing.js';

export interface Pruning {
  readonly stack: string;
  readonly facts: Facts;
  /** What any manifest describes or takes over under a new name, selected or not. */
  readonly described: ReadonlySet<Address>;
  /** Live objects that a manifest means under another name. */
  readonly claimed: ReadonlySet<Identity>;
  /** Whether the selection of the command lets an object be deleted. */
  readonly mayDelete: (address: Address) => 'yes' | 'no';
  readonly observation: Observation;
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
}

/** What this stack owns and no manifest describes. A name that its object has lost by a rename does not count. */
export function leftOver({ stack, facts, described }: Pick<Pruning, 'stack' | 'facts' | 'described'>): Address[] {
  const others = [...facts].filter(([address, fact]) => fact.stack === stack && !described.has(address));
  if (others.length === 0) return [];
  const known = new Set([...facts].map(([address, { identity }]) => (described.has(address) ? identity : undefined)));
  return others
    .filter(([, { identity }]) => identity === undefined || !known.has(identity))
    .map(([address]) => address)
    .sort();
}

/** The same without what a manifest describes under another name. */
export const unclaimed = (left: readonly Address[], looking: Looking): Address[] =>
  left.filter((address) => {
    const object = objectOf(address, looking);
    if (object === undefined) return true;
    const present = addressOf(splitAddress(address).kind, object.name);
    return !looking.claimed.has(object.identity) && !looking.described.has(present);
  });

type Looking = Pick<Pruning, 'facts' | 'claimed' | 'described' | 'observation' | 'kindNamed'>;

/** Deletes for what this stack created or adopted and no manifest describes any more. */
export function prune(pruning: Pruning): Decision[] {
  const { facts, observation, kindNamed, capabilityOf, mayDelete } = pruning;
  return unclaimed(leftOver(pruning), pruning).flatMap((address) => {
    if (mayDelete(address) === 'no') return [];
    const object = objectOf(address, pruning);
    const kind = kindNamed(splitAddress(address).kind);
    if (observation.unlisted.has(kind.name)) return [notTold(address, kind)];
    if (object === undefined) return [forgotten(address, GONE)];
    if (isRetired(object.name, splitAddress(address).name)) return [forgotten(address, RETIRED)];
    const present = addressOf(kind.name, object.name);
    if (present !== address && facts.get(present)?.identity === object.identity)
      return [forgotten(address, knownBy(present))];
    const among = amongKind(address, observation);
    return [removal(address, { object, among, fact: facts.get(address) as ObjectFact }, kind, capabilityOf(kind))];
  });
}

const amongKind = (address: Address, { objects }: Observation): readonly Observed[] =>
  objects.get(splitAddress(address).kind) ?? [];

/** Which live object a fact is about; of a creation that was never answered the one that is exactly as was asked. */
function objectOf(address: Address, { facts, observation, kindNamed }: Looking): Observed | undefined {
  const { identity, applied } = facts.get(address) as ObjectFact;
  const among = amongKind(address, observation);
  if (identity !== undefined) return among.find((object) => object.identity === identity);
  const { kind, name } = splitAddress(address);
  const known = new Set([...facts.values()].map((fact) => fact.identity));
  const likely = among.filter((object) => object.name === name && !known.has(object.identity));
  return likely.find((object) => isAsAsked(kindNamed(kind), applied, object));
}

const GONE = {
  reason: 'gone',
  message: 'No manifest describes it, and it is gone from the workspace; the ledger forgets it.',
} as const;

const RETIRED = {
  reason: 'unfinished',
  message: 'An apply that was cut off has renamed it away; the ledger forgets it, and nothing is sent.',
} as const;

const knownBy = (present: Address) =>
  ({ reason: 'renamed-outside', message: `The ledger knows it as ${present}, too, which is its name now.` }) as const;

const notTold = (address: Address, { name }: Kind): Decision => ({
  ...forgotten(address, GONE),
  action: 'manual',
  reason: 'not-verifiable',
  message: `${WHY} The service does not tell which ${name} objects there are; look for it by hand. ${giveUp(address)}`,
  writes: [],
});

const WHY = 'This stack made or adopted it, and no manifest describes it any more.';

interface Removing {
  readonly object: Observed;
  /** All that live of its kind. */
  readonly among: readonly Observed[];
  readonly fact: ObjectFact;
}

function removal(address: Address, { object, among, fact }: Removing, kind: Kind, can: Capability): Decision {
  const { name } = object;
  const isRenamed = name !== splitAddress(address).name;
  const base = {
    address,
    fields: fieldsOf(object.spec),
    reason: 'not-described' as const,
    ...seen(object, kind.schema),
    ...(isRenamed ? { liveName: name } : {}),
    origin: LEDGER,
  };
  const refused = refusal(address, fact, kind, can);
  if (refused !== undefined) return { ...base, ...refused, writes: [] };
  if (can.delete === 'yes') {
    return { ...base, action: 'delete', message: WHY, writes: [{ verb: 'delete', name }], fact: null };
  }
  const to = retiredName(name, object, among);
  const fields = Object.fromEntries(Object.entries(object.spec).filter(([field]) => can.update.includes(field)));
  const message = `${WHY} The service deletes no ${kind.name} objects: it is renamed to "${to}".`;
  return { ...base, fields: [], action: 'retire', message, writes: [{ verb: 'retire', to, fields }], fact: null };
}

const fieldsOf = (spec: JsonObject): { path: string; before: Json }[] =>
  Object.entries(spec).map(([path, before]) => ({ path, before }));

const giveUp = (address: Address): string =>
  `\`dexsync forget ${JSON.stringify(address)}\` gives it up and leaves it as it is.`;

type Refusal = Pick<Step, 'action' | 'reason' | 'message' | 'wanted'>;

function refusal(address: Address, fact: ObjectFact, kind: Kind, can: Capability): Refusal | undefined {
  const forget = giveUp(address);
  if (fact.protect) {
    const message = `${WHY} It is protected: bring its manifest back with "protect: false" and apply that. ${forget}`;
    return { action: 'blocked', reason: 'protected', message, wanted: 'delete' };
  }
  if (kind.grow !== undefined) {
    const message = `${WHY} What it holds is given back by an explicit command only: \`dexsync reservations release\`. ${forget}`;
    return { action: 'blocked', reason: 'made-once', message, wanted: 'delete' };
  }
  if (can.delete === 'yes' || can.update.includes('name')) return undefined;
  const message = `${WHY} The service offers no way to delete or rename ${kind.name} objects; do it by hand. ${forget}`;
  return { action: 'manual', reason: 'not-supported', message };
}

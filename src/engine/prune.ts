import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { Identity, ObjectFact } from '../model/object-fact.js';
import type { Capability, Observation, Observed } from '../model/observation.js';
import type { Step } from '../model/plan.js';
import { ABSENT, type Decision, seen } from './decision.js';
import type { Facts } from './live.js';
import { standingOf } from './standing.js';

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

/** Deletes for what this stack created or adopted and no manifest describes any more. */
export function prune(pruning: Pruning): Decision[] {
  const { facts, claimed, described, observation, kindNamed, capabilityOf, mayDelete } = pruning;
  return leftOver(pruning).flatMap((address) => {
    if (mayDelete(address) === 'no') return [];
    const fact = facts.get(address) as ObjectFact;
    const kind = kindNamed(splitAddress(address).kind);
    const object = observation.objects.get(kind.name)?.find((one) => isOf(fact, address, one, kind));
    const isMeant = ({ identity, name }: Observed): boolean =>
      claimed.has(identity) || described.has(addressOf(kind.name, name));
    if (object !== undefined && isMeant(object)) return [];
    return [object === undefined ? forgotten(address) : removal(address, object, fact, kind, capabilityOf(kind))];
  });
}

function isOf(fact: ObjectFact, address: Address, object: Observed, kind: Kind): boolean {
  const isNamed = fact.identity !== undefined || object.name === splitAddress(address).name;
  return isNamed && standingOf(fact, object, fact.stack, kind).is === 'own';
}

/** Where a step has no manifest, its place is the ledger. */
const origin = { file: 'ledger', line: 1, column: 1, layer: 'ledger' } as const;

const forgotten = (address: Address): Decision => ({
  address,
  action: 'forget',
  reason: 'gone',
  message: 'No manifest describes it, and it is gone from the workspace; the ledger forgets it.',
  fields: [],
  writes: [{ verb: 'record' }],
  fingerprint: ABSENT,
  fact: null,
  origin,
});

const WHY = 'This stack made or adopted it, and no manifest describes it any more.';

function removal(address: Address, object: Observed, fact: ObjectFact, kind: Kind, can: Capability): Decision {
  const { name } = object;
  const isRenamed = name !== splitAddress(address).name;
  const base = {
    address,
    fields: fieldsOf(object.spec),
    reason: 'not-described' as const,
    ...seen(object, kind.schema),
    ...(isRenamed ? { liveName: name } : {}),
    origin,
  };
  const refused = refusal(address, fact, kind, can);
  if (refused !== undefined) return { ...base, ...refused, writes: [] };
  if (can.delete === 'yes') {
    return { ...base, action: 'delete', message: WHY, writes: [{ verb: 'delete', name }], fact: null };
  }
  const to = `${name} ~retired #${object.number ?? 0}`;
  const fields = Object.fromEntries(Object.entries(object.spec).filter(([field]) => can.update.includes(field)));
  const message = `${WHY} The service deletes no ${kind.name} objects: it is renamed to "${to}".`;
  return { ...base, fields: [], action: 'retire', message, writes: [{ verb: 'retire', to, fields }], fact: null };
}

const fieldsOf = (spec: JsonObject): { path: string; before: Json }[] =>
  Object.entries(spec).map(([path, before]) => ({ path, before }));

type Refusal = Pick<Step, 'action' | 'reason' | 'message' | 'wanted'>;

function refusal(address: Address, fact: ObjectFact, kind: Kind, can: Capability): Refusal | undefined {
  const forget = `\`dexsync forget ${JSON.stringify(address)}\` gives it up and leaves it as it is.`;
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

import { naturalOrder } from '#base/natural-order.js';
import { shellWord } from '#base/shell-word.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import type { Capability, Observation, Observed } from '../model/observation.js';
import type { Step, Write } from '../model/plan.js';
import { ABSENT, type Decision, recordSighting } from './decision.js';
import type { Facts } from './find-live.js';
import { liveIndex } from './live-index.js';
import {
  findPossibleMatch,
  oddMessage,
  oddObjects,
  possibleMatchMessage,
  unclearObjects,
  unprovedMessage,
} from './odd-objects.js';
import { isNeverAdopted, objectOfFact } from './ownership.js';
import { isRetired, retiredName } from './retired-name.js';
import { pickUpdatable } from './update.js';

/** Inputs of a prune. */
export interface PruneInput {
  readonly stack: string;
  /** Why objects are removed: no manifest describes them, or everything that the stack owns is destroyed. */
  readonly why: 'not-described' | 'destroyed';
  readonly facts: Facts;
  /** Addresses that any manifest describes or renames, selected or not. */
  readonly described: ReadonlySet<Address>;
  /** Live objects that manifests mean, under any name. */
  readonly claimed: ReadonlySet<LiveIdentity>;
  /** Whether the selection of the command allows the deletion of an object. */
  readonly mayDelete: (address: Address) => boolean;
  readonly observation: Observation;
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
}

/** Lists what this stack owns and no manifest describes. A name that an object lost by a rename does not count. */
export function leftoverAddresses({
  stack,
  facts,
  described,
}: Pick<PruneInput, 'stack' | 'facts' | 'described'>): Address[] {
  const others: [Address, ObjectFact][] = [];
  for (const [address, fact] of facts)
    if (fact.stack === stack && !described.has(address)) others.push([address, fact]);
  if (others.length === 0) return [];
  const known = new Set([...facts].map(([address, { identity }]) => (described.has(address) ? identity : undefined)));
  return others
    .filter(([, { identity }]) => identity === undefined || !known.has(identity))
    .map(([address]) => address)
    .sort(naturalOrder);
}

/** Adds the live object of each leftover, and omits objects that a manifest describes under another name. */
export function leftoverObjects(
  pruning: Pick<PruneInput, 'stack' | 'facts' | 'described' | 'claimed' | 'observation' | 'kindNamed'>,
): ReadonlyMap<Address, Observed | undefined> {
  const { claimed, described, observation } = pruning;
  const looking = { ...pruning, index: liveIndex(observation) };
  const objects = leftoverAddresses(pruning).map((address) => [address, objectOfFact(address, looking)] as const);
  const isClaimed = (address: Address, { identity, name }: Observed): boolean =>
    claimed.has(identity) || described.has(addressOf(splitAddress(address).kind, name));
  return new Map(objects.filter(([address, object]) => object === undefined || !isClaimed(address, object)));
}

/** Plans the removal of objects that this stack created or adopted and that are no longer in any manifest. */
export function prune(pruning: PruneInput, left = leftoverObjects(pruning)): Decision[] {
  return [...left]
    .filter(([address]) => pruning.mayDelete(address))
    .map(([address, object]) => pruneOne(address, object, pruning));
}

function pruneOne(address: Address, object: Observed | undefined, pruning: PruneInput): Decision {
  const { facts, observation, kindNamed, capabilityOf } = pruning;
  const { kind: kindName, name } = splitAddress(address);
  const kind = kindNamed(kindName);
  if (kind.settingsOf !== undefined) return forget(address, SETTINGS);
  if (observation.unlisted.has(kindName)) return lookManually(address, kind, pruning.why);
  const odd = oddityOfLeft(address, object, pruning);
  if (odd !== undefined) return leftOdd(address, odd);
  if (object === undefined) return forget(address, GONE);
  if (facts.get(address)?.how === 'adopted' && isNeverAdopted(kind, object.name)) return forget(address, BUILT_IN);
  if (isRetired(object.name, name)) return forget(address, RETIRED);
  const present = addressOf(kindName, object.name);
  if (present !== address && facts.get(present)?.identity === object.identity)
    return forget(address, doubleEntry(present));
  const among = observation.objects.get(kindName) as readonly Observed[];
  const { why } = pruning;
  return removal(address, { object, among, fact: facts.get(address) as ObjectFact, why }, kind, capabilityOf(kind));
}

/** Says why it is unclear whether an object is gone, or what it is. */
function oddityOfLeft(address: Address, object: Observed | undefined, pruning: PruneInput): string | undefined {
  const { facts, observation } = pruning;
  const { kind, name } = splitAddress(address);
  if (object !== undefined) return object.odd === undefined ? undefined : oddMessage('It', object.odd.why);
  const named = oddObjects(kind, observation).find((one) => one.name === name);
  if (named !== undefined) return oddMessage('It', named.odd.why);
  const fact = facts.get(address);
  const hidden = findPossibleMatch(unclearObjects(kind, observation, facts), fact);
  return hidden === undefined ? unprovedMessage(fact, facts, observation) : possibleMatchMessage(kind, hidden);
}

const leftOdd = (address: Address, message: string): Decision => {
  const { fact: _, ...blocked } = forget(address, { reason: 'answer-odd', message });
  return { ...blocked, action: 'blocked', wanted: 'delete', writes: [] };
};

/** The origin of a step that only the ledger asks for. */
export const LEDGER = { file: 'ledger', line: 1, column: 1, layer: 'ledger' } as const;

const forget = (address: Address, { reason, message }: Pick<Decision, 'reason' | 'message'>): Decision => ({
  address,
  action: 'forget',
  reason,
  message,
  fields: [],
  writes: [{ verb: 'record' }],
  fingerprint: ABSENT,
  fact: null,
  origin: LEDGER,
});

const GONE = {
  reason: 'gone',
  message: 'It is no longer in the workspace; its ledger entry is removed.',
} as const;

const BUILT_IN = {
  reason: 'not-owned',
  message:
    'The service makes it itself, so no stack owns it; its ledger entry is removed, and it stays in the workspace.',
} as const;

const SETTINGS = {
  reason: 'not-owned',
  message: 'Settings stay as they are when no manifest describes them; their ledger entry is removed.',
} as const;

const RETIRED = {
  reason: 'unfinished',
  message: 'An interrupted apply has already retired it; its ledger entry is removed, and nothing is sent.',
} as const;

const doubleEntry = (present: Address) =>
  ({ reason: 'renamed-outside', message: `The ledger also has it as ${present}, its current name.` }) as const;

const lookManually = (address: Address, { name }: Kind, why: PruneInput['why']): Decision => ({
  ...forget(address, GONE),
  action: 'manual',
  reason: 'not-verifiable',
  message: `${WHY[why]} The service does not list ${name} objects; look for it manually. ${giveUp(address)}`,
  writes: [],
});

const WHY = {
  'not-described': 'This stack created or adopted it, and it is no longer in any manifest.',
  destroyed: 'This stack created or adopted it.',
} as const;

interface Removing extends Pick<PruneInput, 'why'> {
  readonly object: Observed;
  /** All live objects of its kind. */
  readonly among: readonly Observed[];
  readonly fact: ObjectFact;
}

function removal(address: Address, { object, among, fact, why }: Removing, kind: Kind, can: Capability): Decision {
  const { name } = object;
  const isRenamed = name !== splitAddress(address).name;
  const base = {
    address,
    fields: removedFields(object.spec),
    reason: why,
    ...recordSighting(object, kind.schema),
    ...(isRenamed ? { liveName: name } : {}),
    origin: LEDGER,
  };
  const obstacle = obstacleTo(address, { fact, why }, kind, can);
  if (obstacle !== undefined) return { ...base, ...obstacle, writes: [] };
  if (can.delete) {
    return { ...base, action: 'delete', message: WHY[why], writes: [{ verb: 'delete', name }], fact: null };
  }
  const to = retiredName(name, object, among);
  const message = `${WHY[why]} The service cannot delete ${kind.name} objects: it is renamed to "${to}".`;
  const writes: Write[] = [{ verb: 'retire', to, fields: pickUpdatable(object.spec, can) }];
  return { ...base, fields: [], action: 'retire', message, writes, fact: null };
}

const removedFields = (spec: JsonObject): { path: string; before: Json }[] =>
  Object.entries(spec).map(([path, before]) => ({ path, before }));

const giveUp = (address: Address): string => `Or give up ownership with \`dexsync forget ${shellWord(address)}\`.`;

type Refusal = Pick<Step, 'action' | 'reason' | 'message' | 'wanted'>;

/** Finds what keeps an object from being deleted or renamed away. */
function obstacleTo(
  address: Address,
  { fact, why }: Pick<Removing, 'fact' | 'why'>,
  kind: Kind,
  can: Capability,
): Refusal | undefined {
  const hint = giveUp(address);
  if (fact.protect) {
    const end =
      why === 'destroyed' ? 'set `protect: false` in its manifest' : 'restore its manifest with `protect: false`';
    const message = `${WHY[why]} It is protected: ${end} and apply that first. ${hint}`;
    return { action: 'blocked', reason: 'protected', message, wanted: 'delete' };
  }
  if (kind.grow !== undefined) {
    const message = `${WHY[why]} Only \`dexsync reservations release\` gives its numbers back. ${hint}`;
    return { action: 'blocked', reason: 'made-once', message, wanted: 'delete' };
  }
  if (can.delete || can.update.includes('name')) return undefined;
  const message = `${WHY[why]} The service can neither delete nor rename ${kind.name} objects; do it manually. ${hint}`;
  return { action: 'manual', reason: 'not-supported', message };
}

import type { KindName } from './kinds.js';
import {
  addressOf,
  type Clone,
  type Fact,
  type Ledger,
  type LiveObject,
  type Manifest,
  named,
  type Workspace,
} from './world.js';

/** What lives for a manifest, and what this stack knows of it. */
export interface Situation {
  readonly is: 'absent' | 'own' | 'stranger' | 'foreign' | 'ambiguous';
  readonly object?: LiveObject;
  readonly fact?: Fact;
  /** The address by which the ledger knows the object. */
  readonly knownAs?: string;
}

/** A clone of one stack before one workspace. */
export interface Place {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly clone: Clone;
  /** The addresses that a command names, where it is about these alone. */
  readonly only?: readonly string[];
}

/** The object that a manifest means: the one in the ledger under its address, also if renamed; else by name. */
export function situationOf({ kind, name, renamedFrom }: Manifest, place: Place): Situation {
  const { workspace, ledger, clone } = place;
  const fact = aliveFact(ledger.get(addressOf(kind, name)), workspace);
  if (fact !== undefined && fact.stack !== clone.stack) return { is: 'foreign', object: fact.object, fact };
  const found = named(workspace, kind, name);
  if (fact !== undefined && found.includes(fact.object)) return { is: 'own', object: fact.object, fact };
  const byName = renamedFrom === undefined ? ABSENT : underName(kind, renamedFrom, place);
  const former = byName.is === 'absent' && renamedFrom !== undefined ? movedFormer(kind, renamedFrom, place) : byName;
  if (found.length > 0)
    return besideFormer(underName(kind, name, place), fact, former, addressOf(kind, renamedFrom ?? ''));
  if (fact !== undefined) return isTaken(fact.object, clone) ? ABSENT : { is: 'own', object: fact.object, fact };
  return former;
}

/** An object that has lost its former name before a manifest gives it another one. */
function movedFormer(kind: KindName, name: string, { workspace, ledger, clone }: Place): Situation {
  const knownAs = addressOf(kind, name);
  const fact = aliveFact(ledger.get(knownAs), workspace);
  if (fact === undefined || isTaken(fact.object, clone)) return ABSENT;
  const { object } = fact;
  return fact.stack === clone.stack ? { is: 'own', object, fact, knownAs } : { is: 'foreign', object, fact };
}

const ABSENT: Situation = { is: 'absent' };

/** What has the name, though the ledger knows another one by the address, or none. */
function besideFormer(present: Situation, fact: Fact | undefined, former: Situation, address: string): Situation {
  if (present.is === 'ambiguous') return present;
  if (former.object !== undefined && present.knownAs !== address) return { ...present, is: 'ambiguous' };
  return fact === undefined || present.object === undefined ? present : { is: 'stranger', object: present.object };
}

/** Whether an object of the ledger has a name by now that leads elsewhere. */
const isTaken = ({ kind, name }: LiveObject, { manifests }: Clone): boolean =>
  name.includes(' ~retired #') || manifests.some((one) => one.kind === kind && one.name === name);

function underName(kind: KindName, name: string, { workspace, ledger, clone }: Place): Situation {
  const [object, ...others] = named(workspace, kind, name);
  if (object === undefined) return ABSENT;
  if (others.length > 0) return { is: 'ambiguous' };
  const known = factAbout(object, ledger);
  if (known === undefined) return { is: 'stranger', object };
  const { fact, address: knownAs } = known;
  return fact.stack === clone.stack ? { is: 'own', object, fact, knownAs } : { is: 'foreign', object, fact };
}

const aliveFact = (fact: Fact | undefined, { live }: Workspace): Fact | undefined =>
  fact !== undefined && live.includes(fact.object) ? fact : undefined;

export function factAbout(object: LiveObject, ledger: Ledger): { fact: Fact; address: string } | undefined {
  for (const [address, fact] of ledger) if (fact.object === object) return { fact, address };
  return undefined;
}

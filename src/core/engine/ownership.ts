import { shellWord } from '#base/shell-word.js';
import { type Address, splitAddress } from '../model/address.js';
import type { JsonObject } from '../model/json.js';
import { isChecked, type Kind } from '../model/kind.js';
import { isUnanswered, type ObjectFact } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import type { Reason } from '../model/step-schema.js';
import type { Bound } from './bind.js';
import {
  block,
  buildFact,
  consentTo,
  type Deciding,
  type Decision,
  decisionBase,
  lastChange,
  numberAndMaker,
} from './decision.js';
import { diffSpec } from './diff.js';
import type { Facts } from './find-live.js';
import type { LiveIndex } from './live-index.js';
import type { Match } from './live-under.js';

/** The owner of a live object, as far as a stack can see from the ledger. */
export type Standing =
  | { readonly is: 'own'; readonly fact: ObjectFact }
  | { readonly is: 'other'; readonly stack: string }
  /** `replacesOurs`: whether the ledger knows another object of this stack by its name. */
  | { readonly is: 'nobody'; readonly replacesOurs: boolean };

/**
 * Determines who owns a live object. A fact is about one object, not about its name; the fact of an unanswered creation
 * is about any object that is exactly as was asked.
 */
export function judgeOwnership(fact: ObjectFact | undefined, object: Observed, stack: string, kind: Kind): Standing {
  if (fact === undefined) return { is: 'nobody', replacesOurs: false };
  if (fact.how === 'adopted' && isNeverAdopted(kind, object.name)) return { is: 'nobody', replacesOurs: false };
  const same = fact.identity === undefined ? isAsAsked(kind, fact.applied, object) : fact.identity === object.identity;
  const isOurs = fact.stack === stack;
  if (!same) return { is: 'nobody', replacesOurs: isOurs && fact.identity !== undefined };
  return isOurs ? { is: 'own', fact } : { is: 'other', stack: fact.stack };
}

/** An object of the stack that a manifest describes, with its fact. */
export interface OwnLive {
  readonly object: Observed;
  readonly fact: ObjectFact;
  /** Whether the manifest means it; if not, someone renamed it and another object has its name. */
  readonly isMeant: boolean;
}

/** Returns a manifest's object, or the one that lost its name to another; undefined if foreign or unreadable. */
export function ownLive(
  { live, fact, elsewhere }: Pick<Bound, 'live' | 'fact' | 'elsewhere'>,
  stack: string,
  kind: Kind,
): OwnLive | undefined {
  if (!('raw' in live) || live.raw.odd !== undefined) return undefined;
  const standing = judgeOwnership(fact, live.object, stack, kind);
  if (standing.is === 'own') return { object: live.object, fact: standing.fact, isMeant: true };
  if (elsewhere === undefined || elsewhere.object.odd !== undefined) return undefined;
  const isOwn = judgeOwnership(elsewhere.fact, elsewhere.object, stack, kind).is === 'own';
  return isOwn ? { ...elsewhere, isMeant: false } : undefined;
}

/**
 * Whether no stack adopts an object: the service creates it itself, or its kind is checked. A stack that created one
 * with that name owns it like any other.
 */
export const isNeverAdopted = (kind: Pick<Kind, 'builtIn' | 'entry'>, name: string): boolean =>
  isChecked(kind) || (kind.builtIn ?? []).includes(name);

/** Finds the live object of a fact; for an unanswered creation, one that is exactly as was asked. */
export function objectOfFact(address: Address, { facts, index, kindNamed }: FactLookup): Observed | undefined {
  const { kind, name } = splitAddress(address);
  const { identity, applied } = facts.get(address) as ObjectFact;
  if (identity !== undefined) return index.withIdentity(kind, identity);
  const known = new Set([...facts.values()].map((fact) => fact.identity));
  const likely = index.named(kind, name).filter((object) => !known.has(object.identity));
  return likely.find((object) => isAsAsked(kindNamed(kind), applied, object));
}

interface FactLookup {
  readonly facts: Facts;
  readonly index: LiveIndex;
  readonly kindNamed: (name: string) => Kind;
}

/** Whether an object is what a creation sends, except for the children that were to follow it. */
function isAsAsked(kind: Kind, applied: JsonObject, object: Observed): boolean {
  if (kind.grow !== undefined) return kind.grow(applied, object).is === 'enough';
  const own = Object.entries(applied).filter(([field]) => !(field in kind.children));
  return diffSpec(kind.schema, Object.fromEntries(own), object.spec).length === 0;
}

/**
 * Records what the ledger lacks about an own object that is as it should be: the outcome of an unanswered write, or its
 * new name. Until then, a later change would leave it without an owner.
 */
export function recordMissingFact(
  bound: Bound,
  { object }: Match,
  schema: object,
  { fact }: Extract<Standing, { is: 'own' }>,
): Decision | undefined {
  const { knownAs, formerly } = bound;
  const interrupted = interruptedWork(formerly, fact);
  if (knownAs === undefined && interrupted === undefined) return undefined;
  const message =
    knownAs === undefined
      ? `An interrupted apply ${interrupted}; the ledger records it, and nothing is sent.`
      : `It was ${knownAs} until someone renamed it${lastChange(object.audit)}; the ledger records its new name, and nothing is sent.`;
  return {
    ...decisionBase(bound, schema, []),
    action: 'adopt',
    reason: knownAs === undefined ? 'unfinished' : 'renamed-outside',
    message,
    writes: [{ verb: 'record' }],
    fact: buildFact(bound, fact.how, fact.stack),
  };
}

/** Says what an interrupted apply did to the object before it could record it. */
function interruptedWork(formerly: Address | undefined, fact: ObjectFact): string | undefined {
  if (fact.identity === undefined) return 'created it';
  if (formerly !== undefined) return `renamed it from ${formerly}`;
  return isUnanswered(fact) ? 'was updating it' : undefined;
}

/** A live object that this stack does not own. */
export interface UnownedObject {
  readonly kind: Kind;
  readonly deciding: Deciding;
  readonly standing: Extract<Standing, { is: 'nobody' }>;
  /** What would happen to the object if this stack owned it; undefined where it is as its manifest says. */
  readonly decided: Decision | undefined;
}

/**
 * Decides about an object that this stack did not create: it is changed only by agreement, and never replaced or
 * retired, since its creator may rely on it.
 */
export function adoptObject(bound: Bound, live: Match, stranger: UnownedObject): Decision | undefined {
  const { kind, deciding, decided } = stranger;
  if (decided?.action === 'blocked' || decided?.action === 'manual') return decided;
  if (isNeverAdopted(kind, live.object.name)) return decided && changeBuiltIn(bound, stranger, decided);
  const who = ownerPhrase(bound, live, stranger);
  const agreed =
    deciding.adopt === 'matching' ? decided === undefined : deciding.adopt === 'ask' || deciding.adopt === 'given';
  if (!agreed) return decided === undefined ? undefined : refuse(bound, stranger, who, decided);
  if (decided?.action === 'replace') return refuseReplacement(bound, stranger, who, decided);
  const fact = buildFact(bound, 'adopted', deciding.stack);
  const consent = deciding.adopt === 'ask' ? 'asked' : 'given';
  if (decided !== undefined) {
    const reason = stranger.standing.replacesOurs ? 'replaced-outside' : decided.reason;
    return { ...decided, reason, message: `${who} It is adopted. ${decided.message}`, fact, consent };
  }
  const message = `${who} It matches the manifest and is adopted; nothing is sent.`;
  return {
    ...decisionBase(bound, kind.schema, []),
    action: 'adopt',
    reason: reasonOf(stranger),
    message,
    writes: [{ verb: 'record' }],
    fact,
    consent,
  };
}

/** Changes an object that every workspace has: by agreement only, and without a record, since nobody ever owns it. */
function changeBuiltIn(bound: Bound, { kind, deciding: { adopt } }: UnownedObject, decided: Decision): Decision {
  const who = 'The service makes it itself, so no stack owns it.';
  if (decided.action === 'replace') {
    const message = `${who} ${decided.message} It is not replaced: change it in the workspace, or correct the manifest.`;
    return block(bound, kind.schema, { reason: 'not-owned', message, decided });
  }
  const consent = consentTo(adopt);
  if (consent === undefined) {
    const message = `${who} \`--adopt\` changes it.`;
    return block(bound, kind.schema, { reason: 'not-owned', message, decided });
  }
  const { fact: _, ...change } = decided;
  return { ...change, message: `${who} ${decided.message}`, consent };
}

function ownerPhrase({ elsewhere }: Bound, { object }: Match, { kind, standing }: UnownedObject): string {
  if (kind.settingsOf !== undefined) return 'No stack has described these settings before.';
  const words = numberAndMaker(object);
  const which = words === '' ? '' : ` (${words})`;
  if (!standing.replacesOurs) return `This stack did not create it${which}.`;
  const ours = elsewhere === undefined ? 'was deleted' : `is now named "${elsewhere.object.name}"`;
  return `The object that this stack created ${ours}; another object has its name${which}.`;
}

const reasonOf = ({ standing }: Pick<UnownedObject, 'standing'>): Reason =>
  standing.replacesOurs ? 'replaced-outside' : 'not-owned';

const refuse = (bound: Bound, stranger: UnownedObject, who: string, decided: Decision): Decision =>
  block(bound, stranger.kind.schema, {
    reason: reasonOf(stranger),
    message: `${who} \`--adopt\` adopts all such objects, \`dexsync adopt ${shellWord(bound.manifest.address)}\` adopts this one.`,
    decided,
  });

const refuseReplacement = (bound: Bound, stranger: UnownedObject, who: string, decided: Decision): Decision =>
  block(bound, stranger.kind.schema, {
    reason: reasonOf(stranger),
    message: `${who} ${decided.message} Only objects that this stack created or adopted are replaced: run \`dexsync adopt ${shellWord(bound.manifest.address)}\` first.`,
    decided,
  });

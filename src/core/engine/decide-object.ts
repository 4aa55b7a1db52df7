import { shellWord } from '#base/shell-word.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import { isChecked, type Kind } from '../model/kind.js';
import { memoizeBy } from '../model/memoize.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import type { Capability, Observation, Observed } from '../model/observation.js';
import type { Write } from '../model/plan.js';
import { applyRenamesToLive, type Bound } from './bind.js';
import { create, findRetired, grow } from './create.js';
import { ambiguityMessage, block, type Deciding, type Decision, lastChange } from './decision.js';
import { completeSpec, type Sightings, withBase } from './field-base.js';
import type { Facts } from './find-live.js';
import { withoutIgnored } from './ignored-fields.js';
import { listCandidates, type Match } from './live-under.js';
import {
  findPossibleMatch,
  type OddObject,
  oddMessage,
  oddReference,
  possibleMatchMessage,
  unclearObjects,
  unprovedMessage,
} from './odd-objects.js';
import { adoptObject, judgeOwnership, recordMissingFact } from './ownership.js';
import { blockConflicts, takeUnpromoted, withPromotion } from './promotion.js';
import { renameBack, replace } from './replace.js';
import { resolveDuplicates } from './resolve-duplicates.js';
import { isRetired } from './retired-name.js';
import { type ChangeContext, check, computeDifference, update } from './update.js';

/** All objects of a plan, and what decides about them. */
export interface ObjectsToDecide {
  readonly bound: readonly Bound[];
  readonly deciding: Deciding;
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
  readonly observation: Observation;
  readonly facts: Facts;
}

interface Rules extends Omit<ObjectsToDecide, 'bound'> {
  /** Odd objects of a kind, each of which may be any object. */
  readonly unclear: (kind: string) => readonly OddObject[];
}

/** Decides what happens to each object; undefined where nothing has to. */
export function decideObjects({ bound, ...given }: ObjectsToDecide): (Decision | undefined)[] {
  const unclear = memoizeBy((kind: string) => unclearObjects(kind, given.observation, given.facts));
  const rules: Rules = { ...given, unclear };
  const decisions = bound.map((one) => countRetired(decideBy(rules, one), rules.observation));
  const retired = retiredNames(decisions);
  if (retired.size === 0) return decisions;
  // References to a replaced object lead to the retired one until their own objects are updated.
  return bound.map((one, index) => {
    if (decisions[index]?.action === 'replace') return decisions[index];
    const { schema } = rules.kindNamed(one.manifest.kind);
    return decideBy(rules, { ...one, live: applyRenamesToLive(one.live, schema, retired) });
  });
}

function decideBy(
  { deciding, kindNamed, capabilityOf, facts, observation, unclear }: Rules,
  bound: Bound,
): Decision | undefined {
  const kind = kindNamed(bound.manifest.kind);
  const can = capabilityOf(kind);
  const hidden = bound.live.match === 'none' ? findPossibleMatch(unclear(kind.name), bound.fact) : undefined;
  const doubt =
    hidden === undefined ? unprovedMessage(bound.fact, facts, observation) : possibleMatchMessage(kind.name, hidden);
  if (doubt !== undefined) return blockOdd(bound, kind, doubt);
  const { promotion } = bound;
  if (promotion?.isDeleted === true) return undefined;
  if (promotion !== undefined && promotion.conflicts.length > 0) return blockConflicts(bound, kind.schema, promotion);
  const known = withKnown(decideObject(bound, kind, can, deciding, facts), bound, { kind, can, deciding });
  const decided = withPromotion(known, bound);
  const isChange = decided !== undefined && (decided.action === 'manual' || decided.writes.some(isSent));
  const odd = isChange ? oddReference(kind.schema, bound.desired, observation) : undefined;
  if (odd === undefined) return decided;
  return blockOdd(bound, kind, oddMessage(addressOf(odd.reference.kind, odd.reference.name), odd.why), decided);
}

/** Adds to a decision's fact all that is known of the object. */
function withKnown(
  decision: Decision | undefined,
  bound: Bound,
  { kind, can, deciding }: Pick<ChangeContext, 'kind' | 'can' | 'deciding'>,
): Decision | undefined {
  const fact = decision?.fact;
  if (decision === undefined || fact === undefined || fact === null) return decision;
  return { ...decision, fact: withBase(kind, can, fact, sightingsOf(fact, bound, deciding)) };
}

/** Returns what is known of the object of a fact: for an object that is recreated, what the old one had. */
function sightingsOf(
  { identity, former, how }: ObjectFact,
  { fact, live, elsewhere }: Bound,
  { stack }: Deciding,
): Sightings {
  if (identity === undefined) return { before: former };
  // What was recorded before an unanswered creation is about the object that it made.
  const isOfObject = (one: ObjectFact): boolean => (one.identity ?? identity) === identity && one.how === how;
  const known = [fact, elsewhere?.fact].find((one) => one?.stack === stack && isOfObject(one));
  const objects = [...listCandidates(live), elsewhere?.object];
  return { before: known, seen: (objects.find((object) => object?.identity === identity) as Observed).spec };
}

/** Whether a write is sent; what only the ledger records needs no GUID. */
const isSent = ({ verb }: Write): boolean => verb !== 'record';

const blockOdd = (bound: Bound, { schema }: Kind, message: string, decided?: Decision): Decision =>
  block(bound, schema, { reason: 'answer-odd', message, decided });

/** Adds the number of objects that earlier replacements left behind: the service keeps them for ever. */
function countRetired(decision: Decision | undefined, { objects }: Observation): Decision | undefined {
  if (decision?.action !== 'replace') return decision;
  const { kind, name } = splitAddress(decision.address);
  const { length: count } = (objects.get(kind) as readonly Observed[]).filter((object) => isRetired(object.name, name));
  return count === 0 ? decision : { ...decision, message: `${decision.message} (${count} retired before.)` };
}

/** Maps objects to their retired names, by their names in manifests, even if they still have another name. */
function retiredNames(decisions: readonly (Decision | undefined)[]): ReadonlyMap<Address, string> {
  const names = decisions.flatMap((decision): [Address, string][] => {
    const retire = decision?.writes.find((write) => write.verb === 'retire');
    return decision === undefined || retire === undefined ? [] : [[decision.address, retire.to]];
  });
  return new Map(names);
}

/** Decides what happens to one object; undefined where nothing has to. */
function decideObject(
  bound: Bound,
  kind: Kind,
  can: Capability,
  deciding: Deciding,
  facts: Facts,
): Decision | undefined {
  const { live, manifest, elsewhere, ...present } = bound;
  if (elsewhere !== undefined && elsewhere.fact.stack !== deciding.stack) {
    // What another stack renamed away has nothing to do with this manifest.
    const isUnrelated = elsewhere.knownAs !== undefined;
    if (isUnrelated) return decideObject({ ...present, live, manifest }, kind, can, deciding, facts);
    return blockForeign(bound, kind, elsewhere.fact);
  }
  switch (live.match) {
    case 'none':
      return decideAbsent(bound, kind, can, deciding);
    case 'several':
      return block(bound, kind.schema, {
        reason: 'ambiguous',
        message: ambiguityMessage(manifest, live.objects, kind),
      });
    case 'both':
      return block(bound, kind.schema, { reason: 'ambiguous', message: bothNamesMessage(bound, live.former) });
    case 'name':
    case 'renamed':
    case 'moved':
      if (live.raw.odd !== undefined) return blockOdd(bound, kind, oddMessage('It', live.raw.odd.why));
      return isChecked(kind)
        ? check(bound, live, { kind, can, deciding })
        : decideLive(bound, live, kind, can, deciding, facts);
  }
  return live satisfies never;
}

/** Creates the object, unless one that it was to replace has to get its name back first. */
function decideAbsent(bound: Bound, kind: Kind, can: Capability, deciding: Deciding): Decision {
  const old = findRetired(bound);
  if (old === undefined) return create(bound, kind, can, deciding);
  const { fact, object } = old;
  const standing = { is: 'own', fact } as const;
  const refused = deciding.replace.has(bound.manifest.address) ? undefined : fact.refused;
  const back = refused === undefined ? undefined : renameBack(bound, refused, { kind, can, deciding, standing });
  return back ?? create(withManagedSpec(object, bound, { kind, can, deciding, standing }), kind, can, deciding);
}

/** Returns the manifest with all that it asks of an object that exists. */
function withManagedSpec({ spec }: Observed, bound: Bound, { kind, can, deciding, standing }: ChangeContext): Bound {
  const { ignore = [], manage = deciding.manage } = bound.manifest.metadata;
  const isWhole = manage === 'full' && standing.is === 'own';
  const managed = isWhole ? completeSpec(kind, can, bound.desired, standing.fact) : bound.desired;
  return { ...bound, desired: withoutIgnored(kind.schema, managed, spec, ignore) };
}

function bothNamesMessage({ manifest: { address, metadata } }: Bound, former: Observed): string {
  const who = lastChange(former.audit);
  const what =
    former.name === metadata.renamedFrom
      ? `and the workspace has objects with both names${who}`
      : `which is now named "${former.name}"${who}, and another object is named "${metadata.name}"`;
  return (
    `Its \`renamedFrom\` is "${metadata.renamedFrom}", ${what}. ` +
    `Rename or delete one of them, or remove \`renamedFrom\` if ${address} is the right one.`
  );
}

/** Decides in this order: who owns the object, how it differs, and what that requires. */
function decideLive(
  described: Bound,
  live: Match,
  kind: Kind,
  can: Capability,
  deciding: Deciding,
  facts: Facts,
): Decision | undefined {
  const standing = judgeOwnership(described.fact, live.object, deciding.stack, kind);
  const bound = withManagedSpec(live.object, described, { kind, can, deciding, standing });
  if (standing.is === 'other') return blockForeign(bound, kind, standing);
  // Someone who adopted one of several objects has chosen it.
  if (live.twins !== undefined && bound.fact?.how === 'created') {
    const isKnown = (identity: LiveIdentity): boolean => [...facts.values()].some((fact) => fact.identity === identity);
    return resolveDuplicates(bound, live, live.twins, { kind, can, deciding, isKnown });
  }
  const growing = live.match === 'name' ? kind.grow : undefined;
  if (growing !== undefined && deciding.replace.has(bound.manifest.address)) return blockReplacement(bound, kind);
  const decided =
    growing === undefined
      ? change(bound, live, { kind, can, deciding, standing })
      : grow(bound, growing(bound.desired, live.object), kind.schema, deciding.stack);
  if (standing.is === 'own')
    return (
      takeUnpromoted(bound, kind, deciding, decided) ?? decided ?? recordMissingFact(bound, live, kind.schema, standing)
    );
  // Nobody creates settings, so that the first stack that describes them owns them.
  const adopting = kind.settingsOf === undefined ? deciding : { ...deciding, adopt: 'given' as const };
  return adoptObject(bound, live, { kind, deciding: adopting, standing, decided });
}

/** Decides how a live object becomes what its manifest says; undefined where it is that already. */
function change(bound: Bound, live: Match, changing: ChangeContext): Decision | undefined {
  const difference = computeDifference(bound, live, changing);
  const { inSpec, fixed, protection } = difference;
  const anew = changing.deciding.replace.has(bound.manifest.address);
  if (anew || fixed.length > 0) return replace(bound, live, { ...changing, ...difference });
  if (inSpec.length === 0 && protection.length === 0) return undefined;
  return update(bound, live, { ...changing, ...difference });
}

const blockReplacement = (bound: Bound, { name, schema }: Kind): Decision =>
  block(bound, schema, {
    reason: 'made-once',
    message: `A ${name} is created once; \`--replace\` would consume more numbers.`,
  });

const blockForeign = (bound: Bound, { schema }: Kind, { stack }: Pick<ObjectFact, 'stack'>): Decision =>
  block(bound, schema, {
    reason: 'other-stack',
    message: `It belongs to the stack "${stack}", which created or adopted it. Run \`dexsync forget ${shellWord(bound.manifest.address)}\` in that project first.`,
  });

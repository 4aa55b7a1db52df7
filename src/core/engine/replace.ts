import { type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import { withoutFormer } from '../model/object-fact.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange, Write } from '../model/plan.js';
import type { Reason } from '../model/step-schema.js';
import type { Bound } from './bind.js';
import { createWrites, deadReferenceIn, findRetired, planRenameBack } from './create.js';
import { block, buildFact, type Decision, decisionBase, type Obstacle } from './decision.js';
import type { Match } from './live-under.js';
import { normalForm } from './normal-form.js';
import type { Standing } from './ownership.js';
import { holdsDeadReference } from './references.js';
import { retiredName } from './retired-name.js';
import { overlay } from './spec-after.js';
import {
  type ChangeContext,
  computeDifference,
  type Difference,
  describeUpdate,
  isUpdatable,
  nameChange,
  recordProtection,
  updateWrites,
} from './update.js';

type Replacement = ChangeContext & Difference;

/**
 * Replaces a live object, because of fields that no update changes or because it was asked for. The old object is
 * renamed away before the new one is created, so that a crash in between never leaves two objects with one name.
 */
export function replace(bound: Bound, live: Match, replacement: Replacement): Decision {
  const { kind, can, deciding, fixed, inSpec, protection, standing } = replacement;
  const { manifest, desired } = bound;
  const base = decisionBase(bound, kind.schema, [...inSpec, ...protection]);
  const what = fixed.map(({ path }) => path).join(', ');
  const untold = can.hidden?.filter((field) => !(field in desired)) ?? [];
  if (untold.length > 0) {
    const message = `It would have to be replaced, but the service does not return its ${untold.join(', ')}, which a new object would lack. Do it manually, or add them to the manifest.`;
    return { ...base, action: 'manual', reason: 'not-supported', message, writes: [] };
  }
  if (!can.create || !can.update.includes('name')) {
    return { ...base, action: 'manual', reason: 'not-supported', message: noUpdate(kind, can, what), writes: [] };
  }
  const [reason, why] = causeOf(fixed, what);
  if (protection.length > 0 && manifest.metadata.protect !== true) return unprotect(bound, live, replacement, why);
  const spec = overlay(kind.schema, desired, live.object.spec);
  const obstacle = obstacleTo(bound, live, spec);
  if (obstacle !== undefined) {
    const message = `${why} It would have to be replaced, ${obstacle.message}`;
    return block(bound, kind.schema, { ...obstacle, message, decided: { action: 'replace', fields: inSpec } });
  }
  const to = retiredName(manifest.metadata.name, live.object, live.among);
  const back = planRenameBack(live.object, live.object.name, can);
  const writes = [{ verb: 'retire', to, fields: back.fields } as const, ...createWrites(kind, spec, back)];
  const { identity: _, ...made } = buildFact(bound, 'created', deciding.stack);
  const fact = { ...made, ...(standing.is === 'own' ? { former: withoutFormer(standing.fact) } : {}) };
  return { ...base, action: 'replace', reason, message: `${why} The old object is kept as "${to}".`, writes, fact };
}

/**
 * Gives an own object its name back, after the service refused its successor and the request that was to rename it
 * back, unless the manifest asks for another successor by now.
 */
export function renameBack(bound: Bound, refused: JsonObject, changing: ChangeContext): Decision | undefined {
  const { kind, can } = changing;
  const { object, fact } = findRetired(bound) as NonNullable<Bound['elsewhere']>;
  const live: Match = { match: 'moved', object, raw: object, among: [] };
  const named: Bound = { ...bound, live };
  const isSame = sameJson(normalForm(kind.schema, bound.desired), normalForm(kind.schema, refused));
  const { inSpec, fixed } = computeDifference(named, live, changing);
  if (!isSame && fixed.length > 0) return undefined;
  const fields = isSame ? nameChange(named, live) : inSpec;
  const { name, fields: kept } = planRenameBack(object, bound.manifest.metadata.name, can);
  const rename: Write = { verb: 'update', name, fields: kept, readFirst: 'no' };
  return {
    ...decisionBase(named, kind.schema, fields),
    action: 'rename',
    reason: 'unfinished',
    message: `The service refused to create its successor; this gives "${object.name}" its name back.`,
    writes: isSame ? [rename] : updateWrites(named, object.spec, fields, changing),
    fact: isSame ? withoutFormer(fact) : buildFact(named, fact.how, fact.stack),
  };
}

/** Ends protection in an apply of its own, which also restores the object's name if it has another one. */
function unprotect(bound: Bound, live: Match, replacement: Replacement, why: string): Decision {
  const { kind, can, deciding, inSpec, protection, standing } = replacement;
  const { how, applied } = (standing as Extract<Standing, { is: 'own' }>).fact;
  const fact = { ...buildFact(bound, how, deciding.stack), applied };
  const later = ` ${why} The next plan replaces it.`;
  if (live.match === 'name') {
    return recordProtection({ ...decisionBase(bound, kind.schema, protection), fact }, bound, later);
  }
  const now = inSpec.filter(({ path }) => isUpdatable(path, can));
  const { message, ...action } = describeUpdate(live, now, deciding);
  return {
    ...decisionBase(bound, kind.schema, [...now, ...protection]),
    ...action,
    message: `${message} It is no longer protected.${later}`,
    writes: updateWrites(bound, live.object.spec, now, replacement),
    fact,
  };
}

/** Finds what keeps an object from being replaced, phrased as the end of a sentence. */
function obstacleTo(
  { manifest: { metadata } }: Bound,
  { object, among }: Match,
  spec: JsonObject,
): Obstacle | undefined {
  if (metadata.protect === true) {
    return { reason: 'protected', message: 'but it is protected: set `protect: false` and apply that first.' };
  }
  if (among.some(({ name, identity }) => name === metadata.name && identity !== object.identity)) {
    const message = 'but another object has the same name: rename or delete that one first.';
    return { reason: 'ambiguous', message };
  }
  return deadReferenceIn(spec);
}

function noUpdate(kind: Kind, can: Capability, what: string): string {
  const anew = can.create ? ' Or rename the manifest: a new object is created, and this one stays unchanged.' : '';
  const change = what === '' ? 'replace' : `change ${what} of`;
  return `The service cannot ${change} ${kind.name} objects through its API. Do it manually; the next plan verifies it.${anew}`;
}

function causeOf(fixed: readonly FieldChange[], what: string): [Reason, string] {
  if (fixed.length === 0) return ['asked', 'Requested with `--replace`.'];
  if (fixed.some(({ before }) => holdsDeadReference(before))) {
    return [
      'dead-reference',
      'It refers to a deleted attribute; the present attribute with that name is a different one.',
    ];
  }
  return ['not-updatable', `The service cannot update ${what}.`];
}

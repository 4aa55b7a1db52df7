import type { Json } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange, Reason, Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import { createWrites } from './create.js';
import { block, type Decision, decisionBase, factOf, type Obstacle } from './decision.js';
import type { Match } from './find-live.js';
import { overlay } from './overlay.js';
import type { Standing } from './ownership.js';
import { holdsDeadReference, withoutDeadReferences } from './references.js';
import { retiredName } from './retired-name.js';
import {
  actionOf,
  type Changing,
  type Difference,
  isUpdatable,
  pickUpdatable,
  recordProtection,
  updateWrites,
} from './update.js';

type Replacement = Changing & Difference;

/**
 * Makes a live object anew, for the fields that no update changes or because it was asked for. The old object is renamed
 * away before the new one is made, so that a crash in between leaves no twins.
 */
export function replace(bound: Bound, live: Match, replacement: Replacement): Decision {
  const { kind, can, deciding, fixed, inSpec, protection } = replacement;
  const { manifest, desired } = bound;
  const base = decisionBase(bound, kind.schema, [...inSpec, ...protection]);
  const what = fixed.map(({ path }) => path).join(', ');
  if (can.create === 'no' || !can.update.includes('name')) {
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
  const retire: Write = { verb: 'retire', to, fields: withoutDeadReferences(pickUpdatable(live.object.spec, can)) };
  const writes = [retire, ...createWrites(kind, spec)];
  const { identity: _, ...fact } = factOf(bound, 'created', deciding.stack);
  return { ...base, action: 'replace', reason, message: `${why} The old object is kept as "${to}".`, writes, fact };
}

/** Protection ends with an apply of its own; where the object has another name, it gets its own one with that. */
function unprotect(bound: Bound, live: Match, replacement: Replacement, why: string): Decision {
  const { kind, can, deciding, inSpec, protection, standing } = replacement;
  const { how, applied } = (standing as Extract<Standing, { is: 'own' }>).fact;
  const fact = { ...factOf(bound, how, deciding.stack), applied };
  const later = ` ${why} The next plan replaces it.`;
  if (live.match === 'name') {
    return recordProtection({ ...decisionBase(bound, kind.schema, protection), fact }, bound, later);
  }
  const now = inSpec.filter(({ path }) => isUpdatable(path, can));
  const { message, ...action } = actionOf(live, now, deciding);
  return {
    ...decisionBase(bound, kind.schema, [...now, ...protection]),
    ...action,
    message: `${message} It is no longer protected.${later}`,
    writes: updateWrites(bound, live.object.spec, now, replacement),
    fact,
  };
}

/** What keeps an object from being replaced, as the end of a sentence. */
function obstacleTo({ manifest: { metadata } }: Bound, { object, among }: Match, spec: Json): Obstacle | undefined {
  if (metadata.protect === true) {
    return { reason: 'protected', message: 'but it is protected: set `protect: false` and apply that first.' };
  }
  if (among.some(({ name, identity }) => name === metadata.name && identity !== object.identity)) {
    const message = 'but another object has the same name: rename or delete that one first.';
    return { reason: 'ambiguous', message };
  }
  if (!holdsDeadReference(spec)) return undefined;
  const message = 'but fields that are not in the manifest refer to a deleted object: add them to the manifest.';
  return { reason: 'dead-reference', message };
}

function noUpdate(kind: Kind, can: Capability, what: string): string {
  const anew =
    can.create === 'yes' ? ' Or rename the manifest: a new object is created, and this one stays unchanged.' : '';
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

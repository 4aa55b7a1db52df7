import type { Metadata } from '../model/document.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Capability, Observed } from '../model/observation.js';
import type { FieldChange, Reason } from '../model/plan.js';
import type { Bound } from './bind.js';
import { change } from './change.js';
import { createWrites } from './create-writes.js';
import { blocked, common, type Deciding, type Decision, factOf } from './decision.js';
import { diffSpec, topOf } from './diff.js';
import type { Match } from './find-live.js';
import { grow } from './grow.js';
import { learn } from './learn.js';
import { calledTwice, changedBy, hasTwins } from './messages.js';
import { overlay, withoutIgnored } from './overlay.js';
import { isRetired } from './retired-name.js';
import { standingOf } from './standing.js';
import { takeOver } from './take-over.js';

/** What has to happen to one object; undefined where nothing has to. */
export function decide(bound: Bound, kind: Kind, can: Capability, deciding: Deciding): Decision | undefined {
  const { live, manifest, elsewhere } = bound;
  if (elsewhere !== undefined && elsewhere.fact.stack !== deciding.stack) return ofAnother(bound, kind, elsewhere.fact);
  switch (live.match) {
    case 'none':
      return create(bound, kind, can, deciding);
    case 'several':
      return blocked(bound, kind.schema, { reason: 'ambiguous', message: calledTwice(manifest, live.objects) });
    case 'both':
      return blocked(bound, kind.schema, { reason: 'ambiguous', message: bothNames(bound, live.former) });
    case 'name':
    case 'renamed':
    case 'moved':
      return existing(bound, live, kind, can, deciding);
  }
  return live satisfies never;
}

function bothNames({ manifest: { address, metadata } }: Bound, former: Observed): string {
  return (
    `It says it was renamed from "${metadata.renamedFrom}", and the workspace has both names${changedBy(former.audit)}. ` +
    `Rename or delete one of the two there, or remove "renamedFrom" where ${address} is the one that is meant.`
  );
}

function existing(
  described: Bound,
  live: Match,
  kind: Kind,
  can: Capability,
  deciding: Deciding,
): Decision | undefined {
  const { ignore = [] } = described.manifest.metadata;
  const desired = withoutIgnored(kind.schema, described.desired, live.object.spec, ignore);
  const bound = { ...described, desired };
  const standing = standingOf(bound.fact, live.object, deciding.stack, kind);
  if (standing.is === 'other') return ofAnother(bound, kind, standing);
  // Whoever adopted one of several has chosen it.
  if (live.twins !== undefined && bound.fact?.how === 'created') {
    const message = hasTwins(bound.manifest, [live.raw, ...live.twins]);
    return blocked(bound, kind.schema, { reason: 'twin', message });
  }
  const growing = live.match === 'name' ? kind.grow : undefined;
  if (growing !== undefined && deciding.replace.has(bound.manifest.address)) return notMadeAnew(bound, kind);
  const decided =
    growing === undefined
      ? change(bound, live, { kind, can, deciding, standing })
      : grow(bound, growing(bound.desired, live.object), kind.schema, deciding.stack);
  if (standing.is === 'own') return decided ?? learn(bound, live, kind.schema, standing);
  return takeOver(bound, live, { kind, deciding, standing, decided });
}

const notMadeAnew = (bound: Bound, { name, schema }: Kind): Decision =>
  blocked(bound, schema, {
    reason: 'made-once',
    message: `A ${name} is made once; --replace would consume more numbers.`,
  });

const ofAnother = (bound: Bound, { schema }: Kind, { stack }: Pick<ObjectFact, 'stack'>): Decision =>
  blocked(bound, schema, {
    reason: 'other-stack',
    message: `It belongs to the stack "${stack}", which created or adopted it. \`dexsync forget ${JSON.stringify(bound.manifest.address)}\` there gives it up.`,
  });

function create(bound: Bound, kind: Kind, can: Capability, { stack }: Deciding): Decision {
  const { desired, manifest } = bound;
  const fields = diffSpec(kind.schema, desired, {});
  if (can.list === 'no') {
    const message = `The service does not tell which ${kind.name} objects there are, so this cannot be verified. Compare it by hand.`;
    return byHand(bound, kind, fields, 'not-verifiable', message);
  }
  if (can.create === 'no') {
    const message = `The service offers no way to create ${kind.name} objects; create it by hand. The next plan verifies it.`;
    return byHand(bound, kind, fields, 'not-supported', message);
  }
  const isOurs = bound.fact?.stack === stack && bound.fact.identity !== undefined;
  const writes = createWrites(kind, overlay(kind.schema, desired, {}));
  return {
    ...common(bound, kind.schema, fields),
    action: 'create',
    ...(isOurs ? lost(bound) : { reason: 'absent', message: absentMessage(manifest.metadata) }),
    writes,
    fact: factOf(bound, 'created', stack),
  };
}

/** Why an object that this stack had is made again. */
function lost({ elsewhere, manifest: { metadata } }: Bound): Pick<Decision, 'reason' | 'message'> {
  if (elsewhere !== undefined && isRetired(elsewhere.object.name, metadata.name)) {
    const message = `An apply that was cut off has renamed the old one to "${elsewhere.object.name}"; this makes the new one.`;
    return { reason: 'unfinished', message };
  }
  return { reason: 'gone', message: 'Somebody deleted it since it was last applied; it is made anew.' };
}

const absentMessage = ({ renamedFrom }: Metadata): string =>
  renamedFrom === undefined
    ? 'Not in the workspace yet.'
    : `Not in the workspace, and neither is "${renamedFrom}", from which it says it was renamed.`;

/** A person enters every value, those too that the service would fill in. */
function byHand(bound: Bound, kind: Kind, fields: readonly FieldChange[], reason: Reason, message: string): Decision {
  const told = new Set(fields.map(({ path }) => topOf(path)));
  const defaults = Object.entries(bound.desired).filter(([field, value]) => value !== null && !told.has(field));
  const all = [...fields, ...defaults.map(([path, after]) => ({ path, after }))];
  return { ...common(bound, kind.schema, all), action: 'manual', reason, message, writes: [] };
}

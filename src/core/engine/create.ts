import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import type { Metadata } from '../model/document.js';
import type { JsonObject } from '../model/json.js';
import type { Growth, Kind } from '../model/kind.js';
import { type ObjectFact, withoutFormer } from '../model/object-fact.js';
import type { Capability, Observed } from '../model/observation.js';
import type { FieldChange, RenameBack, Write } from '../model/plan.js';
import type { Reason } from '../model/step-schema.js';
import type { Bound } from './bind.js';
import { newChildren } from './child-writes.js';
import { block, buildFact, type Deciding, type Decision, decisionBase, lastChange, type Obstacle } from './decision.js';
import { diffSpec, topField } from './diff.js';
import { holdsDeadReference, withoutDeadReferences } from './references.js';
import { hasRetiredName, isRetired } from './retired-name.js';
import { overlay } from './spec-after.js';
import { pickUpdatable } from './update.js';

/** Decides how a missing object is created: by one request and one for each of its children, or manually. */
export function create(bound: Bound, kind: Kind, can: Capability, { stack, ...deciding }: Deciding): Decision {
  const { desired, manifest } = bound;
  const fields = diffSpec(kind.schema, desired, {});
  if (!can.list) {
    const message = `The service does not list ${kind.name} objects, so dexsync cannot know whether it exists. Create it manually, or compare it if it exists, then run \`dexsync acknowledge ${shellWord(manifest.address)} --reason TEXT\`.`;
    return createManually(bound, kind, fields, 'not-verifiable', message);
  }
  if (kind.settingsOf !== undefined) {
    const message = `The workspace has no object with the ${kind.settingsOf.nameIn} "${manifest.metadata.name}", whose settings these are. Once it exists, the next plan sets them.`;
    return createManually(bound, kind, fields, 'not-supported', message);
  }
  if (!can.create) {
    const message = `The service cannot create ${kind.name} objects through its API. Create it manually; the next plan verifies it.`;
    return createManually(bound, kind, fields, 'not-supported', message);
  }
  const untold = deciding.untold?.(kind.name).filter((field) => !(field in desired)) ?? [];
  if (untold.length > 0) {
    const message = `The service of ${deciding.asking} does not return its ${untold.join(', ')}. Create it manually with what it has there; the next plan compares the rest.`;
    return createManually(bound, kind, fields, 'not-supported', message);
  }
  const { renamedFrom } = manifest.metadata;
  const wasOurs = isOwnFact(bound.fact ?? bound.elsewhere?.fact, stack);
  const replaced = wasOurs ? findRetired(bound) : undefined;
  const back = replaced === undefined ? undefined : planRenameBack(replaced.object, manifest.metadata.name, can);
  const spec = overlay(kind.schema, desired, replaced?.object.spec ?? {});
  const writes = createWrites(kind, spec, back);
  const obstacle = deadReferenceIn(spec);
  if (replaced !== undefined && obstacle !== undefined) {
    const message = `An interrupted apply renamed the old object to "${replaced.object.name}". A new one has to be created, ${obstacle.message}`;
    return block(bound, kind.schema, { ...obstacle, message, decided: { action: 'create', fields } });
  }
  return {
    ...decisionBase(bound, kind.schema, fields),
    action: 'create',
    ...omitUndefined({ formerly: replaced?.formerly }),
    ...(wasOurs ? whyAgain(bound) : { reason: 'absent', message: absentMessage(manifest.metadata) }),
    ...(wasOurs || renamedFrom === undefined ? {} : { renamedFrom }),
    writes,
    fact: {
      ...buildFact(bound, 'created', stack),
      ...(replaced === undefined ? {} : { former: withoutFormer(replaced.fact) }),
    },
  };
}

const isOwnFact = (fact: ObjectFact | undefined, stack: string): boolean =>
  fact?.stack === stack && fact.identity !== undefined;

/** Finds an object of this stack that a replacement renamed away and that has no successor. */
export const findRetired = ({ elsewhere, manifest: { metadata } }: Bound): Bound['elsewhere'] =>
  elsewhere !== undefined && isRetired(elsewhere.object.name, metadata.name) ? elsewhere : undefined;

/** Reports fields that no manifest names and that refer to a deleted object: such a spec is not sent. */
export function deadReferenceIn(spec: JsonObject): Obstacle | undefined {
  if (!holdsDeadReference(spec)) return undefined;
  const message = 'but fields that are not in the manifest refer to a deleted object: add them to the manifest.';
  return { reason: 'dead-reference', message };
}

/** Returns the rename to send if the service refuses an object's successor, with the values that it has to carry. */
export const planRenameBack = ({ identity, spec }: Observed, name: string, can: Capability): RenameBack => ({
  identity,
  name,
  fields: withoutDeadReferences(pickUpdatable(spec, can)),
});

/** Explains why an object that this stack had is created again. */
function whyAgain(bound: Bound): Pick<Decision, 'reason' | 'message'> {
  const { elsewhere } = bound;
  if (elsewhere === undefined)
    return { reason: 'gone', message: 'Someone deleted it after the last apply; it is created again.' };
  const { name } = elsewhere.object;
  if (hasRetiredName(name)) {
    const message = `An interrupted apply renamed the old object to "${name}"; this step creates the new one.`;
    return { reason: 'unfinished', message };
  }
  const message = `Someone renamed it to "${name}"${lastChange(elsewhere.object.audit)}, the name in another manifest, to which it belongs now; this step creates a new one.`;
  return { reason: 'renamed-outside', message };
}

const absentMessage = ({ renamedFrom }: Metadata): string =>
  renamedFrom === undefined
    ? 'Not in the workspace yet.'
    : `Not in the workspace, and neither is "${renamedFrom}", the name in its \`renamedFrom\`.`;

/** Asks a person to create an object: lists every value, including those that the service would fill in. */
function createManually(
  bound: Bound,
  { schema }: Kind,
  fields: readonly FieldChange[],
  reason: Reason,
  message: string,
): Decision {
  const differing = new Set(fields.map(({ path }) => topField(path)));
  const defaults = Object.entries(bound.desired).filter(([field, value]) => value !== null && !differing.has(field));
  const all = [...fields, ...defaults.map(([path, after]) => ({ path, after }))];
  return { ...decisionBase(bound, schema, all), action: 'manual', reason, message, writes: [] };
}

/** Returns the writes of a creation: the object first, then its children one by one. */
export function createWrites(kind: Kind, spec: JsonObject, back?: RenameBack): Write[] {
  const own = Object.fromEntries(Object.entries(spec).filter(([field]) => !(field in kind.children)));
  return [{ verb: 'create', spec: own, ...omitUndefined({ back }) }, ...newChildren(kind, spec)];
}

/** Decides about an object of a kind that is created once: it grows by further objects, never shrinks or changes. */
export function grow(bound: Bound, growth: Growth, schema: object, stack: string): Decision | undefined {
  switch (growth.is) {
    case 'enough':
      return undefined;
    case 'refused':
      return block(bound, schema, { reason: 'made-once', message: growth.message });
    case 'more': {
      const { name, spec, fields } = growth;
      const message = `The manifest needs more numbers than are reserved; the missing numbers are reserved as "${name}".`;
      const writes: Write[] = [{ verb: 'create', spec, name }];
      const fact = buildFact(bound, bound.fact?.how ?? 'created', stack);
      return { ...decisionBase(bound, schema, fields), action: 'create', reason: 'grown', message, writes, fact };
    }
  }
  return growth satisfies never;
}

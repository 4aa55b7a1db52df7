import { type JsonObject, textsIn } from '../model/json.js';
import { isDeadReference, type Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange, Reason, Write } from '../model/plan.js';
import type { Bound, Match } from './bind.js';
import { blocked, common, type Decision } from './decision.js';
import { diffSpec } from './diff.js';
import { grow } from './grow.js';
import { fingerprint } from './normal-form.js';
import { overlay } from './overlay.js';

const ABSENT = 'absent';

/** What has to happen to one object; undefined where nothing has to. */
export function decide(bound: Bound, kind: Kind, can: Capability): Decision | undefined {
  const { live } = bound;
  switch (live.match) {
    case 'none':
      return create(bound, kind, can);
    case 'several':
      return blocked(
        bound,
        'ambiguous',
        severalMessage(
          bound,
          live.objects.map(({ number }) => number),
        ),
        ABSENT,
      );
    case 'name':
    case 'renamed':
      return change(bound, kind, can, live);
  }
  return live satisfies never;
}

function create(bound: Bound, kind: Kind, can: Capability): Decision {
  const { desired } = bound;
  const fields = diffSpec(kind.schema, desired, {});
  if (can.list === 'no') {
    const message = `The service does not tell which ${kind.name} objects there are, so this cannot be verified. Compare it by hand.`;
    return byHand(bound, fields, 'not-verifiable', message);
  }
  if (can.create === 'no') {
    const message = `The service offers no way to create ${kind.name} objects; create it by hand. The next plan verifies it.`;
    return byHand(bound, fields, 'not-supported', message);
  }
  const base = common(bound, fields, ABSENT);
  const writes = createWrites(kind, overlay(kind.schema, desired, {}));
  return { ...base, action: 'create', reason: 'absent', message: 'Not in the workspace yet.', writes };
}

/** A person enters every value, those too that the service would fill in. */
function byHand(bound: Bound, fields: readonly FieldChange[], reason: Reason, message: string): Decision {
  const told = new Set(fields.map(({ path }) => topOf(path)));
  const defaults = Object.entries(bound.desired).filter(([field, value]) => value !== null && !told.has(field));
  const all = [...fields, ...defaults.map(([path, after]) => ({ path, after }))];
  return { ...common(bound, all, ABSENT), action: 'manual', reason, message, writes: [] };
}

function createWrites(kind: Kind, spec: JsonObject): Write[] {
  const own = Object.fromEntries(Object.entries(spec).filter(([field]) => !(field in kind.children)));
  const children = Object.keys(kind.children).flatMap((field) =>
    textsIn(spec[field]).map((name): Write => ({ verb: 'addChild', field, name })),
  );
  return [{ verb: 'create', spec: own }, ...children];
}

function change(bound: Bound, kind: Kind, can: Capability, live: Match): Decision | undefined {
  const { manifest, desired } = bound;
  const observed = live.object.spec;
  if (kind.grow !== undefined && live.match === 'name') return grow(bound, live, kind.grow(desired, live.object));
  const differing = diffSpec(kind.schema, told(desired, can), observed);
  const renaming: FieldChange[] =
    live.match === 'renamed' ? [{ path: 'name', before: live.object.name, after: manifest.metadata.name }] : [];
  const fields = [...renaming, ...differing];
  if (fields.length === 0) return undefined;
  const fixed = fields.filter(({ path }) => ![...can.update, ...(can.children ?? [])].includes(topOf(path)));
  const base = {
    ...common(bound, fields, fingerprint(kind.schema, observed)),
    ...(live.match === 'renamed' ? { liveName: live.object.name } : {}),
  };
  if (fixed.length > 0) return replace({ ...base, live, fixed }, bound, kind, can);
  const writes = updateWrites(bound, kind, can, { fields, observed });
  return live.match === 'renamed'
    ? { ...base, action: 'rename', reason: 'renamed', message: `Renamed from "${live.object.name}".`, writes }
    : { ...base, action: 'update', reason: 'differs', message: `${differs(fields)} from the manifest.`, writes };
}

/** What the service keeps to itself is left out of the comparison: it would differ for ever. */
const told = (desired: JsonObject, { hidden = [] }: Capability): JsonObject =>
  hidden.length === 0
    ? desired
    : Object.fromEntries(Object.entries(desired).filter(([field]) => !hidden.includes(field)));

interface Changed {
  readonly fields: readonly FieldChange[];
  readonly observed: JsonObject;
}

function updateWrites(
  { manifest, desired }: Bound,
  kind: Kind,
  can: Capability,
  { fields, observed }: Changed,
): Write[] {
  const own = fields.filter(({ path }) => !(topOf(path) in kind.children));
  const children = fields.filter(({ path }) => topOf(path) in kind.children);
  const added = children.flatMap(({ path, after }) => child('addChild', path, after));
  const removed = children.flatMap(({ path, before }) => child('removeChild', path, before));
  if (own.length === 0) return [...added, ...removed];
  return [update(manifest.metadata.name, desired, can, observed), ...added, ...removed];
}

/** Values that the manifest does not name travel too where the service would otherwise reset them. */
function update(name: string, desired: JsonObject, can: Capability, observed: JsonObject): Write {
  const unnamed = can.update.filter((field) => !(field in desired) && observed[field] !== undefined);
  const readFirst = can.updateBody === 'full' && unnamed.length > 0 ? 'yes' : 'no';
  return { verb: 'update', name, fields: pick(desired, can.update), readFirst };
}

interface Replacement extends Omit<Decision, 'action' | 'reason' | 'message' | 'writes'> {
  readonly live: Match;
  readonly fixed: readonly FieldChange[];
}

/** The old object is renamed away before the new one is made, so that a crash in between leaves no twins. */
function replace({ live, fixed, ...base }: Replacement, bound: Bound, kind: Kind, can: Capability): Decision {
  const { manifest, desired } = bound;
  const what = fixed.map(({ path }) => path).join(', ');
  if (can.create === 'no' || !can.update.includes('name')) {
    return { ...base, action: 'manual', reason: 'not-supported', message: noUpdate(kind, can, what), writes: [] };
  }
  if (manifest.metadata.protect === true) {
    const message = `${what} cannot be updated, only replaced, and the manifest says "protect: true".`;
    return { ...base, action: 'blocked', reason: 'protected', message, writes: [] };
  }
  const to = `${manifest.metadata.name} ~retired #${live.object.number ?? 0}`;
  const observed = live.object.spec;
  const retire: Write = { verb: 'retire', to, fields: pick(observed, can.update) };
  const writes = [retire, ...createWrites(kind, overlay(kind.schema, desired, observed))];
  const [reason, why] = causeOf(fixed, what);
  return { ...base, action: 'replace', reason, message: `${why} The old one stays as "${to}".`, writes };
}

function noUpdate(kind: Kind, can: Capability, what: string): string {
  const anew =
    can.create === 'yes' ? ' Or give the manifest another name: a new one is made, and this one stays as it is.' : '';
  return `The service offers no way to change ${what} of ${kind.name} objects; change it by hand. The next plan verifies it.${anew}`;
}

function causeOf(fixed: readonly FieldChange[], what: string): [Reason, string] {
  if (fixed.some(({ before }) => holdsDeadReference(before))) {
    return ['dead-reference', 'It refers to an attribute that was deleted; the one of that name has a new identity.'];
  }
  return ['not-updatable', `The service takes no update of ${what}.`];
}

const holdsDeadReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsDeadReference) : isDeadReference(value);

function severalMessage({ manifest }: Bound, numbers: readonly (number | undefined)[]): string {
  const called = numbers.every((number) => number !== undefined) ? ` (#${numbers.join(', #')})` : '';
  return `${numbers.length} objects of the workspace are called "${manifest.metadata.name}"${called}; rename all but one.`;
}

const topOf = (path: string): string => path.replace(/[.[].*$/s, '');

const pick = (spec: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => fields.includes(field)));

const child = (verb: 'addChild' | 'removeChild', path: string, name: unknown): Write[] =>
  typeof name === 'string' ? [{ verb, field: topOf(path), name }] : [];

const differs = (fields: readonly FieldChange[]): string =>
  fields.length === 1 ? `${fields[0]?.path} differs` : `${fields.length} fields differ`;

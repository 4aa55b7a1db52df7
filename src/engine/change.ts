import type { JsonObject } from '../model/json.js';
import { isDeadReference, type Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange, Reason, Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import { withCauses } from './causes.js';
import { createWrites } from './create-writes.js';
import { common, type Deciding, type Decision, factOf } from './decision.js';
import { diffSpec } from './diff.js';
import type { Match } from './live.js';
import { changedBy } from './messages.js';
import { overlay } from './overlay.js';
import type { Standing } from './standing.js';

export interface Changing {
  readonly kind: Kind;
  readonly can: Capability;
  readonly deciding: Deciding;
  readonly standing: Standing;
}

/** How a live object becomes what its manifest says; undefined where it is. */
export function change(bound: Bound, live: Match, changing: Changing): Decision | undefined {
  const { kind, can, deciding } = changing;
  const protection = protectionChange(bound, changing);
  const inSpec = fieldsOf(bound, live, changing);
  const anew = deciding.replace.has(bound.manifest.address);
  const fixed = inSpec.filter(({ path }) => !canUpdate(can).includes(topOf(path)));
  if (anew || fixed.length > 0) return replace(bound, live, { ...changing, fixed, inSpec, protection });
  const fields = [...inSpec, ...protection];
  if (fields.length === 0) return undefined;
  const base = { ...common(bound, kind.schema, fields), fact: factOf(bound, howOf(changing), deciding.stack) };
  if (inSpec.length === 0) return protectionOnly(base, bound);
  return { ...base, ...named(live, inSpec), writes: updateWrites(bound, live.object.spec, inSpec, changing) };
}

const howOf = ({ standing }: Changing): 'created' | 'adopted' =>
  standing.is === 'own' ? standing.fact.how : 'adopted';

const canUpdate = ({ update, children = [] }: Capability): readonly string[] => [...update, ...children];

function fieldsOf({ manifest, desired }: Bound, live: Match, { kind, can, standing }: Changing): FieldChange[] {
  const observed = live.object.spec;
  const wanted = told(desired, can);
  const differing = diffSpec(kind.schema, wanted, observed);
  const caused =
    standing.is === 'own' && differing.length > 0
      ? withCauses(kind.schema, differing, { desired: wanted, applied: told(standing.fact.applied, can), observed })
      : differing;
  if (live.match === 'name') return caused;
  const cause = live.match === 'moved' ? ({ cause: 'drift' } as const) : {};
  return [{ path: 'name', before: live.object.name, after: manifest.metadata.name, ...cause }, ...caused];
}

/** What the service keeps to itself is left out of the comparison: it would differ for ever. */
const told = (spec: JsonObject, { hidden = [] }: Capability): JsonObject =>
  hidden.length === 0 ? spec : Object.fromEntries(Object.entries(spec).filter(([field]) => !hidden.includes(field)));

/** Protection stands in the ledger too, and goes on until an apply ends it. */
function protectionChange({ manifest }: Bound, { standing }: Changing): FieldChange[] {
  const after = manifest.metadata.protect ?? false;
  const before = standing.is === 'own' ? standing.fact.protect : after;
  return before === after ? [] : [{ path: 'metadata.protect', before, after, cause: 'asked' }];
}

type Base = ReturnType<typeof common> & Pick<Decision, 'fact'>;

function protectionOnly(base: Base, { manifest }: Bound, besides = ''): Decision {
  const what = manifest.metadata.protect === true ? 'It is protected from now on' : 'It is protected no longer';
  const message = `${what}; nothing is sent.${besides}`;
  return { ...base, action: 'update', reason: 'protection', message, writes: [{ verb: 'record' }] };
}

function named(
  { match, object }: Match,
  fields: readonly FieldChange[],
): Pick<Decision, 'action' | 'reason' | 'message'> {
  switch (match) {
    case 'name':
      return { action: 'update', reason: 'differs', message: `${differs(fields)} from the manifest.` };
    case 'renamed':
      return { action: 'rename', reason: 'renamed', message: `Renamed from "${object.name}".` };
    case 'moved': {
      const message = `Somebody renamed it to "${object.name}"${changedBy(object.audit)}; it gets its name back.`;
      return { action: 'rename', reason: 'renamed-outside', message };
    }
  }
  return match satisfies never;
}

const differs = (fields: readonly FieldChange[]): string =>
  fields.length === 1 ? `${fields[0]?.path} differs` : `${fields.length} fields differ`;

function updateWrites(
  { manifest, desired }: Bound,
  observed: JsonObject,
  fields: readonly FieldChange[],
  { kind, can }: Changing,
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

interface Replacement extends Changing {
  /** The fields for which it is replaced; none where it was asked for. */
  readonly fixed: readonly FieldChange[];
  readonly inSpec: readonly FieldChange[];
  readonly protection: readonly FieldChange[];
}

/** The old object is renamed away before the new one is made, so that a crash in between leaves no twins. */
function replace(bound: Bound, live: Match, replacement: Replacement): Decision {
  const { kind, can, deciding, fixed, inSpec, protection, standing } = replacement;
  const { manifest, desired } = bound;
  const base = common(bound, kind.schema, [...inSpec, ...protection]);
  const what = fixed.map(({ path }) => path).join(', ');
  if (can.create === 'no' || !can.update.includes('name')) {
    return { ...base, action: 'manual', reason: 'not-supported', message: noUpdate(kind, can, what), writes: [] };
  }
  const [reason, why] = causeOf(fixed, what);
  const isProtected = standing.is === 'own' && standing.fact.protect;
  if (isProtected && manifest.metadata.protect !== true) {
    const fact = { ...factOf(bound, standing.fact.how, deciding.stack), applied: standing.fact.applied };
    const later = ` ${why} The plan after this one replaces it.`;
    return protectionOnly({ ...common(bound, kind.schema, protection), fact }, bound, later);
  }
  if (isProtected || manifest.metadata.protect === true) {
    const message = `${why} It would have to be replaced, and it is protected: "protect: false" and an apply end that.`;
    return { ...base, fields: inSpec, action: 'blocked', reason: 'protected', message, writes: [], wanted: 'replace' };
  }
  const { object } = live;
  const to = `${manifest.metadata.name} ~retired #${object.number ?? 0}`;
  const retire: Write = { verb: 'retire', to, fields: pick(object.spec, can.update) };
  const writes = [retire, ...createWrites(kind, overlay(kind.schema, desired, object.spec))];
  const { identity: _, ...fact } = factOf(bound, 'created', deciding.stack);
  return { ...base, action: 'replace', reason, message: `${why} The old one stays as "${to}".`, writes, fact };
}

function noUpdate(kind: Kind, can: Capability, what: string): string {
  const anew =
    can.create === 'yes' ? ' Or give the manifest another name: a new one is made, and this one stays as it is.' : '';
  const change = what === '' ? 'replace' : `change ${what} of`;
  return `The service offers no way to ${change} ${kind.name} objects; do it by hand. The next plan verifies it.${anew}`;
}

function causeOf(fixed: readonly FieldChange[], what: string): [Reason, string] {
  if (fixed.length === 0) return ['asked', '--replace asks for it.'];
  if (fixed.some(({ before }) => holdsDeadReference(before))) {
    return ['dead-reference', 'It refers to an attribute that was deleted; the one of that name has a new identity.'];
  }
  return ['not-updatable', `The service takes no update of ${what}.`];
}

const holdsDeadReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsDeadReference) : isDeadReference(value);

const topOf = (path: string): string => path.replace(/[.[].*$/s, '');

const pick = (spec: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => fields.includes(field)));

const child = (verb: 'addChild' | 'removeChild', path: string, name: unknown): Write[] =>
  typeof name === 'string' ? [{ verb, field: topOf(path), name }] : [];

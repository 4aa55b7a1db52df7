import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange, Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import type { common, Deciding, Decision } from './decision.js';
import { topOf } from './diff.js';
import type { Match } from './find-live.js';
import { changedBy } from './messages.js';
import type { Standing } from './standing.js';

export interface Changing {
  readonly kind: Kind;
  readonly can: Capability;
  readonly deciding: Deciding;
  readonly standing: Standing;
}

export const canUpdate = ({ update, children = [] }: Capability): readonly string[] => [...update, ...children];

export type Base = ReturnType<typeof common> & Pick<Decision, 'fact'>;

export function protectionOnly(base: Base, { manifest }: Bound, besides = ''): Decision {
  const what = manifest.metadata.protect === true ? 'It is protected from now on' : 'It is protected no longer';
  const message = `${what}; nothing is sent.${besides}`;
  return { ...base, action: 'update', reason: 'protection', message, writes: [{ verb: 'record' }] };
}

export function named(
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

export function updateWrites(
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

export const pick = (spec: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => fields.includes(field)));

const child = (verb: 'addChild' | 'removeChild', path: string, name: unknown): Write[] =>
  typeof name === 'string' ? [{ verb, field: topOf(path), name }] : [];

import { type Address, splitAddress } from '../model/address.js';
import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import { isUnanswered, type ObjectFact } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import { diffSpec } from './diff.js';
import { baseOf, pick } from './field-base.js';
import type { Facts } from './find-live.js';
import { liveIndex } from './live-index.js';

/**
 * Settles facts whose write has no recorded outcome, by what the workspace shows. Replacement: while the old object has
 * the name, or no object has it, the old one is still ours. Update: a field with the value that was sent was written;
 * of the other fields, the earlier record counts.
 */
export function settleUnansweredWrites(
  facts: Facts,
  observation: Pick<Observation, 'objects'>,
  kindNamed: (name: string) => Kind,
): Facts {
  const open = [...facts].filter(([, { former }]) => former !== undefined);
  if (open.length === 0) return facts;
  const index = liveIndex(observation);
  const settled = open.flatMap(([address, fact]): [Address, ObjectFact][] => {
    const { kind, name } = splitAddress(address);
    const former = fact.former as Known;
    const old = index.withIdentity(kind, former.identity);
    if (isUnanswered(fact))
      return [[address, old === undefined ? fact : settleUpdate(fact, former, old, kindNamed(kind))]];
    const named = index.named(kind, name);
    return old !== undefined && (named.length === 0 || named.includes(old)) ? [[address, former]] : [];
  });
  return new Map([...facts, ...settled]);
}

type Known = NonNullable<ObjectFact['former']>;

/** Keeps `former`, so that the next apply records what was found. */
function settleUpdate(
  sent: ObjectFact,
  former: Known,
  { spec }: Pick<Observed, 'spec'>,
  { schema, children }: Kind,
): ObjectFact {
  const base = baseOf(schema, sent);
  const written = new Set(
    Object.entries(base).flatMap(([field, value]) => {
      const isRead = field in spec || !(field in children);
      return isRead && diffSpec(schema, { [field]: value }, spec).length === 0 ? field : [];
    }),
  );
  const partOf = (part: 'applied' | 'observed'): JsonObject => ({
    ...pick(former[part] ?? {}, (field) => !written.has(field)),
    ...pick(sent[part] ?? {}, (field) => written.has(field)),
  });
  return { ...sent, protect: former.protect, applied: partOf('applied'), observed: partOf('observed') };
}

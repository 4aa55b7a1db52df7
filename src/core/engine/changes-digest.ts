import type { Address } from '../model/address.js';
import type { JsonObject } from '../model/json.js';
import type { FieldChange, Plan, Step, Write } from '../model/plan.js';
import { topField } from './diff.js';
import { digest } from './normal-form.js';

/** What a plan changes, and the findings of guards about it. */
export type Changes = Pick<Plan, 'steps' | 'guards'>;

/**
 * Digests changes: plans are equal if their digests are. Covers each step's address, action, values, writes, consent,
 * rows and guard findings; not the workspace, identities, runs, positions, provenance and price.
 */
export const digestOfChanges = (changes: Changes): string => digest(Object.fromEntries(digestChanges(changes)));

/** Digests each step, so that a comparison of two plans can name the steps that differ. */
export function digestChanges({ steps, guards }: Changes): ReadonlyMap<Address, string> {
  const said = new Map<Address, string[]>();
  for (const { guard, severity, rule = '', addresses } of guards) {
    // The number of requests belongs to the price, which is not compared.
    if (guard === 'max-requests') continue;
    for (const address of addresses) said.set(address, [...(said.get(address) ?? []), `${guard} ${severity} ${rule}`]);
  }
  return new Map(
    steps.map((step) => [step.address, digest({ ...changeOf(step), guards: (said.get(step.address) ?? []).sort() })]),
  );
}

/** Describes the change of a step; absent values are left out. */
const changeOf = ({ action, wanted, fields, writes, consent, preview }: Step): JsonObject =>
  plain({
    action,
    wanted,
    fields: fields.map(valuesOf),
    writes: writes.map((write) => sent(write, fields)),
    consent,
    rows: preview?.digest,
  });

const valuesOf = ({ path, before, after }: FieldChange) => ({ path, before, after });

/** Reduces a full update to what changes: other values stay, and someone else may have changed them since. */
function sent(write: Write, changed: readonly FieldChange[]): object {
  switch (write.verb) {
    case 'create':
      return { ...write, back: write.back?.name };
    case 'update': {
      const tops = new Set(changed.map(({ path }) => topField(path)));
      const fields = Object.entries(write.fields).filter(([field]) => tops.has(field));
      return { verb: write.verb, name: write.name, fields: Object.fromEntries(fields) };
    }
    case 'retire':
      return { verb: write.verb, to: write.to };
    case 'import': {
      const { spec, only, content } = write.request;
      return { verb: write.verb, key: write.key, done: write.done, spec, only, content };
    }
    default:
      return write;
  }
}

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

import type { Address } from '../model/address.js';
import type { JsonObject } from '../model/json.js';
import type { FieldChange, Plan, Step, Write } from '../model/plan.js';
import { topOf } from './diff.js';
import { digest } from './normal-form.js';

/** What a plan changes, and what guards say of it. */
export type Changes = Pick<Plan, 'steps' | 'guards'>;

/**
 * The digest of changes: two plans are equal when theirs are. It is that of each step's address, action, values before and after,
 * writes, consent and rows, with the guards that speak of it; not of the workspace, identities, runs, positions, provenance and price.
 */
export const digestOfChanges = (changes: Changes): string => digest(Object.fromEntries(changesOf(changes)));

/** The same step by step, so that whoever compares two plans can name the steps that differ. */
export function changesOf({ steps, guards }: Changes): ReadonlyMap<Address, string> {
  const said = new Map<Address, string[]>();
  for (const { guard, severity, rule = '', addresses } of guards) {
    // How many requests an apply takes is its price.
    if (guard === 'max-requests') continue;
    for (const address of addresses) said.set(address, [...(said.get(address) ?? []), `${guard} ${severity} ${rule}`]);
  }
  return new Map(
    steps.map((step) => [step.address, digest({ ...changeOf(step), guards: (said.get(step.address) ?? []).sort() })]),
  );
}

/** What is left out where it is absent. */
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

/** Of a full update only what changes: the rest is as it was, and may have been changed by another since. */
function sent(write: Write, changed: readonly FieldChange[]): object {
  switch (write.verb) {
    case 'create':
      return { ...write, back: write.back?.name };
    case 'update': {
      const tops = new Set(changed.map(({ path }) => topOf(path)));
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

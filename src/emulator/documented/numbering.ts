import type { WriteRequest } from '../family/field.js';
import { selectRecords, updateRecord } from '../family/records.js';
import { refusal } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { familyAt } from './registry.js';

/** A sequence of numbers, each with one of its prefixes; some collections have one sequence for each prefix. */
interface Sequence {
  readonly guid: string;
  readonly fields: {
    readonly prefixes?: readonly { readonly value: string }[];
    readonly value?: string;
    readonly nextValue: string;
    readonly [name: string]: unknown;
  };
}

/**
 * Takes the next number of a collection: that of the sequence with the prefix that a request gives, or of the first one.
 * `settings` is the path of its sequences; `unknown` is the code for a prefix that none has (wire-facts 8).
 */
export function nextNumber({ workspace, body }: WriteRequest, settings: string, unknown: number): string {
  const sequences = selectRecords(workspace.settings, familyAt(settings)) as unknown as readonly Sequence[];
  const { value: asked } = (body.numberSequencePrefix ?? {}) as { readonly value?: string };
  const prefix = asked ?? prefixesOf(sequences[0])[0];
  const sequence = sequences.find((one) => prefixesOf(one).includes(prefix ?? ''));
  if (sequence === undefined) {
    throw refusal(unknown, `No sequence has the prefix "${prefix}".`);
  }
  return advance(workspace, settings, sequence, prefix ?? '');
}

const prefixesOf = (sequence: Sequence | undefined): string[] =>
  (sequence?.fields.prefixes ?? [{ value: sequence?.fields.value ?? '' }]).map(({ value }) => value);

function advance({ settings }: Workspace, path: string, sequence: Sequence, prefix: string): string {
  const { nextValue } = sequence.fields;
  const following = String(Number(nextValue) + 1).padStart(nextValue.length, '0');
  const fields = { ...sequence.fields, lastUsed: nextValue, nextValue: following };
  updateRecord(settings, familyAt(path), { ...sequence, fields } as Sequence, sequence);
  return `${prefix}${nextValue}`;
}

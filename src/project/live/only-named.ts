import { DexsyncError } from '#base/errors.js';
import { notInWorkspace } from './not-in-workspace.js';

/** What is looked for among live objects, and what it is called in messages. */
export interface WantedObject {
  readonly address: string;
  readonly name: string;
  /** The service's number of the object, where several share the name. */
  readonly number?: number | undefined;
  /** What to do where nothing is named alike. */
  readonly hint?: string;
}

interface NamedObject {
  readonly name: string;
  readonly number?: number | undefined;
}

/** What a person can do about objects that share a name: `choose` where the command takes a number. */
export type WayOut = 'rename' | 'choose';

/**
 * The one live object that a name means. Names need not be unique (wire-facts, section 0): several are told apart by the
 * service's number. Throws UNKNOWN_NAME or AMBIGUOUS_NAME.
 */
export function onlyNamed<T extends NamedObject>(
  all: readonly T[],
  { address, name, number, hint }: WantedObject,
  environment: string,
  wayOut: WayOut,
): T {
  const named = all.filter((one) => one.name === name);
  const chosen = number === undefined ? named : named.filter((one) => one.number === number);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  if (named.length === 0) throw notInWorkspace(address, { name, known: all.map((one) => one.name), hint }, environment);
  const numbers = named.flatMap((one) => one.number ?? []);
  const count = chosen.length === 0 ? 'no' : chosen.length;
  const withNumber = number === undefined ? '' : ` with the number ${number}`;
  const each = numbers.length === 0 ? '' : ` (${numbers.map((one) => `#${one}`).join(', ')})`;
  throw new DexsyncError(
    'AMBIGUOUS_NAME',
    `Environment "${environment}" has ${count} objects named ${address}${withNumber}${each}.`,
    {
      hint: wayOut === 'rename' ? 'Rename all but one.' : `Choose one with \`--number\`: ${numbers.join(', ')}.`,
    },
  );
}

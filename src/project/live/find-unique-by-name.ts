import { DexsyncError } from '#base/errors.js';
import { notInWorkspace } from './not-in-workspace.js';

/** A live object to find, and its name in messages. */
export interface WantedObject {
  readonly address: string;
  readonly name: string;
  /** The service's number of the object, if several share the name. */
  readonly number?: number | undefined;
  /** The hint if no name is similar. */
  readonly hint?: string;
}

interface NamedObject {
  readonly name: string;
  readonly number?: number | undefined;
}

/** The way to resolve a shared name: `choose` if the command accepts a number. */
export type WayOut = 'rename' | 'choose';

/**
 * Finds the one live object with a name. Names need not be unique (wire-facts, section 0): the service's number
 * distinguishes several. Throws UNKNOWN_NAME or AMBIGUOUS_NAME.
 */
export function findUniqueByName<T extends NamedObject>(
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

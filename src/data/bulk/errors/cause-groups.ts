import { omitUndefined } from '#base/omit-undefined.js';
import type { ErrorGroup, Sample } from '#core/stream/row-error.js';
import { adviceFor, knownCause } from './causes.js';
import { messagePattern } from './quotes.js';

/** A failed row or a finding, to be grouped. */
export interface Occurrence extends Sample {
  readonly code: number | string | undefined;
  readonly message: string;
  /** Its pattern, if known. */
  readonly cause?: string;
  readonly hint?: string;
}

/** Groups failed rows or findings by their cause, in memory that does not grow with them. */
export interface CauseCollector {
  add(caused: Occurrence): void;
  /** Most frequent first. Causes beyond the limit are left out. */
  groups(): ErrorGroup[];
}

const MOST_GROUPS = 1000;
const SAMPLES = 3;

/**
 * Counts causes: code and message without quoted values, so that all parts with one cause are in one group. `isName`
 * recognises the quoted texts that are names of columns and stay.
 */
export function collectCauses(isName: (text: string) => boolean = () => false): CauseCollector {
  const groups = new Map<string, ErrorGroup>();
  return {
    add(caused) {
      const message = caused.cause ?? messagePattern(caused.message, isName);
      const cause = JSON.stringify([caused.code, message]);
      const known = groups.get(cause);
      if (known !== undefined) groups.set(cause, addOccurrences(known, 1, [sampleOf(caused)]));
      else if (groups.size < MOST_GROUPS) groups.set(cause, newGroup(caused, message));
    },
    groups: () => rankGroups([...groups.values()]),
  };
}

/** Merges the causes of several runs, or of several files, into one list. */
export function mergeCauses(lists: readonly (readonly ErrorGroup[])[]): ErrorGroup[] {
  const merged = new Map<string, ErrorGroup>();
  for (const group of lists.flat()) {
    const cause = JSON.stringify([group.code, group.message]);
    const known = merged.get(cause);
    merged.set(cause, known === undefined ? group : addOccurrences(known, group.count, group.samples));
  }
  return rankGroups([...merged.values()]);
}

const rankGroups = (groups: readonly ErrorGroup[]): ErrorGroup[] =>
  groups
    .toSorted((a, b) => b.count - a.count)
    .map((group) => {
      const advice = adviceFor(group.code, group.count);
      return advice === undefined ? group : { ...group, advice };
    });

const addOccurrences = (group: ErrorGroup, count: number, samples: readonly Sample[]): ErrorGroup => ({
  ...group,
  count: group.count + count,
  samples: group.samples.length < SAMPLES ? [...group.samples, ...samples].slice(0, SAMPLES) : group.samples,
});

function newGroup(caused: Occurrence, message: string): ErrorGroup {
  const { code, hint } = caused;
  const known = knownCause(code);
  return {
    code,
    message,
    count: 1,
    ...(known === undefined ? {} : { explanation: known.explanation }),
    ...omitUndefined({ advice: hint }),
    samples: [sampleOf(caused)],
  };
}

const sampleOf = ({ row, worksheet, key, column, value }: Occurrence): Sample => ({
  row,
  ...omitUndefined({ worksheet, key, column, value }),
});

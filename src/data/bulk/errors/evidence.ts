import type { PreparedImport } from '../prepare.js';
import type { RowSpan } from '../rows/spooled-rows.js';
import { knownCause } from './causes.js';
import { type ReportedError, readErrorReport } from './error-report.js';
import { type KeyHolder, KeyHolders } from './key-holders.js';
import { quotesIn } from './quotes.js';
import { digestKey, digestRows } from './row-digests.js';
import type { RowIdentity } from './row-identity.js';

/** Evidence for the row that each line of a report means; lines are counted from 0. */
export interface Evidence {
  readonly total: number;
  rowNumberOf(index: number): number | undefined;
  /** Whether the line has no key at all. */
  isKeyless(index: number): boolean;
  /** How the row is named: by the report's key alone, or also by a value that the message quotes. */
  namedBy(index: number): 'key' | 'key and message';
  /** The rows with that key; undefined if there are none. */
  holderOf(index: number): KeyHolder | undefined;
  /** Whether data row `n` has the key of the line; `no key`: unknown, since the row has no key. */
  isAt(index: number, n: number): 'yes' | 'no' | 'no key';
}

/** Limit of quotes in a message that are tried as the second half of a key. */
const TRIED = 2;
const PER_LINE = TRIED + 1;
const NO_NUMBER = -1;

/**
 * Reads a report once and the covered rows once. Memory: some dozen bytes for each line and row, no texts. If a key has
 * two halves and the report names one, a message that quotes the other adds evidence (wire-facts 4).
 */
export async function gatherEvidence(
  report: string,
  { path }: PreparedImport,
  covered: RowSpan,
  identity: RowIdentity,
): Promise<Evidence> {
  const { total, numbers, digests } = await readLines(report, identity);
  const holders = new KeyHolders();
  for (const digest of digests.subarray(0, total * PER_LINE)) holders.want(digest);
  const rows = await digestRows(path, covered, identity, (n, reported, whole) => {
    holders.count(reported, n);
    if (whole !== reported) holders.count(whole, n);
  });
  const halfOf = (index: number): bigint => digests[index * PER_LINE] ?? 0n;
  const wholeOf = (index: number): bigint | undefined =>
    digests.subarray(index * PER_LINE + 1, (index + 1) * PER_LINE).find((digest) => holders.of(digest) !== undefined);
  return {
    total,
    rowNumberOf: (index) => (numbers[index] === NO_NUMBER ? undefined : numbers[index]),
    namedBy: (index) => (wholeOf(index) === undefined ? 'key' : 'key and message'),
    isKeyless: (index) => halfOf(index) === 0n,
    holderOf: (index) => holders.of(wholeOf(index) ?? halfOf(index)),
    isAt(index, n) {
      const whole = wholeOf(index);
      const there = whole === undefined ? rows.reported(n) : rows.whole(n);
      if (there === undefined) return 'no';
      if (there === 0n) return 'no key';
      return there === (whole ?? halfOf(index)) ? 'yes' : 'no';
    },
  };
}

async function readLines(report: string, { other }: RowIdentity) {
  let numbers = new Float64Array(1024);
  let digests = new BigUint64Array(1024 * PER_LINE);
  let total = 0;
  for await (const error of readErrorReport(report)) {
    if (total === numbers.length) {
      const [before, digestsBefore] = [numbers, digests];
      numbers = new Float64Array(total * 2);
      numbers.set(before);
      digests = new BigUint64Array(total * 2 * PER_LINE);
      digests.set(digestsBefore);
    }
    numbers[total] = error.rowNumber ?? NO_NUMBER;
    digests[total * PER_LINE] = digestKey(error.key);
    if (other !== -1) digests.set(wholeKeys(error), total * PER_LINE + 1);
    total += 1;
  }
  return { total, numbers, digests };
}

/** Ignores messages about designators: they quote designators, which may have the name of a part. */
function wholeKeys({ key, code, message }: ReportedError): bigint[] {
  if (knownCause(code)?.about === 'refdes') return [];
  const quotes = quotesIn(message).filter(({ text }) => text !== '' && text !== key);
  return quotes.slice(0, TRIED).map(({ text }) => digestKey(key, text));
}

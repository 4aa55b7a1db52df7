import type { Evidence } from './evidence.js';
import type { RunRows } from './run-rows.js';

/** Meaning of the report's row numbers: data rows of the upload or rows of the sheet, with an offset. */
export interface Numbering {
  readonly counts: 'rows' | 'sheet rows';
  readonly base: number;
}

/**
 * `all keys`: this numbering alone leads every line whose key the source has to that key. `most keys`: it leads most of
 * them. `assumed`: the keys do not decide.
 */
export interface Calibration extends Numbering {
  readonly proof: 'all keys' | 'most keys' | 'assumed';
}

/** Data row 1 has row number 2 if the header counts as row 1 (wire-facts 0). */
const USUAL: readonly Numbering[] = [
  ...[1, 0, -1, 2].map((base): Numbering => ({ counts: 'rows', base })),
  { counts: 'sheet rows', base: 0 },
];

const SUGGESTED = 10;
const DIFFERENT_BASES = 1000;
/** Number of comparisons after which the keys count as undecided. */
const BUDGET = 1_000_000;

/**
 * Finds the numbering under which row numbers lead to the reported keys. An unusual one needs at least two lines: a
 * single one may be a wrong number. If keys repeat, as a parent's number does in a BOM, tries each place of the rarest
 * key, so that no numbering counts as proven while another one fits as well.
 */
export function calibrate(evidence: Evidence, runRows: RunRows, expected: Numbering['counts']): Calibration {
  const assumed: Numbering = expected === 'rows' ? (USUAL[0] as Numbering) : (USUAL.at(-1) as Numbering);
  const voters = indexesOf(evidence).filter(
    (index) => evidence.rowNumberOf(index) !== undefined && evidence.holderOf(index) !== undefined,
  );
  const unique = voters.filter((index) => evidence.holderOf(index)?.count === 1);
  const candidates = withoutRepeats([
    assumed,
    ...USUAL,
    ...(unique.length > 0
      ? suggestNumberings(unique, evidence, runRows)
      : numberingsOfRarest(voters, evidence, runRows)),
  ]);
  const votes = voteCounter(evidence, runRows);
  const all = fittingNumberings(candidates, withExtremesFirst(voters, evidence), votes);
  const differ = (a: Numbering, b: Numbering): boolean => hasOtherPlaces(a, b, evidence, runRows);
  const best = all.find((one) => isEnough(one, voters.length));
  if (best !== undefined) {
    const proven = all.every((one) => !differ(best, one)) && votes.comparisonsLeft() > 0;
    return { ...best, proof: proven ? 'all keys' : 'assumed' };
  }
  if (all.length > 0 || unique.length === 0) return { ...assumed, proof: 'assumed' };
  const ranked = candidates.map((one) => ({ one, count: votes.of(one, unique) })).sort((a, b) => b.count - a.count);
  const [first, ...others] = ranked;
  const rival = others.find(({ one }) => first !== undefined && differ(first.one, one));
  if (first === undefined || first.count === (rival?.count ?? 0) || !isEnough(first.one, first.count)) {
    return { ...assumed, proof: 'assumed' };
  }
  return { ...first.one, proof: 'most keys' };
}

/** The data row that a row number means; undefined if the run was not sent such a row. */
export const rowAt = ({ counts, base }: Numbering, rowNumber: number, runRows: RunRows): number | undefined =>
  counts === 'rows' ? runRows.nth(rowNumber - base) : runRows.atSheetRow(rowNumber - base);

const isSame = (a: Numbering, b: Numbering): boolean => a.counts === b.counts && a.base === b.base;

const numberingName = ({ counts, base }: Numbering): string => `${counts} ${base}`;

const withoutRepeats = (all: readonly Numbering[]): Numbering[] => [
  ...new Map(all.map((one) => [numberingName(one), one] as const)).values(),
];

const isEnough = (numbering: Numbering, votes: number): boolean =>
  votes >= (USUAL.some((usual) => isSame(usual, numbering)) ? 1 : 2);

const indexesOf = ({ total }: Evidence): number[] => Array.from({ length: total }, (_, index) => index);

/** Yields the numberings under which a row number means data row `n`. */
function* numberingsFor(rowNumber: number, n: number, { placeOf, sheetRowOf }: RunRows): Generator<Numbering> {
  yield { counts: 'rows', base: rowNumber - placeOf(n) };
  const row = sheetRowOf(n);
  if (row !== undefined) yield { counts: 'sheet rows', base: rowNumber - row };
}

/** Suggests the numberings that most lines with a unique key support. */
function suggestNumberings(unique: readonly number[], evidence: Evidence, runRows: RunRows): Numbering[] {
  const counts = new Map<string, { readonly one: Numbering; votes: number }>();
  for (const index of unique) {
    for (const one of numberingsFor(evidence.rowNumberOf(index) ?? 0, evidence.holderOf(index)?.first ?? 0, runRows)) {
      const name = numberingName(one);
      const known = counts.get(name);
      if (known !== undefined) known.votes += 1;
      else if (counts.size < DIFFERENT_BASES) counts.set(name, { one, votes: 1 });
    }
  }
  const ranked = [...counts.values()].sort((a, b) => b.votes - a.votes);
  return ranked.slice(0, SUGGESTED).map(({ one }) => one);
}

/** Lists every numbering that leads the line with the rarest key to one of its rows: the true one is among them. */
function numberingsOfRarest(voters: readonly number[], evidence: Evidence, runRows: RunRows): Numbering[] {
  const countOf = (index: number): number => evidence.holderOf(index)?.count ?? Number.POSITIVE_INFINITY;
  let rarest = voters[0];
  for (const index of voters) if (countOf(index) < countOf(rarest ?? index)) rarest = index;
  if (rarest === undefined) return [];
  const found: Numbering[] = [];
  for (let n = runRows.first; n <= runRows.last; n += 1) {
    if (evidence.isAt(rarest, n) === 'yes') found.push(...numberingsFor(evidence.rowNumberOf(rarest) ?? 0, n, runRows));
  }
  return found;
}

interface VoteCounter {
  fits(numbering: Numbering, index: number): boolean;
  of(numbering: Numbering, voters: readonly number[]): number;
  /** Remaining part of the budget of comparisons. */
  comparisonsLeft(): number;
}

function voteCounter(evidence: Evidence, runRows: RunRows): VoteCounter {
  let left = BUDGET;
  const fits: VoteCounter['fits'] = (numbering, index) => {
    left -= 1;
    const n = rowAt(numbering, evidence.rowNumberOf(index) ?? 0, runRows);
    return n !== undefined && evidence.isAt(index, n) === 'yes';
  };
  return { fits, of: (one, voters) => voters.filter((index) => fits(one, index)).length, comparisonsLeft: () => left };
}

/** Finds the numberings under which all lines lead to their keys; stops after a few. */
function fittingNumberings(
  candidates: readonly Numbering[],
  voters: readonly number[],
  votes: VoteCounter,
): Numbering[] {
  const found: Numbering[] = [];
  if (voters.length === 0) return found;
  for (const one of candidates) {
    if (votes.comparisonsLeft() <= 0) break;
    if (voters.every((index) => votes.fits(one, index))) found.push(one);
    if (found.length > SUGGESTED) break;
  }
  return found;
}

/** Puts the lowest and highest row numbers first: a wrong base leads one of them past an end of the rows. */
function withExtremesFirst(voters: readonly number[], evidence: Evidence): number[] {
  const numberOf = (index: number): number => evidence.rowNumberOf(index) ?? 0;
  let [least, greatest] = [voters[0], voters[0]];
  for (const index of voters) {
    if (numberOf(index) < numberOf(least ?? index)) least = index;
    if (numberOf(index) > numberOf(greatest ?? index)) greatest = index;
  }
  return least === undefined || greatest === undefined ? [] : [least, greatest, ...voters];
}

function hasOtherPlaces(a: Numbering, b: Numbering, evidence: Evidence, runRows: RunRows): boolean {
  if (isSame(a, b)) return false;
  for (let index = 0; index < evidence.total; index += 1) {
    const rowNumber = evidence.rowNumberOf(index);
    if (rowNumber !== undefined && rowAt(a, rowNumber, runRows) !== rowAt(b, rowNumber, runRows)) return true;
  }
  return false;
}

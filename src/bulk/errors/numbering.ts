import type { Claims } from './claims.js';
import type { Sheet } from './sheet.js';

/** What the report's row numbers count: data rows of the upload, or rows of the sheet; and from where. */
export interface Numbering {
  readonly counts: 'rows' | 'sheet rows';
  readonly base: number;
}

/**
 * `all keys`: every line whose key the source has leads to that key, and under no other numbering. `most keys`: most do.
 * `assumed`: the keys cannot tell.
 */
export interface Calibrated extends Numbering {
  readonly proof: 'all keys' | 'most keys' | 'assumed';
}

/** Data row 1 has row number 2 where the header counts as row 1 (wire-facts 0). */
const USUAL: readonly Numbering[] = [
  ...[1, 0, -1, 2].map((base): Numbering => ({ counts: 'rows', base })),
  { counts: 'sheet rows', base: 0 },
];

const SUGGESTED = 10;
const DIFFERENT_BASES = 1000;
/** Comparisons after which the keys are taken to tell nothing. */
const BUDGET = 1_000_000;

/**
 * Finds the numbering under which row numbers lead to the reported keys. An unusual one needs two lines at least: one alone
 * may as well be a wrong number. Where keys repeat, as a parent's number does in a BOM, each place of the rarest key is tried,
 * so that no numbering is taken for proven while another one fits as well.
 */
export function calibrate(claims: Claims, sheet: Sheet, expected: Numbering['counts']): Calibrated {
  const assumed: Numbering = expected === 'rows' ? (USUAL[0] as Numbering) : (USUAL.at(-1) as Numbering);
  const voters = indexes(claims).filter(
    (index) => claims.rowNumberOf(index) !== undefined && claims.holderOf(index) !== undefined,
  );
  const unique = voters.filter((index) => claims.holderOf(index)?.count === 1);
  const candidates = distinct([
    assumed,
    ...USUAL,
    ...(unique.length > 0 ? suggested(unique, claims, sheet) : everywhere(voters, claims, sheet)),
  ]);
  const votes = counter(claims, sheet);
  const all = agreeing(candidates, extremesFirst(voters, claims), votes);
  const differ = (a: Numbering, b: Numbering): boolean => placedElsewhere(a, b, claims, sheet);
  const best = all.find((one) => isEnough(one, voters.length));
  if (best !== undefined) {
    const proven = all.every((one) => !differ(best, one)) && votes.left() > 0;
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

/** The data row that a row number means, whether or not the source has it. */
export const rowAt = ({ counts, base }: Numbering, rowNumber: number, sheet: Sheet): number | undefined =>
  counts === 'rows' ? sheet.nth(rowNumber - base) : sheet.inSheet(rowNumber - base);

const isSame = (a: Numbering, b: Numbering): boolean => a.counts === b.counts && a.base === b.base;

const nameOf = ({ counts, base }: Numbering): string => `${counts} ${base}`;

const distinct = (all: readonly Numbering[]): Numbering[] => [
  ...new Map(all.map((one) => [nameOf(one), one] as const)).values(),
];

const isEnough = (numbering: Numbering, votes: number): boolean =>
  votes >= (USUAL.some((usual) => isSame(usual, numbering)) ? 1 : 2);

const indexes = ({ total }: Claims): number[] => Array.from({ length: total }, (_, index) => index);

/** The numberings under which one row number means one data row. */
function* meaning(rowNumber: number, n: number, { place, rowOf }: Sheet): Generator<Numbering> {
  yield { counts: 'rows', base: rowNumber - place(n) };
  const row = rowOf(n);
  if (row !== undefined) yield { counts: 'sheet rows', base: rowNumber - row };
}

/** What most lines with a key of one row alone speak for. */
function suggested(unique: readonly number[], claims: Claims, sheet: Sheet): Numbering[] {
  const counts = new Map<string, { readonly one: Numbering; votes: number }>();
  for (const index of unique) {
    for (const one of meaning(claims.rowNumberOf(index) ?? 0, claims.holderOf(index)?.first ?? 0, sheet)) {
      const name = nameOf(one);
      const known = counts.get(name);
      if (known !== undefined) known.votes += 1;
      else if (counts.size < DIFFERENT_BASES) counts.set(name, { one, votes: 1 });
    }
  }
  const ranked = [...counts.values()].sort((a, b) => b.votes - a.votes);
  return ranked.slice(0, SUGGESTED).map(({ one }) => one);
}

/** Every numbering that leads the line with the rarest key to one of its rows: the true one is among them. */
function everywhere(voters: readonly number[], claims: Claims, sheet: Sheet): Numbering[] {
  const countOf = (index: number): number => claims.holderOf(index)?.count ?? Number.POSITIVE_INFINITY;
  let rarest = voters[0];
  for (const index of voters) if (countOf(index) < countOf(rarest ?? index)) rarest = index;
  if (rarest === undefined) return [];
  const found: Numbering[] = [];
  for (let n = sheet.first; n <= sheet.last; n += 1) {
    if (claims.isAt(rarest, n) === 'yes') found.push(...meaning(claims.rowNumberOf(rarest) ?? 0, n, sheet));
  }
  return found;
}

interface Counter {
  fits(numbering: Numbering, index: number): boolean;
  of(numbering: Numbering, voters: readonly number[]): number;
  /** Of the budget of comparisons. */
  left(): number;
}

function counter(claims: Claims, sheet: Sheet): Counter {
  let left = BUDGET;
  const fits: Counter['fits'] = (numbering, index) => {
    left -= 1;
    const n = rowAt(numbering, claims.rowNumberOf(index) ?? 0, sheet);
    return n !== undefined && claims.isAt(index, n) === 'yes';
  };
  return { fits, of: (one, voters) => voters.filter((index) => fits(one, index)).length, left: () => left };
}

/** Those under which all lines lead to their keys; more than two are as good as two. */
function agreeing(candidates: readonly Numbering[], voters: readonly number[], votes: Counter): Numbering[] {
  const found: Numbering[] = [];
  if (voters.length === 0) return found;
  for (const one of candidates) {
    if (votes.left() <= 0) break;
    if (voters.every((index) => votes.fits(one, index))) found.push(one);
    if (found.length > SUGGESTED) break;
  }
  return found;
}

/** The lines with the least and the greatest row number first: a wrong base leads one of them past an end of the rows. */
function extremesFirst(voters: readonly number[], claims: Claims): number[] {
  const numberOf = (index: number): number => claims.rowNumberOf(index) ?? 0;
  let [least, greatest] = [voters[0], voters[0]];
  for (const index of voters) {
    if (numberOf(index) < numberOf(least ?? index)) least = index;
    if (numberOf(index) > numberOf(greatest ?? index)) greatest = index;
  }
  return least === undefined || greatest === undefined ? [] : [least, greatest, ...voters];
}

function placedElsewhere(a: Numbering, b: Numbering, claims: Claims, sheet: Sheet): boolean {
  if (isSame(a, b)) return false;
  for (let index = 0; index < claims.total; index += 1) {
    const rowNumber = claims.rowNumberOf(index);
    if (rowNumber !== undefined && rowAt(a, rowNumber, sheet) !== rowAt(b, rowNumber, sheet)) return true;
  }
  return false;
}

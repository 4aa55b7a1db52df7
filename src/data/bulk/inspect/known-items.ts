import { type ChosenKey, MADE } from './choose-key.js';
import { makerColumns } from './draft-sources.js';
import { freeName, type KnownTable } from './known-table.js';
import { type MakerColumns, readMakerRows } from './maker-rows.js';
import { isDecided, type KnownPart, type MakerRow, type Matches, matchParts } from './match-parts.js';
import { foundTexts, nearTexts } from './match-texts.js';
import { rowsText } from './rows-text.js';

/** What a workspace knows of makers' numbers. */
export interface KnownParts {
  readonly environment: string;
  readonly requests: number;
  /** Its parts with these numbers, letter case and punctuation aside. */
  readonly parts: readonly KnownPart[];
  /** Numbers that were not looked up, and why. */
  readonly unread: readonly string[];
  readonly why?: string;
}

/** Looks up makers' numbers, each once, in a workspace. */
export type LookUp = (numbers: readonly string[]) => Promise<KnownParts>;

/** The result of looking up the makers' numbers of a list. */
export interface LookedUpParts {
  readonly environment: string;
  readonly requests: number;
  /** How many different numbers of makers the list has. */
  readonly numbers: number;
  /** Rows that get the number of an existing item. */
  readonly found: number;
  /** Parts of the list that a person has to compare with parts of the workspace. */
  readonly near: number;
  /** Rows that were not looked up. */
  readonly unread: readonly number[];
}

const WITHOUT =
  "Open: the list has makers' numbers and no item numbers. If the parts may exist already, inspect it with `--env NAME`: rows whose maker and number belong to an item of that workspace get its number.";

/** Gives rows the numbers of the items that have their makers' parts as sources, unless the list numbers its items. */
export async function useKnownItems(
  path: string,
  table: KnownTable,
  key: ChosenKey,
  lookUp: LookUp | undefined,
): Promise<{ readonly key: ChosenKey; readonly lookedUp?: LookedUpParts }> {
  const pairs = key.is === 'own' ? [] : makerColumns(table, key);
  if (pairs.length === 0) return { key };
  if (lookUp === undefined) return { key: withRemarks(key, [WITHOUT]) };
  const [proposed, ...finer] = keyColumns(table, key, pairs);
  const read = (one: ChosenKey): Promise<readonly MakerRow[]> => readMakerRows(path, table, one, pairs);
  let [used, rows] = [proposed, await read(proposed)];
  const numbers = [...new Set(rows.flatMap(({ parts }) => parts.map(({ number }) => number)))];
  if (numbers.length === 0) return { key };
  const known = await lookUp(numbers);
  const matches = matchParts(rows, known.parts);
  for (const one of finer) if (!isDecided(rows, matches)) [used, rows] = [one, await read(one)];
  const unread = unreadRows(rows, matches, known);
  const { environment, requests } = known;
  const [found, near] = [matches.found.size, matches.near.length];
  return {
    key: withRemarks(withKnown(key, used, rows, matches), [
      ...foundTexts(matches, environment),
      ...nearTexts(matches.near, used, rows),
      ...(unread.length === 0 ? [] : [`Open: ${rowsText(unread)}: not looked up, since ${known.why}.`]),
    ]),
    lookedUp: { environment, requests, numbers: numbers.length, found, near, unread },
  };
}

const withRemarks = (key: ChosenKey, texts: readonly string[]): ChosenKey => ({
  ...key,
  remarks: [...key.remarks, ...texts],
});

/** The column of item numbers as one that is added: as proposed, then with the maker's number, then with the maker. */
function keyColumns(table: KnownTable, key: ChosenKey, pairs: MakerColumns): [ChosenKey, ...ChosenKey[]] {
  const made = key.source.columns?.[key.column];
  const [base, ...others] = typeof made === 'string' ? [made] : Array.isArray(made) ? made : [`{${key.column}}`];
  const column = made === undefined ? freeName(table.columns, MADE, `Known ${MADE}`) : key.column;
  const withEnd = (end: string): ChosenKey => {
    const texts = [base, ...others].map((text) => text + end);
    const added = others.length === 0 ? texts.join('') : texts;
    return { ...key, column, source: { ...key.source, columns: { ...key.source.columns, [column]: added } } };
  };
  const [maker, number] = pairs[0] ?? [];
  const further = [number, maker].flatMap((one) => (one === undefined || base?.includes(`{${one.name}}`) ? [] : one));
  const ends = further.map((_, last) =>
    further
      .slice(0, last + 1)
      .map(({ name }) => ` {${name}}`)
      .join(''),
  );
  return [withEnd(''), ...ends.map(withEnd)];
}

/** Keeps the proposed column if nothing in it is different, or may become different. */
function withKnown(proposed: ChosenKey, used: ChosenKey, rows: readonly MakerRow[], matches: Matches): ChosenKey {
  const known = withItems(used, rows, matches);
  if (known.source !== used.source || matches.near.length > 0) return known;
  return matches.found.size === 0 ? proposed : { ...proposed, is: 'known' };
}

/** Replaces the proposed numbers of rows by those of their items, where they are different. */
function withItems(key: ChosenKey, rows: readonly MakerRow[], { found }: Matches): ChosenKey {
  const others = rows.flatMap(({ row, key: text }) => {
    const [item = text] = found.get(row) ?? [];
    return item === text ? [] : [[text, item] as const];
  });
  if (others.length === 0) return { ...key, is: 'known' };
  const values = { ...key.source.values, [key.column]: Object.fromEntries(others) };
  return { ...key, is: 'known', source: { ...key.source, values } };
}

function unreadRows(rows: readonly MakerRow[], { found }: Matches, { unread }: KnownParts): number[] {
  const left = new Set(unread);
  const isLeft = ({ row, parts }: MakerRow): boolean => !found.has(row) && parts.some(({ number }) => left.has(number));
  return rows.filter(isLeft).map(({ row }) => row);
}

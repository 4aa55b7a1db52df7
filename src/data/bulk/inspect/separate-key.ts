import { type ChosenKey, isUsable, MADE } from './choose-key.js';
import { arePlaceCodes, type Column, MONEY, matchingShare } from './column.js';
import { bareHeader } from './column-names.js';
import { columnsIn } from './draft.js';
import type { KnownTable } from './known-table.js';
import type { Meaning } from './meanings.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';

const LONGEST = 100;
/** What describes a part, the best first. */
const DESCRIBE: readonly (Meaning | undefined)[] = ['description', 'value', 'package', 'mpn', 'name', undefined];
/** What distinguishes parts of one value and package. */
const OF_PARTS: readonly (Meaning | undefined)[] = ['description', 'name', 'mpn', 'supplierPartNumber'];
const TECHNICAL =
  /\b(?:voltage|tolerance|power|dielectric|colou?r\w*|rating|material|current|size|length|spannung|toleranz|farbe|grosse|lange)\b/;
/** Designators of all kinds say where a part is. */
const POSITION = /^[A-Za-z]{1,4}[.$_]?[A-Za-z]{0,2}\d{1,4}$/;
/** What says how parts are bought says nothing of what they are. */
const OF_PURCHASE =
  /\b(?:total|sum|price|cost|amount|preis|summe|kosten|prix|precio|link|url|source|website|shop|store|vendor|order\w*|date|status|stock)\b/;

/** Adds to a key that different parts have the column that distinguishes most of them. */
export async function separateKey(path: string, table: KnownTable, key: ChosenKey): Promise<ChosenKey> {
  const base = describingColumns(table, key);
  if (base.length === 0 || table.rows > MOST_ALIKE) return key;
  const others = table.columns.filter((column) => !base.includes(column) && mayDistinguish(column, base, table));
  const best = await mostDistinguishing(path, table, base, others);
  if (best === undefined) return key;
  const names = base.map(({ name }) => `"${name}"`).join(' and ');
  const [replaces, them] = base.length > 1 ? [best.isEnough, 'them'] : [false, 'it'];
  const used = `"${best.column.name}"`;
  const so = replaces ? `${used} is used` : `item numbers are composed of ${them} and ${used}`;
  const remark = `Different parts have one ${names}, so ${so}.`;
  if (replaces) {
    const { [MADE]: _, ...columns } = key.source.columns ?? {};
    return { ...key, column: best.column.name, source: { ...key.source, columns }, remarks: [remark] };
  }
  const text = [...base, best.column].map(({ name }) => `{${name}}`).join(' ');
  const made = { columns: { ...key.source.columns, [MADE]: text } };
  return { ...key, column: MADE, source: { ...key.source, ...made }, remarks: [...key.remarks, remark] };
}

/** The name or description that numbers the items, or the columns that their numbers are composed of. */
function describingColumns({ columns, roles }: KnownTable, { is, column, source }: ChosenKey): Column[] {
  if (is !== 'proposed') return [];
  const name = [roles.get('name'), roles.get('description')].find((one) => one?.name === column);
  if (name !== undefined) return name.distinct === name.filled ? [] : [name];
  const made = source.columns?.[column];
  const parts = typeof made === 'string' ? columnsIn(made) : [];
  return parts.length < 2 ? [] : columns.filter(({ name }) => parts.includes(name));
}

/** The column with the most different texts beside equal ones of others; `isEnough`: it distinguishes all parts alone. */
async function mostDistinguishing(
  path: string,
  { source, rows }: KnownTable,
  base: readonly Column[],
  others: readonly Column[],
): Promise<{ readonly column: Column; readonly isEnough: boolean } | undefined> {
  const seen = others.map(() => ({ pairs: new Set<string>(), texts: new Set<string>() }));
  const names = [...base, ...others].map(({ name }) => name);
  await eachRowCells(path, source, names, (cells) => {
    const text = cells.slice(0, base.length).join('\n').toLowerCase();
    for (const [index, cell] of cells.slice(base.length).entries()) {
      if (cell === '' && base.length > 1) continue;
      seen[index]?.texts.add(text);
      seen[index]?.pairs.add(`${text}\n\n${cell.toLowerCase()}`);
    }
  });
  const gains = seen.map(({ pairs, texts }) => pairs.size - texts.size);
  const at = gains.indexOf(Math.max(0, ...gains));
  const column = others[at];
  if (column === undefined || gains[at] === 0) return undefined;
  const most = seen[at]?.pairs.size;
  return { column, isEnough: column.filled === rows && column.distinct === most && isUsable(column) };
}

function mayDistinguish(column: Column, base: readonly Column[], { roles, rows }: KnownTable): boolean {
  const [role] = [...roles].find(([, taken]) => taken === column) ?? [];
  if (!isShortText(column)) return false;
  // Few equal names are of one part, which several places have.
  if (arePlaceCodes(column) && base.some(({ distinct, filled }) => distinct * 10 >= filled * 9)) return false;
  // Only what resists and stores has a value in many lists.
  if (role === 'value') return column.distinct > 1;
  if (column.filled * 2 < rows || (role === undefined && saysNothing(column))) return false;
  const isTechnical = role === undefined && TECHNICAL.test(bareHeader(column.header));
  if (base.length > 1) return OF_PARTS.includes(role) || isTechnical;
  const isText = DESCRIBE.includes(role) && isTextOrCode(column);
  return isTechnical || (isText && column.distinct * 2 >= (base[0]?.distinct ?? 0));
}

const isShortText = ({ name, multiline, areAddresses, longest }: Column): boolean =>
  name !== '' && multiline === 0 && !areAddresses && longest <= LONGEST;

const isTextOrCode = (column: Column): boolean =>
  (column.type === 'text' || (column.type === 'integer' && column.longest >= SHORTEST_CODE)) &&
  matchingShare(column, MONEY) < 0.3;

/** Whether a column says how parts are bought, or where they are. */
const saysNothing = ({ header, samples }: Column): boolean =>
  OF_PURCHASE.test(bareHeader(header)) || samples.every((sample) => POSITION.test(sample));

/** Of digits alone: a shorter one may be an amount. */
const SHORTEST_CODE = 5;

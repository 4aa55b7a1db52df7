import type { ImportSource } from '#core/jobs/source.js';
import { splitDesignators } from '../source/designators.js';
import { type Column, matchingShare, type Roles } from './column.js';
import { flowText, LEFT_OUT, withoutValues } from './draft.js';
import type { WithoutTitles } from './exclude-titles.js';
import type { Meaning } from './meanings.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** What boards have and nobody buys, as values, names and footprints of circuit editors say it. */
const NO_PART =
  /^(?:.*:)?(?:fiducials?|fid[ _-]?marks?|(?:m\d(?:[.,]\d)?[ _-]?)?(?:mount(?:ing)?[ _-]?)?holes?|tooling[ _-]?holes?|net[ _-]?tie|solder[ _-]?(?:jumper|bridge)|frame[_-](?:a[0-5]?|letter|legal)|test[ _-]?(?:points?|pads?)|(?:through[ _-]?hole|wire)[ _-]?pads?|solder[ _-]?pads?|(?:oshw|osh|open[ _-]?hardware)[ _-]?logo|logo)(?:$|[^a-z].*)/i;

/** Separators alone are what an editor writes for footprints without a name. */
const isNoPart = (text: string): boolean =>
  /^[,;][\s,;]*$/.test(text) || text.split(BETWEEN_FOOTPRINTS).every((one) => NO_PART.test(one));

/** Between the footprints of one cell, each with its library. */
const BETWEEN_FOOTPRINTS = /[,;]\s*(?=[\w-]+:)/;

/** Parts to buy, by their designators. */
const PART = /^(?:R|RN|C|L|D|ZD|LED|Q|U|IC|F|FB|K|Y|X|J|SW)\d/i;

/** A row of parts and of what nobody buys. */
interface MixedRow {
  readonly row: number;
  readonly designators: string;
}

const mixedText = (mixed: readonly MixedRow[]): string =>
  `Open: parts are in one row with what nobody buys, and both are counted: ${rowsText(mixed.map(({ row }) => row))}, such as ${JSON.stringify(mixed[0]?.designators)}. Correct the quantities in the file.`;

/** Whether one of the footprints of a cell is of no part. */
const hasNoPart = (text: string): boolean => text.split(BETWEEN_FOOTPRINTS).some((one) => NO_PART.test(one));

/** Whether a row lists a part to buy together with others that may be none. */
function areMixed(text: string): boolean {
  const designators = splitDesignators(text);
  const parts = designators.filter((one) => PART.test(one)).length;
  return parts > 0 && parts < designators.length;
}

/** Designators that no editor has counted: those of drawings, or of parts that are in no circuit. */
const UNCOUNTED = /^[a-z]{1,5}(?:\?+|\*+)$/i;

const SAY_WHAT_IT_IS: readonly Meaning[] = ['value', 'package', 'name', 'description', 'category'];
const SAY_WHERE_TO_BUY: readonly Meaning[] = ['mpn', 'supplierPartNumber', 'manufacturer', 'supplier'];

const namesOf = (roles: Roles, asked: readonly Meaning[]): string[] =>
  asked.flatMap((role) => roles.get(role)?.name ?? []);

/** Leaves out fiducials, holes, footprints outside the circuit and the like, unless one of them has a maker or a supplier. */
export async function excludeNoParts(
  path: string,
  source: ImportSource,
  columns: readonly Column[],
  roles: Roles,
): Promise<WithoutTitles> {
  const refDes = roles.get('refDes');
  if (refDes === undefined) return { source };
  const areCounted = matchingShare(refDes, UNCOUNTED) <= 0.3;
  const isMarked = (column: string, text: string): boolean =>
    isNoPart(text) || (areCounted && column === refDes.name && UNCOUNTED.test(text));
  const texts = [...namesOf(roles, SAY_WHAT_IT_IS), refDes.name].filter((name) =>
    [...(columns.find((column) => column.name === name)?.values?.keys() ?? [])].some((text) => isMarked(name, text)),
  );
  if (texts.length === 0) return { source };
  const makers = namesOf(roles, SAY_WHERE_TO_BUY);
  const { rows, mixed } = await rowsOfNoPart(path, source, texts, { makers, refDes: refDes.name }, isMarked);
  const found = mixed.length === 0 ? {} : { open: mixedText(mixed) };
  if (rows.length === 0) return { source, ...found };
  const needed = new Set<Mark>();
  for (const marks of rows)
    if (!marks.some((mark) => needed.has(mark))) for (const mark of marks.slice(0, 1)) needed.add(mark);
  const left = [...needed].reduce((one, { column, value }) => withoutValues(one, column, [value]), source);
  const count = rows.length === 1 ? '1 row that is' : `${rows.length} rows that are`;
  const shown = [...needed]
    .filter(({ column }, index, all) => all.findIndex((mark) => mark.column === column) === index)
    .map(({ column, value }) => `${flowText(value)} in "${column}"`);
  const remark = `${LEFT_OUT}${count} no part to buy (${shown.join(', ')}). To import them, remove these conditions from \`where\`.`;
  return { source: left, remark, ...found };
}

const CHARGE =
  /^(?:(?:estimated |est\.? |sales )?(?:shipping|freight|postage|delivery|handling|tax(?:es)?|vat|customs|discount)(?: .{0,20})?|versand(?:kosten)?|fracht|porto|mwst\.?|mehrwertsteuer|zoll|rabatt|(?:frais de )?port|livraison|tva|env[ií]o|iva|fletes?|spedizione|verzendkosten|btw|fragt|moms)$/i;

/** Leaves out what is paid besides the parts of a list: rows of it have no quantity. */
export async function excludeCharges(
  path: string,
  source: ImportSource,
  columns: readonly Column[],
  roles: Roles,
): Promise<WithoutTitles> {
  const quantity = roles.get('quantity');
  const column = columns.find(
    ({ name, values }) => name !== '' && [...(values?.keys() ?? [])].some((value) => CHARGE.test(value)),
  );
  if (quantity === undefined || column === undefined) return { source };
  const charges = new Set<string>();
  const parts = new Set<string>();
  await eachRowCells(path, source, [column.name, quantity.name], ([text = '', count]) => {
    if (CHARGE.test(text)) (count === '' ? charges : parts).add(text);
  });
  const found = [...charges].filter((text) => !parts.has(text));
  if (found.length === 0) return { source };
  const shown = found.map((text) => JSON.stringify(text)).join(', ');
  return {
    source: withoutValues(source, column.name, found),
    remark: `${LEFT_OUT}${shown} in "${column.name}", without a quantity: no part, but a cost of the order.`,
  };
}

/** A cell that says that its row is of no part; the same object for the same cells. */
interface Mark {
  readonly column: string;
  readonly value: string;
  isBought: boolean;
}

/** Returns the marks of each row of no part, without those that also mark a row with a maker or a supplier. */
async function rowsOfNoPart(
  path: string,
  source: ImportSource,
  texts: readonly string[],
  { makers, refDes }: { readonly makers: readonly string[]; readonly refDes: string },
  isMarked: (column: string, text: string) => boolean,
): Promise<{ readonly rows: readonly (readonly Mark[])[]; readonly mixed: readonly MixedRow[] }> {
  const known = new Map<string, Mark>();
  const rows: (readonly Mark[])[] = [];
  const mixed: MixedRow[] = [];
  await eachRowCells(path, source, [...texts, ...makers, refDes], (all, row) => {
    const cells = all.slice(0, -1);
    const marks = texts.flatMap((column, index) => {
      const value = cells[index] ?? '';
      if (!isMarked(column, value)) return [];
      const key = `${index} ${value}`;
      const mark = known.get(key) ?? { column, value, isBought: false };
      known.set(key, mark);
      return [mark];
    });
    const isBought = cells.slice(texts.length).some((cell) => cell !== '' && !isNoPart(cell));
    const designators = all.at(-1) ?? '';
    if (areMixed(designators) && cells.some(hasNoPart)) mixed.push({ row, designators });
    else if (!isBought) rows.push(marks);
    else for (const mark of marks) mark.isBought = true;
  });
  const left = rows.map((marks) => marks.filter(({ isBought }) => !isBought)).filter((marks) => marks.length > 0);
  return { rows: left, mixed };
}

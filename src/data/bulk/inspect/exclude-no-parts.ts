import type { ImportSource } from '#core/jobs/source.js';
import { type Column, matchingShare, type Roles } from './column.js';
import { flowText, LEFT_OUT, withoutValues } from './draft.js';
import type { WithoutTitles } from './exclude-titles.js';
import type { Meaning } from './meanings.js';
import { eachRowCells } from './row-cells.js';

/** What boards have and nobody buys, as values, names and footprints of circuit editors say it. */
const NO_PART =
  /^(?:.*:)?(?:fiducials?|fid[ _-]?marks?|(?:m\d(?:[.,]\d)?[ _-]?)?(?:mount(?:ing)?[ _-]?)?holes?|tooling[ _-]?holes?|net[ _-]?tie|solder[ _-]?(?:jumper|bridge)|frame[_-](?:a[0-5]?|letter|legal)|test[ _-]?(?:points?|pads?)|(?:through[ _-]?hole|wire)[ _-]?pads?|solder[ _-]?pads?|(?:oshw|osh|open[ _-]?hardware)[ _-]?logo|logo)(?:$|[^a-z].*)/i;

/** Separators alone are what an editor writes for footprints without a name. */
const isNoPart = (text: string): boolean => NO_PART.test(text) || /^[,;][\s,;]*$/.test(text);

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
  const rows = await rowsOfNoPart(path, source, texts, namesOf(roles, SAY_WHERE_TO_BUY), isMarked);
  if (rows.length === 0) return { source };
  const needed = new Set<Mark>();
  for (const marks of rows)
    if (!marks.some((mark) => needed.has(mark))) for (const mark of marks.slice(0, 1)) needed.add(mark);
  const left = [...needed].reduce((one, { column, value }) => withoutValues(one, column, [value]), source);
  const count = rows.length === 1 ? '1 row that is' : `${rows.length} rows that are`;
  const shown = [...needed]
    .filter(({ column }, index, all) => all.findIndex((mark) => mark.column === column) === index)
    .map(({ column, value }) => `${flowText(value)} in "${column}"`);
  const remark = `${LEFT_OUT}${count} no part to buy (${shown.join(', ')}). To import them, remove these conditions from \`where\`.`;
  return { source: left, remark };
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
  makers: readonly string[],
  isMarked: (column: string, text: string) => boolean,
): Promise<readonly (readonly Mark[])[]> {
  const known = new Map<string, Mark>();
  const rows: (readonly Mark[])[] = [];
  await eachRowCells(path, source, [...texts, ...makers], (cells) => {
    const marks = texts.flatMap((column, index) => {
      const value = cells[index] ?? '';
      if (!isMarked(column, value)) return [];
      const key = `${index} ${value}`;
      const mark = known.get(key) ?? { column, value, isBought: false };
      known.set(key, mark);
      return [mark];
    });
    if (cells.slice(texts.length).every((cell) => cell === '' || isNoPart(cell))) rows.push(marks);
    else for (const mark of marks) mark.isBought = true;
  });
  return rows.map((marks) => marks.filter(({ isBought }) => !isBought)).filter((marks) => marks.length > 0);
}

import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import { columnLetters } from '../source/cell-range.js';
import { openRawTable } from '../source/open-source.js';
import type { RawRow } from '../source/raw-table.js';
import { isEmpty, type SourceTable } from '../source/source-table.js';
import { bareHeader, roleNamed } from './column-names.js';
import { type ListTitle, listTitle, mayName } from './list-title.js';

/** The assembly that a list names. */
export interface AssemblyTitle {
  readonly number: string;
  readonly name?: string;
  /** `cell A2 ("Assembly: KIT-0455")`; `option`: a person gave it. */
  readonly from: 'option' | `cell ${string}`;
}

/** The rows just above a header that may be its title. */
const MOST_ROWS = 40;

/** Reads the rows just above the header of a table; none for a list of several worksheets. */
export async function rowsAbove(
  path: string,
  source: ImportSource,
  { headerRow, worksheets }: Pick<SourceTable, 'headerRow' | 'worksheets'>,
): Promise<readonly RawRow[]> {
  if (worksheets !== undefined || headerRow < 2) return [];
  const above: RawRow[] = [];
  const { batches } = await openRawTable(path, source);
  for await (const rows of batches) {
    above.push(...rows.filter(({ row }) => row < headerRow && row >= headerRow - MOST_ROWS));
    if ((rows.at(-1)?.row ?? 0) >= headerRow) break;
  }
  return above;
}

/** `assembly` to `title` name a number, the surest first. */
type Label = 'assembly' | 'product' | 'item' | 'title' | 'name' | 'project' | 'drawing' | 'other';

const NUMBERS: readonly Label[] = ['assembly', 'product', 'item', 'title'];

const NUMBER = '(?: ?(?:part |item )?(?:no|nr|num|number|nummer|id|pn|p n|code|part|item))?';

/** Texts beside the number or the name of an assembly, as `bareHeader` writes them. */
const LABELS: readonly (readonly [Label, RegExp])[] = [
  [
    'assembly',
    new RegExp(
      `^(?:(?:(?:top|main|parent|end|final)(?: level)? )?(?:assembly|assy|kit|pcba)${NUMBER}|(?:top|main|parent|finished)(?: level)? (?:item|part|article|good|material)${NUMBER}|(?:haupt|ober)?baugruppen?${NUMBER}|kopf(?:material|artikel)${NUMBER}|(?:(?:numero|reference|ref) )?(?:de l |d )?ensemble|(?:(?:numero|codigo) )?(?:del? )?conjunto|(?:numer )?zespolu?|samenstelling(?:snummer)?|gruppo|(?:codice )?assieme)$`,
    ),
  ],
  [
    'product',
    new RegExp(
      `^(?:product|board|pcb|unit|device|machine|model|erzeugnis|gerat|produkt)${NUMBER}$|^製品(?:番号|コード)$|^产品(?:编号|编码|型号|料号)$`,
    ),
  ],
  [
    'item',
    /^(?:material|(?:item|part|article|material) (?:no|nr|num|number|id|code)|p n|pn|(?:artikel|material|teile|sach|ident|zeichnungs) ?(?:nummer|nr)|(?:numero|reference|ref|code) (?:d )?(?:article|piece|produit)|(?:numero|codigo) (?:de )?(?:articulo|pieza|parte|producto)|(?:numer|kod|indeks) (?:artykulu|produktu)|(?:artikel|onderdeel)nummer|codice articolo|zeichnung|(?:drawing|dwg|drg)(?: (?:no|nr|num|number))?|図番|图号|图纸编号)$/,
  ],
  [
    'title',
    /^(?:物料清单编号|部品表番号|bom|bill of materials?|parts? list|stuckliste|nomenclature)(?: (?:of|for|fur|von|zu|de|pour))?$/,
  ],
  [
    'name',
    /^(?:(?:(?:assembly|product|item|part|material|article) )?(?:name|title|description|desc)|benennung|bezeichnung|beschreibung|titel|titre|designation|libelle|nombre|denominacion|descripcion|nazwa|opis|naam|benaming|omschrijving|nome|denominazione|descrizione|製品名|品名|名称|产品名称)$/,
  ],
  ['project', /^(?:project|projekt|projet|proyecto|progetto)(?: name)?$/],
  ['drawing', /^(?:source|schematic|design|quelle|schaltplan)(?: file)?$/],
  [
    'other',
    /^(?:date|datum|author|created(?: by)?|drawn(?: by)?|checked(?: by)?|approved(?: by)?|customer|kunde|page|seite|status)$/,
  ],
];

function labelOf(text: string): Label | undefined {
  const bare = bareHeader(text);
  const found = LABELS.find(([, pattern]) => pattern.test(bare));
  return found?.[0] ?? (/[:：]$/.test(text) || roleNamed(text) !== undefined ? 'other' : undefined);
}

/** A value beside its label. */
interface Labelled {
  readonly label: Label;
  readonly cell: string;
  /** The cells of the value, divided. */
  readonly values: readonly string[];
}

/** Returns the assembly that rows above a header name; undefined if none names it, or if several do. `file`: its name. */
export function assemblyTitle(above: readonly RawRow[], file: string): AssemblyTitle | undefined {
  const found = above.flatMap((row, index) => labelledIn(row, above[index + 1]));
  for (const label of NUMBERS) {
    const named = found.filter((one) => one.label === label && isNumber(one.values[0]));
    const [first] = named;
    if (first === undefined) continue;
    const [number = '', name = nameIn(found)] = first.values;
    const isSure = named.every(({ values }) => values[0] === number);
    return isSure ? { number, from: `cell ${first.cell}`, ...omitUndefined({ name }) } : undefined;
  }
  return titleWithoutNumber(found, listTitle(above, file));
}

/** Takes a name for the number where the list has no number of its assembly. */
function titleWithoutNumber(found: readonly Labelled[], title: ListTitle | undefined): AssemblyTitle | undefined {
  for (const label of ['assembly', 'product', 'project', 'drawing'] as const) {
    const named = found
      .filter((one) => one.label === label && (label !== 'drawing' || DRAWING.test(one.values[0] ?? '')))
      .map(({ cell, values: [text = ''] }) => ({ cell, text: text.replace(DRAWING, '').replace(/^.*[\\/]/s, '') }));
    const [first] = named.filter(({ text }) => mayName(text));
    if (first === undefined) continue;
    return named.every(({ text }) => text === first.text)
      ? { number: first.text, from: `cell ${first.cell}` }
      : undefined;
  }
  return title === undefined ? undefined : { number: title.text, from: `cell ${title.cell}` };
}

/** The name that a label names, else a text where a number is usual. */
const nameIn = (found: readonly Labelled[]): string | undefined =>
  (['name', 'assembly', 'product'] as const)
    .flatMap((label) => found.filter((one) => one.label === label && !isNumber(one.values[0])))
    .flatMap(({ values }) => values[0] ?? [])[0];

/** Whether rows say something of a list, and are none: each begins with a label, or has two cells and one is a number's. */
export function areLabelled(rows: readonly RawRow[]): boolean {
  const pairs = rows.map(({ cells }) => cells.filter((cell) => !isEmpty(cell)).map((cell) => cell.trim()));
  const labels = pairs.map(([first = '']) => divided(first)[0]);
  const isNumbered = pairs.some(([, second], index) => NUMBERS.includes(labels[index] ?? 'other') && isNumber(second));
  return labels.every((label) => label !== undefined) || (isNumbered && pairs.every(({ length }) => length < 3));
}

/** Finds the labels of a row with their values, which are in the same cell, in those beside it, or below it. */
function labelledIn({ row, cells }: RawRow, below: RawRow | undefined): Labelled[] {
  const filled = cells.flatMap((cell, column) => (isEmpty(cell) ? [] : [{ column, text: cell.trim() }]));
  const under = (column: number): string => (below?.row === row + 1 ? (below.cells[column] ?? '').trim() : '');
  return filled.flatMap(({ column, text }, index): Labelled[] => {
    const [label, value] = divided(text);
    const texts = value === undefined ? valuesBeside(filled.slice(index + 1), under(column)) : [value];
    if (label === undefined || texts.length === 0) return [];
    const shown = value === undefined ? [text, ...texts].join(' ') : text;
    return [
      {
        label,
        cell: `${columnLetters(column)}${row} (${JSON.stringify(shown)})`,
        values: label === 'name' ? texts : texts.flatMap(partsOf),
      },
    ];
  });
}

/** The cells up to the next label, else the one below. */
function valuesBeside(rest: readonly { readonly text: string }[], under: string): string[] {
  const isLabel = (text: string): boolean => divided(text)[0] !== undefined;
  const end = rest.findIndex(({ text }) => isLabel(text));
  const beside = rest.slice(0, end === -1 ? rest.length : end).map(({ text }) => text);
  return beside.length > 0 || under === '' || isLabel(under) ? beside : [under];
}

/** Divides "Assembly: KIT-0455", "Material    4711" or "BOM KIT-0455 Sensor kit" into its label and its value. */
function divided(text: string): [label?: Label, value?: string | undefined] {
  // As EAGLE writes it.
  const [, drawing] = /^part ?list exported from (\S.*\.(?:sch|brd)) at\b/i.exec(text) ?? [];
  if (drawing !== undefined) return ['drawing', drawing];
  const [, before = '', after] = /^([^:：]{2,40}?)(?:[:：]\s*|\s{3,})(\S.*)$/s.exec(text) ?? [];
  const label = labelOf(after === undefined ? text : before);
  if (label !== undefined) return [label, after];
  const [, revised] = /^(\S*\d\S*)\s+rev(?:ision)?\.?\s*:/i.exec(text) ?? [];
  if (isNumber(revised)) return ['title', revised];
  const [, title = '', number, name] = /^(\p{L}.*?)\s+([^\s:]*\d[^\s:]*)(?:\s+(\D.*))?$/su.exec(text) ?? [];
  const isTitle = labelOf(title) === 'title' && isNumber(number) && !/^(?:19|20)\d\d$/.test(number ?? '');
  const isName = name !== undefined && !/\b(?:19|20)\d\d\b|\d:\d\d/.test(name);
  return isTitle ? ['title', isName ? `${number} - ${name}` : number] : [];
}

/** Divides "4711-0000 - Lifting table, Rev. B" into its number and its name. */
function partsOf(value: string): string[] {
  const text = value.replace(/[\s,(]+(?:rev|revision|version|ver|ausgabe)\b\.? ?:?\s*\S{1,4}\)?$/i, '').trim();
  const [, number = text, name] = /^(\S+?)(?:\s+[-–—/|]\s+|,\s+)(.+)$/s.exec(text) ?? [];
  return isNumber(number) ? [number.replace(DRAWING, ''), ...(name === undefined ? [] : [name])] : [text];
}

/** The ending of a file that a program names instead of the assembly. */
const DRAWING = /\.(?:sch|schdoc|pcb|pcbdoc|prjpcb|dsn|opj|brd|asm|iam|sldasm|kicad_(?:sch|pcb|pro)|csv|xlsx?)$/i;

/** Whether a text looks like the number of an item, not like a date, a count, a version or a sentence. */
const isNumber = (text = ''): boolean =>
  /^(?=.*\d)[\p{L}\d][\p{L}\d._\-/#]{2,39}$/u.test(text) && !DATE.test(text) && !/^(?:v|rev)[.\d]+$/i.test(text);

const DATE = /^(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,4})$/;

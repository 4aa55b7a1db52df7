import { posix } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { matchesPattern } from '#core/engine/wildcard.js';
import type { ImportSource } from '#core/jobs/source.js';
import { readFormats } from './number-text.js';
import { readSharedStrings } from './shared-strings.js';
import { boundedPartBytes, findParts, partBytes, type WorkbookParts } from './workbook-parts.js';
import { type Attributes, isTrue, readWholeXml, readXml } from './xml-events.js';

/** A worksheet as its workbook describes it, without its rows. */
export interface Worksheet {
  readonly name: string;
  /** The name of its part. */
  readonly part: string;
  readonly state: 'shown' | 'hidden';
  /** The range in use, such as A1:H200, if its writer stated it. */
  readonly dimension?: string;
}

/** Data that all worksheets of a workbook share, and the locations of the worksheets. */
export interface Workbook {
  readonly parts: WorkbookParts;
  readonly worksheets: readonly Worksheet[];
  readonly sharedStrings: readonly string[];
  readonly epoch: '1900' | '1904';
  /** Number formats by style. */
  readonly formats: readonly string[];
}

/** Reads everything but the rows, and of each worksheet only the beginning. */
export async function readWorkbook(path: string, file: string): Promise<Workbook> {
  const parts = await findParts(path, file);
  const main = partOf(await relationsOf(parts, ''), 'officeDocument', 'xl/workbook.xml');
  const relations = await relationsOf(parts, main);
  const { sheets, epoch } = await readBook(parts, main);
  const strings = partOf(relations, 'sharedStrings', 'xl/sharedStrings.xml');
  const styles = partOf(relations, 'styles', 'xl/styles.xml');
  return {
    parts,
    worksheets: await worksheetsOf(parts, sheets, relations),
    sharedStrings: await readSharedStrings(boundedPartBytes(parts, strings, 'shared texts')),
    formats: await readFormats(boundedPartBytes(parts, styles, 'styles')),
    epoch,
  };
}

/** Returns the first of the worksheets that a source names, or the first that is shown. */
export function chooseWorksheet<T extends Worksheet>(
  { worksheets }: { readonly worksheets: readonly T[] },
  wanted: ImportSource['worksheet'],
  file: string,
): T {
  const [chosen = worksheets[0]] =
    wanted === undefined
      ? worksheets.filter(({ state }) => state === 'shown')
      : worksheetsNamed(worksheets, wanted, file);
  if (chosen === undefined) throw new Error('it has no worksheet');
  return chosen;
}

/** Whether a source reads several worksheets as one table. No worksheet has * in its name. */
export const areSeveral = (wanted: ImportSource['worksheet']): wanted is string | string[] =>
  typeof wanted === 'string' ? wanted.includes('*') : wanted !== undefined;

/** Returns the worksheets that a source names, in its order; those of a name with * in the order of the workbook. */
export const worksheetsNamed = <T extends Pick<Worksheet, 'name' | 'state'>>(
  worksheets: readonly T[],
  wanted: string | readonly string[],
  file: string,
): T[] => [...new Set([wanted].flat().flatMap((name) => namedSheets(worksheets, name, file)))];

function namedSheets<T extends Pick<Worksheet, 'name' | 'state'>>(
  worksheets: readonly T[],
  name: string,
  file: string,
): readonly T[] {
  const folded = name.toLowerCase().trim();
  const found = name.includes('*')
    ? worksheets.filter((sheet) => sheet.state === 'shown' && matchesPattern(folded, sheet.name.toLowerCase().trim()))
    : [
        ...worksheets.filter((sheet) => sheet.name === name),
        ...worksheets.filter((sheet) => sheet.name.toLowerCase().trim() === folded),
      ].slice(0, 1);
  if (found.length > 0) return found;
  const names = worksheets.map((sheet) => sheet.name);
  throw new DexsyncError(
    'UNKNOWN_NAME',
    `${file} has no worksheet "${name}". It has ${names.map((known) => `"${known}"`).join(', ')}.`,
    {
      hint: nearestHint(name, names) ?? 'Set `worksheet` to one of them.',
    },
  );
}

/** A relation from one part to another (ECMA-376 part 2, 6.5). */
interface Relation {
  readonly id: string | undefined;
  /** The end of its address, which is the same in both namespaces of the standard. */
  readonly type: string;
  readonly part: string;
}

/** Targets are relative to the part that they belong to, or absolute (`/xl/worksheets/sheet1.xml`). */
async function relationsOf(parts: WorkbookParts, name: string): Promise<readonly Relation[]> {
  const { dir, base } = posix.parse(name);
  const relations: Relation[] = [];
  await readWholeXml(boundedPartBytes(parts, posix.join(dir, '_rels', `${base}.rels`), 'relationships'), {
    open(element, { Id: id, Type = '', Target = '' }) {
      if (element !== 'Relationship') return;
      relations.push({ id, type: posix.basename(Type), part: posix.resolve('/', dir, Target).slice(1) });
    },
  });
  return relations;
}

const partOf = (relations: readonly Relation[], type: string, usual: string): string =>
  relations.find((relation) => relation.type === type)?.part ?? usual;

interface ListedSheet {
  readonly name: string;
  readonly relation: string | undefined;
  readonly state: Worksheet['state'];
}

/** Reads the workbook part (ECMA-376 part 1, 18.2). */
async function readBook(
  parts: WorkbookParts,
  main: string,
): Promise<Pick<Workbook, 'epoch'> & { sheets: ListedSheet[] }> {
  const sheets: ListedSheet[] = [];
  let epoch: Workbook['epoch'] = '1900';
  await readWholeXml(boundedPartBytes(parts, main, 'worksheet names'), {
    open(element, attributes) {
      if (element === 'workbookPr' && isTrue(attributes.date1904)) epoch = '1904';
      if (element === 'sheet') sheets.push(listedSheet(attributes));
    },
  });
  const names = sheets.map(({ name }) => name.toLowerCase());
  const twice = sheets.find(({ name }, index) => names.indexOf(name.toLowerCase()) < index);
  if (twice !== undefined) throw new Error(`it has two worksheets named "${twice.name}"`);
  return { sheets, epoch };
}

function listedSheet(attributes: Attributes): ListedSheet {
  const { name = '', state = 'visible' } = attributes;
  const relation = Object.keys(attributes).find((key) => key.endsWith(':id'));
  return {
    name,
    relation: relation === undefined ? undefined : attributes[relation],
    state: state === 'visible' ? 'shown' : 'hidden',
  };
}

/** Leaves out charts and macros, which are also listed as sheets. A broken worksheet is refused when it is read. */
async function worksheetsOf(
  parts: WorkbookParts,
  sheets: readonly ListedSheet[],
  relations: readonly Relation[],
): Promise<readonly Worksheet[]> {
  const worksheets: Worksheet[] = [];
  const byId = new Map(relations.flatMap(({ id, type, part }) => (type === 'worksheet' ? [[id, part]] : [])));
  for (const { name, relation, state } of sheets) {
    const part = byId.get(relation);
    if (part === undefined) continue;
    const dimension = await dimensionOf(parts, part).catch(() => undefined);
    worksheets.push({ name, part, state, ...omitUndefined({ dimension }) });
  }
  return worksheets;
}

/** The dimension comes before the rows, so the first piece of the worksheet contains it. */
async function dimensionOf(parts: WorkbookParts, part: string): Promise<string | undefined> {
  let dimension: string | undefined;
  const open = (name: string, { ref = '' }: Attributes): void => {
    if (name === 'dimension' && /^[A-Z]+\d+:[A-Z]+\d+$/.test(ref)) dimension = ref;
  };
  for await (const _ of readXml(partBytes(parts, part), { open })) break;
  return dimension;
}

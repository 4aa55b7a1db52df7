import { WorkbookReader } from '@cj-tech-master/excelts';
import { DexsyncError } from '../../errors.js';
import { nearestHint } from '../../nearest.js';

export interface Worksheet {
  readonly name: string;
  readonly part: number;
  readonly state: 'shown' | 'hidden';
  /** The range in use, such as A1:H200, where its writer said so. */
  readonly dimension?: string;
}

/** What all worksheets of a workbook share, and where its worksheets are. */
export interface Workbook {
  readonly worksheets: readonly Worksheet[];
  readonly sharedStrings: readonly string[];
  readonly epoch: '1900' | '1904';
  /** The number format of a style, `General` where it has none. */
  formatOf(style: number): string;
}

interface Style {
  readonly numFmt?: string | { readonly formatCode: string };
}

type Bytes = AsyncIterable<Uint8Array | string>;

/**
 * Reads everything but the worksheets. They come in any order in the file, before or after the strings and styles that
 * they need, so a workbook is read twice and no worksheet is ever held.
 */
export async function readWorkbook(path: string): Promise<Workbook> {
  const reader = new WorkbookReader(path, {
    worksheets: 'emit',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
  });
  const dimensions = new Map<number, string>();
  for await (const { part, bytes } of parts(reader)) {
    const dimension = dimensionIn(await drain(bytes));
    if (dimension !== undefined) dimensions.set(part, dimension);
  }
  const formats = new Map<number, string>();
  const formatOf = (style: number): string => {
    const numFmt = (reader.styles.getStyleModel(style) as Style | null)?.numFmt;
    return (typeof numFmt === 'string' ? numFmt : numFmt?.formatCode) ?? 'General';
  };
  return {
    worksheets: worksheetsOf(reader, dimensions),
    sharedStrings: (reader.sharedStrings ?? []).map(textOf),
    epoch: reader.properties?.model?.date1904 ? '1904' : '1900',
    formatOf(style) {
      const known = formats.get(style) ?? formatOf(style);
      formats.set(style, known);
      return known;
    },
  };
}

/** The worksheet of that name, or the first that is shown. */
export function chooseWorksheet({ worksheets }: Workbook, name: string | undefined, file: string): Worksheet {
  const chosen =
    name === undefined
      ? (worksheets.find(({ state }) => state === 'shown') ?? worksheets[0])
      : (worksheets.find((sheet) => sheet.name === name) ??
        worksheets.find((sheet) => sheet.name.toLowerCase().trim() === name.toLowerCase().trim()));
  if (chosen !== undefined) return chosen;
  if (name === undefined) throw new Error('no worksheet in it');
  const names = worksheets.map((sheet) => sheet.name);
  throw new DexsyncError(
    'UNKNOWN_NAME',
    `${file} has no worksheet "${name}". It has ${names.map((known) => `"${known}"`).join(', ')}.`,
    {
      hint: nearestHint(name, names) ?? 'Name one of them in `worksheet`.',
    },
  );
}

/** The XML of one worksheet part. */
export async function* worksheetBytes(path: string, part: number): AsyncGenerator<Uint8Array | string> {
  const reader = new WorkbookReader(path, {
    worksheets: 'emit',
    sharedStrings: 'ignore',
    styles: 'ignore',
    hyperlinks: 'ignore',
  });
  try {
    for await (const worksheet of parts(reader)) {
      if (worksheet.part === part) return yield* worksheet.bytes;
      await drain(worksheet.bytes);
    }
  } finally {
    reader.stream?.destroy();
  }
}

/** Each worksheet as it comes by. Set beforehand, `workbookRels` and `sharedStrings` keep the library from spooling it. */
async function* parts(reader: WorkbookReader): AsyncGenerator<{ part: number; bytes: Bytes }> {
  reader.workbookRels = [];
  reader.sharedStrings = [];
  for await (const worksheet of reader) yield { part: worksheet.sheetNo, bytes: worksheet.iterator as Bytes };
}

/** Reads on to the end. Gives the beginning, which says how large a worksheet is. */
async function drain(bytes: Bytes): Promise<string> {
  let start = '';
  for await (const chunk of bytes) if (start.length < BEGINNING) start += Buffer.from(chunk).toString('latin1');
  return start.slice(0, BEGINNING);
}

const BEGINNING = 2000;

const dimensionIn = (xml: string): string | undefined =>
  /<(?:\w+:)?dimension\b[^>]*\bref="([A-Z]+\d+:[A-Z]+\d+)"/.exec(xml)?.[1];

/** Targets are relative to `xl/`, or absolute (`/xl/worksheets/sheet1.xml`). */
function worksheetsOf(reader: WorkbookReader, dimensions: ReadonlyMap<number, string>): readonly Worksheet[] {
  const targets = new Map(reader.workbookRels?.map(({ Id, Target }) => [Id, Target]));
  return (reader.model?.sheets ?? []).flatMap(({ name, rId, state }): Worksheet[] => {
    const part = Number(/worksheets\/sheet(\d+)\.xml$/.exec(targets.get(rId) ?? '')?.[1]);
    if (Number.isNaN(part)) return [];
    const shown = state === undefined || state === 'visible';
    const dimension = dimensions.get(part);
    return [{ name, part, state: shown ? 'shown' : 'hidden', ...(dimension === undefined ? {} : { dimension }) }];
  });
}

type Shared = NonNullable<WorkbookReader['sharedStrings']>[number];

const textOf = (shared: Shared): string =>
  unescaped(typeof shared === 'string' ? shared : shared.richText.map(({ text }) => text ?? '').join(''));

/** `_x000D_` stands for a character that XML cannot hold (ECMA-376 part 1, 22.9.2.19). */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

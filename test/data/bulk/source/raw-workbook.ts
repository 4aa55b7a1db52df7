import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { temporaryFolder } from '../support.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface RawBook {
  /** The XML within each `worksheet`, by name. */
  readonly sheets: Readonly<Record<string, string>>;
  /** Names of hidden ones. */
  readonly hidden?: readonly string[];
  /** Number formats by style, from style 1 on. */
  readonly formats?: readonly string[];
  /** The XML of each `si`. */
  readonly shared?: readonly string[];
  readonly date1904?: boolean;
}

/** A workbook written part by part as ECMA-376 has it, so that no library stands between the test and the bytes. */
export async function rawWorkbook({
  sheets,
  hidden = [],
  formats = [],
  shared = [],
  date1904,
}: RawBook): Promise<string> {
  const names = Object.keys(sheets);
  const parts: [name: string, xml: string][] = [];
  const add = (name: string, xml: string) => parts.push([name, xml]);
  const types = [
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
    ...names.map(
      (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
    ),
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
    `<Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/>`,
  ];
  add(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types.join('')}</Types>`,
  );
  add(
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  const relations = [
    ...names.map(
      (_, i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
    ),
    `<Relationship Id="rId98" Type="${OFFICE}/styles" Target="styles.xml"/>`,
    `<Relationship Id="rId99" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/>`,
  ];
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`,
  );
  const listed = names.map(
    (name, i) =>
      `<sheet name="${name}" sheetId="${i + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
  );
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
  );
  const codes = formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${escaped(code)}"/>`);
  const styles = formats.map((_, i) => `<xf numFmtId="${200 + i}" applyNumberFormat="1"/>`);
  add(
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}"><numFmts count="${codes.length}">${codes.join('')}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${styles.length + 1}"><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
  );
  add('xl/sharedStrings.xml', `<sst xmlns="${MAIN}">${shared.map((xml) => `<si>${xml}</si>`).join('')}</sst>`);
  for (const [i, xml] of Object.values(sheets).entries()) {
    add(`xl/worksheets/sheet${i + 1}.xml`, `<worksheet xmlns="${MAIN}">${xml}</worksheet>`);
  }
  return workbookOfParts(parts);
}

/** An archive of these parts in this order, each with an XML declaration before it. */
export async function workbookOfParts(
  parts: readonly (readonly [name: string, xml: string])[],
  compress = true,
): Promise<string> {
  const zip = new yazl.ZipFile();
  for (const [name, xml] of parts) {
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`), name, { compress });
  }
  zip.end();
  const path = join(await temporaryFolder(), 'raw.xlsx');
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** Makes the directory of an archive declare the unpacked size of an entry, as a well packed one does. */
export async function declareSize(path: string, name: string, bytes: number): Promise<void> {
  const content = await readFile(path);
  // A header of the central directory has 46 bytes before the name; the size is in byte 24 (APPNOTE 4.3.12).
  content.writeUInt32LE(bytes, content.lastIndexOf(name) - 46 + 24);
  await writeFile(path, content);
}

/** Rows of inline texts from A1 on; an undefined cell is left out. */
export const textRows = (...rows: readonly (readonly (string | undefined)[])[]): string =>
  rows
    .map(
      (cells, row) => `<row r="${row + 1}">${cells.map((text, column) => textCell(column, row, text)).join('')}</row>`,
    )
    .join('');

const textCell = (column: number, row: number, text: string | undefined): string =>
  text === undefined
    ? ''
    : `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Rows of texts from A1 on, with merged ranges such as A1:A2. */
export const mergedWorkbook = (rows: readonly (readonly string[])[], merged: readonly string[]): Promise<string> => {
  const filled = rows.map((cells) => cells.map((text) => (text === '' ? undefined : text)));
  const ranges = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  return rawWorkbook({
    sheets: { Parts: `<sheetData>${textRows(...filled)}</sheetData><mergeCells>${ranges}</mergeCells>` },
  });
};

/** Rows of texts below headers, each with its outline level. */
export const outlinedWorkbook = (
  headers: readonly string[],
  rows: readonly (readonly [level: number, cells: readonly string[]])[],
): Promise<string> => {
  const levels = [0, ...rows.map(([level]) => level)];
  const xml = textRows(headers, ...rows.map(([, cells]) => cells));
  const outlined = xml.replaceAll(/<row r="(\d+)">/g, (tag, row) => {
    const level = levels[Number(row) - 1] ?? 0;
    return level === 0 ? tag : `<row r="${row}" outlineLevel="${level}">`;
  });
  return rawWorkbook({ sheets: { Parts: `<sheetData>${outlined}</sheetData>` } });
};

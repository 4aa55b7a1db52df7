import type { ImportSource } from '#core/jobs/source.js';
import { OdsFormats } from './ods-formats.js';
import { OdsRows } from './ods-rows.js';
import type { RawRow, RawTable } from './raw-table.js';
import { unreadableFile } from './unreadable-file.js';
import { chooseWorksheet, type Worksheet } from './workbook.js';
import { brokenWorkbook, refuseBroken, refuseTextOptions } from './workbook-errors.js';
import { boundedPartBytes, findParts, partBytes, type WorkbookParts } from './workbook-parts.js';
import { type Attributes, readWholeXml, readXml } from './xml-events.js';

/** The part that has all sheets. */
const CONTENT = 'content.xml';
/** As large as a million rows of usual width; it is read twice. */
const MOST_CONTENT_BYTES = 1024 * 1024 * 1024;

interface OdsSheet extends Worksheet {
  /** Among all tables of the content. */
  readonly position: number;
}

/** Reads a sheet of an OpenDocument spreadsheet as text, in the form in which the cells of XLSX are read. */
export async function readOds(path: string, source: ImportSource): Promise<RawTable> {
  const { file } = source;
  refuseTextOptions(source);
  const { parts, worksheets } = await refuseBroken(file, () => openOds(path, file));
  const sheet = await refuseBroken(file, async () => chooseWorksheet({ worksheets }, source.worksheet, file));
  const formats = await refuseBroken(file, () => commonFormats(parts));
  const reader = new OdsRows(formats, sheet.position);
  return {
    form: 'sheet',
    format: 'ods',
    file,
    worksheet: sheet.name,
    worksheets,
    batches: batchesOf(parts, reader, file),
    hiddenColumns: () => reader.hiddenColumns,
    merged: () => reader.merged,
    notes: [],
  };
}

async function openOds(path: string, file: string): Promise<{ parts: WorkbookParts; worksheets: OdsSheet[] }> {
  const parts = await findParts(path, file);
  if (await isEncrypted(parts)) {
    throw unreadableFile(`${file} is protected with a password.`, 'Save a copy without a password.');
  }
  return { parts, worksheets: await sheetsOf(parts) };
}

async function isEncrypted(parts: WorkbookParts): Promise<boolean> {
  let found = false;
  await readWholeXml(boundedPartBytes(parts, 'META-INF/manifest.xml', 'part names'), {
    open(name) {
      if (name === 'encryption-data') found = true;
    },
  });
  return found;
}

async function commonFormats(parts: WorkbookParts): Promise<OdsFormats> {
  const formats = new OdsFormats();
  await readWholeXml(boundedPartBytes(parts, 'styles.xml', 'styles'), {
    open: (name, attributes) => formats.open(name, attributes),
    close: (name) => formats.close(name),
    text: (text) => formats.text(text),
  });
  return formats;
}

/** Lists the sheets with rows of their own; reads the whole content, since nothing else names them. */
async function sheetsOf(parts: WorkbookParts): Promise<OdsSheet[]> {
  const lister = new SheetLister();
  await readWholeXml(contentOf(parts), lister);
  const names = lister.sheets.map(({ name }) => name.toLowerCase());
  const twice = lister.sheets.find(({ name }, index) => names.indexOf(name.toLowerCase()) < index);
  if (twice !== undefined) throw new Error(`it has two worksheets named "${twice.name}"`);
  return lister.sheets;
}

const contentOf = (parts: WorkbookParts) => {
  if (!parts.entries.has(CONTENT)) throw new Error(`its part "${CONTENT}" is missing`);
  return boundedPartBytes(parts, CONTENT, 'cells', MOST_CONTENT_BYTES);
};

const NAMESPACE = 'urn:oasis:names:tc:opendocument:xmlns:';

class SheetLister {
  sheets: OdsSheet[] = [];
  readonly #hiddenStyles = new Set<string>();
  #style = '';
  #position = -1;
  #depth = 0;
  #begun = false;

  open(name: string, attributes: Attributes): void {
    if (!this.#begun) this.#refuseOtherPrefixes(attributes);
    if (name === 'table') this.#openTable(attributes);
    else if (name === 'table-source' && this.#depth === 1) {
      // A copy of a sheet of another file, which programs keep and do not show.
      this.sheets = this.sheets.filter(({ position }) => position !== this.#position);
    } else if (this.#position === -1) this.#openStyle(name, attributes);
  }

  close(name: string): void {
    if (name === 'table') this.#depth -= 1;
  }

  #refuseOtherPrefixes(attributes: Attributes): void {
    this.#begun = true;
    const other = ['office', 'style', 'table', 'text'].find(
      (prefix) => attributes[`xmlns:${prefix}`] !== `${NAMESPACE}${prefix}:1.0`,
    );
    if (other !== undefined) throw new Error(`its XML does not use the prefix "${other}" of OpenDocument`);
  }

  #openTable(attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    this.#position += 1;
    const hidden = this.#hiddenStyles.has(attributes['table:style-name'] ?? '');
    const name = attributes['table:name'] ?? `Sheet${this.#position + 1}`;
    this.sheets.push({ name, part: CONTENT, state: hidden ? 'hidden' : 'shown', position: this.#position });
  }

  #openStyle(name: string, attributes: Attributes): void {
    if (name === 'style') this.#style = attributes['style:name'] ?? '';
    else if (name === 'table-properties' && attributes['table:display'] === 'false')
      this.#hiddenStyles.add(this.#style);
  }
}

/** Minimum number of rows in a batch. */
const BATCH = 100;

/** Reads the content to its end, since its checksum comes last. */
async function* batchesOf(parts: WorkbookParts, reader: OdsRows, file: string): AsyncGenerator<readonly RawRow[]> {
  try {
    for await (const _ of readXml(partBytes(parts, CONTENT), reader)) {
      if (reader.rows.length >= BATCH) yield reader.release();
    }
    if (reader.rows.length > 0) yield reader.release();
  } catch (error) {
    throw brokenWorkbook(file, error);
  }
}

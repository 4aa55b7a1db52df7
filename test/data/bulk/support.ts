import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Workbook } from '@cj-tech-master/excelts';
import { onTestFinished } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type ImportInput, type PreparedImport, prepareImport } from '#data/bulk/prepare.js';
import { openSource } from '#data/bulk/source/open-source.js';
import type { SourceRow } from '#data/bulk/source/source-table.js';

const shared = process.env.DEXSYNC_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url));

/** The folder of real part lists, which is outside the repository. */
export const realData = join(shared, 'data/real');
export const hasRealData = existsSync(realData);
if (!hasRealData) console.warn(`Tests on real files are skipped: ${realData} is absent.`);

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-bulk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  await settle(path);
  return path;
}

/** Makes a file look as if it was written a while ago: those that were just written are watched for a moment. */
async function settle(path: string): Promise<void> {
  const before = new Date(Date.now() - 60_000);
  await utimes(path, before, before);
}

/** Writes a workbook of these sheets; `formats` gives number formats by cell address, on all sheets. */
export async function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
  formats: Readonly<Record<string, string>> = {},
): Promise<string> {
  const workbook = new Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name);
    for (const row of rows) sheet.addRow(row as never);
    for (const [address, format] of Object.entries(formats)) sheet.getCell(address).numFmt = format;
  }
  const path = join(await temporaryFolder(), 'book.xlsx');
  await workbook.xlsx.writeFile(path);
  await settle(path);
  return path;
}

export interface ReadTable {
  readonly worksheet: string | undefined;
  readonly headers: readonly string[];
  readonly rows: SourceRow[];
}

export async function readAll(path: string, options: Partial<ImportSource> = {}): Promise<ReadTable> {
  const table = await openSource(path, { file: path.split('/').at(-1) ?? path, ...options });
  const rows: SourceRow[] = [];
  for await (const row of table.rows) rows.push(row);
  return { worksheet: table.worksheet, headers: table.headers, rows };
}

export const cellsOf = ({ headers, rows }: ReadTable): (readonly string[])[] => [
  headers,
  ...rows.map(({ cells }) => cells),
];

/** The error's text as a user sees it, or a failure where nothing is thrown. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DexsyncError)) throw error;
    return `${error.message} ${error.hint ?? ''} [${error.code}]`;
  }
  throw new Error('Nothing was refused.');
}

type Mapping = NonNullable<NonNullable<ImportDefinitionSpec['options']>['mapping']>;

export function definitionOf(
  resource: string,
  mode: string,
  mapping: Readonly<Record<string, string>>,
  options: Omit<NonNullable<ImportDefinitionSpec['options']>, 'mapping'> = {},
): ImportDefinitionSpec {
  const entries: Mapping = Object.entries(mapping).map(([apiName, sourceName]) => ({ resource, apiName, sourceName }));
  return { resource, mode, options: { ...options, mapping: entries } };
}

export async function prepare(
  path: string,
  definition: ImportDefinitionSpec,
  source: Partial<ImportSource> = {},
  more: Partial<ImportInput> = {},
): Promise<PreparedImport> {
  const file = path.split('/').at(-1) ?? path;
  return prepareImport({ path, source: { file, ...source }, definition, folder: await temporaryFolder(), ...more });
}

/** `error key-empty row 9 "PART NUMBER": message hint`. */
export const findingLines = ({ findings }: PreparedImport): string[] =>
  findings.kept.map(({ severity, code, row, column, message, hint }) =>
    [severity, code, row === undefined ? '' : `row ${row}`, column === undefined ? '' : `"${column}":`, message, hint]
      .filter((part) => part)
      .join(' '),
  );

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { onTestFinished } from 'vitest';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { type KeptValue, KeyedRows } from '#data/bulk/compare/keyed-rows.js';
import { listTargets } from '#data/bulk/compare/targets.js';
import { formOfField } from '#data/bulk/compare/value-form.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import { writeBeforeImage } from '#data/bulk/read-back/before-image.js';
import { type LostColumn, lostColumns, takesAway } from '#data/bulk/read-back/lost-columns.js';
import { keepSides } from '#data/bulk/undo/keep-rows.js';
import { columnsNow, ROW_KINDS } from '#data/bulk/undo/undo-context.js';
import { openUndoFiles } from '#data/bulk/undo/undo-files.js';
import { undoRows } from '#data/bulk/undo/undo-rows.js';
import { fileOf, prepare, temporaryFolder } from '../support.js';

/** A record of the workspace: its key, then what it has by field; null where the workspace does not show a field. */
export type Live = readonly [key: readonly string[], values?: Readonly<Record<string, string | null>>, guid?: string];

export interface Sides {
  readonly definition: ImportDefinitionSpec;
  readonly sent: string;
  readonly before: readonly Live[];
  readonly now: readonly Live[];
  /** Whether the import sent the content of files. */
  readonly content?: 'sent' | 'none';
}

const { signal } = new AbortController();

async function liveRows(
  { columns }: Pick<PreparedImport, 'columns'>,
  lost: readonly LostColumn[],
  definition: ImportDefinitionSpec,
  records: readonly Live[],
): Promise<KeyedRows> {
  const targets = listTargets(columnsNow([...columns, ...lost], definition), definition.resource);
  const rows = await KeyedRows.open(await temporaryFolder(), 'live');
  onTestFinished(() => rows.close());
  for (const [key, values = {}, guid = ''] of records) {
    const kept = targets.map(({ field }): KeptValue => {
      const text = values[field] === undefined ? '' : values[field];
      return text === null ? null : [formOfField(field), text];
    });
    rows.add(key, kept, guid);
  }
  rows.seal();
  return rows;
}

/** What the two files of a before image hold, read with another library. */
export async function imageOf({ definition, sent, before }: Omit<Sides, 'now'>) {
  const prepared = await prepare(await fileOf('sent.csv', sent), definition);
  const folder = await temporaryFolder();
  const names = takesAway(definition) ? (resourceNamed(definition.resource).lost ?? []) : [];
  const lost = lostColumns(prepared.columns, definition, names);
  const records = await liveRows(prepared, lost, definition, before);
  await writeBeforeImage({ prepared, definition, lost, records, folder, signal, onRow: () => undefined });
  const read = async (name: string) => rowsIn(join(folder, name));
  return { prepared, folder, before: await read('before.csv'), absent: await read('absent.csv') };
}

async function rowsIn(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return Papa.parse<string[]>(text.replace(/^\ufeff/, '').trimEnd()).data;
}

/** The rows that undo an import, by kind and without their header, and what stays as it is. */
export async function undone({ now, content = 'none', ...sides }: Sides) {
  const { definition } = sides;
  const { prepared: sent, folder: image } = await imageOf(sides);
  const folder = await temporaryFolder();
  const files = join(folder, 'files');
  await mkdir(files);
  const failed = new Set<number>();
  const kept = await keepSides({ sent, definition, failed, image, folder });
  const { lost, ...stored } = kept;
  const present = await liveRows(sent, lost, definition, now);
  const undoing = { sent, failed, definition, content, ...kept, present, signal };
  const writer = await openUndoFiles(files, undoing);
  await undoRows(undoing, writer);
  const { left, lost: filled } = await writer.finish();
  for (const rows of Object.values(stored)) rows.close();
  const rows = await Promise.all(
    ROW_KINDS.map(async (kind) => [kind, await rowsIn(join(files, `${kind}.csv`))] as const),
  );
  const written = rows.filter(([, [, ...those]]) => those.length > 0);
  return {
    rows: Object.fromEntries(written.map(([kind, [, ...those]]) => [kind, those])),
    header: Object.fromEntries(written.map(([kind, [header]]) => [kind, header])),
    left: left.first.map(({ row, key, why, cells = [] }) => ({
      where: `${key.join('/')} in row ${row}`,
      why,
      cells: cells.map(({ column, before, after }) => `${column}: ${before} -> ${after}`),
    })),
    leftFile: (await rowsIn(join(files, 'not-undone.csv'))).slice(1),
    lines: filled.length === 0 ? 'as mapped' : 'whole',
  };
}

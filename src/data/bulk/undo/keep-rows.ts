import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { recordFinder } from '../compare/find-records.js';
import { KeyedRows } from '../compare/keyed-rows.js';
import { openSharedCells } from '../compare/shared-cells.js';
import type { Column } from '../preflight/columns.js';
import { BEFORE_FILES } from '../read-back/before-image.js';
import { type LostColumn, lostColumnsIn } from '../read-back/lost-columns.js';
import { SHARED_COLUMN } from '../report/extra-columns.js';
import { parseCsvFile, readHeader } from '../rows/parse-csv-file.js';
import { readAllRows } from '../rows/spooled-rows.js';
import type { UndoContext } from './undo-context.js';

/** Rows by their keys, sealed; the caller closes them. */
export type KeptSides = Pick<UndoContext, 'sentByKey' | 'sentTogether' | 'before' | 'absent' | 'lost'>;

/** A committed import, and the location of its before image. */
export interface KeepSidesInput {
  readonly sent: UndoContext['sent'];
  readonly definition: ImportDefinitionSpec;
  /** Data rows that had no effect, so that nothing of them is undone. */
  readonly failed: ReadonlySet<number>;
  /** The folder of the before image. */
  readonly image: string;
  /** An existing folder, where the stored rows stay. */
  readonly folder: string;
}

/** Reads what an import sent and its before image. Throws FILE_UNREADABLE if the image belongs to another import. */
export async function keepSides({ sent, definition, failed, image, folder }: KeepSidesInput): Promise<KeptSides> {
  const keep = (name: string, rows: AsyncIterable<readonly string[]>): Promise<KeyedRows> =>
    keepRows({ folder, name, columns: sent.columns, definition }, rows);
  const [before, absent] = [join(image, BEFORE_FILES.before), join(image, BEFORE_FILES.absent)];
  const lost = await readLostColumns(image, definition);
  return {
    lost,
    sentByKey: await keep('sent', effectiveCells(sent, failed)),
    sentTogether: await openSharedCells({ prepared: sent, definition, folder }),
    before: await keep('before', imageRows(before, sent.columns)),
    absent: await keep('absent', imageRows(absent, sent.columns)),
  };
}

interface Keeping {
  readonly folder: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly definition: ImportDefinitionSpec;
}

async function keepRows(
  { folder, name, columns, definition }: Keeping,
  rows: AsyncIterable<readonly string[]>,
): Promise<KeyedRows> {
  const kept = await KeyedRows.open(folder, name);
  const { identity } = recordFinder(columns, definition);
  for await (const cells of rows) {
    const { key, guid } = identity(cells);
    kept.add(
      key,
      cells.map((cell) => ['text', cell]),
      guid.toUpperCase(),
    );
  }
  kept.seal();
  return kept;
}

async function* effectiveCells(
  { path, rows }: UndoContext['sent'],
  failed: ReadonlySet<number>,
): AsyncGenerator<readonly string[]> {
  for await (const { n, cells } of readAllRows({ path, rows })) if (!failed.has(n)) yield cells;
}

/** Reads which columns a before image has beyond those of its import; older images have fewer. */
export async function readLostColumns(image: string, definition: ImportDefinitionSpec): Promise<readonly LostColumn[]> {
  const [all, own] = await Promise.all(
    [BEFORE_FILES.before, BEFORE_FILES.absent].map((name) => readHeader(join(image, name))),
  );
  return lostColumnsIn(
    all ?? [],
    (own ?? []).filter((header) => header !== SHARED_COLUMN),
    definition,
  );
}

/** Reads a file of a before image, whose header must begin with that of the import. */
async function* imageRows(path: string, columns: readonly Column[]): AsyncGenerator<readonly string[]> {
  let n = 0;
  try {
    for await (const cells of parseCsvFile(path, { bom: true })) {
      n += 1;
      if (n > 1) yield cells;
      else if (!isHeader(cells, columns)) throw otherImage(path);
    }
  } catch (error) {
    if (error instanceof DexsyncError) throw error;
    throw new DexsyncError('FILE_UNREADABLE', `${path} cannot be read as a before image.`, {
      cause: error,
      hint: HINT,
    });
  }
  if (n === 0) throw otherImage(path);
}

const isHeader = (cells: readonly string[], columns: readonly Column[]): boolean =>
  columns.every(({ header }, index) => header === cells[index]);

const HINT = 'Use the files as the import wrote them.';

const otherImage = (path: string): DexsyncError =>
  new DexsyncError('FILE_UNREADABLE', `${path} is not the before image of this import: its columns are others.`, {
    hint: HINT,
  });

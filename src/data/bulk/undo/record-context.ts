import { hasMode } from '#core/kinds/import-definition.js';
import { resourceNamed, sharedIn } from '#core/model/import-resources.js';
import { isContentSent } from '../archive/row-files.js';
import { type RowIdentity, recordFinder } from '../compare/find-records.js';
import type { KeptRow } from '../compare/keyed-rows.js';
import { RowReader } from '../compare/row-difference.js';
import { cellsIn } from '../compare/shared-cells.js';
import { listTargets, type Target } from '../compare/targets.js';
import { createRowFields, removeMarker } from '../preflight/row-fields.js';
import type { SharedBefore } from '../read-back/before-image.js';
import type { IsPutBack } from './shared-put-back.js';
import { namingCells, type UndoContext } from './undo-context.js';

/** The three sides of one record. */
export interface RecordSides {
  readonly identity: RowIdentity;
  /** Cells that the rows of the import asked for, merged into one row. */
  readonly cells: readonly string[];
  readonly before: readonly KeptRow[];
  readonly was: 'there' | 'absent' | 'unknown';
  /** Whether the object that the record shares with others existed before. */
  readonly shared: SharedBefore;
  readonly isPutBack: IsPutBack;
  readonly present: readonly KeptRow[];
}

/** Facts for undoing the records of one import. */
export type RecordContext = ReturnType<typeof recordContext>;

/** Reads the facts about rows from the definition of an import. */
export function recordContext({
  sent: { columns },
  lost,
  definition,
  content,
}: Pick<UndoContext, 'sent' | 'lost' | 'definition' | 'content'>) {
  const marker = removeMarker(definition);
  const targets = listTargets(columns, definition.resource);
  const resource = resourceNamed(definition.resource);
  const fields = createRowFields(columns, definition);
  const { files: rules } = resource;
  const placeBefore = (field: string): number => [...columns, ...lost].findIndex((one) => one.fields.includes(field));
  const isCreating = hasMode(definition, 'CREATE');
  return {
    ...{ columns, targets, marker, resource },
    reader: new RowReader(targets, definition),
    /** Whether a row with a key writes the field to its own record, not to an object shared with others. */
    isOwn: ({ field, is }: Target): boolean => is === undefined && sharedIn(resource, field) === undefined,
    /** Whether a field applies to existing records. */
    isRead: ({ is }: Target): boolean => is === undefined,
    /** Whether a row sent content for an existing file. */
    hasContent: (cells: readonly string[]): boolean =>
      content === 'sent' && !isCreating && rules !== undefined && isContentSent(cells, { fields, rules, definition }),
    /** The cell of a record of the before image in the column of a field; undefined if there is none. */
    cellBefore: (record: KeptRow, field: string): string | undefined => cellsIn(record)[placeBefore(field)],
    naming: (identity: RowIdentity): string[] | undefined => namingCells(identity, columns, resource),
  };
}

/** Creates the finder of the rows of all sides. */
export const createRecordFinder = ({ sent: { columns }, definition }: Pick<UndoContext, 'sent' | 'definition'>) =>
  recordFinder(columns, definition);

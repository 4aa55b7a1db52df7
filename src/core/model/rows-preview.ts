import { countSchema, type Shape, Type } from './schema.js';

/** The effect of an import on a record, or the state of a record that its rows no longer have. */
const ROW_CHANGES = [
  'new',
  'changed',
  /** The import removes it: its mode is DELETE, or REPLACE and its parent's rows no longer have it. */
  'removed',
  /** The file had it when last committed, or the file covers it, but it is missing now; nothing happens to it. */
  'gone',
  /** The service will refuse the row. */
  'refused',
  /** An undo leaves it as it is. */
  'kept',
] as const;

const cellChangeSchema = Type.Object(
  {
    column: Type.String({ description: 'Header of the column.' }),
    before: Type.String({ description: 'What the other side has; empty if nothing.' }),
    after: Type.String({ description: 'What the row asks for; empty if it removes the value.' }),
  },
  { description: 'One cell that changes.' },
);

/** The schema of `RowChange`. */
export const rowChangeSchema = Type.Object(
  {
    change: Type.Unsafe<(typeof ROW_CHANGES)[number]>({ type: 'string', enum: ROW_CHANGES }),
    row: Type.Optional(Type.Integer({ description: 'Row of the file; absent if the file does not have it.' })),
    worksheet: Type.Optional(
      Type.String({ description: 'Worksheet of the row, if the import reads several worksheets.' }),
    ),
    key: Type.Array(Type.String(), { description: 'What identifies the record, such as parent and item number.' }),
    cells: Type.Optional(Type.Array(cellChangeSchema)),
    why: Type.Optional(
      Type.String({ description: 'Why the service will refuse the row, or why an undo leaves the record as it is.' }),
    ),
  },
  { description: 'A row whose record changes.' },
);

const sinceSchema = Type.Object({ runs: Type.String(), at: Type.String({ description: 'ISO 8601 in UTC.' }) });

const countsSchema = Type.Object({
  new: countSchema(),
  changed: countSchema(),
  cells: countSchema('Cells of the changed rows.'),
  unchanged: countSchema(),
  removed: countSchema('Records that the import removes.'),
  gone: Type.Optional(
    countSchema(
      'Rows that were committed last and that the file no longer has, and records that it covers and does not have; absent if that was not looked at.',
    ),
  ),
  refused: countSchema(),
  kept: Type.Optional(countSchema('Rows of which an undo leaves something as it is.')),
  notCompared: countSchema('Rows without a known difference of which not all cells could be compared.'),
});

/** The schema of `RowsPreview`. */
export const rowsPreviewSchema = Type.Object(
  {
    with: Type.Union([Type.Literal('workspace'), Type.Literal('last import'), Type.Literal('nothing')], {
      description: 'What the rows were compared with.',
    }),
    by: Type.Optional(Type.String({ description: 'How the other side was read: pages, searches, or export.' })),
    requests: countSchema('Requests that the comparison took.'),
    why: Type.Optional(Type.String({ description: 'Why the rows were not compared with the workspace.' })),
    goneWhy: Type.Optional(
      Type.String({ description: 'Why it is not known which rows were committed last and are no longer in the file.' }),
    ),
    since: Type.Optional(sinceSchema),
    covers: Type.Optional(
      Type.String({
        description: 'What the file is the whole of: its records that the file does not have count as gone.',
      }),
    ),
    counts: Type.Optional(countsSchema),
    columnsNotCompared: Type.Optional(Type.Array(Type.String())),
    digest: Type.Optional(
      Type.String({ description: 'sha-256 over all changes, so that an apply notices that somebody changed a cell.' }),
    ),
    rows: Type.Optional(
      Type.Array(rowChangeSchema, {
        description:
          'Changes in the order of the file, then rows that it does not have: all of them in the document that `plan --json` and ' +
          '`promote --json` print, the first 200 in a saved plan, in an event and in the ledger.',
      }),
    ),
  },
  { description: 'What the rows of an import change.' },
);

/** A row whose record changes. */
export type RowChange = Shape<typeof rowChangeSchema>;
/** The numbers of rows by change. */
export type RowCounts = Shape<typeof countsSchema>;
/** The counts of no rows. */
export const NO_ROWS = { new: 0, changed: 0, cells: 0, unchanged: 0, removed: 0, refused: 0, notCompared: 0 } as const;

/** The changes that the rows of an import make. */
export type RowsPreview = Shape<typeof rowsPreviewSchema>;

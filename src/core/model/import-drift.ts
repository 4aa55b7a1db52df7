import { addressSchema } from './address-schema.js';
import { rowChangeSchema } from './rows-preview.js';
import { countSchema, type Shape, Type } from './schema.js';

/** The drift of a record that an import wrote. */
const ROW_DRIFTS = [
  'changed',
  /** It is no longer in the workspace. */
  'gone',
  /** The import removed it, and it exists again. */
  'back',
  /** A line that was added to a BOM after an import replaced the BOM as a whole. */
  'added',
] as const;

const driftedCellSchema = Type.Object(
  {
    column: Type.String({ description: 'Header of the column.' }),
    applied: Type.String({ description: 'What the import wrote; empty if nothing.' }),
    now: Type.String({ description: 'What the workspace has; empty if nothing.' }),
  },
  { description: 'One cell that changed.' },
);

const driftedRowSchema = Type.Object(
  {
    what: Type.Unsafe<(typeof ROW_DRIFTS)[number]>({ type: 'string', enum: ROW_DRIFTS }),
    row: Type.Optional(Type.Integer({ description: 'Row of the file; absent if the file does not have it.' })),
    worksheet: rowChangeSchema.properties.worksheet,
    key: Type.Array(Type.String(), { description: 'What identifies the record, such as parent and item number.' }),
    cells: Type.Array(driftedCellSchema),
  },
  { description: 'A record that is not as an import left it.' },
);

/** The schema of `ImportDrift`. */
export const importDriftSchema = Type.Object(
  {
    address: addressSchema,
    runs: Type.Optional(Type.String({ description: 'The runs that committed the rows.' })),
    at: Type.String({ description: 'When; ISO 8601 in UTC.' }),
    file: Type.String(),
    definition: Type.String(),
    rows: countSchema(),
    by: Type.Optional(Type.String({ description: 'How the records were read: pages or searches.' })),
    why: Type.Optional(Type.String({ description: 'Why the rows were not compared.' })),
    code: Type.Optional(Type.String({ description: 'Code of the error, if reading them failed.' })),
    counts: Type.Optional(
      Type.Object({
        changed: countSchema(),
        cells: countSchema('Cells of the changed records.'),
        gone: countSchema(),
        back: countSchema(),
        added: countSchema(),
        notCompared: countSchema('Rows without a known difference of which not all cells could be compared.'),
      }),
    ),
    columnsNotCompared: Type.Optional(Type.Array(Type.String())),
    changes: Type.Array(driftedRowSchema, { description: 'The first 10,000.' }),
  },
  { description: 'The rows of one import, compared with what the workspace has of them now.' },
);

/** The rows of one import, compared with the workspace now. */
export interface ImportDrift extends Shape<typeof importDriftSchema> {}

/** A record that has changed since an import wrote it. */
export type DriftedRow = Shape<typeof driftedRowSchema>;

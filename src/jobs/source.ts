import { object, serverDefault } from '../model/fields.js';
import { type Static, Type } from '../model/schema.js';

export const importSource = object(
  {
    file: Type.String({ minLength: 1, description: 'CSV, TSV or XLSX file, relative to the manifest.' }),
    worksheet: Type.Optional(
      Type.String({ minLength: 1, description: 'Worksheet of a workbook; the first by default.' }),
    ),
    headerRow: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Row that holds the headers.', ...serverDefault(1) }),
    ),
    delimiter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1,
        description: 'Of a text file: a comma, or a tab for .tsv, by default.',
      }),
    ),
    files: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Folder or pattern of the physical files that the rows name, relative to the manifest.',
      }),
    ),
    constants: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Columns that the file lacks, each with the one value of all rows, such as the parent of a BOM.',
      }),
    ),
  },
  { description: 'Where the rows come from.' },
);

export type ImportSource = Static<typeof importSource>;

import { type Shape, Type } from './schema.js';

/** The schema of `ImportedFile`. */
export const importedFileSchema = Type.Object(
  {
    path: Type.String({ minLength: 1, description: "Relative to the configuration's folder." }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { description: 'The file that the rows of an import come from. Absent in records of earlier versions.' },
);

/** The file that the rows of an import come from. */
export type ImportedFile = Shape<typeof importedFileSchema>;

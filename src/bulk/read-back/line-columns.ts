import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { resourceNamed } from '../../model/import-resources.js';
import type { Column } from '../preflight/columns.js';
import { foldName } from '../source/headers.js';

/** What a line has beside its two items, custom attributes aside (wire-facts 3, "BOM line"). */
const LINE_FIELDS = ['lineNumber', 'quantity', 'refDes', 'notes'];

/** Mode REPLACE takes away what the rows of a parent do not have, so that all its records are touched. */
export const isWhole = ({ mode }: Pick<ImportDefinitionSpec, 'mode'>): boolean => mode.toUpperCase() === 'REPLACE';

/**
 * Columns for what lines have and the import does not fill: REPLACE makes every line anew, so that this is lost (wire-facts 4,
 * "mode"). None in other modes, which leave it as it is.
 */
export function lineColumns(
  columns: readonly Pick<Column, 'header' | 'fields'>[],
  definition: ImportDefinitionSpec,
): readonly Column[] {
  if (!isWhole(definition) || resourceNamed(definition.resource).readBack !== 'BOM lines') return [];
  const filled = new Set(columns.flatMap(({ fields }) => fields));
  const taken = new Set(columns.map(({ header }) => foldName(header)));
  return LINE_FIELDS.filter((field) => !filled.has(field.toLowerCase())).map((field) => {
    const header = taken.has(foldName(field)) ? `${field} of the line` : field;
    return { header, fields: [field.toLowerCase()], from: { type: 'constant', value: '' } };
  });
}

/** The columns of a before image: those of the import, then those of the lines. */
export const columnsBefore = (columns: readonly Column[], definition: ImportDefinitionSpec): readonly Column[] => [
  ...columns,
  ...lineColumns(columns, definition),
];

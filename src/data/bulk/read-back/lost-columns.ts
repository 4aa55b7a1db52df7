import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { Column } from '../preflight/columns.js';
import { foldName } from '../source/headers.js';

type Mode = Pick<ImportDefinitionSpec, 'mode'>;

/** Mode REPLACE removes what the rows of a parent lack, so it touches all records of that parent. */
export const isWhole = ({ mode }: Mode): boolean => mode.toUpperCase() === 'REPLACE';

/** Whether records are removed with all their values, so that restoring them means recreating them. */
export const takesAway = ({ mode }: Mode): boolean => ['REPLACE', 'DELETE'].includes(mode.toUpperCase());

/** Columns for the values that removed records lose and the import has no column for (wire-facts 4, "mode"). */
export function lostColumns(
  columns: readonly Pick<Column, 'header' | 'fields'>[],
  definition: ImportDefinitionSpec,
): readonly Column[] {
  const { lost = [], isTree } = resourceNamed(definition.resource);
  const what = isTree === true ? 'line' : 'record';
  if (!takesAway(definition)) return [];
  const filled = new Set(columns.flatMap(({ fields }) => fields));
  const taken = new Set(columns.map(({ header }) => foldName(header)));
  return lost
    .filter((field) => !filled.has(field.toLowerCase()))
    .map((field) => {
      const header = taken.has(foldName(field)) ? `${field} of the ${what}` : field;
      return { header, fields: [field.toLowerCase()], from: { type: 'constant', value: '' } };
    });
}

/** Columns of a before image: those of the import, then those of the lost values. */
export const columnsBefore = (columns: readonly Column[], definition: ImportDefinitionSpec): readonly Column[] => [
  ...columns,
  ...lostColumns(columns, definition),
];

import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { Column } from '../preflight/columns.js';
import { createRowFields } from '../preflight/row-fields.js';

/** Says why a row cannot create a record: it lacks a field that each must have (interface 7: "the name is required"). */
export function incompleteRows(
  columns: readonly Column[],
  definition: ImportDefinitionSpec,
): (cells: readonly string[]) => string | undefined {
  const fields = createRowFields(columns, definition);
  const { requiredToCreate } = resourceNamed(definition.resource);
  return (cells) => {
    const lacking = requiredToCreate.find((field) => fields.text(cells, field) === '');
    if (lacking === undefined) return undefined;
    const header = fields.column(lacking)?.header;
    return header === undefined
      ? `The record would be new, and no column is mapped to "${lacking}".`
      : `The record would be new, and its cell in column "${header}" is empty.`;
  };
}

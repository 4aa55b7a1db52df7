import type { JsonObject } from '#core/model/json.js';
import type { KeptValue } from '../../../bulk/compare/keyed-rows.js';
import { recordField } from '../../../bulk/compare/live-value.js';
import type { Target } from '../../../bulk/compare/targets.js';
import { formOfField, formOfType, type ValueForm } from '../../../bulk/compare/value-form.js';
import type { ReadCell } from './export-table.js';

/** Separates the values of a cell that has several. */
const SEPARATOR = ';';

/** Reads the values of an exported row in the targets; null if its table has no such column. */
export type ExportedValues = (cell: ReadCell) => KeptValue[];

/**
 * Creates a reader of exported rows. Columns of custom attributes are named by GUID (interface 2.4, "Attribute") or by
 * name, and mappings use either; the `attributes` of the workspace show which is which, and the type of each.
 */
export function exportedValues(
  targets: readonly Target[],
  attributes: readonly JsonObject[],
  delimiter: string,
): ExportedValues {
  const columns = targets.map(({ field }) => columnOf(field, attributes));
  return (cell) =>
    columns.map(({ names, form, isMultiple }): KeptValue => {
      const text = firstText(names, cell);
      if (text === undefined) return null;
      return [form, isMultiple ? text.split(SEPARATOR).join(delimiter) : text];
    });
}

interface ExportColumn {
  /** The headers that it may have, in lower case. */
  readonly names: readonly string[];
  readonly form: ValueForm;
  readonly isMultiple: boolean;
}

function columnOf(field: string, attributes: readonly JsonObject[]): ExportColumn {
  const found = attributes.find((attribute) => attribute.custom === true && namesOf(attribute).includes(field));
  if (found === undefined) return { names: [recordField(field), field], form: formOfField(field), isMultiple: false };
  return { names: namesOf(found), form: formOfType(String(found.fieldType)), isMultiple: found.multiSelect === true };
}

const namesOf = ({ guid, apiName, name }: JsonObject): string[] =>
  [guid, apiName, name].flatMap((one) => (typeof one === 'string' ? [one.trim().toLowerCase()] : []));

function firstText(names: readonly string[], cell: ReadCell): string | undefined {
  for (const name of names) {
    const text = cell(name);
    if (text !== undefined) return text;
  }
  return undefined;
}

import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { Column } from '../preflight/columns.js';
import { foldName } from '../source/headers.js';

type Mode = Pick<ImportDefinitionSpec, 'mode'>;

/** Mode REPLACE removes what the rows of a parent lack, so it touches all records of that parent. */
export const isWhole = (definition: Mode): boolean => hasMode(definition, 'REPLACE');

/** Whether records are removed with all their values, so that restoring them means recreating them. */
export const takesAway = (definition: Mode): boolean => hasMode(definition, 'REPLACE', 'DELETE');

/** The field or custom attribute that a column fills, as an import definition names it. */
export type ColumnTarget = { readonly apiName: string } | { readonly attribute: string };

/** A column for a value that removed records lose and the import has no column for. */
export interface LostColumn extends Column {
  readonly target: ColumnTarget;
}

/**
 * Columns for the values that removed records lose and the import has no column for (wire-facts 4, "mode"). `names`:
 * the fields and custom attributes that records have.
 */
export function lostColumns(
  columns: readonly Pick<Column, 'header' | 'fields'>[],
  definition: ImportDefinitionSpec,
  names: readonly string[],
): readonly LostColumn[] {
  const filled = new Set(columns.flatMap(({ fields }) => fields));
  const taken = new Set(columns.map(({ header }) => foldName(header)));
  return names
    .filter((name) => !filled.has(foldName(name)))
    .map((name) => lostColumn(taken.has(foldName(name)) ? name + suffixOf(definition) : name, name, definition));
}

/** The lost columns of a before image with this header, whose first columns are `own`, those of the import. */
export function lostColumnsIn(
  header: readonly string[],
  own: readonly string[],
  definition: ImportDefinitionSpec,
): readonly LostColumn[] {
  const taken = new Set(own.map(foldName));
  const suffix = suffixOf(definition);
  return header.slice(own.length).map((text) => {
    const plain = text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
    return lostColumn(text, taken.has(foldName(plain)) ? plain : text, definition);
  });
}

const suffixOf = ({ resource }: ImportDefinitionSpec): string =>
  resourceNamed(resource).isTree === true ? ' of the line' : ' of the record';

/** The column of a field of the resource, or of a custom attribute. */
export function lostColumn(header: string, name: string, { resource }: Pick<ImportDefinitionSpec, 'resource'>) {
  const { keys, lost = [] } = resourceNamed(resource);
  const apiName = [...keys, ...lost].find((field) => foldName(field) === foldName(name));
  const target: ColumnTarget = apiName === undefined ? { attribute: name } : { apiName };
  return { header, fields: [foldName(name)], from: { type: 'constant', value: '' }, target } as const;
}

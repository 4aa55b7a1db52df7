import type { ImportSource } from '#core/jobs/source.js';
import { foldName } from '../source/headers.js';
import type { ChosenKey } from './choose-key.js';
import type { Column, Roles } from './column-roles.js';
import type { Draft } from './draft.js';

/** A table with the roles of its columns. */
export interface KnownTable {
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly roles: Roles;
  readonly rows: number;
  /** Name and number of the item that the lines belong to, if no column has it. */
  readonly assembly: string;
  /** Of a text file. */
  readonly delimiter?: string;
  /** `outline`: rows of the worksheet are grouped. */
  readonly outline?: 'outline';
}

/** A draft about the rows of a table, without fields. */
export const blankDraft = (
  table: KnownTable,
  key: ChosenKey,
  name: string,
): Pick<Draft, 'name' | 'mode' | 'options' | 'source' | 'remarks' | 'open'> => {
  const base = table.assembly.toLowerCase().endsWith(name) ? table.assembly : `${table.assembly} ${name}`;
  const columns = { ...table.source.columns, ...key.source.columns };
  const values = { ...table.source.values, ...key.source.values };
  const source = {
    ...table.source,
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
  return { name: base, mode: 'OVERWRITE', options: {}, source, remarks: [], open: [] };
};

/** The first of these names that no column of the table has. */
export const freeName = (columns: readonly Pick<Column, 'header'>[], ...names: readonly string[]): string =>
  names.find((name) => !columns.some(({ header }) => foldName(header) === foldName(name))) ?? `${names.at(-1)} 2`;

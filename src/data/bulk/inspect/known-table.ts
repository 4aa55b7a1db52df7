import type { ImportSource } from '#core/jobs/source.js';
import { foldName } from '../source/headers.js';
import type { ChosenKey } from './choose-key.js';
import type { Column, Roles } from './column.js';
import { columnsIn, columnTexts, type Draft, withoutValues } from './draft.js';
import type { GivenMeanings } from './meanings.js';
import type { ShiftedRow } from './shifted-rows.js';
import { withoutShops } from './sold-elsewhere.js';

/** A table with the roles of its columns. */
export interface KnownTable {
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly roles: Roles;
  /** What people say that columns mean. */
  readonly meanings?: GivenMeanings;
  readonly rows: number;
  /** Name and number of the item that the lines belong to, if no column has it. */
  readonly assembly: string;
  /** Of a text file. */
  readonly delimiter?: string;
  /** Rows that have only a maker of the part above them. */
  readonly makerRows?: readonly number[];
  /** `outline`: rows of the worksheet are grouped. */
  readonly outline?: 'outline';
  /** Texts among the designators that name their parts. */
  readonly namesInPlace?: readonly string[];
  /** Rows with cells in wrong columns. */
  readonly shifted?: readonly ShiftedRow[];
  /** How cells with several makers are divided. */
  readonly severalMakers?: ImportSource['splitRows'];
}

/** The column that each part fills, if rows without it have only a maker of the part above them. */
const partColumn = ({ roles, makerRows = [] }: KnownTable): Column | undefined =>
  makerRows.length === 0 ? undefined : (roles.get('number') ?? roles.get('refDes'));

/** Reads the rows of makers below a part as rows of this part. */
export function withMakerRows(draft: Draft, table: KnownTable, { column, source }: ChosenKey): Draft {
  const filled = partColumn(table);
  if (filled === undefined) return draft;
  const made = [source.columns?.[column] ?? `{${column}}`].flat().join(' ');
  const names = columnsIn(made);
  const { [filled.name]: _, ...where } = draft.source.where ?? {};
  const { where: __, ...others } = draft.source;
  return {
    ...draft,
    source: { ...others, fillDown: names, ...(Object.keys(where).length === 0 ? {} : { where }) },
  };
}

/** A draft about the rows of a table, without fields. */
export const blankDraft = (
  table: KnownTable,
  key: ChosenKey,
  name: string,
): Pick<Draft, 'name' | 'mode' | 'options' | 'source' | 'remarks' | 'open'> => {
  const base = table.assembly.toLowerCase().endsWith(name) ? table.assembly : `${table.assembly} ${name}`;
  const columns = { ...table.source.columns, ...key.source.columns };
  const inKey = [key.column, ...columnTexts(key.source, key.column).flatMap(columnsIn)];
  const values = { ...withoutShops(table.columns, inKey), ...table.source.values, ...key.source.values };
  const marked = { where: { ...table.source.where, ...key.source.where } };
  const filled = partColumn(table);
  const { where } = filled === undefined ? marked : withoutValues(marked, filled.name, ['']);
  const source = {
    ...table.source,
    ...(Object.keys(where ?? {}).length === 0 ? {} : { where }),
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
  return { name: base, mode: 'OVERWRITE', options: {}, source, remarks: [], open: [] };
};

/** The first of these names that no column of the table has. */
export const freeName = (columns: readonly Pick<Column, 'header'>[], ...names: readonly string[]): string =>
  names.find((name) => !columns.some(({ header }) => foldName(header) === foldName(name))) ?? `${names.at(-1)} 2`;

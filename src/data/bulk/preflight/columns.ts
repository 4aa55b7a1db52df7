import type { ImportSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import { isExtraColumn } from '../report/extra-columns.js';
import { findColumn, foldName } from '../source/headers.js';
import type { SourceTable } from '../source/source-table.js';
import { constantFindings, emptyHeader, type HeaderPlaces, missingColumns, repeatedColumn } from './column-findings.js';

/** A column of the normalised rows and where its cells come from. */
export interface Column {
  /** Name in the mapping, and header of the normalised column. */
  readonly header: string;
  /** The target fields that it fills: apiNames, or names of custom attributes. Lower case. */
  readonly fields: readonly string[];
  readonly from:
    | { readonly type: 'cell'; readonly index: number }
    | { readonly type: 'constant'; readonly value: string };
}

/** Columns of the normalised rows, and findings about the headers. */
export interface BoundColumns {
  readonly columns: readonly Column[];
  readonly findings: readonly Finding[];
}

/** Field name for the column of `numberingFreeTextHeader`, which has no mapping entry. */
export const FREE_TEXT = '(numbering free text)';

/** Returns the cells of one row in the order of the columns. */
export function normaliseRow(columns: readonly Column[], cells: readonly string[]): string[] {
  const row = new Array<string>(columns.length);
  for (let at = 0; at < row.length; at += 1) {
    const from = columns[at]?.from;
    row[at] = from?.type === 'constant' ? from.value : (cells[from?.index ?? -1] ?? '');
  }
  return row;
}

const FREE_TEXT_MODES = ['CREATE', 'EDIT', 'OVERWRITE'];

/** A column that the definition asks for. */
interface WantedColumn {
  readonly header: string;
  readonly fields: readonly string[];
  readonly presence: 'needed' | 'if there';
}

/**
 * Selects exactly the columns that the definition's mapping needs, in its order; without a mapping all columns of the
 * file. Matches headers as the service does: without letter case and outer white space (wire-facts 4).
 */
export function bindColumns(table: SourceTable, source: ImportSource, definition: ImportDefinitionSpec): BoundColumns {
  const wanted = wantedColumns(definition);
  const places = headerPlaces(table.headers);
  const constants = Object.entries(source.constants ?? {});
  if (wanted === undefined) return allColumns(table, places, constants);
  const findings = constantFindings(table, places, constants, wanted);
  const missing: string[] = [];
  const columns = wanted.flatMap((column): Column[] => {
    const { header, fields } = column;
    const constant = constants.find(([name]) => foldName(name) === foldName(header));
    if (constant !== undefined) return [{ header, fields, from: { type: 'constant', value: constant[1] } }];
    const place = findColumn(table.headers, header);
    if (place === undefined) {
      if (column.presence === 'needed') missing.push(header);
      return [];
    }
    if (place.is === 'at') return [{ header, fields, from: { type: 'cell', index: place.index } }];
    findings.push(repeatedColumn(table, header, place.at, 'error'));
    return [{ header, fields, from: { type: 'cell', index: place.at[0] ?? 0 } }];
  });
  findings.push(
    ...missingColumns(
      table,
      missing,
      wanted.map(({ header }) => header),
    ),
  );
  return { columns, findings: [...findings, ...unmappedRepetitions(table, places, wanted)] };
}

function unmappedRepetitions(table: SourceTable, places: HeaderPlaces, wanted: readonly WantedColumn[]): Finding[] {
  const used = new Set(wanted.map(({ header }) => foldName(header).replace(/#\d+$/, '')));
  return [...places].flatMap(([name, at]) =>
    at.length > 1 && !used.has(name) ? [repeatedColumn(table, table.headers[at[0] ?? 0] ?? '', at, 'warning')] : [],
  );
}

/** One column for each source name. Entries of the resource `import` name columns of the report, not of the file. */
function wantedColumns({ options, mode }: ImportDefinitionSpec): WantedColumn[] | undefined {
  if (options?.mapping === undefined) return undefined;
  const byName = new Map<string, WantedColumn>();
  for (const { resource, apiName, attribute, sourceName } of options.mapping) {
    if (foldName(resource) === 'import') continue;
    const known = byName.get(foldName(sourceName));
    const field = foldName(apiName ?? attribute ?? '');
    byName.set(foldName(sourceName), {
      header: known?.header ?? sourceName,
      fields: [...(known?.fields ?? []), field],
      presence: 'needed',
    });
  }
  const freeText = options.numberingFreeTextHeader ?? 'Numbering Free Text';
  if (FREE_TEXT_MODES.includes(mode) && !byName.has(foldName(freeText))) {
    byName.set(foldName(freeText), { header: freeText, fields: [FREE_TEXT], presence: 'if there' });
  }
  return [...byName.values()];
}

function allColumns(table: SourceTable, places: HeaderPlaces, constants: readonly [string, string][]): BoundColumns {
  const ofFile = table.headers.flatMap((header, index): Column[] =>
    isExtraColumn(header) ? [] : [{ header, fields: [foldName(header)], from: { type: 'cell', index } }],
  );
  const added = constants.map(
    ([header, value]): Column => ({ header, fields: [foldName(header)], from: { type: 'constant', value } }),
  );
  const empty = table.headers.flatMap((header, index) => (header.trim() === '' ? [emptyHeader(table, index)] : []));
  const twice = [...places].flatMap(([, at]) =>
    at.length > 1 ? [repeatedColumn(table, table.headers[at[0] ?? 0] ?? '', at, 'error')] : [],
  );
  return {
    columns: [...ofFile, ...added],
    findings: [...constantFindings(table, places, constants), ...twice, ...empty],
  };
}

function headerPlaces(headers: readonly string[]): HeaderPlaces {
  const places = new Map<string, number[]>();
  for (const [index, header] of headers.entries()) {
    if (header.trim() !== '') places.set(foldName(header), [...(places.get(foldName(header)) ?? []), index]);
  }
  return places;
}

import type { ImportSource } from '../../jobs/source.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { nearestHint } from '../../nearest.js';
import { isExtraColumn } from '../report/extra-columns.js';
import { findColumn, folded } from '../source/headers.js';
import { delimiterHint } from '../source/row-steps.js';
import { nameOfTable, type SourceTable } from '../source/source-table.js';
import type { Finding } from './findings.js';

/** A column of the normalised rows and where its cells come from. */
export interface Column {
  /** As the mapping calls it; the header of the normalised column. */
  readonly header: string;
  /** The target fields that it feeds: apiNames, or names of custom attributes. Lower case. */
  readonly fields: readonly string[];
  readonly from:
    | { readonly type: 'cell'; readonly index: number }
    | { readonly type: 'constant'; readonly value: string };
}

export interface Columns {
  readonly columns: readonly Column[];
  readonly findings: readonly Finding[];
}

/** The field name of the column that `numberingFreeTextHeader` names, which no mapping entry stands for. */
export const FREE_TEXT = '(numbering free text)';

const FREE_TEXT_MODES = ['CREATE', 'EDIT', 'OVERWRITE'];

interface Wanted {
  readonly header: string;
  readonly fields: readonly string[];
  readonly presence: 'needed' | 'if there';
}

/**
 * Exactly the columns that the definition's mapping needs, in its order; without a mapping all columns of the file.
 * Headers are matched as the service does: letter case and outer white space aside (wire-facts 4).
 */
export function bindColumns(table: SourceTable, source: ImportSource, definition: ImportDefinitionSpec): Columns {
  const wanted = wantedColumns(definition);
  const places = placesOf(table.headers);
  const constants = Object.entries(source.constants ?? {});
  if (wanted === undefined) return withoutMapping(table, places, constants);
  const findings = constantFindings(table, places, constants, wanted);
  const columns = wanted.flatMap((column): Column[] => {
    const { header, fields } = column;
    const constant = constants.find(([name]) => folded(name) === folded(header));
    if (constant !== undefined) return [{ header, fields, from: { type: 'constant', value: constant[1] } }];
    const place = findColumn(table.headers, header);
    if (place === undefined) {
      if (column.presence === 'needed') findings.push(missing(table, header));
      return [];
    }
    if (place.is === 'at') return [{ header, fields, from: { type: 'cell', index: place.index } }];
    findings.push(repeated(table, header, place.at, 'error'));
    return [{ header, fields, from: { type: 'cell', index: place.at[0] ?? 0 } }];
  });
  const used = new Set(wanted.map(({ header }) => folded(header).replace(/#\d+$/, '')));
  for (const [name, at] of places) {
    if (at.length > 1 && !used.has(name))
      findings.push(repeated(table, table.headers[at[0] ?? 0] ?? '', at, 'warning'));
  }
  return { columns, findings };
}

/** One for each source name. Entries of the resource `import` name columns of the report, not of the file. */
function wantedColumns({ options, mode }: ImportDefinitionSpec): Wanted[] | undefined {
  if (options?.mapping === undefined) return undefined;
  const byName = new Map<string, Wanted>();
  for (const { resource, apiName, attribute, sourceName } of options.mapping) {
    if (folded(resource) === 'import') continue;
    const known = byName.get(folded(sourceName));
    const field = folded(apiName ?? attribute ?? '');
    byName.set(folded(sourceName), {
      header: known?.header ?? sourceName,
      fields: [...(known?.fields ?? []), field],
      presence: 'needed',
    });
  }
  const freeText = options.numberingFreeTextHeader ?? 'Numbering Free Text';
  if (FREE_TEXT_MODES.includes(mode) && !byName.has(folded(freeText))) {
    byName.set(folded(freeText), { header: freeText, fields: [FREE_TEXT], presence: 'if there' });
  }
  return [...byName.values()];
}

function withoutMapping(table: SourceTable, places: Places, constants: readonly [string, string][]): Columns {
  const ofFile = table.headers.flatMap((header, index): Column[] =>
    isExtraColumn(header) ? [] : [{ header, fields: [folded(header)], from: { type: 'cell', index } }],
  );
  const added = constants.map(
    ([header, value]): Column => ({ header, fields: [folded(header)], from: { type: 'constant', value } }),
  );
  const empty = table.headers.flatMap((header, index) => (header.trim() === '' ? [emptyHeader(table, index)] : []));
  const twice = [...places].flatMap(([, at]) =>
    at.length > 1 ? [repeated(table, table.headers[at[0] ?? 0] ?? '', at, 'error')] : [],
  );
  return {
    columns: [...ofFile, ...added],
    findings: [...constantFindings(table, places, constants), ...twice, ...empty],
  };
}

type Places = ReadonlyMap<string, readonly number[]>;

function placesOf(headers: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (const [index, header] of headers.entries()) {
    if (header.trim() !== '') places.set(folded(header), [...(places.get(folded(header)) ?? []), index]);
  }
  return places;
}

const at = ({ file, worksheet, headerRow }: SourceTable) => ({
  file,
  ...(worksheet === undefined ? {} : { worksheet }),
  row: headerRow,
});

function constantFindings(
  table: SourceTable,
  places: Places,
  constants: readonly [string, string][],
  wanted?: readonly Wanted[],
): Finding[] {
  return constants.flatMap(([name, value]): Finding[] => {
    const place = { ...at(table), column: name, value };
    if (places.has(folded(name))) {
      const message = `The constant "${name}" has the name of a column of ${nameOfTable(table)}.`;
      return [
        {
          severity: 'error',
          code: 'constant-collides',
          message,
          hint: 'Remove the constant, or map a column of another name.',
          ...place,
        },
      ];
    }
    if (wanted?.every(({ header }) => folded(header) !== folded(name))) {
      const names = wanted.map(({ header }) => header);
      const message = `The constant "${name}" is not mapped, so it is not sent.`;
      return [
        {
          severity: 'warning',
          code: 'constant-unused',
          message,
          hint: nearestHint(name, names) ?? 'Map it, or remove it.',
          ...place,
        },
      ];
    }
    return [];
  });
}

function missing(table: SourceTable, header: string): Finding {
  const known = table.headers.filter((name) => name.trim() !== '');
  const hint = nearestHint(header, known) ?? 'Add the column, or give its value under `constants`.';
  return {
    severity: 'error',
    code: 'column-missing',
    message: `${nameOfTable(table)} has no column "${header}", which is mapped.`,
    hint: delimiterHint(known) ?? table.headerHint ?? hint,
    ...at(table),
    column: header,
  };
}

function repeated(
  table: SourceTable,
  header: string,
  places: readonly number[],
  severity: Finding['severity'],
): Finding {
  const columns = places.map((index) => index + 1).join(', ');
  const names = new Set(places.map((index) => (table.headers[index] ?? '').trim()));
  const called =
    names.size === 1
      ? `columns called "${header.trim()}"`
      : `columns whose headers differ in letter case alone, which the service takes for one: ${[...names].map((name) => `"${name}"`).join(', ')}`;
  const message = `${nameOfTable(table)} has ${places.length} ${called} (columns ${columns}).`;
  return {
    severity,
    code: 'column-repeated',
    message,
    hint: `Map "${header.trim()}#1" or "${header.trim()}#2", or give each a name of its own, in the file or by \`rename\`.`,
    ...at(table),
    column: header,
  };
}

function emptyHeader(table: SourceTable, index: number): Finding {
  const message = `Column ${index + 1} of ${nameOfTable(table)} has no header.`;
  return {
    severity: 'warning',
    code: 'header-empty',
    message,
    hint: 'The service ignores it; name it where it matters.',
    ...at(table),
  };
}

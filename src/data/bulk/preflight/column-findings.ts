import { nearestHint } from '#base/nearest.js';
import type { Finding } from '#core/model/findings.js';
import { rowWithNames } from '../source/header-guess.js';
import { foldName } from '../source/headers.js';
import { delimiterHint } from '../source/row-steps.js';
import { nameOfTable, type SourceTable, tablePlace } from '../source/source-table.js';

/** Indexes of columns by their folded header. */
export type HeaderPlaces = ReadonlyMap<string, readonly number[]>;

/**
 * Finds constants with the name of a column, and those that the mapping does not use. `wanted`: the columns that the
 * mapping asks for; absent if there is no mapping.
 */
export function constantFindings(
  table: SourceTable,
  places: HeaderPlaces,
  constants: readonly [string, string][],
  wanted?: readonly { readonly header: string }[],
): Finding[] {
  return constants.flatMap(([name, value]): Finding[] => {
    const place = { ...headerRowOf(table), column: name, value };
    if (places.has(foldName(name))) {
      const message = `The constant "${name}" has the same name as a column of ${nameOfTable(table)}.`;
      return [
        {
          severity: 'error',
          code: 'constant-collides',
          message,
          hint: 'Remove the constant, or rename it in `constants` and in the mapping.',
          ...place,
        },
      ];
    }
    if (wanted?.every(({ header }) => foldName(header) !== foldName(name))) {
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

/** Finding for the mapped columns that the file does not have: one for all, since a wrong header row lacks several. */
export function missingColumns(table: SourceTable, missing: readonly string[], wanted: readonly string[]): Finding[] {
  const [only, ...others] = missing;
  if (only === undefined) return [];
  const known = table.headers.filter((name) => name.trim() !== '');
  const names = missing.map((name) => `"${name}"`);
  const list = others.length === 0 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const hint =
    (others.length === 0 ? nearestHint(only, known) : undefined) ??
    'Add what is missing, or give its value under `constants`.';
  const which = others.length === 0 ? 'column' : 'columns';
  return [
    {
      severity: 'error',
      code: 'column-missing',
      message: `${nameOfTable(table)} has no ${which} ${list}, but the mapping needs ${others.length === 0 ? 'it' : 'them'}.`,
      hint: delimiterHint(known) ?? rightRow(table, wanted) ?? table.headerHint ?? hint,
      ...headerRowOf(table),
      ...(others.length === 0 ? { column: only } : {}),
    },
  ];
}

/** What to write if another row has the headers that the mapping needs. */
function rightRow({ nearby = [], headers, header }: SourceTable, wanted: readonly string[]): string | undefined {
  const found = header === 'none' ? undefined : rowWithNames(nearby, wanted, headers);
  return found === undefined ? undefined : `Row ${found.row} has the headers: set \`headerRow: ${found.row}\`.`;
}

/** Finding for columns that the service treats as one: headers that are equal but for letter case (wire-facts 4). */
export function repeatedColumn(
  table: SourceTable,
  header: string,
  places: readonly number[],
  severity: Finding['severity'],
): Finding {
  const columns = places.map((index) => index + 1).join(', ');
  const names = new Set(places.map((index) => (table.headers[index] ?? '').trim()));
  const called =
    names.size === 1
      ? `columns named "${header.trim()}"`
      : `columns whose headers differ only in letter case, which the service treats as one: ${[...names].map((name) => `"${name}"`).join(', ')}`;
  const message = `${nameOfTable(table)} has ${places.length} ${called} (columns ${columns}).`;
  return {
    severity,
    code: 'column-repeated',
    message,
    hint: `Map "${header.trim()}#1" or "${header.trim()}#2", or give each column a different name, in the file or with \`rename\`.`,
    ...headerRowOf(table),
    column: header,
  };
}

/** Finding for a column without a header, which the service ignores. */
export function emptyHeader(table: SourceTable, index: number): Finding {
  const message = `Column ${index + 1} of ${nameOfTable(table)} has no header.`;
  return {
    severity: 'warning',
    code: 'header-empty',
    message,
    hint: 'The service ignores this column; give it a header if it matters.',
    ...headerRowOf(table),
  };
}

const headerRowOf = (table: SourceTable) => ({ ...tablePlace(table), row: table.headerRow });

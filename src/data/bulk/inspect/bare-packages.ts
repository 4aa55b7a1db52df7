import { type ChosenKey, countValues, deviceIn } from './choose-key.js';
import { columnsIn } from './draft.js';
import type { KnownTable } from './known-table.js';
import { eachRowCells } from './row-cells.js';

/** More of them are no exceptions. */
const MOST = 50;

/** Completes numbers that would be a package alone, where a part has no value, with the symbol that names the part. */
export async function withSymbols(path: string, table: KnownTable, key: ChosenKey): Promise<ChosenKey> {
  const { columns, roles, rows } = table;
  const [value, device, text] = [roles.get('value'), deviceIn(columns, rows), key.source.columns?.[key.column]];
  if (value === undefined || device === undefined || typeof text !== 'string' || countValues(value) >= rows) return key;
  const parts = columnsIn(text);
  if (parts.length < 2 || !parts.includes(value.name) || parts.includes(device.name)) return key;
  const found = await symbolsOf(path, table, text, [value.name, device.name]);
  const unclear = [...found.values()].some((symbols) => symbols.size > 1);
  const named = [...found].flatMap(([bare, [symbol = '']]) =>
    symbol === bare ? [] : [[bare, `${symbol} ${bare}`] as const],
  );
  if (!unclear && named.length === 0) return key;
  const remarks = [
    ...key.remarks,
    `Numbers of parts without a "${value.name}" have their "${device.name}", since several parts may have one package.`,
  ];
  if (unclear || named.length > MOST) {
    const both = text.replace(`{${value.name}}`, `{${value.name}} {${device.name}}`);
    return { ...key, remarks, source: { ...key.source, columns: { ...key.source.columns, [key.column]: both } } };
  }
  const values = { ...key.source.values, [key.column]: Object.fromEntries(named) };
  return { ...key, remarks, source: { ...key.source, values } };
}

/** The symbols of the parts without a value, by their numbers. */
async function symbolsOf(
  path: string,
  { source, roles }: KnownTable,
  text: string,
  [value, device]: readonly [string, string],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  const others = columnsIn(text).filter((name) => name !== value);
  const placeholders = roles.get('value')?.placeholders;
  await eachRowCells(path, source, [value, device, ...others], ([stated = '', symbol = '', ...cells]) => {
    if (stated !== '' && placeholders?.has(stated) !== true) return;
    const bare = text.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => cells[others.indexOf(name)] ?? '').trim();
    if (bare !== '') found.set(bare, (found.get(bare) ?? new Set()).add(symbol));
  });
  return found;
}

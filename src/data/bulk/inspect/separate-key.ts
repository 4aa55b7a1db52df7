import { type ChosenKey, MADE } from './choose-key.js';
import type { Column } from './column.js';
import type { KnownTable } from './known-table.js';
import type { Meaning } from './meanings.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';

const LONGEST = 100;
const DESCRIBE: readonly (Meaning | undefined)[] = ['description', 'value', 'package', 'mpn', 'name', undefined];

/** Adds to a name that different parts have the column that distinguishes most of them. */
export async function separateKey(path: string, table: KnownTable, key: ChosenKey): Promise<ChosenKey> {
  const { columns, rows, roles, source } = table;
  const name = [roles.get('name'), roles.get('description')].find((column) => column?.name === key.column);
  if (key.is !== 'proposed' || name === undefined || name.distinct === name.filled || rows > MOST_ALIKE) return key;
  const others = columns.filter((column) => column !== name && mayDistinguish(column, name, table));
  const pairs = others.map(() => new Set<string>());
  const names = [name, ...others].map((column) => column.name);
  await eachRowCells(path, source, names, ([text = '', ...cells]) => {
    for (const [index, cell] of cells.entries()) pairs[index]?.add(`${text}\n${cell}`);
  });
  const most = Math.max(0, ...pairs.map(({ size }) => size));
  const other = others[pairs.findIndex(({ size }) => size === most)];
  if (other === undefined || most <= name.distinct) return key;
  const remark = `Different parts have one "${name.name}", so item numbers are composed of it and "${other.name}".`;
  const made = { columns: { ...key.source.columns, [MADE]: `{${name.name}} {${other.name}}` } };
  return { ...key, column: MADE, source: { ...key.source, ...made }, remarks: [...key.remarks, remark] };
}

function mayDistinguish(column: Column, name: Column, { roles, rows }: KnownTable): boolean {
  const [role] = [...roles].find(([, taken]) => taken === column) ?? [];
  return (
    DESCRIBE.includes(role) &&
    column.type === 'text' &&
    column.name !== '' &&
    column.multiline === 0 &&
    !column.areAddresses &&
    column.longest <= LONGEST &&
    column.filled * 2 >= rows &&
    column.distinct * 2 >= name.distinct
  );
}

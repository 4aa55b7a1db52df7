import type { AddedColumn } from '#core/jobs/source-cells.js';
import type { Column } from './column.js';
import { freeName } from './known-table.js';
import type { Divided } from './split-makers.js';

/** Columns whose cells have a number in brackets and a name, and the names of the added columns. */
const PAIRS: readonly (readonly [number: 'number' | 'parent', added: string, names: string])[] = [
  ['number', 'Item Number', 'Item Name'],
  ['parent', 'Assembly Number', 'Assembly Name'],
];

/** A divided source, and the column with the names of the parents. */
export interface DividedNumbers extends Divided {
  readonly parentNames?: string;
}

/** Divides columns of items and parents whose cells have the number in brackets before the name. */
export function splitBracketed(divided: Divided, columns: readonly Column[]): DividedNumbers {
  const roles = new Map(divided.roles);
  const added: Record<string, AddedColumn> = {};
  const remarks = [...divided.remarks];
  let parentNames: string | undefined;
  for (const [role, ...texts] of PAIRS) {
    const column = roles.get(role);
    if (column?.areBracketed !== true) continue;
    const [number, name] = texts.map((text) => freeName(columns, text, `${text} of ${column.name}`)) as [
      string,
      string,
    ];
    added[number] = { bracketed: column.name, part: 'number' };
    added[name] = { bracketed: column.name, part: 'name' };
    roles.set(role, renamed(column, number));
    if (role === 'parent') parentNames = name;
    // A column of names that the list has itself counts.
    else if (!roles.has('name')) roles.set('name', renamed(column, name));
    remarks.push(
      `"${column.name}" has numbers in brackets before names, such as ${JSON.stringify(column.samples[0])}.`,
    );
  }
  const source = { ...divided.source, columns: { ...divided.source.columns, ...added } };
  if (Object.keys(added).length === 0) return divided;
  return { source, roles, remarks, ...(parentNames === undefined ? {} : { parentNames }) };
}

const renamed = (column: Column, name: string): Column => ({ ...column, name, header: name, areBracketed: false });

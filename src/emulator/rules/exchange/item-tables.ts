import type { Database } from '../../store/database.js';
import type { PlacedItem } from '../../store/item-pages.js';
import { attributesOf } from '../../store/item-settings.js';
import { bomList, type ListedLine } from '../../store/items.js';
import { selectAll } from '../../store/select.js';
import { itemFields, type Names } from '../criteria/item-fields.js';
import type { Cell, Table, TableColumn } from './table.js';

/** Items that are read anew with every call, since several tables go through them. */
export type Items = () => Iterable<PlacedItem>;

/** How deep BOM lines are followed (wire-facts 5.1, "bomLevels"). */
export type Levels = 'NONE' | 'SINGLE' | 'FULL';

/** Items with their fields. */
export function itemTable(name: string, items: Items, names: Names, custom: 'with custom' | 'standard only'): Table {
  const fields = itemFields(names).filter((field) => custom === 'with custom' || !field.custom);
  return {
    name,
    columns: fields,
    *rows() {
      for (const item of items()) yield fields.map((field) => field.read(item));
    },
  };
}

/** The custom attributes of items, a row for each value. */
export function attributeTable(name: string, items: Items, names: Names): Table {
  const columns = [
    { apiName: 'guid', name: 'Item GUID' },
    { apiName: 'number', name: 'Item Number' },
    { apiName: 'attribute.guid', name: 'Attribute GUID' },
    { apiName: 'attribute.name', name: 'Attribute Name' },
    { apiName: 'value', name: 'Value' },
  ];
  return {
    name,
    columns,
    *rows() {
      for (const item of items()) {
        for (const { guid, name: attribute } of names.attributes) {
          const value = item.additional[guid];
          if (value !== undefined) yield [item.guid, item.number, guid, attribute, value];
        }
      }
    },
  };
}

const LINE_COLUMNS: readonly (TableColumn & { readonly read: (line: PlacedLine) => Cell })[] = [
  { apiName: 'level', name: 'Level', read: ({ level }) => level },
  { apiName: 'guid', name: 'Parent Item GUID', read: ({ parent }) => parent.guid },
  { apiName: 'number', name: 'Parent Item Number', read: ({ parent }) => parent.number },
  { apiName: 'item.guid', name: 'Item GUID', read: ({ line }) => line.item.guid },
  { apiName: 'item.number', name: 'Item Number', read: ({ line }) => line.item.number },
  { apiName: 'item.name', name: 'Item Name', read: ({ line }) => line.item.name },
  { apiName: 'lineNumber', name: 'Line Number', read: ({ line }) => line.lineNumber },
  { apiName: 'quantity', name: 'Quantity', read: ({ line }) => line.quantity },
  { apiName: 'refDes', name: 'Reference Designators', read: ({ line }) => line.refDes },
  { apiName: 'notes', name: 'Notes', read: ({ line }) => line.notes },
];

interface Parent {
  readonly guid: string;
  readonly number: string;
}

interface PlacedLine {
  readonly level: number;
  readonly parent: Parent;
  readonly line: ListedLine;
}

/** The BOM lines of items, each with its parent; a line of level 2 and more follows the line whose item it is part of. */
export function bomTable(name: string, database: Database, items: Items, levels: Levels): Table {
  const custom = attributesOf(database, 'BOM').filter((attribute) => attribute.custom);
  const customColumns = custom.map((attribute) => ({ apiName: attribute.guid, name: attribute.name }));
  const cells = (placed: PlacedLine): Cell[] => [
    ...LINE_COLUMNS.map((column) => column.read(placed)),
    ...custom.map(({ guid }) => placed.line.additional[guid] ?? null),
  ];
  return {
    name,
    columns: [...LINE_COLUMNS, ...customColumns],
    *rows() {
      if (levels === 'NONE') return;
      for (const item of items()) {
        for (const line of linesBelow(database, item, 1, levels)) yield cells(line);
      }
    },
  };
}

/** No item contains itself, so the way down ends. */
function* linesBelow(database: Database, parent: Parent, level: number, levels: Levels): Generator<PlacedLine> {
  for (const line of selectAll(database, bomList, { sql: 'b.parent = ?', values: [parent.guid] })) {
    yield { level, parent, line };
    if (levels === 'FULL') yield* linesBelow(database, line.item, level + 1, levels);
  }
}

/** A table of something that this workspace does not hold: its header alone. */
export function emptyTable(name: string, columns: readonly TableColumn[]): Table {
  return { name, columns, rows: () => [] };
}

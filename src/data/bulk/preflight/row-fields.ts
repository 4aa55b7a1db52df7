import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Column } from './columns.js';

/** Cells by target field, without outer white space if the service strips it (interface 2.1). */
export interface RowFields {
  column(field: string): { readonly index: number; readonly header: string } | undefined;
  text(cells: readonly string[], field: string): string;
  /** All cells, stripped in the same way. */
  texts(cells: readonly string[]): readonly string[];
  /** The part of a record's key; empty where the service numbers a new item (wire-facts 4, "useCategoryNumberFormat"). */
  keyPart(cells: readonly string[], key: string): string;
  /** Identity of the record in a key field: its GUID if there is one (wire-facts 4: a GUID column is used first). */
  identity(cells: readonly string[], key: string): string;
}

/** Reads rows with cells in the order of `columns`; the definition decides whether white space is stripped. */
export function createRowFields(columns: readonly Column[], definition: ImportDefinitionSpec): RowFields {
  const retain = definition.options?.stripWhiteSpace === 'RETAIN';
  const places = new Map(
    columns.flatMap(({ header, fields }, index) => fields.map((field) => [field, { index, header }] as const)),
  );
  const column = (field: string) => places.get(field.toLowerCase());
  // Checks read the same few fields of every row.
  const asked = new Map<string, number>();
  const indexOf = (field: string): number => {
    const index = column(field)?.index ?? -1;
    asked.set(field, index);
    return index;
  };
  const text = (cells: readonly string[], field: string): string => {
    const cell = cells[asked.get(field) ?? indexOf(field)] ?? '';
    return retain ? cell : cell.trim();
  };
  const guids = new Map<string, string>();
  const guidOf = (key: string): string => {
    const guid = guids.get(key) ?? guidFor(key);
    guids.set(key, guid);
    return guid;
  };
  const texts = (cells: readonly string[]): readonly string[] => (retain ? cells : cells.map((cell) => cell.trim()));
  const marker = definition.options?.useCategoryNumberFormat;
  const keyPart = (cells: readonly string[], key: string): string => {
    const found = text(cells, key);
    return key === 'number' && found === marker ? '' : found;
  };
  return { column, text, texts, keyPart, identity: (cells, key) => text(cells, guidOf(key)) || keyPart(cells, key) };
}

/** The GUID field that can replace a number field. */
export const guidFor = (key: string): string => key.replace(/number$/, 'guid');

/** Cell text that removes the stored value (interface 2.1). */
export const removeMarker = ({ options }: ImportDefinitionSpec): string => options?.removeValue ?? '[Remove Value]';

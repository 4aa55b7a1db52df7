import { type XmlEvent, xmlEvents } from './xml-events.js';

/** A cell as its worksheet writes it (ECMA-376 part 1, 18.3.1.4). */
export interface SheetCell {
  /** From 0. */
  readonly column: number;
  /** `s` shared string, `str` formula text, `inlineStr`, `b`, `e` error, `d` ISO date, `n` number. */
  readonly type: string;
  readonly style: number;
  readonly value: string | undefined;
  readonly formula: 'formula' | 'plain';
}

export interface SheetRow {
  readonly row: number;
  readonly cells: readonly SheetCell[];
}

const LAST_COLUMN = 16_384;

/**
 * The rows of a worksheet part, read from its XML: the library's own rows turn formula results that are booleans or
 * errors into numbers, keep only the last run of inline rich text, and pass every number through a float.
 */
export async function* sheetRows(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<SheetRow> {
  const reader = rowReader();
  for await (const events of xmlEvents(chunks)) {
    for (const event of events) {
      const row = reader.accept(event);
      if (row !== undefined) yield row;
    }
  }
}

type Attributes = Extract<XmlEvent, { type: 'open' }>['attributes'];

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string | undefined;
  formula: 'formula' | 'plain';
}

function rowReader() {
  let rowNumber = 0;
  let cells: SheetCell[] = [];
  let cell: OpenCell | undefined;
  let capturing = false;
  let inPhonetic = false;

  const open = (name: string, attributes: Attributes): void => {
    if (name === 'row') {
      rowNumber = positive(attributes.r, rowNumber + 1);
      cells = [];
    } else if (name === 'c') cell = openCell(attributes, (cells.at(-1)?.column ?? -1) + 1);
    else if (name === 'rPh') inPhonetic = true;
    else if (cell !== undefined && name === 'f') cell.formula = 'formula';
    else if (cell !== undefined && (name === 'v' || (name === 't' && !inPhonetic))) {
      cell.value ??= '';
      capturing = true;
    }
  };
  const close = (name: string): SheetRow | undefined => {
    if (name === 'row') return { row: rowNumber, cells };
    if (name === 'rPh') inPhonetic = false;
    else if (name === 'v' || name === 't') capturing = false;
    else if (name === 'c' && cell !== undefined) {
      cells.push(cell);
      cell = undefined;
    }
    return undefined;
  };
  const accept = (event: XmlEvent): SheetRow | undefined => {
    if (event.type === 'open') open(event.name, event.attributes);
    else if (event.type === 'close') return close(event.name);
    else if (capturing && cell !== undefined) cell.value += event.text;
    return undefined;
  };
  return { accept };
}

function openCell(attributes: Attributes, next: number): OpenCell {
  const reference = attributes.r;
  return {
    column: reference === undefined ? next : columnOf(reference),
    type: attributes.t ?? 'n',
    style: positive(attributes.s, 0),
    value: undefined,
    formula: 'plain',
  };
}

/** `AB12` is column 27. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '';
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  if (column < 1 || column > LAST_COLUMN) throw new Error(`a cell called "${reference}"`);
  return column - 1;
}

const positive = (text: string | undefined, otherwise: number): number =>
  text === undefined || !/^\d+$/.test(text) ? otherwise : Number(text);

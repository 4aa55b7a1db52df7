import { omitUndefined } from '#base/omit-undefined.js';
import { excerpt } from '#base/printable.js';
import { ungarbled } from '../source/garbled-text.js';
import type { SourceNote, SourceRow } from '../source/source-table.js';

interface Garbled {
  readonly is: 'garbled' | 'cut';
  count: number;
  readonly index: number;
  readonly row: number;
  readonly value: string;
  readonly original?: string;
}

/** How a spreadsheet shows a long number: its last digits are lost. */
const CUT = /^\d[.,]\d+E\+(?:09|[1-9]\d)$/i;

/** The number in another cell of the row that a spreadsheet shows like this. */
function wholeNumber(cut: string, cells: readonly string[]): string | undefined {
  const [digits = ''] = /(?<=[.,])\d+/.exec(cut) ?? [];
  const shown = Number(cut.replace(',', '.'));
  const numbers = cells.flatMap((cell) => cell.match(/(?<![\d.,])\d{10,}(?![\d.,])/g) ?? []);
  return numbers.find((number) => Number(Number(number).toExponential(digits.length)) === shown);
}

/** Collects cells whose letters or digits were destroyed, as a note for each column that has some. */
export function garbledCollector(): { add(row: SourceRow): void; notes(headers: readonly string[]): SourceNote[] } {
  const found = new Map<string, Garbled>();
  return {
    add({ row, cells }) {
      for (const [index, value] of cells.entries()) {
        const original = ungarbled(value);
        const is = original === undefined ? 'cut' : 'garbled';
        if (is === 'cut' && !CUT.test(value.trim())) continue;
        const key = `${index} ${is}`;
        const before = found.get(key);
        const whole = original ?? wholeNumber(value.trim(), cells);
        if (before === undefined)
          found.set(key, { is, count: 1, index, row, value, ...omitUndefined({ original: whole }) });
        else before.count += 1;
      }
    },
    notes: (headers) =>
      [...found.values()].map((one) => (one.is === 'cut' ? cutNote : noteOf)(headers[one.index] ?? '', one)),
  };
}

function noteOf(header: string, { count, row, value, original = '' }: Garbled): SourceNote {
  const cells = count === 1 ? '1 cell looks' : `${count} cells look`;
  return {
    severity: 'warning',
    code: 'cells-garbled',
    message: `${cells} like UTF-8 that was read as Windows-1252 in "${header}": "${excerpt(value)}" in row ${row} was probably "${excerpt(original)}".`,
    hint: 'Export the list again as UTF-8.',
  };
}

function cutNote(header: string, { count, row, value, original }: Garbled): SourceNote {
  const cells = count === 1 ? '1 cell is a number' : `${count} cells are numbers`;
  const whole = original === undefined ? '' : ` (probably "${excerpt(original)}")`;
  return {
    severity: 'warning',
    code: 'digits-lost',
    message: `${cells} of which a spreadsheet has lost digits in "${header}": "${excerpt(value)}" in row ${row}${whole}.`,
    hint: 'Correct such cells in the file, or give them their texts under `values`.',
  };
}

import { excerpt } from '#base/printable.js';
import { ungarbled } from '../source/garbled-text.js';
import type { SourceNote, SourceRow } from '../source/source-table.js';

interface Garbled {
  count: number;
  readonly row: number;
  readonly value: string;
  readonly original: string;
}

/** Collects cells whose letters were destroyed, as a note for each column that has some. */
export function garbledCollector(): { add(row: SourceRow): void; notes(headers: readonly string[]): SourceNote[] } {
  const found = new Map<number, Garbled>();
  return {
    add({ row, cells }) {
      for (const [index, value] of cells.entries()) {
        const original = ungarbled(value);
        if (original === undefined) continue;
        const before = found.get(index);
        if (before === undefined) found.set(index, { count: 1, row, value, original });
        else before.count += 1;
      }
    },
    notes: (headers) => [...found].map(([index, garbled]) => noteOf(headers[index] ?? '', garbled)),
  };
}

function noteOf(header: string, { count, row, value, original }: Garbled): SourceNote {
  const cells = count === 1 ? '1 cell looks' : `${count} cells look`;
  return {
    severity: 'warning',
    code: 'cells-garbled',
    message: `${cells} like UTF-8 that was read as Windows-1252 in "${header}": "${excerpt(value)}" in row ${row} was probably "${excerpt(original)}".`,
    hint: 'Export the list again as UTF-8.',
  };
}

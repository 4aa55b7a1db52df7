import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { removeMarker } from '../preflight/row-fields.js';
import type { KeptRow, KeptValue } from './keyed-rows.js';
import type { Target } from './targets.js';
import { cellReadingOptions, normalValue } from './value-form.js';

/** A cell with its values on both sides. */
export type CellChange = NonNullable<RowChange['cells']>[number];

/** Changes that a row would make to a record. */
export interface RowDifference {
  readonly cells: readonly CellChange[];
  /** Headers of the cells that the record does not show. */
  readonly unknown: readonly string[];
}

/** Compares rows with records, read as the service reads them with a definition. */
export interface RowReader {
  /** Value that a cell asks for: empty removes, undefined leaves as it is, null leaves to the service. */
  after(target: Target, cells: readonly string[]): string | null | undefined;
  difference(cells: readonly string[], record: KeptRow): RowDifference;
  /** Values of a new record; `named`: its row has every key. */
  asked(cells: readonly string[], row: 'named' | 'without a key'): CellChange[];
  /** Values that go away with a record. */
  had(record: KeptRow): CellChange[];
}

/** Fields of objects whose replacement the service chooses if a row removes them (wire-facts 4, "removeValue"). */
export const UNREMOVABLE = /^(category|lifecyclephase|owner)(\.|$)/;

/** REPLACE recreates the lines of a BOM, so an empty cell clears its field; files of an item stay (wire-facts 4). */
const recreatesLines = ({ resource, mode }: ImportDefinitionSpec): boolean =>
  mode.toUpperCase() === 'REPLACE' && resourceNamed(resource).isTree === true;

/** Creates the reader of rows with cells at the positions of the targets. */
export function rowReader(targets: readonly Target[], definition: ImportDefinitionSpec): RowReader {
  const reading = cellReadingOptions(definition);
  const marker = removeMarker(definition);
  const whole = recreatesLines(definition);
  const strip = (text: string): string => (reading.whiteSpace === 'STRIP' ? text.trim() : text);
  const before = (value: KeptValue | undefined): string => (value?.[1] === marker ? '' : (value?.[1] ?? ''));

  /**
   * Value that a cell asks for; undefined if it leaves the value as it is, null if the service decides (interface 2.1;
   * wire-facts 4, "removeValue").
   */
  const after = (target: Target, cells: readonly string[]): string | null | undefined => {
    const cell = strip(cells[target.column] ?? '');
    if (cell === marker) return UNREMOVABLE.test(target.field) ? null : '';
    if (cell !== '') return cell;
    return whole && target.field !== 'quantity' ? '' : undefined;
  };

  return {
    after,
    difference(cells, { values }) {
      const changes: CellChange[] = [];
      const unknown: string[] = [];
      for (const [index, target] of targets.entries()) {
        const asked = target.is === undefined ? after(target, cells) : undefined;
        if (asked === undefined) continue;
        const value = values[index];
        if (asked === null || value === null || value === undefined) unknown.push(target.header);
        else if (normalValue(value[0], asked, reading) !== normalValue(value[0], before(value), reading))
          changes.push({ column: target.header, before: before(value), after: asked });
      }
      return { cells: changes, unknown };
    },
    asked: (cells, row) =>
      targets.flatMap((target) => {
        const asked = row === 'named' && target.is !== undefined ? '' : (after(target, cells) ?? '');
        return asked === '' ? [] : [{ column: target.header, before: '', after: asked }];
      }),
    had: ({ values }) =>
      targets.flatMap(({ header }, index) => {
        const value = before(values[index] ?? undefined);
        return value === '' ? [] : [{ column: header, before: value, after: '' }];
      }),
  };
}

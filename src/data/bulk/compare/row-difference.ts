import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { removeMarker } from '../preflight/row-fields.js';
import type { KeptRow, KeptValue } from './keyed-rows.js';
import type { Target } from './targets.js';
import { normalValue, readingOf } from './value-form.js';

/** A cell on both sides. */
export type CellChange = NonNullable<RowChange['cells']>[number];

/** What a row would change of a record. */
export interface RowDifference {
  readonly cells: readonly CellChange[];
  /** Headers of the cells that the record does not show. */
  readonly unknown: readonly string[];
}

/** Tells rows from records, as a definition has the service read them. */
export interface RowReader {
  /** What a cell asks for, empty where it removes the value; undefined where it leaves it as it is, null where the service decides. */
  after(target: Target, cells: readonly string[]): string | null | undefined;
  difference(cells: readonly string[], record: KeptRow): RowDifference;
  /** What a new record gets; `named`: its row has every key. */
  asked(cells: readonly string[], row: 'named' | 'without a key'): CellChange[];
  /** What a record that goes away had. */
  had(record: KeptRow): CellChange[];
}

/** The service decides what an object that a row takes away is replaced by (wire-facts 4, "removeValue"). */
export const UNREMOVABLE = /^(category|lifecyclephase|owner)(\.|$)/;

/** Under REPLACE the lines of a BOM are made anew, so that an empty cell empties; files of an item stay (wire-facts 4). */
const isMadeAnew = ({ resource, mode }: ImportDefinitionSpec): boolean =>
  mode.toUpperCase() === 'REPLACE' && resourceNamed(resource).isTree === true;

/** The reader of rows whose cells stand as the targets say. */
export function rowReader(targets: readonly Target[], definition: ImportDefinitionSpec): RowReader {
  const reading = readingOf(definition);
  const marker = removeMarker(definition);
  const whole = isMadeAnew(definition);
  const strip = (text: string): string => (reading.whiteSpace === 'STRIP' ? text.trim() : text);
  const before = (value: KeptValue | undefined): string => (value?.[1] === marker ? '' : (value?.[1] ?? ''));

  /**
   * What a cell asks for; undefined where it leaves the value as it is, null where the service decides (interface 2.1; wire-facts
   * 4, "removeValue").
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

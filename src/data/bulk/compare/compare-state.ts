import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type ComparisonInput, compareRows, type ReportChange, type RowComparison } from './compare-rows.js';
import { openSharedCells, type SharedRows } from './shared-cells.js';

/** Committed rows, and their records in the workspace. */
export interface StateComparisonInput extends ComparisonInput {
  /** All rows of the import, if only some of them are compared. */
  readonly whole?: SharedRows['prepared'];
  /** An existing folder. */
  readonly folder: string;
}

/**
 * Compares committed rows with the state that they asked for: a change is what somebody changed since, and `new` means
 * that the record is gone. If several rows fill one object, the last one counts.
 */
export async function compareState(
  { folder, whole, ...input }: StateComparisonInput,
  say: ReportChange,
): Promise<RowComparison> {
  const { prepared, definition } = input;
  const shared = await openSharedCells({ prepared: whole ?? prepared, definition, folder });
  try {
    const as = (cells: readonly string[]): readonly string[] => shared.of(cells);
    return await compareRows({ ...input, definition: asState(definition), asks: 'state', as }, say);
  } finally {
    shared.close();
  }
}

/** The definition in the mode that describes the result of the import. */
function asState(definition: ImportDefinitionSpec): ImportDefinitionSpec {
  const mode = definition.mode.toUpperCase();
  const options = { ...definition.options, matchDuplicates: 'APPLY_TO_ALL' } as const;
  return { ...definition, mode: mode === 'REPLACE' || mode === 'DELETE' ? mode : 'OVERWRITE', options };
}

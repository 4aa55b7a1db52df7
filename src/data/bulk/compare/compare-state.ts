import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type Compared, type Comparing, compareRows, type Say } from './compare-rows.js';
import { openSharedCells, type SharedRows } from './shared-cells.js';

/** Rows that were committed, and what the workspace has of them. */
export interface ComparingState extends Comparing {
  /** All rows of the import, where only some of them are compared. */
  readonly whole?: SharedRows['prepared'];
  /** A folder that is there. */
  readonly folder: string;
}

/**
 * Compares rows that were committed with what they ask for once they were: a change is what somebody changed since. `new`: the
 * record is gone. Of several rows that fill one object the last one counts.
 */
export async function compareState({ folder, whole, ...input }: ComparingState, say: Say): Promise<Compared> {
  const { prepared, definition } = input;
  const shared = await openSharedCells({ prepared: whole ?? prepared, definition, folder });
  try {
    const as = (cells: readonly string[]): readonly string[] => shared.of(cells);
    return await compareRows({ ...input, definition: asState(definition), asks: 'state', as }, say);
  } finally {
    shared.close();
  }
}

/** The definition in the mode that asks for what the import has left behind. */
function asState(definition: ImportDefinitionSpec): ImportDefinitionSpec {
  const mode = definition.mode.toUpperCase();
  const options = { ...definition.options, matchDuplicates: 'APPLY_TO_ALL' } as const;
  return { ...definition, mode: mode === 'REPLACE' || mode === 'DELETE' ? mode : 'OVERWRITE', options };
}

import { resourceNamed } from '#core/model/import-resources.js';
import { recordFinder, sharedKey } from '../compare/find-records.js';
import { filledPlaces, sharedPlaces } from '../compare/shared-cells.js';
import { touchedRows } from '../read-back/touched-rows.js';
import { joinKey, KeyIndex } from '../rows/key-index.js';
import type { UndoContext } from './undo-context.js';

/** Whether a cell of an object that records share is restored through a record that existed before. */
export type IsPutBack = (column: number, key: readonly string[]) => boolean;

const NEVER: IsPutBack = () => false;

/** Finds these cells; reads nothing if records share nothing, or if none is new. */
export async function sharedPutBack({ sent, definition, before, absent, signal }: UndoContext): Promise<IsPutBack> {
  const resource = resourceNamed(definition.resource);
  if (resource.shared === undefined || absent.count === 0) return NEVER;
  const places = sharedPlaces(sent.columns, resource);
  const finder = recordFinder(sent.columns, definition);
  const index = new KeyIndex();
  const textOf = (column: number, key: readonly string[]): string =>
    joinKey([String(column), ...sharedKey(resource, key)]);
  for await (const { n, cells, identity } of touchedRows(sent, definition, signal)) {
    if (finder.find(identity, before).length === 0) continue;
    for (const column of filledPlaces(cells, places)) index.firstRow(textOf(column, identity.key), n);
  }
  return (column, key) => index.has(textOf(column, key));
}

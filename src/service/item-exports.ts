import { canonical, isObject, type Json, type JsonObject } from '#core/model/json.js';
import type { Guid } from '#core/model/kind.js';
import type { Writer } from './client.js';
import { collectionOf } from './collection.js';
import type { ExchangeRuns } from './exchange-runs.js';
import { openExportRuns } from './export-runs.js';
import { listPages } from './list-pages.js';
import { guidFrom } from './odd-entries.js';

/** The tables that records are read from: items, or the lines of their BOMs (wire-facts 5.1, "exportViews"). */
export type ExportedView = 'SPECS' | 'BOM';

/**
 * Exports that dexsync uses to read many records in few requests. Unlike other reads, they leave a run and a definition
 * that the service never deletes (wire-facts 5.1).
 */
export interface ItemExports {
  /** Opens the runs of a view's only definition, found by name or created on first use: at most two requests. */
  runsOf(view: ExportedView): Promise<ExchangeRuns>;
}

/** Returns the name that the definition of a view has in every workspace. */
export const nameOfExport = (view: ExportedView): string => `dexsync preview ${view}`;

/** Options of a definition: imports change the working revision (interface 4.6, "Export definition rules"). */
const optionsOf = (view: ExportedView): JsonObject => ({
  exportViews: [view],
  bomLevels: view === 'BOM' ? 'SINGLE' : 'NONE',
  fileContent: { item: 'NONE', supplierItem: 'NONE' },
  header: 'apiName',
  revisionStatus: 'WORKING',
  format: 'csv',
});

const DESCRIPTION =
  'Reads what the rows of an import are compared with. dexsync runs it where `preview: full` is asked for.';

/** Opens exports over a client that may write. */
export function openItemExports(writer: Writer): ItemExports {
  const { path } = collectionOf(writer, 'exportDefinitions');
  const find = async (view: ExportedView): Promise<Guid | undefined> => {
    const found = await listPages(writer, path, 'paged', { name: nameOfExport(view) });
    const own = found.find((body) => isOwn(body, view));
    return own === undefined ? undefined : guidFrom(own.guid, `The export definition "${nameOfExport(view)}"`);
  };
  const create = async (view: ExportedView): Promise<Guid> => {
    const json = { name: nameOfExport(view), description: DESCRIPTION, world: 'ITEMS', options: optionsOf(view) };
    const { guid } = await writer.create(path, { json: { ...json, criteria: null } });
    return guidFrom(guid, 'The export definition that was created');
  };
  return { runsOf: async (view) => openExportRuns(writer, (await find(view)) ?? (await create(view))) };
}

/** Also compares contents: names may repeat, and omissions say nothing (wire-facts 0, "names"; 4, "Answer echoes"). */
function isOwn({ name, criteria, options }: JsonObject, view: ExportedView): boolean {
  const said = isObject(options) ? options : {};
  const fits = Object.entries(optionsOf(view)).every(
    ([key, value]) => said[key] === undefined || isSame(said[key], value),
  );
  return name === nameOfExport(view) && (criteria === undefined || criteria === null) && fits;
}

const isSame = (a: Json | undefined, b: Json): boolean => canonical(a).toUpperCase() === canonical(b).toUpperCase();

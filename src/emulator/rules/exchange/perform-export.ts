import type { ExportDefinition } from '../../families/export-definitions.js';
import { type ExportRun, exportRuns } from '../../families/export-runs.js';
import { setFields } from '../../family/records.js';
import { Interruption } from '../../store/database.js';
import { PickedItems } from '../../store/item-pages.js';
import { candidates } from '../criteria/candidates.js';
import { compileCriteria } from '../criteria/criteria.js';
import { loadNames, type Names } from '../criteria/item-fields.js';
import { zulu } from '../date-times.js';
import type { ExportView } from '../export-options.js';
import { writeArchive } from './archive.js';
import { bomTable, itemTable } from './item-tables.js';
import { relatedTable } from './related-tables.js';
import { archiveName, type ExchangeSupport, withSnapshot } from './run-support.js';
import type { Table } from './table.js';

/**
 * Performs an export from CREATED or RUNNING to its end: finds the items that meet its criteria and writes the archive
 * (wire-facts 5.1). A run that a restart interrupted starts again.
 */
export async function performExport(
  run: ExportRun,
  definition: ExportDefinition,
  support: ExchangeSupport,
): Promise<void> {
  const { status, data, files, clock, chance } = support;
  const set = (values: Partial<ExportRun>) => setFields(status, exportRuns, run.guid, values);
  set({ status: 'RUNNING' });
  try {
    const path = files.path(run.guid, 'archive');
    const { options } = definition;
    const { count, size } = await withSnapshot(data, async () => {
      const names = loadNames(data);
      const picked = pickItems(run, names, support);
      const tables = options.exportViews.map((view) => tableOf(view, definition, picked, names, support));
      return { count: picked.count, size: await writeArchive(path, tables, options, clock()) };
    });
    const file = { file: chance.guid(), title: archiveName('Export', clock(), run.guid), size };
    // One statement, so that a client that sees COMPLETE finds the archive. Some items may have changed since the plan.
    set({ status: 'COMPLETE', criteriaResultsCount: count, ...file, completionDateTime: zulu(clock()) });
  } catch (error) {
    if (error instanceof Interruption) throw error;
    support.log(`Export run ${run.guid}: ${String((error as Error).stack ?? error)}`);
    set({ status: 'FAILED', completionDateTime: zulu(clock()) });
  }
}

function pickItems({ criteria }: ExportRun, names: Names, { data }: ExchangeSupport): PickedItems {
  const test = compileCriteria(criteria, names);
  const picked = new PickedItems(data);
  for (const page of candidates(criteria, data)) {
    for (const item of page.filter(test)) picked.add(item.guid);
  }
  return picked;
}

function tableOf(
  view: ExportView,
  { options }: ExportDefinition,
  picked: PickedItems,
  names: Names,
  { data }: ExchangeSupport,
): Table {
  const items = () => picked.items();
  if (view === 'SPECS') return itemTable(view, items, names, 'with custom');
  if (view === 'BOM') return bomTable(view, data, items, options.bomLevels);
  return relatedTable(view, data);
}

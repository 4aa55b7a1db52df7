import { type ExtractRun, extractRuns } from '../../families/extract-runs.js';
import { setFields } from '../../family/records.js';
import { Interruption } from '../../store/database.js';
import { changedItems, isTracked, trackFromNow } from '../../store/extracts.js';
import { itemPages, PickedItems } from '../../store/item-pages.js';
import { loadNames, type Names } from '../criteria/item-fields.js';
import { zulu } from '../date-times.js';
import { writeArchive } from './archive.js';
import { attributeTable, bomTable, type Items, itemTable } from './item-tables.js';
import { archiveName, type ExchangeSupport, withSnapshot } from './run-support.js';
import type { Table } from './table.js';

const CHANGE_COLUMNS = [
  { apiName: 'guid', name: 'Change GUID' },
  { apiName: 'number', name: 'Change Number' },
  { apiName: 'title', name: 'Title' },
  { apiName: 'category.name', name: 'Category' },
  { apiName: 'lifecycleStatus.type', name: 'Status' },
];

const FORMAT = { format: 'csv', header: 'apiName' } as const;

/**
 * Performs an extract to its end (wire-facts 5.2): writes the whole workspace as tables and, after the first completed
 * run of type FULL_AND_DELTA, the changes since the last one as tables of the same form, named `…_Delta`. Only this
 * thread writes items, so no change falls between two runs.
 */
export async function performExtract(run: ExtractRun, support: ExchangeSupport): Promise<void> {
  const { status, data, files, clock, chance } = support;
  const started = clock();
  setFields(status, extractRuns, run.guid, { runDateTime: zulu(started) });
  try {
    const { views, size } = await withSnapshot(data, async () => {
      const tables = tablesOf(run, support);
      const written = await writeArchive(files.path(run.guid, 'archive'), tables, FORMAT, started);
      return { views: tables.map((table) => table.name), size: written };
    });
    const file = { file: chance.guid(), title: archiveName('Extract', started, run.guid), size };
    data.transaction(() => {
      const ended = { status: 'COMPLETED', completionDateTime: zulu(clock()) } as const;
      setFields(data, extractRuns, run.guid, { ...ended, viewsExtracted: views, ...file });
      if (run.type === 'FULL_AND_DELTA') trackFromNow(data, run.extract);
    });
  } catch (error) {
    if (error instanceof Interruption) throw error;
    support.log(`Extract run ${run.guid}: ${String((error as Error).stack ?? error)}`);
    setFields(status, extractRuns, run.guid, { status: 'FAILED', completionDateTime: zulu(clock()) });
  }
}

function tablesOf(run: ExtractRun, { data }: ExchangeSupport): Table[] {
  const names = loadNames(data);
  const full = itemTables('', () => allItems(data), names, data);
  if (run.type === 'FULL' || !isTracked(data, run.extract)) return [...full, changeTable('')];
  const picked = new PickedItems(data);
  for (const guid of changedItems(data, run.extract)) picked.add(guid);
  const delta = itemTables('_Delta', () => picked.items(), names, data);
  return [...full, changeTable(''), ...delta, changeTable('_Delta')];
}

function itemTables(suffix: string, items: Items, names: Names, data: ExchangeSupport['data']): Table[] {
  return [
    itemTable(`Items_Summary${suffix}`, items, names, 'standard only'),
    attributeTable(`Items_Attributes${suffix}`, items, names),
    bomTable(`Items_BOM${suffix}`, data, items, 'SINGLE'),
  ];
}

function changeTable(suffix: string): Table {
  return { name: `Changes_Summary${suffix}`, columns: CHANGE_COLUMNS, rows: () => [] };
}

function* allItems(data: ExchangeSupport['data']) {
  for (const page of itemPages(data)) yield* page;
}

import { relative, resolve, sep } from 'node:path';
import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import type { ListPlace, RowLists } from '#core/manifest/interpolate.js';
import { leadsOut } from '#core/manifest/load.js';
import type { RowTable, TableRow } from '#core/manifest/row-table.js';
import { pointerTo } from '#core/model/pointer.js';
import type { Host, OpenList } from './host.js';
import { mayRead, sourceFolder } from './source-place.js';

/** Rows beyond what manifests describe: they belong into an Import. */
export const MOST_ROWS = 100_000;

/** The lists that the manifests of a project come from. Each is read once, for all environments. */
export interface ReadLists extends RowLists {
  /** Reads the lists that were not read yet. Returns the findings about all that are named. */
  read(places: readonly ListPlace[]): Promise<readonly Diagnostic[]>;
}

/** What reading a list takes of a host. */
export type ListHost = Pick<Host, 'cwd' | 'findList'>;

interface ListReading {
  readonly table?: RowTable;
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens no file before one is named. */
export function readLists(
  config: { readonly folder: string; readonly catalog: RowLists['catalog'] },
  host: ListHost,
): ReadLists {
  const known = new Map<string, Promise<ListReading>>();
  const tables = new Map<string, RowTable>();
  const readOnce = (place: ListPlace): Promise<ListReading> => {
    const key = keyOf(place);
    const home = sourceFolder(place.origins.start.file, config.folder, host.cwd);
    const reading = known.get(key) ?? readList(place, { folder: config.folder, home }, host);
    known.set(key, reading);
    return reading;
  };
  return {
    catalog: config.catalog,
    tableOf: (place) => tables.get(keyOf(place)),
    async read(places) {
      const readings = await Promise.all(places.map(readOnce));
      for (const [index, { table }] of readings.entries()) {
        if (table !== undefined) tables.set(keyOf(places[index] as ListPlace), table);
      }
      return readings.flatMap(({ diagnostics }) => diagnostics);
    },
  };
}

/** Two documents of one place may name the same file, and each has its own findings. */
const keyOf = ({ source, origins: { start } }: ListPlace): string =>
  JSON.stringify([start.file, start.line, start.column, source]);

/** Reads a list of the project in `folder`; its path is relative to `home`. */
export async function readList(
  place: ListPlace,
  { folder, home }: { readonly folder: string; readonly home: string },
  host: ListHost,
): Promise<ListReading> {
  const { source } = place;
  const path = resolve(home, source.file);
  const file = leadsOut(folder, path) ? source.file : relative(folder, path).replaceAll(sep, '/');
  try {
    const list = await host.findList(path, { ...source, file });
    if (!(await mayRead(list.path, folder, home))) return { diagnostics: [outside(place)] };
    return await readRows(await list.open(), place);
  } catch (error) {
    if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
    return { diagnostics: [withHint(findingAt(place, 'source-unreadable', error.message), error.hint)] };
  }
}

async function readRows({ batches, warnings, ...table }: OpenList, place: ListPlace): Promise<ListReading> {
  const rows: TableRow[] = [];
  for await (const batch of batches) {
    rows.push(...batch);
    if (rows.length > MOST_ROWS) return { diagnostics: [tooMany(table, place)] };
  }
  const warned = warnings().map(({ code, message, hint }) =>
    withHint({ ...findingAt(place, code, message), severity: 'warning' as const }, hint),
  );
  return { table: { ...table, find: remembering(table.find), rows }, diagnostics: warned };
}

/** A column is looked for in every row. */
function remembering(find: RowTable['find']): RowTable['find'] {
  const known = new Map<string, ReturnType<typeof find>>();
  return (header) => {
    if (!known.has(header)) known.set(header, find(header));
    return known.get(header);
  };
}

const findingAt = ({ origins }: ListPlace, code: string, message: string): Diagnostic => ({
  severity: 'error',
  code,
  message,
  origin: origins.value(pointerTo('/forEach', 'file')),
});

const outside = (place: ListPlace): Diagnostic => ({
  ...findingAt(place, 'path-outside', `The list "${place.source.file}" is outside the project folder.`),
  hint: 'Move the file into the project.',
});

const tooMany = ({ name }: Pick<RowTable, 'name'>, place: ListPlace): Diagnostic => ({
  ...findingAt(place, 'rows-many', `${name} has more than ${MOST_ROWS} rows, which are too many for manifests.`),
  hint: 'Leave rows out with `where`, or load the rows with an Import.',
});

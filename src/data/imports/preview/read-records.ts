import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Address } from '#core/model/address.js';
import { type ImportResource, resourceNamed } from '#core/model/import-resources.js';
import type { Host } from '#project/host.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import type { LiveNames } from '../../bulk/compare/live-value.js';
import { FREE_TEXT } from '../../bulk/preflight/columns.js';
import { createRowFields } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import type { RowRanges } from '../../bulk/rows/row-ranges.js';
import { type FillContext, openFillContext, type ReadWhat, type RecordReading } from './records/fill-context.js';
import type { CoveredRead } from './records/fill-covered.js';
import { fillFiles, isFieldOfFile } from './records/fill-files.js';
import { fillItemFiles, isFieldOfItemFile } from './records/fill-item-files.js';
import { fillItems, fillLines } from './records/fill-items.js';
import { fillSourcing, isFieldOfSourcing } from './records/fill-sourcing.js';
import { openBudget } from './request-budget.js';

/** Emits the progress while the records of one import are read. */
export const comparingEvents =
  (address: Address, host: Host) =>
  (what: ReadWhat, count: number): void =>
    host.emit({ type: 'import', address, event: { type: 'comparing', what, count } });

/** The records that rows are about, sealed, or why they were not read. */
export type RecordsRead =
  | { readonly by: 'pages' | 'searches' | 'export'; readonly records: KeyedRows; readonly covered?: RowRanges }
  | { readonly why: string };

/** Reads the records of the workspace that the rows of an import are about. */
export async function readRecords(reading: RecordReading): Promise<RecordsRead> {
  const resource = resourceNamed(reading.definition.resource);
  const why = unreadableRows(reading.prepared, reading.definition);
  if (why !== undefined) return { why };
  const { fill, isOwn } = FILLS[resource.compared ?? 'items'];
  const filling = await openFillContext(reading, isOwn);
  const { records } = filling;
  try {
    const found = await fill(filling);
    if (!('why' in found)) {
      records.seal();
      return { ...found, records };
    }
    records.close();
    return found;
  } catch (error) {
    records.close();
    throw error;
  }
}

/** Reads the records at any price. */
export const readAllRecords = (reading: Omit<RecordReading, 'budget' | 'mostSearched'>): Promise<RecordsRead> =>
  readRecords({
    ...reading,
    budget: openBudget(reading.reader, Number.POSITIVE_INFINITY),
    mostSearched: Number.POSITIVE_INFINITY,
  });

/** How the records of each resource are read, and which fields are their own. */
const FILLS: Readonly<
  Record<
    NonNullable<ImportResource['compared']>,
    { readonly fill: (filling: FillContext) => Promise<CoveredRead>; readonly isOwn?: LiveNames['isOwn'] }
  >
> = {
  items: { fill: fillItems },
  'BOM lines': { fill: fillLines },
  sourcing: { fill: fillSourcing, isOwn: isFieldOfSourcing },
  'files of items': { fill: fillItemFiles, isOwn: isFieldOfItemFile },
  files: { fill: fillFiles, isOwn: isFieldOfFile },
};

/** Why the records of rows cannot be read in any workspace; undefined if they can. */
export function unreadableRows(
  { columns }: Pick<PreparedImport, 'columns'>,
  definition: ImportDefinitionSpec,
): string | undefined {
  const resource = resourceNamed(definition.resource);
  const fields = createRowFields(columns, definition);
  const unmapped = resource.keys.find((key) => fields.column(key) === undefined && !hasGuid(fields, key));
  if (resource.compared === undefined) return `records of ${resource.name} cannot be read`;
  if (unmapped !== undefined) return `no column is mapped to "${unmapped}"`;
  const named = BY_GUID.find(([field]) => fields.column(field) !== undefined);
  return named === undefined ? undefined : `its rows name ${named[1]} by GUID`;
}

const hasGuid = (fields: ReturnType<typeof createRowFields>, key: string): boolean =>
  key === 'number' && (fields.column('guid') ?? fields.column(FREE_TEXT)) !== undefined;

/** Fields by which rows name their other end by a GUID that the records do not show. */
const BY_GUID = [
  ['item.guid', 'items'],
  ['supplier.guid', 'suppliers'],
  ['supplierItem.guid', 'supplier items'],
  ['file.guid', 'files'],
] as const;

import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { resourceNamed } from '../../model/import-resources.js';
import type { ItemReads } from '../../service/item-reads.js';
import { liveValue } from '../compare/live-value.js';
import { normalValue, readingOf } from '../compare/value-form.js';
import type { Finding } from '../preflight/findings.js';
import { removeMarker, rowFieldsOf } from '../preflight/row-fields.js';
import type { PreparedImport } from '../prepare.js';
import { keyOf } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { placeOf } from '../source/source-table.js';
import { type LiveRecords, liveRecordsOf } from './live-records.js';

/** A committed import, and which of its rows are read back. */
export interface VerifyInput {
  readonly prepared: PreparedImport;
  readonly definition: ImportDefinitionSpec;
  readonly reads: ItemReads;
  readonly how: 'sample' | 'all';
  /** Data rows that are known not to have taken effect. */
  readonly failed: ReadonlySet<number>;
  readonly signal: AbortSignal;
  readonly onRow: (checked: number, of: number) => void;
}

/** How many rows were compared, and where the workspace differs from them. */
export interface Verification {
  readonly checked: number;
  /** Cells that the workspace holds otherwise, or whose record is not there. */
  readonly findings: readonly Finding[];
}

/** Rows of a sample: spread evenly, the first and the last among them. */
export const SAMPLE_ROWS = 20;
const KEEP = 100;

/** Reads committed rows back and compares cell by cell. Of several rows of one key the last one counts. */
export async function verifyRows(input: VerifyInput): Promise<Verification> {
  const { prepared, definition, reads, how, failed, signal, onRow } = input;
  if (resourceNamed(definition.resource).readBack === undefined) return { checked: 0, findings: [] };
  const keysOf = keyReader(input);
  const rows = await chooseRows(prepared, keysOf, how, failed);
  const live = liveRecordsOf(definition.resource, reads);
  const findings: Finding[] = [];
  let checked = 0;
  for await (const { n, cells } of readAllRows(prepared)) {
    if (!rows.has(n)) continue;
    if (signal.aborted) break;
    const found = await live.find(keysOf(cells));
    const wrong = differences(cells, found, input);
    for (const finding of wrong) {
      if (findings.length < KEEP) findings.push({ ...finding, ...placeOfRow(n, prepared) });
    }
    checked += 1;
    onRow(checked, rows.size);
  }
  return { checked, findings };
}

function keyReader({ prepared, definition }: VerifyInput): (cells: readonly string[]) => string[] {
  const fields = rowFieldsOf(prepared.columns, definition);
  return (cells) => resourceNamed(definition.resource).keys.map((key) => fields.text(cells, key));
}

async function chooseRows(
  { path, rows }: PreparedImport,
  keysOf: (cells: readonly string[]) => string[],
  how: VerifyInput['how'],
  failed: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const last = new Map<string, number>();
  for await (const { n, cells } of readAllRows({ path, rows })) {
    const keys = keysOf(cells);
    if (!failed.has(n) && !keys.includes('')) last.set(keyOf(keys), n);
  }
  const all = [...last.values()];
  if (how === 'all' || all.length <= SAMPLE_ROWS) return new Set(all);
  const step = (all.length - 1) / (SAMPLE_ROWS - 1);
  return new Set(Array.from({ length: SAMPLE_ROWS }, (_, index) => all[Math.round(index * step)] ?? 0));
}

type Difference = Pick<Finding, 'severity' | 'code' | 'message' | 'hint' | 'column' | 'value'>;

function differences(
  cells: readonly string[],
  found: Awaited<ReturnType<LiveRecords['find']>>,
  { prepared, definition }: VerifyInput,
): Difference[] {
  const gone = definition.mode.toUpperCase() === 'DELETE';
  const [record] = found ?? [];
  if (gone || record === undefined) {
    if (gone === (record === undefined)) return [];
    const message = gone ? 'The record of this row still exists.' : 'The record of this row is not in the workspace.';
    return [{ severity: 'warning', code: 'not-as-sent', message, hint: LOOK }];
  }
  const marker = removeMarker(definition);
  const reading = readingOf(definition);
  return prepared.columns.flatMap(({ header, fields }, index): Difference[] => {
    const value = cells[index]?.trim() ?? '';
    if (value === '') return [];
    return fields.flatMap((field): Difference[] => {
      const live = liveValue(record, field, reading);
      const asked = value === marker ? '' : value;
      if (live === undefined) return [];
      if (normalValue(live.form, asked, reading) === normalValue(live.form, live.text, reading)) return [];
      const message = `The workspace has "${live.text}" here.`;
      return [{ severity: 'warning', code: 'not-as-sent', message, hint: LOOK, column: header, value }];
    });
  });
}

const LOOK = 'Someone may have changed it since, or the service reads the cell differently.';

const placeOfRow = (n: number, prepared: PreparedImport) => {
  const row = prepared.sourceRowOf(n);
  return { ...placeOf(prepared), ...(row === undefined ? {} : { row }) };
};

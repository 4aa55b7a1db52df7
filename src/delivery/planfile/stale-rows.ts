import { join } from 'node:path';
import { excerpt, quoted } from '#base/printable.js';
import type { Stale } from '#core/engine/stale-objects.js';
import type { Plan, Step } from '#core/model/plan.js';
import type { RowChange, RowsPreview } from '#core/model/rows-preview.js';
import type { Job } from '#data/imports/job.js';
import { EXPORT_PATIENCE } from '#data/imports/preview/export/read-by-export.js';
import { previewRows } from '#data/imports/preview/preview-rows.js';
import { openBudget } from '#data/imports/preview/request-budget.js';
import type { Host } from '#project/host.js';
import type { Reader } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import type { ItemExports } from '#service/item-exports.js';

/** The input for comparing the rows of a saved plan again. */
interface RecompareInput {
  readonly plan: Plan;
  readonly reader: Reader;
  readonly identities: Identities;
  readonly host: Host;
  readonly folder: string;
  /** Used to compare rows again that the plan compared by an export. */
  readonly exports?: ItemExports;
}

/** Says which other cells rows would change now than a plan showed; undefined if they are the same. */
export async function staleRows(step: Step, job: Job, input: RecompareInput): Promise<Stale | undefined> {
  const { preview } = step;
  if (preview?.with !== 'workspace' || preview.digest === undefined) return undefined;
  const { reader, identities, host, folder, plan, exports } = input;
  const exporting =
    preview.by === 'export' && exports !== undefined ? { exporting: { exports, host, patience: EXPORT_PATIENCE } } : {};
  const { preview: now } = await previewRows(job, {
    ...{ reader, identities, signal: host.signal, folder: join(folder, 'preview'), keep: preview.rows?.length ?? 0 },
    budget: openBudget(reader, Number.POSITIVE_INFINITY),
    onRead: () => undefined,
    ...exporting,
  });
  if (now.digest === preview.digest) return undefined;
  const where = `environment "${plan.environment}"`;
  const message =
    now.digest === undefined
      ? `could not be compared with ${where} again: ${now.why}`
      : `would change other cells than this plan shows, because ${where} changed after it was created${firstDifference(preview, now)}`;
  return { address: step.address, is: 'changed', fields: [], message };
}

/** Formats `: 20-0001 (row 4), Name was "a" and is "b"`. Compares only as many rows as a plan keeps. */
function firstDifference({ rows: before = [] }: RowsPreview, { rows: after = [] }: RowsPreview): string {
  const now = new Map(after.map((row) => [nameOf(row), row]));
  for (const row of before) {
    const found = now.get(nameOf(row));
    now.delete(nameOf(row));
    const said = found === undefined ? ` ${WAS[row.change]}, which is no longer so` : differenceOf(row, found);
    if (said !== undefined) return `: ${placeOf(row)}${said}`;
  }
  const [added] = now.values();
  return added === undefined ? '' : `: ${placeOf(added)}${cellsText(added) ?? ` ${WILL_BE[added.change]}`}`;
}

function differenceOf(before: RowChange, now: RowChange): string | undefined {
  if (before.change !== now.change) return ` ${WAS[before.change]}, and ${WILL_BE[now.change]}`;
  const cells = new Map((before.cells ?? []).map((cell) => [cell.column, cell]));
  for (const cell of now.cells ?? []) {
    const was = cells.get(cell.column);
    cells.delete(cell.column);
    if (was === undefined) return `, ${cell.column} is ${quoted(excerpt(cell.before))} now`;
    if (was.before !== cell.before) {
      return `, ${cell.column} was ${quoted(excerpt(was.before))} and is ${quoted(excerpt(cell.before))} now`;
    }
  }
  const [gone] = cells.values();
  return gone === undefined
    ? undefined
    : `, ${gone.column} was ${quoted(excerpt(gone.before))} and is ${quoted(excerpt(gone.after))} now`;
}

/** Describes a row that had nothing to change before, and has now. */
function cellsText({ change, cells }: RowChange): string | undefined {
  const [cell] = change === 'changed' ? (cells ?? []) : [];
  return cell === undefined ? undefined : `, ${cell.column} is ${quoted(excerpt(cell.before))} now`;
}

const WAS: Readonly<Record<RowChange['change'], string>> = {
  new: 'was new',
  changed: 'was to be changed',
  removed: 'was to be removed',
  gone: 'was no longer in the file',
  refused: 'was to be refused',
  kept: 'was to stay',
};

const WILL_BE: Readonly<Record<RowChange['change'], string>> = {
  new: 'would be new now',
  changed: 'would be changed now',
  removed: 'would be removed now',
  gone: 'is no longer in the file',
  refused: 'would be refused now',
  kept: 'would stay now',
};

const nameOf = ({ key }: RowChange): string => JSON.stringify(key);

function placeOf({ key, row, worksheet }: RowChange): string {
  const sheet = worksheet === undefined ? '' : ` of ${worksheet}`;
  return `${quoted(excerpt(key.join(' / ')))}${row === undefined ? '' : ` (row ${row}${sheet})`}`;
}
